"""``python -m endoalign.run.pairs [--write]``: each notebook in step with its text, and stripped.

The ``.py`` (jupytext, percent format) is the reviewed source; the ``.ipynb`` is what Jupyter and
papermill open. ``--write`` makes each ``.ipynb`` anew from its ``.py``, without outputs.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import jupytext
import nbformat

from endoalign.paths import project_root

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def build(text: Path) -> Any:
    """Notebook made from the percent-format file ``text``: no outputs, stable cell ids."""
    notebook = jupytext.read(text)
    for index, cell in enumerate(notebook.cells):
        cell.id = f"cell-{index:02d}"
    notebook.metadata = {
        "jupytext": {"formats": "ipynb,py:percent"},
        "kernelspec": KERNEL,
        "language_info": {"name": "python"},
    }
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def faults(text: Path) -> list[str]:
    """What is wrong with the pair of ``text`` (a ``.py``); empty where nothing is."""
    path = text.with_suffix(".ipynb")
    if not path.exists():
        return [f"{path.name}: missing; write it with `make pairs`"]
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    found = []
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if any(cell.outputs or cell.execution_count for cell in code):
        found.append(f"{path.name}: holds outputs; write it anew with `make pairs`")
    if [(c.cell_type, c.source, _tags(c)) for c in notebook.cells] != [
        (c.cell_type, c.source, _tags(c)) for c in build(text).cells
    ]:
        found.append(f"{path.name}: out of step with {text.name}; write it with `make pairs`")
    if not any("parameters" in _tags(cell) for cell in code):
        found.append(f"{path.name}: no cell has the tag `parameters`")
    if notebook.metadata.get("kernelspec", {}).get("name") != KERNEL["name"]:
        found.append(f"{path.name}: the kernelspec is not {KERNEL['name']}")
    return found


def _tags(cell: Any) -> list[str]:
    return list(cell.metadata.get("tags", []))


def main() -> int:
    """Command line; the exit status is 1 where a pair is wrong."""
    parser = argparse.ArgumentParser(prog="python -m endoalign.run.pairs", description=__doc__)
    parser.add_argument("--write", action="store_true", help="make the .ipynb files anew")
    write = parser.parse_args().write
    texts = sorted((project_root() / "notebooks").glob("*.py"))
    if write:
        for text in texts:
            nbformat.write(build(text), text.with_suffix(".ipynb"))  # type: ignore[no-untyped-call]
    notebooks = (project_root() / "notebooks").glob("*.ipynb")
    alone = [f"{p.name}: no .py beside it" for p in notebooks if p.with_suffix(".py") not in texts]
    found = alone + [fault for text in texts for fault in faults(text)]
    print("\n".join(found) or f"{len(texts)} notebooks in step with their .py, no outputs")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
