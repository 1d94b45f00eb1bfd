import math

import numpy as np
import pandas as pd
import pytest

from endoalign.corpus.validation import CorpusError
from endoalign.evaluation.known_links import KnownLinks, links_from_table
from endoalign.evaluation.threshold_choice import (
    choose_retention,
    choose_threshold,
    sweep_retention,
    sweep_thresholds,
)


def random_matches(n=60, seed=0, decimals=None):
    rng = np.random.default_rng(seed)
    score = rng.uniform(-1, 1, n)
    score = score if decimals is None else score.round(decimals)
    matches = pd.DataFrame(
        {
            "finding_id": [f"x{i}" for i in range(n)],
            "frame_id": [f"f{i}" for i in range(n)],
            "score": score,
            "yielded": rng.uniform(size=n) < 0.1,
        }
    )
    matches.loc[:4, ["frame_id", "score"]] = [None, np.nan]
    true = matches.loc[rng.uniform(size=n) < 0.5 + matches["score"] / 2]
    links = true[["finding_id", "frame_id"]].assign(representative=False)
    return matches, KnownLinks(links, frozenset(matches["finding_id"][:-3]))


@pytest.mark.parametrize("decimals", [None, 1])
@pytest.mark.parametrize("thresholds", [None, [0.9, -1.0, 0.0, 0.1, 0.1, 1.0]])
def test_sweep_equals_the_naive_loop(thresholds, decimals):
    matches, links = random_matches(decimals=decimals)
    sweep = sweep_thresholds(matches.sample(frac=1, random_state=1), links, thresholds)
    assert sweep["threshold"].is_monotonic_increasing and sweep["threshold"].is_unique
    known = set(links.table.itertuples(index=False, name=None))
    judged = [row for row in matches.itertuples() if row.finding_id in links.judged]
    for row in sweep.itertuples():
        kept = [m for m in judged if not m.yielded and m.score > row.threshold]
        right = sum((m.finding_id, m.frame_id, False) in known for m in kept)
        assert row.kept_share == pytest.approx(len(kept) / len(judged))
        assert row.recall == pytest.approx(right / len(judged))
        assert row.f1 == pytest.approx(2 * right / (len(kept) + len(judged)))
        if kept:
            assert row.precision == pytest.approx(right / len(kept))
            harmonic = 2 * row.precision * row.recall / (row.precision + row.recall or 1)
            assert row.f1 == pytest.approx(harmonic)
        else:
            assert math.isnan(row.precision)


def test_the_default_grid_runs_from_all_to_none():
    matches, links = random_matches()
    sweep = sweep_thresholds(matches, links)
    matched = matches["frame_id"].notna() & ~matches["yielded"]
    matched &= matches["finding_id"].isin(links.judged)
    assert sweep["kept_share"].iloc[0] == pytest.approx(matched.sum() / len(links.judged))
    assert sweep["kept_share"].iloc[-1] == 0


def test_the_chosen_threshold_parts_right_from_wrong():
    matches = pd.DataFrame(
        {
            "finding_id": list("abcdef"),
            "frame_id": list("abcdef"),
            "score": [0.1, 0.2, 0.3, 0.6, 0.7, 0.8],
            "yielded": False,
        }
    )
    table = pd.DataFrame({"finding_id": list("abcdef"), "frame_id": list("zzzdef")})
    threshold = choose_threshold(sweep_thresholds(matches, links_from_table(table)))
    assert 0.3 <= threshold < 0.6


def test_of_equal_f1_the_stricter_wins():
    sweep = pd.DataFrame(
        {
            "threshold": [0.1, 0.2, 0.3, 0.4],
            "kept_share": [0.9, 0.5, 0.5, 0.1],
            "f1": [0.7, 0.7, 0.7, 0.2],
        }
    )
    assert choose_threshold(sweep) == 0.3
    shares = sweep.rename(columns={"threshold": "value"})
    assert choose_retention(shares.assign(kept_share=[0.1, 0.5, 0.5, 0.9])) == 0.1
    with pytest.raises(CorpusError, match="defined F1"):
        choose_threshold(sweep.assign(f1=np.nan))


def test_nothing_matched_and_nothing_judged():
    matches, links = random_matches()
    unmatched = matches.iloc[:5]
    sweep = sweep_thresholds(unmatched, links)
    assert sweep["kept_share"].tolist() == [0.0] and sweep["f1"].tolist() == [0.0]
    with pytest.raises(CorpusError, match="nothing to sweep"):
        sweep_thresholds(matches, KnownLinks(links.table, frozenset()))
    matches.loc[20, "score"] = np.nan
    with pytest.raises(CorpusError, match="'x20': the score of its match is not finite"):
        sweep_thresholds(matches.assign(yielded=False), links)


def test_retention_sweep_by_hand():
    frames = pd.DataFrame({"frame_id": list("abcdx")})
    labels = pd.DataFrame({"frame_id": list("abcdy"), "polyp_present": [1, 1, 0, 0, 1]})
    kept = {0.25: "a", 0.5: "abx", 0.75: "abc"}
    sweep = sweep_retention([0.75, 0.25, 0.5], lambda v: kept[v], frames, labels)
    assert sweep["value"].tolist() == [0.25, 0.5, 0.75]
    assert sweep["kept_share"].tolist() == [0.25, 0.5, 0.75]
    assert sweep["precision"].tolist() == pytest.approx([1, 1, 2 / 3])
    assert sweep["recall"].tolist() == [0.5, 1, 1]
    assert sweep["f1"].tolist() == pytest.approx([2 / 3, 1, 0.8])
    assert choose_retention(sweep) == 0.5
    with pytest.raises(CorpusError, match="no frame of the validation cases has a label"):
        sweep_retention([0.5], lambda v: [], frames, labels.iloc[:0])
