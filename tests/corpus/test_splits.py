"""Patients are divided alike wherever they are met, and stand on one side."""

import pandas as pd
import pytest

from endoalign.corpus.rows import IngestError
from endoalign.corpus.splits import SHARES, divided, need_cases, split_of
from endoalign.corpus.validation import CorpusError


def cases(*rows):
    return pd.DataFrame(rows, columns=["case_id", "patient_id", "split"])


def test_shares_are_those_told():
    found = pd.Series([split_of(f"patient {k}") for k in range(20_000)]).value_counts(
        normalize=True
    )
    assert sum(SHARES.values()) == pytest.approx(1)
    for name, share in SHARES.items():
        assert found[name] == pytest.approx(share, abs=0.01)


def test_a_patient_is_where_he_was():
    # a change of these would move patients from training into a test
    assert [split_of(one) for one in ("p0", "p1", "p2", "p3")] == ["test", "train", "train", "test"]


def test_cases_of_a_patient_stay_together_and_told_splits_stay():
    table = divided(
        cases(
            *[(f"c{k}", f"p{k // 2}", "by_patient") for k in range(40)],
            ("told", "other", "test"),
        )
    )
    assert len(table.groupby(["patient_id", "split"])) == table["patient_id"].nunique()
    assert set(table["split"]) <= set(SHARES)
    assert table["split"].iloc[-1] == "test"
    assert divided(cases()).empty


def test_a_patient_in_two_splits_is_refused():
    table = cases(("a", "p", "train"), ("b", "p", "test"), ("c", "q", "train"))
    told = r"patient 'p' has cases in several splits \(a: train, b: test\); so have 1 patients of 2"
    with pytest.raises(IngestError, match=told):
        divided(table)


def test_splits_that_are_needed():
    table = cases(("a", "p", "train"), ("b", "q", "test")).assign(eligible=[True, False])
    need_cases(table, "train")
    with pytest.raises(CorpusError, match=r"no eligible case of the split 'test' .*: train 1\)"):
        need_cases(table, "train", "test")
    with pytest.raises(CorpusError, match=r"\(eligible: none\)"):
        need_cases(table.assign(eligible=None), "train")
