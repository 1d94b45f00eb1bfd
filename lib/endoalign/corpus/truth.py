"""The one door to what is truly so in a corpus: nothing that trains, parses or curates opens it."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import pandas as pd

from endoalign.corpus.files import read_parquet, write_parquet
from endoalign.corpus.schemas import TRUTH_SCHEMAS
from endoalign.corpus.validation import validated

FOLDER: Final = "truth"


@dataclass(frozen=True)
class Truth:
    """Tables of the truth, with the schemas of `schemas.TRUTH_SCHEMAS`.

    ``cases`` with how far each went, ``findings`` as the reports state them, ``lesions`` as they
    are, ``links`` of findings to the frames that show them, ``frame_labels`` of what each frame
    shows.
    """

    cases: pd.DataFrame
    findings: pd.DataFrame
    lesions: pd.DataFrame
    links: pd.DataFrame
    frame_labels: pd.DataFrame


def has_truth(folder: Path) -> bool:
    """Whether the corpus in ``folder`` has a truth at all."""
    return (folder / FOLDER).is_dir()


def load_truth(folder: Path) -> Truth:
    """Load the truth of the corpus in ``folder``; raises `CorpusError` where there is none."""
    return Truth(**{name: _load(name, folder / FOLDER) for name in TRUTH_SCHEMAS})


def write_truth(truth: Truth, folder: Path) -> None:
    """Validate and write the truth of the corpus in ``folder``; raises `CorpusError`.

    All tables are validated before the first is written.
    """
    tables = {field.name: getattr(truth, field.name) for field in fields(truth)}
    sound = {
        name: validated(table, TRUTH_SCHEMAS[name], f"{FOLDER}/{name}.parquet")
        for name, table in tables.items()
    }
    for name, table in sound.items():
        write_parquet(table, folder / FOLDER / f"{name}.parquet")


def mask_path(folder: Path, relative: str) -> Path:
    """Return the file of a mask named in ``frame_labels`` of the corpus in ``folder``."""
    return folder / FOLDER / relative


def representatives(truth: Truth) -> pd.DataFrame:
    """Return for each finding that a frame shows its best frame: one row a finding.

    Columns are those of ``findings`` and ``frame_labels``; a frame that shows several findings
    comes once, with the first.
    """
    best = truth.links[truth.links["representative"]].drop_duplicates("frame_id")
    shown = best.merge(truth.findings, on="finding_id").merge(
        truth.frame_labels[["frame_id", "mask_path"]], on="frame_id"
    )
    return shown.drop(columns=["representative"])


def _load(name: str, folder: Path) -> pd.DataFrame:
    path = folder / f"{name}.parquet"
    table = read_parquet(path, "only corpora of the world have truth; notebook 00_corpus makes it")
    return validated(table, TRUTH_SCHEMAS[name], f"{FOLDER}/{path.name}")
