"""Raw reports and frames become a corpus: ``cases``, ``frames``, ``rejected``, ``corpus.json``."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from endoalign.corpus.frame_rows import frame_rows
from endoalign.corpus.ingest_endovlm import list_endovlm
from endoalign.corpus.ingest_folders import list_folders
from endoalign.corpus.ingest_tables import list_tables
from endoalign.corpus.listing import Listing
from endoalign.corpus.manifest import Manifest, stored_root
from endoalign.corpus.merge import (
    all_cases,
    all_rejected,
    check_cases,
    distinct,
    listed_files,
)
from endoalign.corpus.sources import EndoVLMSource, FoldersSource, Source, TablesSource
from endoalign.corpus.tables import Corpus, write_table
from endoalign.frames.decode import MAX_PIXELS
from endoalign.frames.duplicates import MAX_DISTANCE
from endoalign.frames.scan import scan

WORK_FOLDER: Final = "scan"
"""Folder inside the corpus that keeps the measures of frames for the next run."""


class IngestSettings(BaseModel):
    """How frames are measured and duplicates marked."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    max_pixels: int = Field(default=MAX_PIXELS, ge=1, description="larger frames are left out")
    duplicate_distance: int = Field(
        default=4, ge=0, le=MAX_DISTANCE, description="bits in which near duplicates may differ"
    )
    duplicate_scope: Literal["case", "corpus"] = Field(
        default="case",
        description="where near duplicates are sought; exact ones always in the corpus",
    )


@dataclass(frozen=True)
class IngestSummary:
    """Counts of an ingest. ``reasons`` counts what was left out by its reason.

    ``measured`` frames were decoded in this run; the others were known from an earlier one.
    """

    cases: int
    frames: int
    rejected: int
    ignored: int
    reports_without_frames: int
    frames_without_report: int
    duplicates: int
    measured: int
    reasons: dict[str, int]


def ingest(
    sources: Sequence[Source],
    folder: Path,
    *,
    settings: IngestSettings | None = None,
    processes: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> IngestSummary:
    """Write the corpus of one or several sources into ``folder``.

    A second run decodes only new and changed files, also after the first was killed; the tables
    do not depend on that, nor on the number of processes. ``progress`` gets (files done, files
    in all). Frames that cannot be read are rows of ``rejected``, never errors.

    Raises:
        IngestError: for reports or tables that are missing or wrong, empty folders, names or case
            ids that two sources share, and patients with cases in several splits.
    """
    settings = settings or IngestSettings()
    listings = {source.name: _list(source) for source in distinct(sources)}
    check_cases(listings)
    cases = all_cases(sources, listings)
    roots = {source.name: root for source in sources if (root := _root(source)) is not None}
    listed = listed_files(listings, roots)
    result = scan(
        map(Path, listed["file"]),
        folder / WORK_FOLDER,
        processes=processes,
        max_pixels=settings.max_pixels,
        progress=progress,
    )
    frames, unreadable = frame_rows(
        listed,
        result.table,
        max_distance=settings.duplicate_distance,
        within=settings.duplicate_scope,
    )
    corpus = Corpus(cases, frames, all_rejected(listings, unreadable))
    _write(corpus, folder, roots, _digest(sources, settings))
    ignored = sum(listing.ignored for listing in listings.values())
    return _summary(corpus, ignored, result.measured)


def _write(corpus: Corpus, folder: Path, roots: dict[str, Path], settings: str) -> None:
    """Write the tables, and last the manifest: where it is, the tables are whole.

    Findings of an earlier corpus in the folder go: they name cases that may be there no more.
    """
    (folder / "findings.parquet").unlink(missing_ok=True)
    tables = {"cases": corpus.cases, "frames": corpus.frames, "rejected": corpus.rejected}
    for name, table in tables.items():
        write_table(name, table, folder)
    Manifest(
        roots={name: stored_root(root, folder) for name, root in roots.items()},
        settings=settings,
        counts={name: len(table) for name, table in tables.items()},
    ).write(folder)


def _summary(corpus: Corpus, ignored: int, measured: int) -> IngestSummary:
    cases, frames = corpus.cases, corpus.frames
    with_report = set(cases.loc[cases["report_text"].str.strip() != "", "case_id"])
    reasons = corpus.rejected["reason"].value_counts()
    return IngestSummary(
        cases=len(cases),
        frames=len(frames),
        rejected=len(corpus.rejected),
        ignored=ignored,
        reports_without_frames=len(with_report - set(frames["case_id"])),
        frames_without_report=int((~frames["case_id"].isin(with_report)).sum()),
        duplicates=int(frames["duplicate_of"].notna().sum()),
        measured=measured,
        reasons={str(reason): int(count) for reason, count in reasons.items()},
    )


def _list(source: Source) -> Listing:
    match source:
        case FoldersSource():
            return list_folders(source)
        case EndoVLMSource():
            return list_endovlm(source)
        case TablesSource():
            return list_tables(source)


def _root(source: Source) -> Path | None:
    return source.root if isinstance(source, TablesSource) else source.frames


def _digest(sources: Sequence[Source], settings: IngestSettings) -> str:
    parts = [part.model_dump(mode="json") for part in (*sources, settings)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
