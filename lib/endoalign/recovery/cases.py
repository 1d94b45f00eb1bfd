"""Which cases are polyp-positive, normal, single-lesion or multi-lesion, and their sentences."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import pandas as pd

from endoalign.corpus.validation import CorpusError, nearest
from endoalign.recovery.texts import LesionText, lesion_texts
from endoalign.vocabulary import SPLITS


@dataclass(frozen=True)
class CaseGroups:
    """Cases that recovery may use, grouped by what their reports state.

    Attributes:
        frames: the usable frames: ``frame_id``, ``case_id``; sorted by both.
        sentences: the sentences that state one lesion: ``finding_id``, ``case_id``, ``text``,
            ``group`` (``single``, ``multi``); sorted by case and place in the report.
        positive: cases whose report states at least one lesion.
        normal: cases whose report states none.
        single: positive cases with exactly one statement, of one lesion.
        multi: positive cases with two or more statements.
    """

    frames: pd.DataFrame
    sentences: pd.DataFrame
    positive: tuple[str, ...]
    normal: tuple[str, ...]
    single: tuple[str, ...]
    multi: tuple[str, ...]

    def frames_of(self, case_ids: Collection[str]) -> pd.DataFrame:
        """Return the usable frames of some cases."""
        chosen = self.frames["case_id"].isin(list(case_ids))
        return self.frames[chosen].reset_index(drop=True)

    def sentences_of(self, group: str) -> pd.DataFrame:
        """Return the sentences of the ``single`` or the ``multi`` cases; KeyError for others."""
        if group not in ("single", "multi"):
            raise KeyError(f"no group {group!r}; groups: single, multi")
        return self.sentences[self.sentences["group"] == group].reset_index(drop=True)

    def counts(self) -> dict[str, int]:
        """Return the number of cases of each kind, of sentences and of usable frames."""
        several = len(self.positive) - len(self.single) - len(self.multi)
        return {
            "positive_cases": len(self.positive),
            "normal_cases": len(self.normal),
            "single_lesion_cases": len(self.single),
            "multi_lesion_cases": len(self.multi),
            "several_in_one_statement_cases": several,
            "sentences": len(self.sentences),
            "frames": len(self.frames),
        }


def group_cases(
    cases: pd.DataFrame,
    findings: pd.DataFrame,
    frames: pd.DataFrame,
    *,
    splits: Sequence[str] = ("train",),
    lesion_text: LesionText = "sentence",
) -> CaseGroups:
    """Group the eligible cases of some splits that have a usable frame (EndoCLIP, section 4.4.2).

    A lesion sentence is a finding of kind ``lesion`` that is not negated. A finding that states
    several lesions at once (``count`` above 1) makes its case positive, but is no lesion-level
    sentence: no single frame is its counterpart. So a case with one such finding alone is neither
    single- nor multi-lesion, and in a multi-lesion case only the other findings are sentences.

    Args:
        cases, findings, frames: tables of a curated corpus (`endoalign.corpus.schemas`).
        splits: names of the splits whose cases are used.
        lesion_text: what the text of a lesion is (`texts.LesionText`).

    Raises:
        CorpusError: a split or a kind of text is unknown, or the corpus is not curated.
    """
    usable = usable_frames(cases, frames, splits)
    lesions = findings[(findings["kind"] == "lesion") & ~findings["negated"].astype(bool)]
    lesions = lesions[lesions["case_id"].isin(usable["case_id"])]
    statements = lesions.groupby("case_id").size()
    one = lesions[lesions["count"].fillna(1) == 1].sort_values(["case_id", "start"], kind="stable")
    several = statements.index[statements > 1]
    single = one.loc[~one["case_id"].isin(several), "case_id"]
    sentences = pd.DataFrame(
        {
            "finding_id": one["finding_id"],
            "case_id": one["case_id"],
            "text": lesion_texts(one, cases, lesion_text),
            "group": one["case_id"].isin(several).map({True: "multi", False: "single"}),
        }
    ).reset_index(drop=True)
    normal = set(usable["case_id"]) - set(statements.index)
    return CaseGroups(
        frames=usable,
        sentences=sentences,
        positive=tuple(sorted(statements.index)),
        normal=tuple(sorted(normal)),
        single=tuple(sorted(single)),
        multi=tuple(sorted(several)),
    )


def usable_frames(cases: pd.DataFrame, frames: pd.DataFrame, splits: Sequence[str]) -> pd.DataFrame:
    """Return ``frame_id`` and ``case_id`` of the retained frames of eligible cases, sorted."""
    for split in splits:
        if split not in SPLITS:
            known = ", ".join(SPLITS)
            raise CorpusError(f"no split {split!r}{nearest(split, list(SPLITS))}; splits: {known}")
    for table, column, name in ((cases, "eligible", "cases"), (frames, "retained", "frames")):
        undecided = table[column].isna()
        if undecided.any():
            row = table[undecided].iloc[0, 0]
            raise CorpusError(
                f"{name}.parquet: column {column!r} is not decided for {row!r}: "
                "run notebook 01_curation first"
            )
    chosen = cases.loc[cases["eligible"].astype(bool) & cases["split"].isin(splits), "case_id"]
    kept = frames["retained"].astype(bool) & frames["case_id"].isin(chosen)
    table = frames.loc[kept, ["frame_id", "case_id"]]
    return table.sort_values(["case_id", "frame_id"]).reset_index(drop=True)
