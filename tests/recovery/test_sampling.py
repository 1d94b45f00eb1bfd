from collections import Counter

import pandas as pd
import pytest

from endoalign.recovery.cases import CaseGroups
from endoalign.recovery.draws import draw_per_case
from endoalign.recovery.sampling import naive_pairs, stage_one_pairs, stage_two_pairs


def groups(n_cases=4, n_frames=5, order=None):
    ids = [f"c{i}" for i in range(n_cases)]
    rows = [(f"{c}/{f}", c) for c in ids for f in range(n_frames)]
    frames = pd.DataFrame(rows, columns=["frame_id", "case_id"])
    positive = tuple(ids[: n_cases // 2])
    sentences = pd.DataFrame(
        [(f"{c}#{k}", c, f"polyp {k}", "multi") for c in positive for k in range(2)],
        columns=["finding_id", "case_id", "text", "group"],
    )
    if order is not None:
        frames = frames.sample(frac=1, random_state=order)
        sentences = sentences.sample(frac=1, random_state=order)
    return CaseGroups(frames, sentences, positive, tuple(ids[n_cases // 2 :]), (), positive)


def test_stage_one_has_one_frame_a_case_and_its_prompt():
    pairs = stage_one_pairs(groups(), seed=1)
    assert pairs["case_id"].tolist() == ["c0", "c1", "c2", "c3"]
    assert pairs["text"].tolist() == ["polyp present"] * 2 + ["no finding"] * 2
    assert (pairs["frame_id"].str.split("/").str[0] == pairs["case_id"]).all()
    assert set(pairs["stage"]) == {"I"} and pairs["finding_id"].isna().all()


@pytest.mark.parametrize("draw", [stage_one_pairs, naive_pairs])
def test_draws_depend_on_the_seed_and_not_on_row_order(draw):
    first = draw(groups(40), seed=1)
    pd.testing.assert_frame_equal(first, draw(groups(40, order=7), seed=1))
    assert (first["frame_id"] != draw(groups(40), seed=2)["frame_id"]).mean() > 0.5


def test_further_cases_do_not_change_the_draw_of_the_others():
    few, many = stage_one_pairs(groups(4), seed=1), stage_one_pairs(groups(8), seed=1)
    assert set(few["frame_id"]) <= set(many["frame_id"])


def test_each_frame_is_drawn_about_equally_often():
    drawn = stage_one_pairs(groups(4000), seed=3)["frame_id"].str[-1]
    counts = Counter(drawn)
    assert len(counts) == 5 and all(690 <= n <= 910 for n in counts.values())  # 800, +- 4 sd


def test_frame_and_sentence_of_naive_pairs_are_independent():
    pairs = naive_pairs(groups(8000), seed=3)
    assert len(pairs) == 4000 and not pairs["case_id"].duplicated().any()
    together = Counter(zip(pairs["frame_id"].str[-1], pairs["text"], strict=True))
    assert len(together) == 10 and all(320 <= n <= 480 for n in together.values())
    assert (pairs["finding_id"].str.split("#").str[0] == pairs["case_id"]).all()


def test_stage_two_takes_retained_frames_and_draws_of_normal_ones():
    kept = pd.DataFrame(
        {"frame_id": ["c0/1", "c0/2", "c1/4"], "case_id": ["c0", "c0", "c1"], "score": 0.5}
    )
    pairs = stage_two_pairs(groups(), kept, per_normal_case=2, seed=1)
    present = pairs[pairs["text"] == "polyp present"]
    assert present["frame_id"].tolist() == ["c0/1", "c0/2", "c1/4"]
    assert present["score"].tolist() == [0.5] * 3
    absent = pairs[pairs["text"] == "no finding"]
    assert absent["case_id"].tolist() == ["c2", "c2", "c3", "c3"]
    assert absent["score"].isna().all() and not absent["frame_id"].duplicated().any()
    one = stage_two_pairs(groups(), kept, per_positive_case=1, per_normal_case=None, seed=1)
    assert one["case_id"].value_counts().to_dict() == {"c0": 1, "c1": 1, "c2": 5, "c3": 5}
    nothing = stage_two_pairs(groups(), kept.iloc[:0], seed=1)
    assert nothing["text"].tolist() == ["no finding"] * 2


def test_draws_at_the_edges():
    table = groups().frames
    assert len(draw_per_case(table, "frame_id", 99, purpose="x", seed=0)) == len(table)
    assert len(draw_per_case(table.iloc[:0], "frame_id", 1, purpose="x", seed=0)) == 0
    with pytest.raises(ValueError, match="cannot draw 0 rows"):
        draw_per_case(table, "frame_id", 0, purpose="x", seed=0)
