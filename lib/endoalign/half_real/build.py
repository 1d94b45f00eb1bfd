"""Write the half-real corpus to disk: frames and reports as an archive has them, truth apart."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from endoalign.corpus.files import write_text
from endoalign.corpus.schemas import TRUTH_SCHEMAS
from endoalign.corpus.truth import Truth, write_truth
from endoalign.half_real.case_files import CaseRows, write_case
from endoalign.half_real.cases import plan_cases
from endoalign.half_real.settings import DATASET, HalfRealSettings
from endoalign.half_real.sources import LICENCES, fingerprint, list_sources
from endoalign.half_real.splits import assign_splits
from endoalign.half_real.survey import survey

MANIFEST: Final = "half_real.json"
"""What the corpus was made from, and the real frame that each of its frames shows."""
UNFINISHED: Final = "half_real.unfinished"
"""Mark of a folder in which the corpus is being made; the manifest takes its place at the end."""
_OWN: Final = ("raw", "truth")


def build_half_real(
    settings: HalfRealSettings,
    folder: Path,
    *,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> bool:
    """Write frames, reports and truth of the half-real corpus into ``folder``.

    Layout as a world's: ``raw/frames/CASE/NNN.jpg``, ``raw/reports.jsonl``, and ``truth/`` with its
    tables and masks. Two tables of truth are empty, because nothing is known of them: ``cases``
    (how far an examination went) and ``lesions`` (regions and sizes in cm). `MANIFEST` names for
    every frame the real frame and window that it shows, with licences and citations.

    Args:
        progress: called with (steps done, steps in all); reading a frame is one step, and writing
            all cases takes as many.

    Raises:
        HalfRealError: a source that cannot be used; nothing that was there before is lost.
        FileExistsError: ``folder`` holds a ``raw`` or ``truth`` that was not made here.

    Returns:
        ``False`` where the folder held this very corpus already and nothing was written.
    """
    sources = list_sources(settings)
    made_from = {
        "corpus": DATASET,
        "seed": seed,
        "code": _code_digest(),
        "settings": settings.model_dump(),
        "files": hashlib.sha256(json.dumps(fingerprint(sources)).encode()).hexdigest(),
    }
    if _made_from(folder) == made_from:
        return False
    steps = 2 * len(sources)

    def tell(done: int) -> None:
        if progress is not None:
            progress(done, steps)

    surveyed, groups = survey(sources, settings.near_correlation, tell)
    rng = np.random.default_rng(seed)
    splits = assign_splits(sources, groups, rng)
    cases = plan_cases(surveyed, splits, settings, rng)
    _start(folder)
    rows = []
    for number, case in enumerate(cases, start=1):
        rows.append(write_case(case, folder, np.random.default_rng([seed, number])))
        tell(len(sources) + len(sources) * number // len(cases))
    _write_tables(rows, folder)
    near = [[sources[k].source_id for k in group] for group in groups if len(group) > 1]
    origins = {frame_id: row for case in rows for frame_id, row in case.origins.items()}
    about = {"made_from": made_from, "sources": LICENCES, "near": near, "frames": origins}
    write_text(json.dumps(about, indent=1), folder / MANIFEST)
    (folder / UNFINISHED).unlink()
    return True


def remove_half_real(folder: Path) -> None:
    """Remove the half-real corpus in ``folder``, whole or unfinished; nothing where there is none.

    Raises:
        FileExistsError: ``raw`` or ``truth`` is there but was not made here; nothing is removed.
    """
    marks = [path for name in (MANIFEST, UNFINISHED) if (path := folder / name).exists()]
    parts = [path for name in _OWN if (path := folder / name).exists()]
    if parts and not marks:
        raise FileExistsError(f"{parts[0]} is not of a half-real corpus; it is left as it is")
    if (folder / MANIFEST).exists():  # stopped half way, what is left must not count as whole
        (folder / MANIFEST).replace(folder / UNFINISHED)
    for path in parts:
        shutil.rmtree(path)
    (folder / UNFINISHED).unlink(missing_ok=True)


def _start(folder: Path) -> None:
    """Leave nothing of an earlier run in ``folder``, and mark it unfinished."""
    remove_half_real(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / UNFINISHED).touch()
    for name in _OWN:
        (folder / name).mkdir()


def _made_from(folder: Path) -> dict[str, Any] | None:
    """What the whole corpus in ``folder`` was made from; ``None`` where there is none."""
    path = folder / MANIFEST
    if not path.exists() or (folder / UNFINISHED).exists():
        return None
    made_from: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["made_from"]
    return made_from


def _write_tables(rows: list[CaseRows], folder: Path) -> None:
    reports = "".join(json.dumps(case.report) + "\n" for case in rows)
    write_text(reports, folder / "raw" / "reports.jsonl")
    found = {
        "findings": [row for case in rows for row in case.findings],
        "links": [row for case in rows for row in case.links],
        "frame_labels": [row for case in rows for row in case.labels],
    }
    tables = {
        name: pd.DataFrame(found.get(name, []), columns=list(schema.columns))
        for name, schema in TRUTH_SCHEMAS.items()
    }
    write_truth(Truth(**tables), folder)


def _code_digest() -> str:
    """Digest of this room's code: changed phrases or cut-offs make a new corpus."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
