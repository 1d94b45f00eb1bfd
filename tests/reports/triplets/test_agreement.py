import random
from itertools import permutations

import pytest

from endoalign.reports.triplets.agreement import agreement, compare_engines, match_triplets
from endoalign.reports.triplets.records import Extraction, ReportTriplets, Triplet


def triplet(region, status, start, end):
    return Triplet("x", region, status, start, end)


def naive_best(predicted, true):
    """Best (pairs, agreement, shared characters) over every one-to-one assignment."""
    if len(predicted) > len(true):
        predicted, true = true, predicted
    best = (0, 0, 0)
    for chosen in permutations([*range(len(true)), *[None] * len(predicted)], len(predicted)):
        best = max(best, value(predicted, true, [*enumerate(chosen)]))
    return best


def value(predicted, true, pairs):
    pairs_made = agree = shared = 0
    for i, j in pairs:
        if j is None:
            continue
        p, t = predicted[i], true[j]
        common = min(p.end, t.end) - max(p.start, t.start)
        if common > 0:
            pairs_made += 1
            agree += 2 * (p.region == t.region) + (p.status == t.status)
            shared += common
    return pairs_made, agree, shared


@pytest.mark.parametrize("seed", range(25))
def test_matching_is_the_best_of_all(seed):
    rng = random.Random(seed)

    def some():
        return [
            triplet(rng.choice(["body", "antrum"]), rng.randint(0, 1), at, at + rng.randint(1, 6))
            for at in (rng.randint(0, 12) for _ in range(rng.randint(0, 4)))
        ]

    predicted, true = some(), some()
    pairs = match_triplets(predicted, true)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert value(predicted, true, pairs) == naive_best(predicted, true)


def test_counts_by_hand():
    true = {
        "a": [
            triplet("body", 0, 0, 10),
            triplet("antrum", 1, 10, 20),
            triplet("cardia", 0, 20, 30),
        ],
        "b": [triplet("rectum", 1, 0, 5)],
    }
    read = {
        "a": [triplet("body", 0, 2, 9), triplet("antrum", 0, 12, 18), triplet("fundus", 0, 21, 25)],
        "c": [triplet("rectum", 1, 0, 5)],
    }
    table = agreement(read, true).set_index("field")
    assert table.loc["region", ["tp", "fp", "fn"]].tolist() == [2, 1, 2]
    assert table.loc["status", ["tp", "fp", "fn"]].tolist() == [2, 1, 2]
    assert table.loc["region and status", ["tp", "fp", "fn"]].tolist() == [1, 2, 3]
    assert table.loc["region", "precision"] == pytest.approx(2 / 3)
    assert table.loc["region", "recall"] == pytest.approx(1 / 2)
    assert table.loc["region", "f1"] == pytest.approx(4 / 7)


def test_no_overlap_is_no_match():
    assert match_triplets([triplet("body", 0, 0, 5)], [triplet("body", 0, 5, 9)]) == []


def test_nothing_at_all_is_nan():
    table = agreement({}, {"a": []})
    assert table[["tp", "fp", "fn"]].to_numpy().sum() == 0
    assert table[["precision", "recall", "f1"]].isna().all(axis=None)


def test_engines_side_by_side():
    true = {"a": [triplet("body", 1, 0, 5)], "b": []}
    good = Extraction(
        "rules", (ReportTriplets("a", "gastroscopy", tuple(true["a"])), ReportTriplets("b", None))
    )
    rejected = ReportTriplets("a", "gastroscopy", outcome="not grounded")
    bad = Extraction("llm", (rejected, ReportTriplets("b", "gastroscopy")))
    table = compare_engines([good, bad], true)
    figures = table.set_index(["engine", "field"])
    assert figures.loc[("rules", "region and status"), "f1"] == 1.0
    assert figures.loc[("llm", "region and status"), "recall"] == 0.0
    assert figures.loc[("llm", "region"), ["rejected", "reports"]].tolist() == [1, 2]


def test_a_case_that_was_not_read_is_an_error():
    with pytest.raises(ValueError, match=r"rules has not read 1 cases .* 'z'"):
        compare_engines([Extraction("rules", ())], {"z": []})
