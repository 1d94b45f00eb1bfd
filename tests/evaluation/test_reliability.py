import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from endoalign.evaluation.known_links import KnownLinks
from endoalign.evaluation.reliability import reliability, wilson


def matched(scores, right):
    ids = [f"x{i}" for i in range(len(scores))]
    table = pd.DataFrame({"finding_id": ids, "frame_id": ids, "score": scores})
    true = table.loc[np.asarray(right, dtype=bool), ["finding_id", "frame_id"]]
    return table, KnownLinks(true.assign(representative=True), frozenset(ids))


def test_wilson_equals_scipy():
    right, n = np.array([0, 3, 10, 999]), np.array([1, 7, 10, 1000])
    low, high = wilson(right, n)
    for i in range(4):
        expected = binomtest(int(right[i]), int(n[i])).proportion_ci(method="wilson")
        assert (low[i], high[i]) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("bins", [1, 4, 10, 97])
def test_bins_equal_the_naive_loop(bins):
    rng = np.random.default_rng(1)
    score = rng.uniform(-1, 1, 57)
    right = rng.uniform(size=57) < 0.5 + score / 2
    matches, links = matched(score, right)
    curve = reliability(matches.sample(frac=1, random_state=0), links, bins=bins)
    order = np.argsort(score)
    groups = {}
    for place, i in enumerate(order):
        groups.setdefault(place * bins // 57, []).append(i)
    assert len(curve) == len(groups) and curve["n"].sum() == 57
    for row, members in zip(curve.itertuples(), groups.values(), strict=True):
        assert row.n == len(members) and row.right == right[members].sum()
        assert row.accuracy == pytest.approx(right[members].mean())
        assert row.score_low == score[members].min() and row.score_high == score[members].max()
        assert row.score_mean == pytest.approx(score[members].mean())
        assert row.ci_low <= row.accuracy <= row.ci_high


def test_equal_scores_share_a_bin():
    matches, links = matched([0.5] * 6 + [0.9] * 2, [1, 0, 1, 0, 1, 0, 1, 1])
    curve = reliability(matches, links, bins=8)
    assert curve["n"].tolist() == [6, 2]
    assert curve["accuracy"].tolist() == [0.5, 1.0]


def test_unmatched_and_not_judged_are_left_out():
    matches, links = matched([0.1, 0.2, 0.3], [1, 1, 1])
    matches.loc[1, ["frame_id", "score"]] = [None, np.nan]
    assert reliability(matches, KnownLinks(links.table, frozenset({"x0", "x1"})))["n"].sum() == 1
    assert reliability(matches.iloc[:0], links).empty
    with pytest.raises(ValueError, match="1 bin or more"):
        reliability(matches, links, bins=0)
