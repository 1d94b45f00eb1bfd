import math

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from endoalign.corpus.validation import CorpusError
from endoalign.recovery.frame_score import frame_scores
from endoalign.recovery.retention import RetentionSettings, kept_histogram, retain


def scored(n_cases=6, n_frames=5, seed=0, decimals=None):
    rng = np.random.default_rng(seed)
    values = rng.uniform(-1, 1, n_cases * n_frames)
    table = pd.DataFrame(
        {
            "frame_id": [f"c{i}/{j}" for i in range(n_cases) for j in range(n_frames)],
            "case_id": [f"c{i}" for i in range(n_cases) for _ in range(n_frames)],
            "score": values if decimals is None else values.round(decimals),
        }
    )
    return table.sample(frac=1, random_state=seed)


def naive(table, rule, value, at_least):
    rows = [(-row.score, row.frame_id, row.case_id) for row in table.itertuples()]
    rows.sort()
    by_rule, kept = set(), set()
    for place, (score, frame, case) in enumerate(rows):
        in_case = [f for _, f, c in rows if c == case].index(frame)
        if rule == "quantile":
            good = place < math.ceil(value * len(rows) - 1e-9)
        elif rule == "threshold":
            good = -score > value
        else:
            good = in_case < value
        if good:
            by_rule.add(frame)
        if good or in_case < at_least:
            kept.add(frame)
    return by_rule, kept


@pytest.mark.parametrize("decimals", [None, 0, 1])
@pytest.mark.parametrize("at_least", [0, 1, 2])
@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("quantile", 0.1),
        ("quantile", 0.33),
        ("quantile", 1.0),
        ("threshold", 0.0),
        ("threshold", 2.0),
        ("top_per_case", 2.0),
        ("top_per_case", 99.0),
    ],
)
def test_equals_the_naive_loop(rule, value, at_least, decimals):
    table = scored(decimals=decimals)
    kept = retain(table, RetentionSettings(rule=rule, value=value, at_least=at_least))
    by_rule, frames = naive(table, rule, value, at_least)
    assert kept["frame_id"].tolist() == sorted(frames)
    assert set(kept.loc[kept["by_rule"], "frame_id"]) == by_rule


def test_quantile_keeps_the_exact_share_even_of_equal_scores():
    table = scored(10, 3).assign(score=0.5)
    kept = retain(table, RetentionSettings(rule="quantile", value=0.1, at_least=0))
    assert kept["frame_id"].tolist() == ["c0/0", "c0/1", "c0/2"]


def test_no_frames_and_one_frame_a_case():
    settings = RetentionSettings(rule="quantile", value=0.5)
    assert len(retain(scored().iloc[:0], settings)) == 0
    assert len(retain(scored(7, 1), settings)) == 7
    assert retain(scored(7, 1), settings)["by_rule"].sum() == 4


def test_scores_must_be_finite():
    table = scored()
    table.loc[table["frame_id"] == "c1/2", "score"] = np.nan
    with pytest.raises(CorpusError, match="'c1/2' has no finite score"):
        retain(table, RetentionSettings())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rule": "best"}, "quantile"),
        ({"rule": "quantile", "value": 0.0}, "share above 0 up to 1"),
        ({"rule": "quantile", "value": 1.5}, "share above 0 up to 1"),
        ({"rule": "threshold", "value": float("nan")}, "finite score"),
        ({"rule": "top_per_case", "value": 1.5}, "whole number"),
        ({"rule": "top_per_case", "value": float("inf")}, "whole number"),
        ({"rule": "top_per_case", "value": float("nan")}, "whole number"),
        ({"rule": "top_per_case", "value": 0}, "whole number"),
        ({"at_least": -1}, "at_least"),
        ({"score": "cosine"}, "margin"),
        ({"keep": 1}, "keep"),
    ],
)
def test_wrong_settings_are_refused(values, message):
    with pytest.raises(ValidationError, match=message):
        RetentionSettings(**values)


def test_histogram_counts_cases_without_frames():
    table = scored(4, 3)
    kept = table[table["frame_id"].isin(["c0/0", "c0/1", "c2/0"])]
    histogram = kept_histogram(kept, table)
    assert histogram["frames_kept"].tolist() == [0, 1, 2]
    assert histogram["cases"].tolist() == [2, 1, 1]
    assert kept_histogram(kept.iloc[:0], table.iloc[:0])["cases"].sum() == 0


def prompts():
    return pd.DataFrame(
        {
            "frame_id": ["a", "a", "b", "b"],
            "query": ["present", "absent"] * 2,
            "score": np.array([0.5, 0.25, 0.125, 0.5], dtype=np.float32),
        }
    )


def test_frame_scores_are_similarity_or_margin():
    frames = pd.DataFrame({"frame_id": ["b", "a"], "case_id": ["y", "x"]})
    assert frame_scores(prompts(), frames)["score"].tolist() == [0.125, 0.5]
    assert frame_scores(prompts(), frames, "margin")["score"].tolist() == [-0.375, 0.25]
    assert len(frame_scores(prompts(), frames.iloc[:0])) == 0


def test_frame_scores_name_what_is_missing():
    frames = pd.DataFrame({"frame_id": ["a", "c"], "case_id": ["x", "x"]})
    with pytest.raises(CorpusError, match="'c' has no finite score of query 'present'"):
        frame_scores(prompts(), frames)
    broken = prompts().assign(score=[0.5, np.nan, 0.1, 0.5])
    with pytest.raises(CorpusError, match="'a' has no finite score of query 'absent'"):
        frame_scores(broken, frames.iloc[:1], "margin")
    with pytest.raises(CorpusError, match=r"no score 'margins' \(nearest: 'margin'\)"):
        frame_scores(prompts(), frames, "margins")
