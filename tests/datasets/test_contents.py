import pandas as pd
import pytest

from endoalign.datasets.card import Card
from endoalign.datasets.contents import COLUMNS, count_of, make_contents
from endoalign.datasets.shared_patients import shared_patients

CARD = Card("some", "Some", "page", "licence", "citation", "layout", {"frames": 3}, "how")


def frame(name, case="c1", index=0):
    return {"frame_id": name, "case_id": case, "path": f"{name}.jpg", "index": index}


def split(name, part, fold="0", protocol="p"):
    return {"frame_id": name, "protocol": protocol, "fold": fold, "part": part}


def test_empty_contents_have_all_columns(tmp_path):
    contents = make_contents(CARD, tmp_path)
    for name, columns in COLUMNS.items():
        assert tuple(getattr(contents, name).columns) == columns
        assert getattr(contents, name).empty
    assert contents.counts() == {"frames": 0}


def test_cases_are_completed(tmp_path):
    contents = make_contents(CARD, tmp_path, cases=[{"case_id": "c1"}])
    assert contents.cases.to_dict("records") == [
        {
            "case_id": "c1",
            "patient_id": "c1",
            "exam_type": "colonoscopy",
            "split": "train",
            "source": "some",
            "language": "en",
            "report_text": "",
        }
    ]


def test_an_unknown_column_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"table masks.*'mask'.*'mask_path'"):
        make_contents(CARD, tmp_path, masks=[{"frame_id": "a", "mask": "a.png"}])


def test_counts_by_every_kind_of_name(tmp_path):
    contents = make_contents(
        CARD,
        tmp_path,
        cases=[
            {"case_id": "c1", "patient_id": "p", "split": "train"},
            {"case_id": "c2", "patient_id": "p", "split": "test"},
        ],
        frames=[frame("a"), frame("b"), frame("d", "c2")],
        labels=[
            {"frame_id": "a", "task": "mayo", "label": "2"},
            {"frame_id": "b", "task": "mayo", "label": "3"},
            {"frame_id": "d", "task": "mayo", "label": "2"},
        ],
        splits=[split("a", "train"), split("b", "test"), split("a", "test", "1")],
        counted={"boxes": 7},
    )
    expected = {
        "frames": 3,
        "cases": 2,
        "masks": 0,
        "patients": 1,
        "files": 3,
        "train": 2,
        "validation": 0,
        "test": 1,
        "mayo=2": 2,
        "mayo=9": 0,
        "p/test": 2,
        "p/1/test": 1,
        "q/test": 0,
        "boxes": 7,
    }
    assert {name: count_of(contents, name) for name in expected} == expected
    with pytest.raises(ValueError, match="nothing is counted under the name 'pictures'"):
        count_of(contents, "pictures")


@pytest.fixture
def two_patients(tmp_path):
    def make(splits):
        return make_contents(
            CARD,
            tmp_path,
            cases=[{"case_id": "c1", "patient_id": "p1"}, {"case_id": "c2", "patient_id": "p2"}],
            frames=[frame("a"), frame("b", "c1", 1), frame("d", "c2")],
            splits=splits,
        )

    return make


def test_a_patient_on_both_sides_is_found(two_patients):
    contents = two_patients([split("a", "train"), split("b", "test"), split("d", "test")])
    assert shared_patients(contents, "p") == ["p1"]


def test_folds_of_a_cross_validation_are_looked_at_one_by_one(two_patients):
    rows = [split("a", "train"), split("d", "test"), split("a", "test", "1")]
    contents = two_patients([*rows, split("d", "train", "1")])
    assert shared_patients(contents, "p") == []


def test_test_sets_are_held_against_the_one_training_set(two_patients):
    contents = two_patients([split("a", "train", "all"), split("b", "test", "one")])
    assert shared_patients(contents, "p") == ["p1"]


def test_splits_may_name_cases(two_patients):
    contents = two_patients([split("c1", "train"), split("c1", "test"), split("c2", "test")])
    assert shared_patients(contents, "p") == ["p1"]


def test_an_unknown_protocol_names_the_known(two_patients):
    contents = two_patients([split("a", "train")])
    with pytest.raises(ValueError, match="no split of protocol 'official'; known: p"):
        shared_patients(contents, "official")


def test_indexes_are_whole_numbers_and_the_rest_text(two_patients):
    contents = two_patients([])
    assert contents.frames["index"].dtype == "int64"
    assert all(pd.api.types.is_string_dtype(contents.frames[c]) for c in ("frame_id", "path"))
