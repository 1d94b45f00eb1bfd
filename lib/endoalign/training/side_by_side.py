"""Several trainings side by side, each in a process and on cores of its own.

A small model leaves the cores of a processor idle: two trainings with one core each are done
sooner than one after the other with both.
"""

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any, TypeVar

import torch

Report = Callable[[int, int], None]
Task = TypeVar("Task")


def side_by_side(
    train: Callable[[Task], object],
    tasks: Sequence[Task],
    *,
    at_once: int,
    begin: Callable[..., object] | None = None,
    given: tuple[Any, ...] = (),
    meanwhile: Callable[[], object] | None = None,
    progress: Report | None = None,
) -> None:
    """Call ``train`` with every task, ``at_once`` of them at a time, in fresh processes.

    Nothing is returned: a training leaves files, and is found by them. An error ends all: the
    other processes are stopped as by ``kill``, which a training survives with its last state.

    Args:
        train: function of a module, as a process that starts anew must find it.
        tasks: begun in this order.
        begin: called once in each process, with ``given``, before its first task.
        meanwhile: called here while the processes start, before the first task begins.
        progress: gets (tasks done, tasks in all).

    Raises:
        ValueError: ``at_once`` is below 1.
        BrokenProcessPool: a process was killed.
        Exception: what ``train``, ``begin`` or ``meanwhile`` raised.
    """
    if at_once < 1:
        raise ValueError(f"at_once {at_once} must be at least 1")
    at_once = min(at_once, len(tasks))
    if not tasks:
        return
    cores = max(1, (os.cpu_count() or 1) // at_once)
    # Forked workers inherit the threads of torch in a broken state: start them afresh.
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(
        at_once, context, initializer=_prepare, initargs=(cores, begin, given)
    ) as pool:
        try:
            for _ in range(at_once):
                pool.submit(os.getpid)  # which starts a process
            if meanwhile is not None:
                meanwhile()
            running: set[Future[object]] = set()
            for begun, task in enumerate(tasks):
                if len(running) == at_once:
                    running = _after_the_next(running, begun, len(tasks), progress)
                running.add(pool.submit(_run, train, task))
            while running:
                running = _after_the_next(running, len(tasks), len(tasks), progress)
        except BaseException:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            raise


def _after_the_next(
    running: set[Future[object]], begun: int, total: int, progress: Report | None
) -> set[Future[object]]:
    """What still runs when one more task, or several, are done; raises what they raised."""
    done, left = wait(running, return_when=FIRST_COMPLETED)
    for number, one in enumerate(done, start=1):
        one.result()
        if progress is not None:
            progress(begun - len(running) + number, total)
    return left


_to_begin: list[tuple[Callable[..., object], tuple[Any, ...]]] = []
"""In a process: what is to be called before its first task."""


def _prepare(cores: int, begin: Callable[..., object] | None, given: tuple[Any, ...]) -> None:
    torch.set_num_threads(cores)
    if begin is not None:
        _to_begin.append((begin, given))


def _run(train: Callable[[Task], object], task: Task) -> None:
    if _to_begin:
        begin, given = _to_begin.pop()
        begin(*given)
    train(task)
