import numpy as np
import pytest

from endoalign.corpus.validation import CorpusError
from endoalign.recovery.anchors import select_anchors
from endoalign.recovery.bags import bag_pairs

SHAPES = [(5, 1), (1, 1), (7, 1), (0, 1), (3, 1)]


def in_order(kept, texts, scores):
    """Candidates of each finding by the naive loop: (frame, score), the best first."""
    value = {(r.frame_id, r.query): float(r.score) for r in scores.itertuples()}
    found = {}
    for finding, case in zip(texts["finding_id"], texts["case_id"], strict=True):
        frames = kept.loc[kept["case_id"] == case, "frame_id"]
        ranked = sorted((-value[frame, finding], frame) for frame in frames)
        found[finding] = [(frame, -score) for score, frame in ranked]
    return found


@pytest.mark.parametrize("decimals", [None, 0])
def test_anchors_are_the_best_frames_and_the_first_of_equal_ones(scored_cases, decimals):
    kept, texts, scores = scored_cases(SHAPES, decimals=decimals)
    kept = kept[kept["frame_id"] != "c0/03"]
    pairs = select_anchors(scores, kept.sample(frac=1, random_state=1), texts, seed=4)
    expected = {f: c[0] for f, c in in_order(kept, texts, scores).items() if c}
    found = {r.finding_id: (r.frame_id, r.score) for r in pairs.itertuples()}
    assert found == expected and len(found) == 4
    assert set(pairs["stage"]) == {"III"} and set(pairs["seed"]) == {4}


def test_bags_hold_all_or_the_best_frames(scored_cases):
    kept, texts, scores = scored_cases([(5, 2), (1, 1), (0, 1)])
    expected = in_order(kept, texts, scores)
    pairs = bag_pairs(scores, kept, texts, seed=0)
    assert set(pairs["stage"]) == {"IV-bags"} and len(pairs) == 11
    best = bag_pairs(scores, kept, texts, top=3, seed=0)
    for finding, frames in expected.items():
        bag = best[best["finding_id"] == finding]
        assert set(bag["frame_id"]) == {frame for frame, _ in frames[:3]}
    with pytest.raises(ValueError, match="1 frame or more"):
        bag_pairs(scores, kept, texts, top=0, seed=0)


def test_nothing_to_anchor(scored_cases):
    kept, texts, scores = scored_cases(SHAPES)
    assert len(select_anchors(scores, kept, texts.iloc[:0], seed=0)) == 0
    assert len(select_anchors(scores, kept.iloc[:0], texts, seed=0)) == 0


def test_missing_and_broken_scores_are_named(scored_cases):
    kept, texts, scores = scored_cases([(2, 1)])
    hole = scores[scores["frame_id"] != "c0/01"]
    with pytest.raises(CorpusError, match="'c0/01' has no finite score of finding 'c0#0'"):
        select_anchors(hole, kept, texts, seed=0)
    nan = scores.assign(score=scores["score"].mask(scores["frame_id"] == "c0/00", np.nan))
    with pytest.raises(CorpusError, match="'c0/00' has no finite score"):
        select_anchors(nan, kept, texts, seed=0)
    twice = texts.loc[[0, 0]]
    with pytest.raises(CorpusError, match="'c0#0' is given twice"):
        select_anchors(scores, kept, twice, seed=0)
