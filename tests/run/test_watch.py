import os
from pathlib import Path

import nbformat

from endoalign.progress import BATCH_CHANNEL
from endoalign.run.watch import CellReport, progress_channel


def cells():
    v4 = nbformat.v4
    return [
        v4.new_markdown_cell("# Make the world\nText"),
        v4.new_code_cell("x = 1"),
        v4.new_code_cell("x"),
    ]


def test_each_code_cell_is_told_under_its_heading(capsys):
    report = CellReport("00_corpus", cells(), expected=90.0)
    for index in range(3):
        report.start(index)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "[00_corpus cell 2 of 3] Make the world · about 1:30 left"
    assert len(lines) == 2  # text cells are passed over


def test_a_notebook_never_measured_says_how_long_it_ran(capsys):
    CellReport("00_corpus", cells(), expected=None).start(1)
    assert "0:00 so far" in capsys.readouterr().out


def test_lines_of_the_kernel_are_passed_on(capsys):
    with progress_channel(), Path(os.environ[BATCH_CHANNEL]).open("a") as stream:
        stream.write("Render: 3 of 9\n")
    assert "Render: 3 of 9" in capsys.readouterr().out
    assert BATCH_CHANNEL not in os.environ
