"""Audits of recovery against known links: how often the right frame was kept, chosen, matched.

Every figure is a ratio of counts over cases, with a 95 % interval over resampled cases
(EndoCLIP, section 4.5.5).
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from endoalign.evaluation.bootstrap import ratio, ratio_of_sums
from endoalign.evaluation.known_links import KnownLinks

RETENTION: Final = "retention"
ANCHORS: Final = "anchors"
MATCHING: Final = "matching"


@dataclass(frozen=True)
class AuditFigure:
    """One figure of an audit; ``n`` is the number of frames or sentences it is a share of."""

    protocol: str
    metric: str
    value: float
    interval: tuple[float, float]
    n: int


@dataclass(frozen=True)
class Audit:
    """How often, and with which seed, cases are resampled for the intervals of the figures."""

    resamples: int = 2000
    seed: int = 42

    def retention(
        self, kept: Collection[str], frames: pd.DataFrame, labels: pd.DataFrame
    ) -> list[AuditFigure]:
        """Precision, recall and kept share of the retained frames of the positive cases.

        Args:
            kept: ids of the retained frames.
            frames: all frames that could be kept, ``frame_id``, ``case_id``.
            labels: ``frame_id``, ``polyp_present``; frames without a label are left out.
        """
        table = frames[["frame_id", "case_id"]].merge(labels, on="frame_id")
        is_kept = table["frame_id"].isin(list(kept))
        present = table["polyp_present"].astype(bool)
        everything = pd.Series(True, index=table.index)
        case_ids = table["case_id"]
        return [
            self._share(RETENTION, "precision", case_ids, is_kept & present, is_kept),
            self._share(RETENTION, "recall", case_ids, is_kept & present, present),
            self._share(RETENTION, "kept_share", case_ids, is_kept, everything),
        ]

    def pairs(
        self, pairs: pd.DataFrame, links: KnownLinks, *, protocol: str = ANCHORS
    ) -> AuditFigure:
        """Share of pairs whose frame shows their finding: anchors, or any other table of pairs.

        Pairs without a finding (prompts) and with findings that are not judged are left out.
        """
        judged = links.judged_rows(pairs)
        every = pd.Series(True, index=judged.index)
        return self._share(protocol, "accuracy", judged["case_id"], links.right(judged), every)

    def matches(self, matches: pd.DataFrame, links: KnownLinks) -> list[AuditFigure]:
        """Accuracy among the kept matches, recall over all sentences, share of sentences kept.

        Args:
            matches: ``finding_id``, ``case_id``, ``frame_id`` (empty where unmatched), ``kept``:
                a row a sentence (``recovery.disambiguation.match_sentences``).
            links: known links; sentences that are not judged are left out.
        """
        judged = links.judged_rows(matches)
        is_kept = judged["kept"].astype(bool)
        right = is_kept & links.right(judged)
        every = pd.Series(True, index=judged.index)
        case_ids = judged["case_id"]
        return [
            self._share(MATCHING, "accuracy", case_ids, right, is_kept),
            self._share(MATCHING, "recall", case_ids, right, every),
            self._share(MATCHING, "kept_share", case_ids, is_kept, every),
        ]

    def _share(
        self, protocol: str, metric: str, case_ids: pd.Series, part: pd.Series, whole: pd.Series
    ) -> AuditFigure:
        """Share of ``part`` in ``whole`` over cases; NaN where there is nothing to judge."""
        counts = pd.DataFrame({"part": part, "whole": whole}).astype(np.float64)
        sums = counts.groupby(case_ids).sum().to_numpy()
        n = int(whole.sum())
        if not len(sums):
            return AuditFigure(protocol, metric, float("nan"), (float("nan"), float("nan")), 0)
        value, bounds = ratio_of_sums(
            sums, lambda s: ratio(s[:, 0], s[:, 1]), resamples=self.resamples, seed=self.seed
        )
        return AuditFigure(protocol, metric, value, bounds, n)
