from itertools import permutations

import numpy as np
import pytest
from pydantic import ValidationError

from endoalign.recovery.disambiguation import MatchingSettings, match_pairs, match_sentences

SHAPES = [(5, 2), (2, 2), (3, 3), (1, 3), (2, 4), (0, 2), (4, 1), (1, 1)]


def lookup(scores):
    return {(r.frame_id, r.query): float(r.score) for r in scores.itertuples()}


def by_case(kept, texts):
    for case, group in texts.groupby("case_id"):
        yield (
            group["finding_id"].tolist(),
            sorted(kept.loc[kept["case_id"] == case, "frame_id"]),
        )


def best_sum(value, findings, frames):
    """Greatest sum over one-to-one assignments, by trying them all."""
    if len(findings) <= len(frames):
        return max(
            sum(value[f, s] for s, f in zip(findings, chosen, strict=True))
            for chosen in permutations(frames, len(findings))
        )
    return max(
        sum(value[f, s] for s, f in zip(chosen, frames, strict=True))
        for chosen in permutations(findings, len(frames))
    )


@pytest.mark.parametrize("decimals", [None, 0])
def test_argmax_equals_the_naive_loop(scored_cases, decimals):
    kept, texts, scores = scored_cases(SHAPES, decimals=decimals)
    value = lookup(scores)
    matches = match_sentences(scores, kept, texts, MatchingSettings(threshold=0.28))
    assert matches["finding_id"].tolist() == texts["finding_id"].tolist()
    assert not matches["yielded"].any()
    for row in matches.itertuples():
        frames = sorted(kept.loc[kept["case_id"] == row.case_id, "frame_id"])
        if not frames:
            assert row.frame_id != row.frame_id and row.score != row.score and not row.kept
            continue
        best = max(frames, key=lambda f: value[f, row.finding_id])  # the first of equal ones
        assert row.frame_id == best and row.score == value[best, row.finding_id]
        assert row.kept == (row.score > 0.28)


@pytest.mark.parametrize("decimals", [None, 0])
def test_one_to_one_reaches_the_greatest_sum(scored_cases, decimals):
    kept, texts, scores = scored_cases(SHAPES, seed=2, decimals=decimals)
    value = lookup(scores)
    settings = MatchingSettings(assignment="one_to_one", threshold=None)
    shuffled = kept.sample(frac=1, random_state=3)
    matches = match_sentences(scores, shuffled, texts, settings)
    assert matches["finding_id"].tolist() == texts["finding_id"].tolist()
    assert not matches["frame_id"].dropna().duplicated().any()
    for findings, frames in by_case(kept, texts):
        found = matches[matches["finding_id"].isin(findings) & matches["frame_id"].notna()]
        assert len(found) == min(len(findings), len(frames)) == found["kept"].sum()
        assert set(found["frame_id"]) <= set(frames)
        if len(found):
            assert found["score"].sum() == pytest.approx(best_sum(value, findings, frames))
            for row in found.itertuples():
                assert row.score == value[row.frame_id, row.finding_id]


def test_exclusive_leaves_each_frame_to_its_best_sentence(scored_cases):
    kept, texts, scores = scored_cases([(1, 3), (6, 2), (0, 1)])
    settings = MatchingSettings(threshold=None, exclusive=True)
    matches = match_sentences(scores, kept, texts, settings)
    taken = matches[matches["frame_id"].notna()]
    for _, group in taken.groupby("frame_id"):
        assert group["kept"].sum() == 1
        assert group.loc[group["kept"], "score"].iloc[0] == group["score"].max()
    assert matches["yielded"].sum() == len(taken) - taken["frame_id"].nunique() > 0
    assert not (matches["kept"] & matches["yielded"]).any()


def test_exclusive_tie_goes_to_the_sentence_given_first(scored_cases):
    kept, texts, scores = scored_cases([(1, 3)])
    same = scores.assign(score=np.float32(0.5))
    settings = MatchingSettings(exclusive=True)
    for order in (texts, texts.iloc[::-1]):
        kept_rows = match_sentences(same, kept, order, settings)["kept"]
        assert kept_rows.tolist() == [True, False, False]


def test_threshold_must_be_exceeded(scored_cases):
    kept, texts, scores = scored_cases([(2, 2)])
    level = scores.assign(score=np.float32(0.25))
    assert not match_sentences(level, kept, texts, MatchingSettings(threshold=0.25))["kept"].any()
    assert match_sentences(level, kept, texts, MatchingSettings(threshold=0.24))["kept"].all()
    low = scores.assign(score=np.float32(-1))
    assert match_sentences(low, kept, texts, MatchingSettings(threshold=None))["kept"].all()


@pytest.mark.parametrize("assignment", ["argmax", "one_to_one"])
def test_nothing_to_match(scored_cases, assignment):
    kept, texts, scores = scored_cases([(2, 2)])
    settings = MatchingSettings(assignment=assignment)
    assert len(match_sentences(scores, kept, texts.iloc[:0], settings)) == 0
    unmatched = match_sentences(scores, kept.iloc[:0], texts, settings)
    assert len(unmatched) == 2 and not unmatched["kept"].any()
    assert len(match_pairs(unmatched, seed=0)) == 0


def test_pairs_are_the_kept_matches(scored_cases):
    kept, texts, scores = scored_cases(SHAPES)
    matches = match_sentences(scores, kept, texts, MatchingSettings())
    pairs = match_pairs(matches, seed=7)
    assert set(pairs["finding_id"]) == set(matches.loc[matches["score"] > 0.28, "finding_id"])
    assert 0 < len(pairs) < len(matches) and set(pairs["stage"]) == {"IV"}
    assert set(match_pairs(matches, seed=7, stage="IV-second")["stage"]) == {"IV-second"}


@pytest.mark.parametrize("values", [{"assignment": "hungarian"}, {"treshold": 0.3}])
def test_unknown_names_are_refused(values):
    with pytest.raises(ValidationError):
        MatchingSettings(**values)
