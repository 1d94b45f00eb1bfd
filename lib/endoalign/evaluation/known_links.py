"""Which frames show which curated finding, as far as it is known: from truth or from a person."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from endoalign.corpus.truth import Truth, has_truth, load_truth
from endoalign.corpus.validation import CorpusError
from endoalign.evaluation.curation import records_of
from endoalign.evaluation.extraction import match_findings


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
            known ``representative``.

    Raises:
        CorpusError: a column is missing, a finding is empty, or a pair is given twice.
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
    best = table["representative"].astype(bool) if "representative" in table else False
    links = table[["finding_id", "frame_id"]].assign(representative=best)
    links = links[links["frame_id"].notna()].reset_index(drop=True)
    return KnownLinks(links, frozenset(table["finding_id"]))


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
        CorpusError: the table does not fit, or names findings that the corpus does not have.
    """
    if table is None:
        return links_from_truth(findings, load_truth(folder)) if has_truth(folder) else None
    links = links_from_table(pd.read_csv(table))
    unknown = links.judged - set(findings["finding_id"])
    if unknown:
        raise CorpusError(f"{table}: {min(unknown)!r} is no finding_id of findings.parquet")
    return links


def find_labels(folder: Path) -> pd.DataFrame | None:
    """``frame_id``, ``polyp_present`` of the corpus's truth; None where there is none."""
    if not has_truth(folder):
        return None
    return load_truth(folder).frame_labels[["frame_id", "polyp_present"]]
