import math

import pandas as pd
import pytest

from endoalign.evaluation.curation import (
    measure_curation,
    measure_exclusion,
    records_of,
    shuffled_ids,
)


def finding(case, start, **values):
    base = {
        "case_id": case,
        "start": start,
        "end": start + 10,
        "kind": "lesion",
        "region": "rectum",
        "status": 1,
        "count": 1,
        "size_cm": 0.5,
        "paris": None,
        "descriptors": ["smooth"],
        "negated": False,
    }
    return {**base, **values}


TRUE = pd.DataFrame([finding("a", 0), finding("a", 20, region=None), finding("b", 0, paris="0-Is")])
READ = pd.DataFrame(
    [
        finding("a", 2, descriptors=["smooth", "flat"]),
        finding("b", 5, size_cm=0.7, paris="0-Is"),
        finding("b", 60),
    ]
)


def figures(predicted, true, cases):
    found = measure_curation(records_of(predicted), records_of(true), cases, resamples=200, seed=0)
    return {(f.field, f.metric): f for f in found}


def test_counts_by_hand():
    found = figures(READ, TRUE, ["a", "b"])
    assert found["finding", "precision"].value == pytest.approx(2 / 3)
    assert found["finding", "recall"].value == pytest.approx(2 / 3)
    assert found["site", "recall"].value == 1.0  # two sites are stated, both read
    assert found["site", "precision"].value == pytest.approx(2 / 3)
    assert found["size", "f1"].value == pytest.approx(
        2 / 6
    )  # a right; b wrong; one alone each side
    assert found["paris", "f1"].value == 1.0
    assert found["descriptors", "recall"].value == pytest.approx(2 / 3)
    assert found["polyp_positive", "f1"].value == 1.0


def test_intervals_hold_the_value_and_n_counts_what_is_stated():
    found = figures(READ, TRUE, ["a", "b"])
    for figure in found.values():
        if not math.isnan(figure.value):
            assert figure.interval[0] <= figure.value <= figure.interval[1]
    assert found["finding", "f1"].n == 3
    assert found["negation", "f1"].n == 0 and math.isnan(found["negation", "f1"].value)


def test_perfect_reading_and_no_reading():
    assert figures(TRUE, TRUE, ["a", "b"])["size", "f1"].value == 1.0
    nothing = figures(READ.iloc[:0], TRUE, ["a", "b"])
    assert nothing["finding", "recall"].value == 0.0
    assert math.isnan(nothing["finding", "precision"].value)


def test_shuffling_keeps_every_case_once_and_moves_most():
    ids = [str(i) for i in range(50)]
    others = shuffled_ids(ids, seed=1)
    assert sorted(others) == sorted(ids)
    assert sum(a == b for a, b in zip(ids, others, strict=True)) < 10


def test_exclusion_counts_cases():
    found = measure_exclusion({"a", "b"}, {"b", "c"}, "abcd", resamples=200, seed=0)
    figures = {f.metric: f for f in found}
    assert figures["precision"].value == figures["recall"].value == 0.5
    assert figures["f1"].n == 2
