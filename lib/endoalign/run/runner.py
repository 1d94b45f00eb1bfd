"""Execute one notebook headless, by papermill, with the settings of a profile."""

from pathlib import Path
from typing import Any

import papermill
from papermill.engines import NBClientEngine, papermill_engines

from endoalign.config.base import ParameterError
from endoalign.config.files import read_settings
from endoalign.config.registry import parameters_of
from endoalign.paths import profile_folder
from endoalign.run.graph import notebook_path, params_path, profile_notebooks
from endoalign.run.watch import CellReport, expected_seconds, progress_channel


class ReportingEngine(NBClientEngine):  # type: ignore[misc]
    """papermill's own engine, which also tells the cell that starts."""

    report_for: tuple[str, float | None] = ("", None)

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, **options: Any) -> Any:
        """Run the notebook, printing a line a cell."""
        name, expected = cls.report_for
        report = CellReport(name, nb_man.nb.cells, expected)
        begin = nb_man.cell_start

        def announced(cell: Any, cell_index: int | None = None, **rest: Any) -> None:
            report.start(nb_man.nb.cells.index(cell) if cell_index is None else cell_index)
            begin(cell, cell_index, **rest)

        nb_man.cell_start = announced
        return super().execute_managed_notebook(nb_man, kernel_name, **options)


def run_notebook(name: str, profile: str) -> Path:
    """Execute notebook ``name`` with the settings of ``profile``; return the executed notebook.

    The executed notebook appears only when every cell has passed; a failed one stays beside it
    as ``NAME.failed.ipynb``.

    Raises:
        KeyError, ValueError: unknown notebook or profile.
        ParameterError: the settings are wrong (nothing has run).
        PapermillExecutionError: a cell raised.
    """
    source = notebook_path(name)
    profile_notebooks(profile)
    settings = params_path(profile, name)
    values = read_settings(settings)
    origin = f"params/{profile}/{settings.name}"
    checked = parameters_of(name).check(values, origin=origin)
    if checked.profile != profile:
        raise ParameterError(f"{origin}: profile is {checked.profile!r}, its folder {profile!r}")
    target = profile_folder(profile, "notebooks") / f"{name}.ipynb"
    failed = target.with_suffix(".failed.ipynb")
    papermill_engines.register("reporting", ReportingEngine)
    ReportingEngine.report_for = (name, expected_seconds(profile, name))
    with progress_channel():
        papermill.execute_notebook(
            str(source),
            str(failed),
            parameters=values,
            engine_name="reporting",
            progress_bar=False,
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
            cwd=str(source.parent),
        )
    failed.replace(target)
    return target
