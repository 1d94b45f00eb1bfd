"""Tasks in processes of their own: all are done, cores are divided, an error ends them."""

import multiprocessing
import os
import time
from concurrent.futures.process import BrokenProcessPool

import pytest

from endoalign.training.side_by_side import side_by_side

# A fresh process finds `exec` where it would not find a function of this file.
WRITE = "import os, torch; open({!r}, 'w').write(f'{{os.getpid()}} {{torch.get_num_threads()}}')"


def written(folder):
    return [tuple(map(int, file.read_text().split())) for file in sorted(folder.iterdir())]


@pytest.mark.parametrize("tasks", [1, 2, 5])
def test_every_task_is_done_elsewhere_on_its_share_of_the_cores(tmp_path, tasks):
    code = [WRITE.format(str(tmp_path / str(place))) for place in range(tasks)]
    calls = []
    side_by_side(exec, code, at_once=2, progress=lambda *done: calls.append(done))
    assert calls == [(done, tasks) for done in range(1, tasks + 1)]
    found = written(tmp_path)
    assert len(found) == tasks
    processes = {process for process, _ in found}
    assert os.getpid() not in processes and len(processes) <= 2
    assert {cores for _, cores in found} == {max(1, os.cpu_count() // min(2, tasks))}


def test_each_process_begins_once_with_what_it_is_given(tmp_path):
    begun, seen = tmp_path / "begun", tmp_path / "seen"
    code = f"import os; open({str(begun)!r}, 'a').write('x'); os.environ['GIVEN'] = 'here'"
    task = f"import os; open({str(seen)!r}, 'a').write(os.environ['GIVEN'])"
    side_by_side(exec, [task] * 3, at_once=1, begin=exec, given=(code,))
    assert begun.read_text() == "x"
    assert seen.read_text() == "here" * 3


def test_what_is_done_meanwhile_is_done_before_the_first_task(tmp_path):
    file = tmp_path / "made"
    task = f"assert open({str(file)!r}).read() == 'here'"
    side_by_side(exec, [task] * 2, at_once=2, meanwhile=lambda: file.write_text("here"))
    side_by_side(exec, [], at_once=2, meanwhile=lambda: pytest.fail("for nothing"))
    with pytest.raises(ZeroDivisionError):
        side_by_side(exec, [task], at_once=1, meanwhile=lambda: 1 / 0)
    assert not multiprocessing.active_children()


def test_an_error_ends_all_tasks_those_that_run_and_those_that_wait(tmp_path):
    late = f"import time; time.sleep(30); open({str(tmp_path / 'late')!r}, 'w')"
    code = [late, "raise FloatingPointError('loss is nan')", *[late] * 4]
    start = time.monotonic()
    with pytest.raises(FloatingPointError, match="loss is nan"):
        side_by_side(exec, code, at_once=2)
    assert time.monotonic() - start < 25
    assert not multiprocessing.active_children()
    assert not list(tmp_path.iterdir())


def test_what_fails_to_begin_and_what_is_killed_are_told():
    with pytest.raises(LookupError, match="no such start"):
        side_by_side(
            exec, ["1"], at_once=1, begin=exec, given=("raise LookupError('no such start')",)
        )
    with pytest.raises(BrokenProcessPool):
        side_by_side(exec, ["import os; os.kill(os.getpid(), 9)", "1"], at_once=1)
    assert not multiprocessing.active_children()


def test_nothing_to_do_starts_nothing():
    side_by_side(exec, [], at_once=2, begin=exec, given=("raise OSError",))


def test_less_than_one_is_refused():
    with pytest.raises(ValueError, match="at_once 0 must be at least 1"):
        side_by_side(exec, [], at_once=0)
