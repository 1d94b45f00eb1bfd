import json

import numpy as np
import pytest

from endoalign.datasets.endovlm_sites import site_texts
from endoalign.datasets.registry import load
from endoalign.vocabulary import COLON_REGIONS, UPPER_REGIONS
from endoalign.world.layouts import endovlm_jsonl
from endoalign.world.layouts.endovlm_jsonl import Examination

NAME = "endovlm-jsonl"


def _examinations(count=6):
    rng = np.random.default_rng(0)
    found = []
    for k in range(count):
        upper = k % 2 == 0
        regions = UPPER_REGIONS if upper else COLON_REGIONS
        texts = {region: f"finding {k} of {region}." for region in regions[: 3 + k]}
        texts[regions[-1]] = "溃疡：0.5 cm，表面白苔。" if k == 2 else "normal: no lesion."
        found.append(
            Examination(
                f"exam{k}",
                "gastroscopy" if upper else "colonoscopy",
                [rng.integers(0, 256, (8, 9, 3), dtype=np.uint8) for _ in range(12)],
                texts,
                frozenset(regions[:2]),
                f"raw report {k}",
            )
        )
    return found


@pytest.fixture
def folder(tmp_path):
    endovlm_jsonl.write(_examinations(), tmp_path, seed=0)
    return tmp_path


def _lines(folder):
    return (folder / "train.jsonl").read_text().splitlines()


def _problems(folder, **options):
    return {p.path: p.what for p in load(NAME, folder, **options).problems}


def test_reads_what_was_written(folder):
    contents = load(NAME, folder)
    assert contents.problems == ()
    cases = contents.cases.set_index("case_id")
    for exam in _examinations():
        row = cases.loc[exam.name]
        assert row["exam_type"] == exam.exam_type
        assert site_texts(row["report_text"], exam.exam_type).texts == exam.site_texts
        frames = contents.frames[contents.frames["case_id"] == exam.name]
        assert frames["index"].tolist() == list(range(12))
        assert [path.split("/")[-1] for path in frames["path"]] == [
            f"{k:04d}.jpg" for k in range(12)
        ]
        labels = contents.labels[contents.labels["frame_id"] == exam.name]
        abnormal = {
            row.task.removeprefix("abnormal:") for row in labels.itertuples() if row.label == "1"
        }
        assert abnormal == exam.abnormal
        assert len(labels) == len(
            UPPER_REGIONS if exam.exam_type == "gastroscopy" else COLON_REGIONS
        )
    assert all((folder / path).is_file() for path in contents.frames["path"])


def test_the_spellings_of_its_files_are_met(tmp_path):
    endovlm_jsonl.write(_examinations(), tmp_path, seed=0)
    text = (tmp_path / "train.jsonl").read_text()
    assert '"colonscopy"' in text
    sites = {name for seed in range(8) for name in _site_names(tmp_path, seed)}
    assert {"Angulus", "Angularis", "Insertion", "Ileum", "Ileocecal region"} <= sites


def _site_names(folder, seed):
    endovlm_jsonl.write(_examinations(2), folder, seed=seed)
    for line in _lines(folder):
        yield from (row.split(":")[0] for row in json.loads(line)["endo_report"].split("\n")[1:])


def test_the_raw_report(folder):
    contents = load(NAME, folder, report_field="endo_report_raw")
    assert contents.cases["report_text"].tolist() == [f"raw report {k}" for k in range(6)]
    assert contents.problems == ()


def test_files_give_the_splits(tmp_path):
    exams = _examinations()
    for name, part in {"train": exams[:3], "Val": exams[3:5], "test": exams[5:]}.items():
        endovlm_jsonl.write(part, tmp_path, seed=0, name=name)
    contents = load(NAME, tmp_path)
    assert contents.problems == ()
    split = contents.cases.set_index("case_id")["split"]
    assert split.value_counts().to_dict() == {"train": 3, "validation": 2, "test": 1}
    assert split["exam5"] == "test"
    only = load(NAME, tmp_path, jsonl="test.jsonl")
    assert only.cases["case_id"].tolist() == ["exam5"]


def test_frames_from_another_folder(tmp_path):
    endovlm_jsonl.write(_examinations(2), tmp_path / "frames", seed=0)
    (tmp_path / "frames/train.jsonl").rename(tmp_path / "all.jsonl")
    contents = load(NAME, tmp_path, frames="frames")
    assert contents.problems == ()
    assert all((tmp_path / path).is_file() for path in contents.frames["path"])
    assert len(contents.frames) == 24


def test_a_broken_last_line_loses_only_itself(folder):
    path = folder / "train.jsonl"
    content = path.read_bytes()
    path.write_bytes(content[: content.rindex(b"site_abnormality_flags")])
    contents = load(NAME, folder)
    (problem,) = contents.problems
    assert problem.path == "train.jsonl:6"
    assert problem.what.startswith("no JSON")
    assert contents.cases["case_id"].tolist() == [f"exam{k}" for k in range(5)]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("utf-16-be"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.rstrip("\n").encode(),
        lambda text: text.replace("\n", "\n\n").encode("utf-8-sig"),
    ],
    ids=["utf-16", "little", "big", "windows", "no last line end", "blank lines"],
)
def test_files_of_other_systems(folder, change):
    before = load(NAME, folder)
    path = folder / "train.jsonl"
    path.write_bytes(change(path.read_text()))
    after = load(NAME, folder)
    assert after.problems == ()
    assert after.cases.equals(before.cases)
    assert after.labels.equals(before.labels)


def _change(folder, line, **changes):
    lines = _lines(folder)
    lines[line] = json.dumps(json.loads(lines[line]) | changes)
    (folder / "train.jsonl").write_text("\n".join(lines) + "\n")


def test_frames_that_are_missing_or_differ_in_case(folder):
    (folder / "images/exam1/0003.jpg").unlink()
    (folder / "images/exam2/0004.jpg").rename(folder / "images/exam2/0004.JPG")
    contents = load(NAME, folder)
    whats = {p.kind: p.what for p in contents.problems}
    assert "names images/exam1/0003.jpg, and no such picture" in whats["missing"]
    assert "images/exam2/0004.JPG on disk" in whats["odd"]
    assert len(contents.frames) == 6 * 12 - 1


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"id": "exam0"}, "id 'exam0' repeats that of line 1"),
        ({"modality": "ultrasound"}, "exam type 'ultrasound' is not one of"),
        ({"site_abnormality_flags": [0] * 9}, "not 8 of 0 and 1 for gastroscopy"),
        ({"endo_report": None}, "endo_report is None"),
        ({"valid_image_paths": "x"}, "not a list of paths"),
    ],
)
def test_wrong_lines_are_left_out(folder, changes, what):
    _change(folder, 4, **changes)
    contents = load(NAME, folder)
    (problem,) = contents.problems
    assert problem.path == "train.jsonl:5"
    assert what in problem.what
    assert len(contents.cases) == 5


def test_an_unknown_site_lists_the_known_ones(folder):
    _change(folder, 0, endo_report="Findings\nEsophagus: fine.\nLiver: fine.\nRectum: red.")
    contents = load(NAME, folder)
    whats = [p.what for p in contents.problems]
    assert [what.split(";")[0] for what in whats] == [
        f"site {site!r} is none of a gastroscopy: {', '.join(UPPER_REGIONS)}"
        for site in ("Liver", "Rectum")
    ]
    assert len(contents.cases) == 6


def test_one_id_in_two_files(folder):
    endovlm_jsonl.write(_examinations(1), folder, seed=0, name="test")
    contents = load(NAME, folder)
    assert [p.what for p in contents.problems] == ["id 'exam0' is in another file too: left out"]
    assert contents.cases["case_id"].is_unique
    assert contents.frames["frame_id"].is_unique


def test_a_bad_file_beside_a_good_one(folder):
    (folder / "val.jsonl").write_text('{"id": 1}\n')
    contents = load(NAME, folder)
    assert "column 'modality' is missing" in contents.problems[0].what
    assert len(contents.cases) == 6


def test_nothing_of_it(tmp_path):
    with pytest.raises(ValueError, match=r"looked for \*\.jsonl"):
        load(NAME, tmp_path)
    (tmp_path / "a.jsonl").write_text("")
    with pytest.raises(ValueError, match="holds no examination"):
        load(NAME, tmp_path)
    with pytest.raises(ValueError, match=r"looked for b\.jsonl"):
        load(NAME, tmp_path, jsonl="b.jsonl")


@pytest.mark.parametrize(
    ("report", "texts", "unknown"),
    [
        ("", {}, []),
        ("Findings", {}, []),
        ("Findings:\nRectum: red.", {"rectum": "red."}, []),
        ("Rectum: red.", {"rectum": "red."}, []),
        ("Findings\nRectum:\nIleum:  ", {}, []),
        ("F\nRectum: red.\nand swollen.", {"rectum": "red. and swollen."}, []),
        ("F\nRectum: red.\nRectum: raw.", {"rectum": "red. raw."}, []),
        ("F\nRectum：红肿：重。", {"rectum": "红肿：重。"}, []),
        ("F\nLiver: big.\nvery big.\nRectum: ok.", {"rectum": "ok."}, ["Liver"]),
        ("F\nSIGMOID  COLON : ok.", {"sigmoid_colon": "ok."}, []),
        ("F\r\nRectum: red.\r\n", {"rectum": "red."}, []),
        (
            "F\nRectum: seen.\nAt 3 cm, a polyp: 5 mm.",
            {"rectum": "seen. At 3 cm, a polyp: 5 mm."},
            [],
        ),
    ],
)
def test_site_texts(report, texts, unknown):
    found = site_texts(report, "colonoscopy")
    assert found.texts == texts
    assert found.unknown == unknown


def test_an_examination_without_flags_has_no_labels_of_sites(folder):
    lines = _lines(folder)
    row = json.loads(lines[0])
    del row["site_abnormality_flags"]
    (folder / "train.jsonl").write_text("\n".join([json.dumps(row | {"id": 7.0}), *lines[1:]]))
    contents = load(NAME, folder)
    assert contents.problems == ()
    assert contents.cases["case_id"][0] == "7"
    assert set(contents.labels["frame_id"]) == {f"exam{k}" for k in range(1, 6)}


def test_a_refused_line_does_not_lend_its_flags_to_a_later_one_of_its_id(folder):
    lines = _lines(folder)
    bad = json.dumps(json.loads(lines[0]) | {"site_abnormality_flags": [1] * 9})
    (folder / "train.jsonl").write_text("\n".join([bad, *lines]) + "\n")
    contents = load(NAME, folder)
    assert [p.path for p in contents.problems] == ["train.jsonl:1"]
    flags = contents.labels[contents.labels["frame_id"] == "exam0"]["label"].tolist()
    assert flags == ["1", "1", *"000000"]


def test_writer_refuses_what_cannot_be(tmp_path):
    with pytest.raises(ValueError, match="'ent' is none of"):
        endovlm_jsonl.write([Examination("a", "ent", [], {})], tmp_path, seed=0)
    with pytest.raises(ValueError, match="'rectum' is no region of a gastroscopy"):
        endovlm_jsonl.write(
            [Examination("a", "gastroscopy", [], {"rectum": "x"})], tmp_path, seed=0
        )
