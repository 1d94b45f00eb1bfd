"""Pairs without known correspondence: stage I, stage II, and naive pairing as the control."""

import pandas as pd

from endoalign.recovery.cases import CaseGroups
from endoalign.recovery.draws import draw_per_case
from endoalign.recovery.pairs import PROMPTS, make_pairs


def stage_one_pairs(groups: CaseGroups, *, seed: int) -> pd.DataFrame:
    """Pair one random usable frame of each case with its case's prompt (EndoCLIP, stage I).

    Returns:
        Table of pairs: "polyp present" for positive cases, "no finding" for normal ones.
    """
    frames = draw_per_case(groups.frames, "frame_id", 1, purpose="stage I", seed=seed)
    return make_pairs(_with_prompt(frames, groups), stage="I", seed=seed)


def stage_two_pairs(
    groups: CaseGroups,
    kept: pd.DataFrame,
    *,
    per_positive_case: int | None = None,
    per_normal_case: int | None = 1,
    seed: int,
) -> pd.DataFrame:
    """Pair retained frames of positive cases, and frames of normal ones, with the prompts.

    A normal case holds no polyp, so that each of its usable frames fits "no finding"; how many of
    them are drawn sets the balance of the two prompts.

    Args:
        kept: retained frames of the positive cases (`retention.retain`), with their ``score``.
        per_positive_case: retained frames drawn at random a positive case; ``None`` takes all.
        per_normal_case: usable frames drawn at random a normal case; ``None`` takes all.

    Returns:
        Table of pairs of stage II; ``score`` is that of retention, empty for normal cases.
    """
    positive = draw_per_case(
        kept[["frame_id", "case_id", "score"]],
        "frame_id",
        per_positive_case,
        purpose="stage II positive",
        seed=seed,
    )
    normal = draw_per_case(
        groups.frames_of(groups.normal),
        "frame_id",
        per_normal_case,
        purpose="stage II normal",
        seed=seed,
    )
    frames = pd.concat([positive, normal], ignore_index=True)
    return make_pairs(_with_prompt(frames, groups), stage="II", seed=seed)


def naive_pairs(groups: CaseGroups, *, seed: int) -> pd.DataFrame:
    """Pair one random usable frame with one random sentence of each positive case (control).

    Cases all of whose statements name several lesions at once have no sentence and no pair.
    """
    sentences = draw_per_case(
        groups.sentences[["finding_id", "case_id", "text"]],
        "finding_id",
        1,
        purpose="naive sentence",
        seed=seed,
    )
    frames = draw_per_case(groups.frames, "frame_id", 1, purpose="naive frame", seed=seed)
    return make_pairs(sentences.merge(frames, on="case_id"), stage="naive", seed=seed)


def _with_prompt(frames: pd.DataFrame, groups: CaseGroups) -> pd.DataFrame:
    present = frames["case_id"].isin(groups.positive)
    return frames.assign(text=present.map({True: PROMPTS["present"], False: PROMPTS["absent"]}))
