from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from endoalign.evaluation.bootstrap import resample_weights
from endoalign.evaluation.region_retrieval import finding_candidates, hits, region_candidates
from endoalign.evaluation.region_rows import region_rows, retrieval_figures

FRAMES = pd.DataFrame(
    {
        "frame_id": ["a/0", "a/1", "a/2", "b/0", "b/1"],
        "case_id": ["a", "a", "a", "b", "b"],
    }
)
PROPOSITIONS = pd.DataFrame(
    [
        ("a#0", "a", "antrum", 0, 0, 10),
        ("a#1", "a", "body", 1, 11, 30),
        ("a#2", "a", "cardia", 1, 31, 40),  # no frame shows it
        ("b#0", "b", "rectum", 1, 0, 20),
        ("b#1", "b", "rectum", 1, 50, 60),  # stands for no true finding
        ("b#2", "b", "rectum", 1, 70, 80),  # its finding is in no frame
    ],
    columns=["triplet_id", "case_id", "region", "status", "start", "end"],
)
LABELS = pd.DataFrame(
    {
        "frame_id": ["a/0", "a/1", "a/2", "b/0", "b/1"],
        "region": ["antrum", "body", "body", "rectum", None],
    }
)
TRUE = pd.DataFrame(
    [
        ("T1", "a", 1, 12, 25, False),
        ("T2", "a", 0, 0, 9, False),
        ("T3", "a", 1, 32, 35, True),  # denied
        ("T4", "b", 1, 5, 9, False),
        ("T5", "b", 1, 72, 75, False),
        ("T6", "b", 1, 80, 90, False),  # begins where b#2 ends: no overlap
    ],
    columns=["finding_id", "case_id", "status", "start", "end", "negated"],
)
LINKS = pd.DataFrame({"finding_id": ["T1", "T4", "T6"], "frame_id": ["a/2", "b/1", "b/0"]})
TRUTH = SimpleNamespace(frame_labels=LABELS, findings=TRUE, links=LINKS)


def test_regions_are_judged_by_what_frames_of_the_case_show():
    found = region_candidates(PROPOSITIONS, FRAMES, TRUTH)
    right = found[found["right"]].groupby("triplet_id")["frame_id"].agg(list).to_dict()
    assert right == {
        "a#0": ["a/0"],
        "a#1": ["a/1", "a/2"],
        "b#0": ["b/0"],
        "b#1": ["b/0"],
        "b#2": ["b/0"],
    }
    assert "a#2" not in set(found["triplet_id"])
    assert found.groupby("triplet_id").size().to_dict()["a#1"] == 3
    protocols = found.drop_duplicates("triplet_id").set_index("triplet_id")["protocol"]
    assert protocols["a#0"] == "upper_gi" and protocols["b#0"] == "colon"


def test_findings_are_judged_by_overlap_with_true_abnormal_ones():
    found = finding_candidates(PROPOSITIONS, FRAMES, TRUTH)
    right = found.groupby("triplet_id")["right"].agg(list).to_dict()
    assert right == {
        "a#1": [False, False, True],
        "a#2": [False, False, False],  # denied: the sentence is wrong whatever it finds
        "b#0": [False, True],
        "b#1": [False, False],
    }


def test_a_frame_that_is_not_usable_answers_nothing():
    found = finding_candidates(PROPOSITIONS, FRAMES[FRAMES["frame_id"] != "a/2"], TRUTH)
    assert "a#1" not in set(found["triplet_id"])


def naive_hits(candidates, scores):
    table = candidates.assign(score=scores)
    values = {}
    for triplet, part in table.groupby("triplet_id"):
        best = part[part["score"] == part["score"].max()]
        values[triplet] = best["right"].mean()
    return values


@pytest.mark.parametrize("levels", [2, 1000])
def test_hits_equal_a_loop_with_and_without_ties(levels):
    rng = np.random.default_rng(0)
    rows = [
        (f"t{t}", f"c{t % 4}", f"f{f}", "colon", bool(rng.random() < 0.4))
        for t in range(20)
        for f in range(rng.integers(1, 7))
    ]
    candidates = pd.DataFrame(
        rows, columns=["triplet_id", "case_id", "frame_id", "protocol", "right"]
    )
    scores = rng.integers(0, levels, len(candidates)) / levels
    found = hits(candidates, scores)
    assert found.set_index("triplet_id")["hit"].to_dict() == naive_hits(candidates, scores)
    chance = candidates.groupby("triplet_id")["right"].mean()
    assert found.set_index("triplet_id")["chance"].to_dict() == chance.to_dict()


def test_equal_scores_gain_nothing_over_chance():
    candidates = region_candidates(PROPOSITIONS, FRAMES, TRUTH)
    found = hits(candidates, np.zeros(len(candidates)))
    assert np.allclose(found["hit"], found["chance"])


def test_wrong_scores_are_told():
    candidates = region_candidates(PROPOSITIONS, FRAMES, TRUTH)
    with pytest.raises(ValueError, match=r"scores \(2,\) must be"):
        hits(candidates, np.zeros(2))
    scores = np.zeros(len(candidates))
    scores[3] = np.nan
    with pytest.raises(ValueError, match="candidate 3 is NaN"):
        hits(candidates, scores)


def tables(seed):
    rng = np.random.default_rng(seed)
    case = np.repeat([f"c{i}" for i in range(10)], 4)
    return {
        "region_retrieval": pd.DataFrame(
            {
                "triplet_id": range(40),
                "case_id": case,
                "protocol": np.where(np.arange(40) < 20, "upper_gi", "colon"),
                "hit": (rng.random(40) < 0.3 + 0.3 * seed).astype(float),
                "chance": 0.25,
            }
        )
    }


def test_intervals_resample_cases_as_a_loop_does():
    table = tables(1)["region_retrieval"]
    cases = sorted(table["case_id"].unique())
    found = retrieval_figures({"region_retrieval": table}, cases=cases, resamples=50, seed=3)
    estimate = found["region_retrieval", "colon"]
    part = table[table["protocol"] == "colon"]
    assert estimate.value == pytest.approx(part["hit"].mean())
    for weights, sample in zip(
        resample_weights(10, resamples=50, seed=3), estimate.samples, strict=True
    ):
        drawn = np.repeat(cases, weights)
        values = np.concatenate([part.loc[part["case_id"] == c, "hit"].to_numpy() for c in drawn])
        expected = values.mean() if values.size else np.nan
        assert sample == pytest.approx(expected, nan_ok=True)
    mean = np.mean([found["region_retrieval", p].value for p in ("upper_gi", "colon")])
    assert found["mean", "all"].value == pytest.approx(mean)


def test_rows_hold_systems_chance_and_paired_differences():
    rows = pd.DataFrame(
        region_rows({"A": tables(1), "B": tables(0)}, pairs=[("A", "B")], resamples=100, seed=1)
    )
    chance = rows[(rows["system"] == "chance") & (rows["task"] == "region_retrieval")]
    assert chance["value"].tolist() == [0.25, 0.25] and chance["interval"].isna().all()
    values = rows.set_index(["system", "task", "protocol"])["value"]
    first, second = (values[s, "region_retrieval", "colon"] for s in ("A", "B"))
    assert values["A − B", "region_retrieval", "colon"] == pytest.approx(first - second)
    assert rows["n"].tolist()[:3] == [20, 20, 40]


def test_no_system_is_told():
    with pytest.raises(ValueError, match="no system"):
        list(region_rows({}, seed=1))


def test_scores_go_by_place_whatever_the_labels_of_the_rows():
    candidates = pd.DataFrame(
        {
            "triplet_id": ["a", "a", "b", "b"],
            "case_id": "c",
            "frame_id": ["f", "g", "f", "g"],
            "protocol": "colon",
            "right": [True, False, True, False],
        },
        index=[3, 2, 9, 7],
    )
    found = hits(candidates, np.array([0.9, 0.1, 0.2, 0.8]))
    assert found["hit"].tolist() == [1.0, 0.0]
