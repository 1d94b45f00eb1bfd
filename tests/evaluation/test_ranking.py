import numpy as np
import pytest

from endoalign.evaluation import ranking
from endoalign.evaluation.ranking import lesion_ranks, mid_ranks

CASES = ["b", "a", "b", "c", "a", "b", "c"]


def similarity(decimals=8):
    return np.random.default_rng(0).normal(size=(7, 7)).round(decimals)


def naive_rank(table, query, candidates):
    rank = 1.0
    for other in candidates:
        if other != query:
            rank += float(table[query, other] > table[query, query])
            rank += 0.5 * float(table[query, other] == table[query, query])
    return rank


@pytest.mark.parametrize("decimals", [8, 0])
def test_every_protocol_equals_the_loop(decimals):
    table = similarity(decimals=decimals)
    ranks = lesion_ranks(table, CASES)
    lesions = range(len(CASES))
    first = [CASES.index(case) for case in dict.fromkeys(CASES)]
    candidates = {
        "global": {q: list(lesions) for q in lesions},
        "intra_case": {q: [o for o in lesions if CASES[o] == CASES[q]] for q in lesions},
        "case_representative": dict.fromkeys(first, first),
    }
    assert ranks.case_ids == ("b", "a", "c")
    assert ranks.protocols.keys() == candidates.keys()
    for name, of_query in candidates.items():
        found = ranks.protocols[name]
        assert found.i2t.tolist() == [naive_rank(table, q, c) for q, c in of_query.items()]
        assert found.t2i.tolist() == [naive_rank(table.T, q, c) for q, c in of_query.items()]
        assert found.candidates.tolist() == [len(c) for c in of_query.values()]
        assert [ranks.case_ids[code] for code in found.case] == [CASES[q] for q in of_query]


def test_ranking_in_small_blocks_is_the_same(monkeypatch):
    table, group = similarity(decimals=1), np.array([0, 1, 0, 2, 1, 0, 2])
    whole = mid_ranks(table, group)
    monkeypatch.setattr(ranking, "_ROWS", 2)
    assert mid_ranks(table, group).tolist() == whole.tolist()


def test_equal_similarities_rank_in_the_middle():
    ranks = lesion_ranks(np.ones((5, 5)), ["a", "a", "a", "b", "b"])
    assert ranks.protocols["global"].i2t.tolist() == [3.0] * 5
    assert ranks.protocols["intra_case"].t2i.tolist() == [2.0, 2.0, 2.0, 1.5, 1.5]


def test_a_repeated_sentence_ties_for_frames_but_not_for_sentences():
    # Lesions 0 and 1 have one sentence: columns are equal, rows are not.
    table = np.array([[0.9, 0.9, 0.1], [0.8, 0.8, 0.2], [0.0, 0.0, 0.7]])
    found = lesion_ranks(table, ["a", "a", "b"]).protocols["global"]
    assert found.i2t.tolist() == [1.5, 1.5, 1.0]
    assert found.t2i.tolist() == [1.0, 2.0, 1.0]


def test_one_lesion_ranks_first_everywhere():
    for found in lesion_ranks(np.array([[-0.3]]), ["a"]).protocols.values():
        assert found.i2t.tolist() == found.t2i.tolist() == [1.0]


def test_representatives_may_be_chosen():
    table = similarity()
    flags = [False, False, True, True, True, False, False]
    found = lesion_ranks(table, CASES, representative=flags).protocols["case_representative"]
    assert found.i2t.tolist() == [naive_rank(table, q, [2, 3, 4]) for q in (2, 3, 4)]
    assert found.case.tolist() == [0, 2, 1]


@pytest.mark.parametrize(
    ("flags", "match"),
    [
        ([True, False, True, False, False, False, True], r"'b' has 2 representatives"),
        ([True, False, False, False, False, False, True], r"'a' has 0 representatives"),
        ([True], r"must hold 7 flags"),
    ],
)
def test_each_case_needs_one_representative(flags, match):
    with pytest.raises(ValueError, match=match):
        lesion_ranks(similarity(), CASES, representative=flags)


def test_nan_is_named():
    table = similarity()
    table[4, 2] = np.nan
    with pytest.raises(ValueError, match="query 4 and candidate 2 is NaN"):
        lesion_ranks(table, CASES)


@pytest.mark.parametrize(
    ("shape", "ids", "match"),
    [
        ((2, 3), ["a", "b"], r"\(2, 3\) must be \(n, n\) for the 2 lesions"),
        ((3, 3), ["a", "b"], r"\(3, 3\)"),
        ((0, 0), [], "n >= 1"),
        ((2, 2), ["a", None], "lesion 1 has no case id"),
    ],
)
def test_bad_input_is_named(shape, ids, match):
    with pytest.raises(ValueError, match=match):
        lesion_ranks(np.zeros(shape), ids)
