"""Several trainings side by side, each in a process and on cores of its own.

A small model leaves the cores of a processor idle: two trainings with one core each are done in
little more than half the time of one after the other with both.
"""

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
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
    """Call ``train`` with every task, ``at_once`` of them at a time, each in a fresh process.

    Nothing is returned: a training leaves files, and is found by them. After an error, tasks that
    have not begun are left out.

    Args:
        train: function of a module, as a process that starts anew must find it.
        tasks: begun in this order.
        begin: called once in each process, with ``given``.
        meanwhile: called here while the processes start, before the first task begins.
        progress: gets (tasks done, tasks in all).

    Raises:
        ValueError: ``at_once`` is below 1.
        BrokenProcessPool: ``begin`` failed, or a process was killed.
        Exception: what ``train`` or ``meanwhile`` raised.
    """
    if at_once < 1:
        raise ValueError(f"at_once {at_once} must be at least 1")
    at_once = min(at_once, len(tasks))
    if not tasks:
        return
    cores = max(1, (os.cpu_count() or 1) // at_once)
    # Forked workers inherit the threads of torch in a broken state: start them afresh.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        at_once, context, initializer=_begin, initargs=(cores, begin, given)
    ) as pool:
        try:
            for _ in range(at_once):
                pool.submit(os.getpid)  # which starts a process
            if meanwhile is not None:
                meanwhile()
            waiting = [pool.submit(train, task) for task in tasks]
            for done, finished in enumerate(as_completed(waiting), start=1):
                finished.result()
                if progress is not None:
                    progress(done, len(tasks))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _begin(cores: int, begin: Callable[..., object] | None, given: tuple[Any, ...]) -> None:
    torch.set_num_threads(cores)
    if begin is not None:
        begin(*given)
