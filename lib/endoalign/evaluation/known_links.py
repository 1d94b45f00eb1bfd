"""Which frames show which curated finding, as far as it is known: from truth or from a person."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pandas as pd

from endoalign.corpus.read_rows import read_rows
from endoalign.corpus.rows import BadRow, IngestError, Row
from endoalign.corpus.tables import load_frames
from endoalign.corpus.truth import Truth, has_truth, load_truth
from endoalign.corpus.validation import CorpusError, nearest
from endoalign.evaluation.curation import records_of
from endoalign.evaluation.extraction import match_findings

_ANSWERS: Final = {
    **dict.fromkeys(("true", "yes", "y", "1"), True),
    **dict.fromkeys(("false", "no", "n", "0", ""), False),
}


@dataclass(frozen=True)
class KnownLinks:
    """Known frames of findings.

    Attributes:
        table: ``finding_id``, ``frame_id``, ``representative``; no pair twice.
        judged: findings about which the links are complete. One without a frame in ``table`` is
            shown by none, so that any frame given to it is wrong; findings that are not judged
            are left out of every figure.
    """

    table: pd.DataFrame
    judged: frozenset[str]

    def right(self, pairs: pd.DataFrame) -> pd.Series:
        """Whether each row's frame shows its finding: bool, on the index of ``pairs``."""
        known = pd.MultiIndex.from_frame(self.table[["finding_id", "frame_id"]])
        asked = pd.MultiIndex.from_frame(pairs[["finding_id", "frame_id"]])
        return pd.Series(asked.isin(known), index=pairs.index, dtype=bool)

    def among(self, finding_ids: Collection[str]) -> "KnownLinks | None":
        """These links, None where none of the findings is judged."""
        return None if self.judged.isdisjoint(finding_ids) else self

    def judged_rows(self, pairs: pd.DataFrame) -> pd.DataFrame:
        """Return the rows whose finding is judged."""
        return pairs[pairs["finding_id"].isin(self.judged)]


def links_from_truth(findings: pd.DataFrame, truth: Truth) -> KnownLinks:
    """Link curated findings to frames through the true findings whose spans they overlap.

    In each case curated and true findings are matched one to one (`extraction.match_findings`).
    All stated lesions are judged: one that matches no true finding is shown by no frame.

    Args:
        findings: table of findings, as curation writes it.
        truth: of the same corpus.
    """
    of_true = _partners(findings, truth.findings)
    table = truth.links.assign(finding_id=truth.links["finding_id"].map(of_true))
    table = table[table["finding_id"].notna()]
    stated = findings["kind"].eq("lesion") & ~findings["negated"].astype(bool)
    judged = frozenset(findings.loc[stated, "finding_id"])
    table = table[table["finding_id"].isin(judged)]
    return KnownLinks(table.reset_index(drop=True), judged)


def links_from_table(table: pd.DataFrame) -> KnownLinks:
    """Take links that a person annotated: the findings in the table are judged, no others.

    Args:
        table: ``finding_id``, ``frame_id`` (empty for a finding that no frame shows), and where
            known ``representative`` (true or false, yes or no, 1 or 0; empty is false).

    Raises:
        CorpusError: a column is missing, a finding is empty, a pair is given twice, or
            ``representative`` is something else.
    """
    for name in ("finding_id", "frame_id"):
        if name not in table:
            raise CorpusError(f"links: column {name!r} is missing; found {list(table.columns)}")
    if table["finding_id"].isna().any():
        row = int(table["finding_id"].isna().to_numpy().argmax())
        raise CorpusError(f"links: row {row}: column 'finding_id' is empty; give a finding's id")
    twice = table.duplicated(["finding_id", "frame_id"])
    if twice.any():
        pair = table[twice].iloc[0]
        raise CorpusError(f"links: {pair['finding_id']!r}, {pair['frame_id']!r} is given twice")
    best = _told(table["representative"]) if "representative" in table else False
    links = table[["finding_id", "frame_id"]].assign(representative=best)
    links = links[links["frame_id"].notna()].reset_index(drop=True)
    return KnownLinks(links, frozenset(table["finding_id"]))


def _sound(row: Row | BadRow, table: Path) -> dict[str, object]:
    if isinstance(row, BadRow):
        raise CorpusError(f"{table}, line {row.line}: {row.reason}")
    return row.values  # noqa: PD011 -- no pandas


def _told(answers: pd.Series) -> pd.Series:
    """Answers as a person writes them, as booleans."""
    words = answers.fillna("").astype(str).str.strip().str.lower().str.removesuffix(".0")
    found = words.map(_ANSWERS)
    if found.isna().any():
        row = int(found.isna().to_numpy().argmax())
        raise CorpusError(
            f"links: row {row}: representative is {answers.iloc[row]!r}; right is true or false"
        )
    return found.astype(bool)


def _partners(findings: pd.DataFrame, true: pd.DataFrame) -> dict[str, str]:
    """True finding -> the curated finding that it is matched to."""
    ids = findings.groupby("case_id")["finding_id"].agg(list)
    true_ids = true.groupby("case_id")["finding_id"].agg(list)
    records, true_records = records_of(findings), records_of(true)
    return {
        true_ids[case_id][j]: ids[case_id][i]
        for case_id in sorted(set(records) & set(true_records))
        for i, j in match_findings(records[case_id], true_records[case_id])
    }


def find_links(folder: Path, findings: pd.DataFrame, table: Path | None) -> KnownLinks | None:
    """Links of a corpus: a person's table where one is given, else the truth, else None.

    Args:
        folder: the corpus folder.
        findings: table of findings, as curation writes it.
        table: CSV file with ``finding_id``, ``frame_id`` and, at will, ``representative``.

    Raises:
        CorpusError: the table cannot be read or does not fit, or names findings or frames that the
            corpus does not have.
    """
    if table is None:
        return links_from_truth(findings, load_truth(folder)) if has_truth(folder) else None
    try:
        rows = [_sound(row, table) for row in read_rows(table, ["finding_id", "frame_id"])]
    except IngestError as error:
        raise CorpusError(str(error)) from None
    columns = ["finding_id", "frame_id"] if not rows else None
    given = pd.DataFrame(rows, columns=columns, dtype=object)
    links = links_from_table(given.replace(r"^\s*$", None, regex=True))
    known = {
        "finding_id": (links.judged, set(findings["finding_id"]), "findings"),
        "frame_id": (set(links.table["frame_id"]), set(load_frames(folder)["frame_id"]), "frames"),
    }
    for column, (asked, there, name) in known.items():
        if unknown := asked - there:
            raise CorpusError(
                f"{table}: {min(unknown)!r} is no {column} of {name}.parquet"
                f"{nearest(min(unknown), sorted(there))}; {len(unknown)} of {len(asked)} are not"
            )
    return links


def find_labels(folder: Path) -> pd.DataFrame | None:
    """``frame_id``, ``polyp_present`` of the corpus's truth; None where there is none."""
    if not has_truth(folder):
        return None
    return load_truth(folder).frame_labels[["frame_id", "polyp_present"]]
