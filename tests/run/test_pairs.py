import nbformat
import pytest

from endoalign.run import pairs

TEXT = """# %% [markdown]
# # Title

# %% tags=["parameters"]
seed = 1  # any whole number
"""


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "90_toy.py"
    path.write_text(TEXT)
    nbformat.write(pairs.build(path), path.with_suffix(".ipynb"))
    return path


def change(text, edit):
    path = text.with_suffix(".ipynb")
    notebook = nbformat.read(path, as_version=4)
    edit(notebook)
    nbformat.write(notebook, path)
    return " ".join(pairs.faults(text))


def test_a_fresh_pair_is_in_step_and_valid(text):
    assert pairs.faults(text) == []
    nbformat.validate(nbformat.read(text.with_suffix(".ipynb"), as_version=4))


def test_writing_twice_gives_the_same_bytes(text):
    first = text.with_suffix(".ipynb").read_bytes()
    nbformat.write(pairs.build(text), text.with_suffix(".ipynb"))
    assert text.with_suffix(".ipynb").read_bytes() == first


def test_each_fault_is_found(text):
    def edit_source(notebook):
        notebook.cells[1].source = "seed = 2"

    def add_output(notebook):
        notebook.cells[1].outputs = [nbformat.v4.new_output("stream", text="x")]

    def drop_tag(notebook):
        notebook.cells[1].metadata = {}

    def drop_kernel(notebook):
        del notebook.metadata["kernelspec"]

    assert "out of step" in change(text, edit_source)
    assert "holds outputs" in change(text, add_output)
    assert "`parameters`" in change(text, drop_tag)
    assert "kernelspec" in change(text, drop_kernel)


def test_missing_notebook_is_told(tmp_path):
    lonely = tmp_path / "91_lonely.py"
    lonely.write_text(TEXT)
    assert "missing" in pairs.faults(lonely)[0]
