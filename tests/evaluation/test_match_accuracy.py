import numpy as np
import pandas as pd
import pytest

from endoalign.evaluation.bootstrap import resample_weights
from endoalign.evaluation.comparison import difference
from endoalign.evaluation.known_links import KnownLinks
from endoalign.evaluation.match_accuracy import match_accuracies


def links(*pairs):
    table = pd.DataFrame(pairs, columns=["finding_id", "frame_id"]).assign(representative=True)
    return KnownLinks(table, frozenset(table["finding_id"]))


def pairs(*rows):
    return pd.DataFrame(rows, columns=["finding_id", "case_id", "frame_id"])


KNOWN = links(("a1", "f1"), ("a2", "f2"), ("b1", "f3"), ("c1", "f4"))
FIRST = pairs(("a1", "a", "f1"), ("a2", "a", "f1"), ("b1", "b", "f3"), ("x9", "b", "f3"))
SECOND = pairs(("a1", "a", "f2"), ("c1", "c", "f4"))


def test_equals_the_loop_over_resamples():
    found = match_accuracies({"one": FIRST, "two": SECOND}, KNOWN, resamples=50, seed=1)
    counts = {"one": [(1, 2), (1, 1), (0, 0)], "two": [(0, 1), (0, 0), (1, 1)]}  # cases a, b, c
    for system, of_case in counts.items():
        assert found[system].value == sum(p for p, _ in of_case) / sum(w for _, w in of_case)
        for weights, sample in zip(
            resample_weights(3, resamples=50, seed=1), found[system].samples, strict=True
        ):
            part = sum(w * p for w, (p, _) in zip(weights, of_case, strict=True))
            whole = sum(w * q for w, (_, q) in zip(weights, of_case, strict=True))
            assert np.isnan(sample) if whole == 0 else sample == pytest.approx(part / whole)


def test_a_table_does_not_differ_from_itself():
    found = match_accuracies({"one": FIRST, "two": FIRST}, KNOWN, resamples=20, seed=1)
    delta = difference(found["one"], found["two"])
    assert delta.estimate.value == 0
    assert delta.p == 1


def test_nothing_judged_is_an_error():
    with pytest.raises(ValueError, match="nothing to compare"):
        match_accuracies({"one": FIRST[FIRST["finding_id"] == "x9"]}, KNOWN, resamples=5, seed=1)
