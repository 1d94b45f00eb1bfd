from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from endoalign.evaluation import frame_scores
from endoalign.evaluation.bootstrap import resample_weights
from endoalign.evaluation.comparison import difference
from endoalign.evaluation.frame_scores import frame_auroc, frame_rows, weighted_auroc
from endoalign.results import Results


def frames(n=120, cases=11, seed=0, decimals=8):
    rng = np.random.default_rng(seed)
    present = rng.random(n) < 0.4
    scores = (rng.normal(size=n) + present).round(decimals)
    case = np.concatenate([np.arange(cases), rng.integers(0, cases, n - cases)])
    return scores, present, case


def naive(scores, present):
    wins = 0.0
    for s in scores[present]:
        for other in scores[~present]:
            wins += 1.0 if s > other else 0.5 if s == other else 0.0
    return wins / (present.sum() * (~present).sum())


@pytest.mark.parametrize("decimals", [8, 1, 0])
def test_equals_the_loop_over_pairs(decimals):
    scores, present, case = frames(decimals=decimals)
    estimate = frame_auroc(scores, present, case.astype(str).tolist(), resamples=5, seed=0)
    assert estimate.value == pytest.approx(naive(scores, present), abs=1e-12)


@pytest.mark.parametrize("decimals", [8, 0])
def test_every_resample_equals_sklearn(decimals):
    scores, present, case = frames(decimals=decimals)
    ids = [f"case {c:02d}" for c in case]
    estimate = frame_auroc(scores, present, ids, resamples=40, seed=7)
    order = list(dict.fromkeys(ids))
    for drawn, value in zip(
        resample_weights(11, resamples=40, seed=7), estimate.samples, strict=True
    ):
        taken = np.repeat(np.arange(len(ids)), [drawn[order.index(i)] for i in ids])
        expected = roc_auc_score(present[taken], scores[taken])
        assert value == pytest.approx(expected, abs=1e-12)


def test_small_blocks_give_the_same(monkeypatch):
    scores, present, case = frames(decimals=1)
    weights = resample_weights(11, resamples=30, seed=1)
    whole = weighted_auroc(scores, present, case, weights)
    monkeypatch.setattr(frame_scores, "BLOCK", 4 * len(scores))
    np.testing.assert_array_equal(weighted_auroc(scores, present, case, weights), whole)


def test_single_precision_scores_are_not_rounded_together():
    scores = np.array([0.1, 0.1, 0.1], dtype=np.float32)
    scores[1] = np.nextafter(scores[1], np.float32(1))
    present = np.array([False, True, False])
    assert frame_auroc(scores, present, list("aaa"), resamples=2, seed=0).value == 1.0


def test_ends_and_the_middle():
    present = np.array([True, True, False, False])
    ids = list("abab")
    for scores, value in (([3, 2, 1, 0], 1.0), ([0, 1, 2, 3], 0.0), ([5, 5, 5, 5], 0.5)):
        found = frame_auroc(np.array(scores, dtype=float), present, ids, resamples=20, seed=0)
        assert found.value == value and found.interval == (value, value)


def test_resamples_of_one_kind_are_left_out():
    scores, present = np.array([0.9, 0.1]), np.array([True, False])
    found = frame_auroc(scores, present, ["a", "b"], resamples=50, seed=0)
    assert np.isnan(found.samples).any() and found.interval == (1.0, 1.0)


def test_rows_hold_chance_and_the_paired_difference():
    scores, present, case = frames()
    weak = np.random.default_rng(9).normal(size=len(scores))
    ids = case.astype(str).tolist()
    systems = {"EndoCLIP-I": weak, "EndoCLIP-II": scores}
    results = Results("07_eval_retrieval", SimpleNamespace(seed=1))
    given = {"resamples": 100, "seed": 3}
    results.extend(
        frame_rows(systems, present, ids, pairs=[("EndoCLIP-II", "EndoCLIP-I")], **given),
        dataset="half-real",
    )
    table = results.table().set_index("system")
    assert set(table["task"]) == {"frame_polyp"} and set(table["protocol"]) == {"frames"}
    assert table.loc["chance", "value"] == 0.5
    first, second = (frame_auroc(s, present, ids, **given) for s in (scores, weak))
    delta = difference(first, second)
    row = table.loc["EndoCLIP-II \u2212 EndoCLIP-I"]
    assert row["value"] == delta.estimate.value and row["metric"] == "delta:auroc"
    assert (row["ci_low"], row["ci_high"]) == delta.estimate.interval
    assert table.loc["EndoCLIP-II", "n"] == len(scores)


@pytest.mark.parametrize(
    ("scores", "present", "ids", "match"),
    [
        ([0.1, 0.2], [True], ["a", "b"], r"scores \(2,\), present \(1,\)"),
        ([0.1, 0.2], [True, False], ["a"], r"case_ids \(1,\)"),
        ([0.1, 0.2], [1, 0], ["a", "b"], "bool, not int64"),
        ([0.1, np.nan], [True, False], ["a", "b"], "frame 1 is NaN"),
        ([0.1, 0.2], [True, False], ["a", None], "frame 1 has no case"),
        ([0.1, 0.2], [True, True], ["a", "b"], "2 of 2 frames show a polyp"),
        ([0.1, 0.2], [False, False], ["a", "b"], "0 of 2 frames show a polyp"),
    ],
)
def test_bad_input_is_named(scores, present, ids, match):
    with pytest.raises(ValueError, match=match):
        frame_auroc(np.array(scores), np.array(present), ids, resamples=2, seed=0)
