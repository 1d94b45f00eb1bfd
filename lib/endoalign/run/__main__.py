"""``python -m endoalign.run NOTEBOOK --profile PROFILE``: one notebook, headless."""

import argparse
import os
import sys
import time

from papermill.exceptions import PapermillExecutionError

from endoalign.config.base import ParameterError
from endoalign.paths import profile_folder
from endoalign.progress import clock
from endoalign.run.runner import run_notebook


def main(arguments: list[str] | None = None) -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m endoalign.run", description=__doc__)
    parser.add_argument("notebook", help="name of a notebook, such as 00_corpus")
    parser.add_argument("--profile", default="demo", help="folder of params/ to take settings from")
    options = parser.parse_args(arguments)
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    start = time.monotonic()
    try:
        target = run_notebook(options.notebook, options.profile)
    except (ParameterError, KeyError, ValueError, FileNotFoundError) as error:
        print(error.args[0] if isinstance(error, KeyError) else error, file=sys.stderr)
        return 2
    except PapermillExecutionError as error:
        print(f"{options.notebook} failed in cell {error.cell_index + 1}:", file=sys.stderr)
        print(f"{error.ename}: {error.evalue}", file=sys.stderr)
        where = profile_folder(options.profile, "notebooks") / f"{options.notebook}.failed.ipynb"
        print(f"The notebook up to the fault: {where}", file=sys.stderr)
        return 1
    print(f"[{options.notebook}] done in {clock(time.monotonic() - start)}: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
