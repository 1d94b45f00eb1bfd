import numpy as np
import pandas as pd
import pytest

from endoalign.datasets.registry import load
from endoalign.world.layouts import endoreport100
from endoalign.world.layouts.pictures import LabelledPicture

OPTIONS = {
    "frame_columns": {"image": "Frame", "case": "Case", "polyp": "Polyp"},
    "lesion_columns": {
        "image": "Representative frame",
        "case": "Case",
        "sentence": "Finding sentence",
    },
    "report_columns": {"case": "Case", "report": "Report"},
}


def _pictures():
    rng = np.random.default_rng(0)
    found = []
    for case in ("a", "b"):
        for k in range(12):
            lesion = k in (2, 7)
            text = f"{case}{k}, a 0.5 cm polyp, red" if case == "a" else f"{k}处息肉，0.5 cm"
            found.append(
                LabelledPicture(
                    rng.integers(0, 256, (8, 9, 3), dtype=np.uint8),
                    labels={"polyp": str(int(lesion or k == 3))},
                    case_id=case,
                    texts={"en": text} if lesion else {},
                )
            )
    return found


@pytest.fixture
def folder(tmp_path):
    reports = {"a": 'First line.\nThen "quoted", with a comma.', "b": "报告"}
    endoreport100.write(_pictures(), tmp_path, reports=reports)
    return tmp_path


def test_reads_what_was_written(folder):
    contents = load("endoreport100", folder, **OPTIONS)
    assert contents.problems == ()
    assert contents.counts() == {"cases": 2, "frames": 24, "lesions": 4}
    present = contents.labels[contents.labels["task"] == "polyp_present"]
    assert present["label"].tolist() == [p.labels["polyp"] for p in _pictures()]
    assert contents.frames["index"].tolist() == [*range(12), *range(12)]
    lesions = contents.labels[contents.labels["task"] == "lesion"]
    assert lesions["label"].tolist() == [f"endoreport100/{c}#{n}" for c in "ab" for n in (1, 2)]
    texts = contents.texts
    assert texts["key"].tolist() == lesions["frame_id"].tolist()
    assert texts["text"].tolist() == [p.texts["en"] for p in _pictures() if p.texts]
    assert texts["language"].tolist() == ["en", "en", "zh", "zh"]
    assert set(contents.cases["split"]) == {"test"}


def test_reports(folder):
    contents = load("endoreport100", folder, **OPTIONS, reports_table="reports.csv")
    assert contents.cases["report_text"].tolist() == [
        'First line.\nThen "quoted", with a comma.',
        "报告",
    ]
    assert contents.cases["language"].tolist() == ["en", "zh"]


def test_without_reports_the_sentences_stand_for_them(folder):
    reports = load("endoreport100", folder, **OPTIONS).cases["report_text"]
    assert reports[0] == "a2, a 0.5 cm polyp, red\na7, a 0.5 cm polyp, red"


@pytest.mark.parametrize("key", ["frame_columns", "lesion_columns", "report_columns"])
def test_every_missed_column_is_named(folder, key):
    wrong = OPTIONS | {key: OPTIONS[key] | {"case": "Patient"}}
    with pytest.raises(ValueError, match=rf"misses column 'Patient' \(of {key}.case\)"):
        load("endoreport100", folder, **wrong, reports_table="reports.csv")


def test_frames_without_labels_of_polyps(folder):
    columns = OPTIONS["frame_columns"] | {"polyp": None}
    contents = load("endoreport100", folder, **(OPTIONS | {"frame_columns": columns}))
    assert set(contents.labels["task"]) == {"lesion"}


def test_wrong_rows(folder):
    frames = pd.read_csv(folder / "frames.csv", dtype=str)
    frames.loc[0, "Polyp"] = "perhaps"
    frames.loc[1, "Case"] = ""
    frames.to_csv(folder / "frames.csv", index=False)
    lesions = pd.read_csv(folder / "lesions.csv", dtype=str)
    lesions.loc[0, "Representative frame"] = "frames/a/9999.jpg"
    lesions.loc[1, "Case"] = "b"
    lesions.loc[2, "Finding sentence"] = ""
    lesions.loc[3, "Representative frame"] = "Frames/B/0007.JPG"
    lesions.to_csv(folder / "lesions.csv", index=False)
    contents = load("endoreport100", folder, **OPTIONS)
    problems = {p.path: p.what for p in contents.problems}
    assert "polyp_present 'perhaps' is none of" in problems["frames.csv:2"]
    assert problems["frames.csv:3"] == "names no case; left out"
    assert "which the table of frames does not have" in problems["lesions.csv:2"]
    assert "is of the case 'b', but its frame of 'a'" in problems["lesions.csv:3"]
    assert problems["lesions.csv:4"] == "has no sentence; the lesion is left out"
    assert len(problems) == 5
    assert contents.counts() == {"cases": 2, "frames": 23, "lesions": 1}


def test_missing_tables(folder):
    with pytest.raises(ValueError, match=r"looked for the table frames2\.csv"):
        load("endoreport100", folder, frames_table="frames2.csv")
    with pytest.raises(ValueError, match=r"reports2\.csv: no such table"):
        load("endoreport100", folder, **OPTIONS, reports_table="reports2.csv")
    (folder / "lesions.csv").unlink()
    contents = load("endoreport100", folder, **OPTIONS)
    assert [p.what for p in contents.problems] == ["no such table: no lesion is linked"]
    assert contents.counts()["frames"] == 24


def test_a_picture_needs_a_case(tmp_path):
    picture = LabelledPicture(np.zeros((4, 4, 3), np.uint8))
    with pytest.raises(ValueError, match="case_id is empty"):
        endoreport100.write([picture], tmp_path)
