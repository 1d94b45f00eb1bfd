"""Which frames of the polyp-positive cases stay after stage I (EndoCLIP, section 4.4.2).

The paper gives a count, not a rule: fewer frames than cases stay, so the cut must go over all
frames, not over those of each case (``quantile``, ``threshold``); ``top_per_case`` is the other.
"""

from typing import Literal, Self

import numpy as np
import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, model_validator

from endoalign.corpus.validation import CorpusError


class RetentionSettings(BaseModel):
    """Rule of retention and its value."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    rule: Literal["quantile", "threshold", "top_per_case"] = Field(
        "quantile",
        description="quantile: the best share of all frames; threshold: scores above a value; "
        "top_per_case: the best frames of each case",
    )
    value: float = Field(
        0.3, description="share of the frames kept (quantile), score (threshold), frames a case"
    )
    at_least: int = Field(
        1,
        ge=0,
        description="frames that each case keeps whatever the rule says: without one, the sentence "
        "of a single-lesion case has no anchor",
    )
    score: Literal["similarity", "margin"] = Field(
        "similarity", description="similarity to 'polyp present', or that minus to 'no finding'"
    )

    @model_validator(mode="after")
    def _value_fits_rule(self) -> Self:
        if self.rule == "quantile" and not 0 < self.value <= 1:
            raise ValueError(f"rule quantile takes a share above 0 up to 1, not {self.value:g}")
        if self.rule == "threshold" and not np.isfinite(self.value):
            raise ValueError(f"rule threshold takes a finite score, not {self.value:g}")
        whole = self.value >= 1 and self.value.is_integer()
        if self.rule == "top_per_case" and not whole:
            raise ValueError(
                f"rule top_per_case takes a whole number from 1 on, not {self.value:g}"
            )
        return self


def retain(scored: pd.DataFrame, settings: RetentionSettings) -> pd.DataFrame:
    """Keep frames by rule; of equal scores the first by ``frame_id`` is the better.

    ``quantile`` keeps exactly ``ceil(value * n)`` of n frames; ``threshold`` those above the value.

    Args:
        scored: ``frame_id``, ``case_id``, ``score`` of all frames of the positive cases
            (`frame_score.frame_scores`).

    Returns:
        The kept rows, sorted by case and frame, with ``by_rule``: False where a frame stays only
        because of ``at_least``.

    Raises:
        CorpusError: a score is not finite.
    """
    broken = ~np.isfinite(scored["score"].to_numpy(dtype=np.float64))
    if broken.any():
        raise CorpusError(f"frame {scored['frame_id'][broken].iloc[0]!r} has no finite score")
    best = scored[["frame_id", "case_id", "score"]].sort_values(
        ["score", "frame_id"], ascending=[False, True], kind="stable"
    )
    rank = best.groupby("case_id").cumcount()
    if settings.rule == "quantile":
        # a product such as 0.1 * 30 must not round up to one frame more
        cut = int(np.ceil(settings.value * len(best) - 1e-9))
        by_rule = pd.Series(np.arange(len(best)) < cut, index=best.index)
    elif settings.rule == "threshold":
        by_rule = best["score"] > settings.value
    else:
        by_rule = rank < settings.value
    kept = best.assign(by_rule=by_rule)[by_rule | (rank < settings.at_least)]
    return kept.sort_values(["case_id", "frame_id"], kind="stable").reset_index(drop=True)


def kept_histogram(kept: pd.DataFrame, scored: pd.DataFrame) -> pd.DataFrame:
    """Count the frames kept a case.

    Args:
        kept: kept frames, with ``case_id``.
        scored: all frames they were chosen from; a case of which none is kept counts as 0.

    Returns:
        ``frames_kept`` from 0 to the most, and the number of ``cases`` that keep so many.
    """
    sizes = kept.groupby("case_id").size().reindex(scored["case_id"].unique(), fill_value=0)
    counts = np.bincount(sizes.to_numpy(dtype=np.int64)) if len(sizes) else np.zeros(0, np.int64)
    return pd.DataFrame({"frames_kept": np.arange(len(counts)), "cases": counts})
