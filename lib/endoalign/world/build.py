"""Write a world to disk: frames and reports as a hospital's archive has them, truth apart."""

import hashlib
import json
import multiprocessing
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pandas as pd

from endoalign.corpus.schemas import TRUTH_SCHEMAS
from endoalign.corpus.truth import Truth, write_truth
from endoalign.world.case_files import CaseRows, Row, write_case
from endoalign.world.cases import sample_cases
from endoalign.world.renderer.frame import compile_renderer
from endoalign.world.settings import WorldSettings
from endoalign.world.truth import CaseTruth
from endoalign.world.undocumented import partly_documented
from endoalign.world.upper.case_files import write_upper_case
from endoalign.world.upper.cases import sample_upper_cases
from endoalign.world.upper.truth import UpperCase
from endoalign.world.whole import as_whole

MANIFEST = "world.json"
_PARTS = ("raw", "truth")
UNFINISHED = "world.unfinished"
"""Mark of a folder in which a world is being made; the manifest takes its place at the end."""


def build_world(
    settings: WorldSettings,
    folder: Path,
    *,
    seed: int,
    processes: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> bool:
    """Write frames, reports and truth of a world into ``folder``.

    Layout: ``raw/frames/CASE/NNN.jpg`` and ``raw/reports.jsonl`` (what an archive has), and
    ``truth/`` (findings, lesions, links, frame_labels as Parquet; masks as PNG, where 0 is none
    and k the k-th lesion of the case).

    Args:
        processes: worker processes; the bytes written do not depend on it.
        progress: called with (cases done, cases in all).

    Raises:
        FileExistsError: ``folder`` holds a ``raw`` or ``truth`` that no world made.

    Returns:
        ``False`` where the folder held this very world already and nothing was written.
    """
    manifest = json.dumps({"seed": seed, "code": _code_digest(), **settings.model_dump()}, indent=1)
    if (folder / MANIFEST).exists() and (folder / MANIFEST).read_text("utf-8") == manifest:
        return False
    remove_world(folder)
    for part in _PARTS:
        (folder / part).mkdir(parents=True)
    (folder / UNFINISHED).touch()
    cases = _cases(settings, seed)
    rows = []
    for done, case_rows in enumerate(_case_rows(cases, settings, folder, processes), start=1):
        rows.append(case_rows)
        if progress is not None:
            progress(done, len(cases))
    _write_tables(rows, folder)
    (folder / MANIFEST).write_text(manifest, "utf-8")
    (folder / UNFINISHED).unlink()
    return True


def _cases(settings: WorldSettings, seed: int) -> Sequence[CaseTruth] | Sequence[UpperCase]:
    """The truth of the cases that the settings ask for."""
    numbers, language = (settings.positive_cases, settings.normal_cases), settings.language
    share = settings.undocumented_share
    if settings.exam_type == "gastroscopy":
        upper = sample_upper_cases(*numbers, seed=seed, language=language)
        return tuple(partly_documented(case, share) for case in upper)
    cases = sample_cases(*numbers, seed=seed, language=language)
    if settings.whole_examinations:
        cases = tuple(map(as_whole, cases))
    return tuple(partly_documented(case, share) for case in cases)


def remove_world(folder: Path) -> None:
    """Remove the world in ``folder``, whole or unfinished; nothing where there is none.

    Raises:
        FileExistsError: ``raw`` or ``truth`` is there but no world made it; nothing is removed.
    """
    there = [folder / part for part in _PARTS if (folder / part).exists()]
    marks = [folder / mark for mark in (MANIFEST, UNFINISHED) if (folder / mark).exists()]
    if there and not marks:
        raise FileExistsError(f"{there[0]} was not made by a world; name another `corpus`")
    for part in there:
        shutil.rmtree(part)
    for mark in marks:
        mark.unlink()


def _case_rows(
    cases: Sequence[CaseTruth] | Sequence[UpperCase],
    settings: WorldSettings,
    folder: Path,
    processes: int,
) -> Iterator[CaseRows]:
    """Write each case and yield its rows, in the order of the cases."""
    by_exam: dict[str, Callable[..., CaseRows]] = {
        "colonoscopy": write_case,
        "gastroscopy": write_upper_case,
    }
    write = partial(by_exam[settings.exam_type], settings=settings, folder=folder)
    if processes == 1:
        yield from map(write, cases)
        return
    # Forked workers inherit the threads of torch and numba in a broken state: start them afresh.
    compile_renderer()  # once, into the disk cache, not once in each worker
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        yield from pool.map(write, cases, chunksize=4)


def _write_tables(rows: list[CaseRows], folder: Path) -> None:
    reports = "".join(json.dumps(r.report, ensure_ascii=False) + "\n" for r in rows)
    (folder / "raw" / "reports.jsonl").write_text(reports, encoding="utf-8")
    truth = Truth(
        cases=_table("cases", [case.extent for case in rows]),
        findings=_table("findings", [row for case in rows for row in case.findings]),
        lesions=_table("lesions", [row for case in rows for row in case.lesions]),
        links=_table("links", [row for case in rows for row in case.links]),
        frame_labels=_table("frame_labels", [row for case in rows for row in case.labels]),
    )
    write_truth(truth, folder)


def _table(name: str, rows: list[Row]) -> pd.DataFrame:
    """Rows as a table of truth, with its columns even where there are no rows."""
    return pd.DataFrame(rows, columns=list(TRUTH_SCHEMAS[name].columns))


def _code_digest() -> str:
    """Digest of the world's own code and phrases: a changed renderer makes a new world."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*")):
        if path.suffix in {".py", ".yaml"}:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
