import pandas as pd
import pytest

from endoalign.corpus.validation import CorpusError
from endoalign.recovery.cases import group_cases


def cases(**eligible):
    rows = [(name, "train", value) for name, value in eligible.items()]
    table = pd.DataFrame(rows, columns=["case_id", "split", "eligible"])
    return table.astype({"eligible": "boolean"})


def frames(*case_ids, retained=True):
    rows = [(f"{c}/{i}", c, retained) for c in case_ids for i in (1, 0)]
    table = pd.DataFrame(rows, columns=["frame_id", "case_id", "retained"])
    return table.astype({"retained": "boolean"})


def findings(*rows):
    """Rows of (case, count, kind, negated), in the order of the report."""
    table = pd.DataFrame(
        [
            (f"{case}#{i}", case, f"text {i}", 10 * i, kind, count, negated)
            for i, (case, count, kind, negated) in enumerate(rows)
        ],
        columns=["finding_id", "case_id", "sentence", "start", "kind", "count", "negated"],
    )
    return table.astype({"count": "Int64"})


ALL = cases(none=True, one=True, unstated=True, several=True, two=True, mixed=True, denied=True)
STATED = findings(
    ("one", 1, "lesion", False),
    ("one", None, "normal", False),
    ("unstated", None, "lesion", False),
    ("several", 3, "lesion", False),
    ("two", 1, "lesion", False),
    ("two", None, "lesion", False),
    ("mixed", 2, "lesion", False),
    ("mixed", 1, "lesion", False),
    ("denied", None, "lesion", True),
    ("denied", None, "other", False),
)


def test_groups_by_hand():
    groups = group_cases(ALL, STATED, frames(*ALL["case_id"]))
    assert groups.positive == ("mixed", "one", "several", "two", "unstated")
    assert groups.normal == ("denied", "none")
    assert groups.single == ("one", "unstated")
    assert groups.multi == ("mixed", "two")
    named = ["mixed#7", "one#0", "two#4", "two#5", "unstated#2"]
    assert groups.sentences["finding_id"].tolist() == named
    assert groups.sentences_of("single")["text"].tolist() == ["text 0", "text 2"]
    assert groups.sentences_of("multi")["case_id"].tolist() == ["mixed", "two", "two"]
    assert groups.counts() == {
        "positive_cases": 5,
        "normal_cases": 2,
        "single_lesion_cases": 2,
        "multi_lesion_cases": 2,
        "several_in_one_statement_cases": 1,
        "sentences": 5,
        "frames": 14,
    }
    assert groups.frames_of(groups.single)["frame_id"].tolist() == [
        "one/0",
        "one/1",
        "unstated/0",
        "unstated/1",
    ]


def test_row_order_changes_nothing():
    table = frames(*ALL["case_id"])
    first = group_cases(ALL, STATED, table)
    shuffled = (t.sample(frac=1, random_state=5) for t in (ALL, STATED, table))
    second = group_cases(*shuffled)
    pd.testing.assert_frame_equal(first.frames, second.frames)
    pd.testing.assert_frame_equal(first.sentences, second.sentences)
    assert (first.positive, first.multi) == (second.positive, second.multi)


def test_only_eligible_cases_of_the_split_with_usable_frames():
    some = cases(one=True, two=False, unstated=True)
    some.loc[some["case_id"] == "unstated", "split"] = "test"
    table = pd.concat([frames("one", "two", "unstated")], ignore_index=True)
    assert group_cases(some, STATED, table).positive == ("one",)
    assert group_cases(some, STATED, table, splits=("test",)).positive == ("unstated",)
    nothing = group_cases(some, STATED, table.assign(retained=False))
    assert nothing.positive == nothing.normal == ()
    assert len(nothing.sentences) == len(nothing.frames) == 0
    assert nothing.counts()["sentences"] == 0


def test_no_findings_at_all_makes_every_case_normal():
    assert group_cases(ALL, STATED.iloc[:0], frames("one", "two")).normal == ("one", "two")


def test_wrong_input_is_named():
    table = frames(*ALL["case_id"])
    with pytest.raises(CorpusError, match=r"no split 'Train'.*nearest: 'train'"):
        group_cases(ALL, STATED, table, splits=("Train",))
    undecided = cases(one=None)
    with pytest.raises(CorpusError, match=r"'eligible' is not decided for 'one'.*01_curation"):
        group_cases(undecided, STATED, table)
    with pytest.raises(CorpusError, match="'retained' is not decided for"):
        group_cases(ALL, STATED, table.assign(retained=pd.NA))
    with pytest.raises(KeyError, match="groups: single, multi"):
        group_cases(ALL, STATED, table).sentences_of("lone")
