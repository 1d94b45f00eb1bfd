import json

import numpy as np
import pandas as pd
import pytest

from endoalign.datasets.endovl_labels import cell_labels, descriptor_labels
from endoalign.datasets.registry import load
from endoalign.world.layouts import endovl
from endoalign.world.layouts.pictures import LabelledPicture

COLUMNS = dict(endovl.COLUMNS)


def _pictures():
    rng = np.random.default_rng(0)
    paris = ("0-Ip", "0-Isp", "0-Is", "0-IIa")
    return [
        LabelledPicture(
            rng.integers(0, 256, (8, 9, 3), dtype=np.uint8),
            labels={
                "paris": paris[k % 4],
                "congestion": str(k % 2),
                "villous": str(k % 3 == 0) if k else "",
                "size_cm": f"{0.2 * (k + 1):.1f}",
                "descriptors": "smooth;narrow_base" if k % 2 else "",
            },
        )
        for k in range(10)
    ]


@pytest.fixture
def folder(tmp_path):
    endovl.write(_pictures(), tmp_path, seed=0)
    return tmp_path


def _table(folder):
    return pd.read_csv(folder / "annotations.csv", dtype=str, keep_default_na=False)


def test_reads_what_was_written(folder):
    contents = load("endovl", folder, columns=COLUMNS)
    assert contents.problems == ()
    labels = contents.labels.groupby("frame_id")[["task", "label"]].apply(
        lambda rows: list(zip(rows["task"], rows["label"], strict=True))
    )
    for k, picture in enumerate(_pictures()):
        stated = dict(label for label in labels[f"endovl/images/polyp_{k:05d}"])
        assert stated["paris"] == picture.labels["paris"]
        assert stated["congestion"] == picture.labels["congestion"]
        assert float(stated["size_cm"]) == pytest.approx(0.2 * (k + 1))
        assert stated["size_10mm"] == str(int(k >= 4))
        assert ("descriptor" in stated) == bool(k % 2)
        assert "lobulated" not in stated
    assert contents.counts() == {
        "paris": 10,
        "congestion": 10,
        "lobulated": 0,
        "villous": 9,
        "size_cm": 10,
    }
    parts = contents.splits["part"].value_counts().to_dict()
    assert parts == {"train": 7, "test": 2, "validation": 1}
    split = contents.cases.set_index("case_id")["split"]
    assert all(split[row.frame_id] == row.part for row in contents.splits.itertuples())


def test_every_missed_column_is_named_with_the_key_that_asks_for_it(folder):
    with pytest.raises(ValueError, match="misses column") as caught:
        load("endovl", folder, columns=COLUMNS | {"paris": "Paris class", "size": "cm"})
    words = str(caught.value)
    assert "'Paris class' (of columns.paris (nearest: 'Paris classification'))" in words
    assert "'cm' (of columns.size" in words
    assert "columns found: Image, Paris classification, Congestion" in words
    assert "annotations.csv" in words


def test_without_a_mapping_the_default_names_are_missed(folder):
    with pytest.raises(ValueError, match=r"'image' \(of columns\.image \(nearest: 'Image'"):
        load("endovl", folder)


def test_a_column_the_table_does_not_have_is_null(folder):
    table = _table(folder).drop(columns=["Villous", "Split"])
    table.to_csv(folder / "annotations.csv", index=False)
    with pytest.raises(ValueError, match=r"columns\.villous"):
        load("endovl", folder, columns=COLUMNS)
    contents = load("endovl", folder, columns=COLUMNS | {"villous": None, "split": None})
    assert contents.problems == ()
    assert contents.counts()["villous"] == 0
    assert contents.splits.empty


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"colums": {}}, "unknown option 'colums' \\(nearest: 'columns'\\); options: table"),
        ({"columns": {"pariss": "x"}}, "unknown option 'columns.pariss' \\(nearest: 'paris'\\)"),
        ({"columns": {"paris": 3}}, "option 'columns.paris' is 3"),
        ({"columns": {"image": None}}, "option 'columns.image' is None"),
        ({"size_unit": "inch"}, "option 'size_unit' is 'inch'"),
        ({"separator": ""}, "option 'separator' is ''"),
        ({"table": "none.csv"}, "looked for the table none.csv"),
        ({"images": "nowhere", "columns": COLUMNS}, "nowhere: no such folder"),
    ],
)
def test_wrong_options(folder, options, what):
    with pytest.raises(ValueError, match=what):
        load("endovl", folder, **options)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_kinds_of_tables(folder, ending):
    before = load("endovl", folder, columns=COLUMNS)
    table, path = _table(folder), folder / f"table.{ending}"
    if ending == "jsonl":
        rows = table.to_dict("records")
        path.write_text("\n".join(json.dumps(row) for row in rows))
    elif ending == "parquet":
        table.to_parquet(path)
    else:
        table.to_csv(path, index=False, sep="\t" if ending == "tsv" else ";", encoding="utf-16")
    after = load("endovl", folder, columns=COLUMNS, table=path.name)
    assert after.problems == ()
    assert after.labels.equals(before.labels)


def test_cells_that_state_nothing_known(folder):
    table = _table(folder)
    table.loc[0, "Paris classification"] = "IV"
    table.loc[1, "Congestion"] = "maybe"
    table.loc[2, "Size (cm)"] = "big"
    table.loc[3, "Descriptors"] = "smoth"
    table.loc[4, "Split"] = "dev"
    table.loc[5, "Image"] = "images/none.png"
    table.loc[6, "Image"] = ""
    table.loc[7, "Image"] = table.loc[8, "Image"]
    table.loc[9, "Image"] = table.loc[9, "Image"].upper()
    table.to_csv(folder / "annotations.csv", index=False)
    contents = load("endovl", folder, columns=COLUMNS)
    problems = {p.path: p.what for p in contents.problems}
    assert problems["annotations.csv:2"].startswith("paris 'IV' is none of 0-Ip")
    assert problems["annotations.csv:3"].startswith("congestion 'maybe' is none of 0 and 1")
    assert problems["annotations.csv:4"] == "size 'big' is no number"
    assert "descriptor 'smoth' is unknown (nearest: 'smooth')" in problems["annotations.csv:5"]
    assert "split 'dev' is none of" in problems["annotations.csv:6"]
    assert "names images/none.png, and no such picture" in problems["annotations.csv:7"]
    assert problems["annotations.csv:8"] == "names no picture; left out"
    assert "again; left out" in problems["annotations.csv:10"]
    assert "differs in case" in problems["annotations.csv:11"]
    assert len(problems) == 9
    assert len(contents.frames) == 7


def test_patients_and_a_patient_in_two_parts(folder):
    table = _table(folder)
    table["Who"] = ["a"] * 10
    table.to_csv(folder / "annotations.csv", index=False)
    contents = load("endovl", folder, columns=COLUMNS | {"patient": "Who"})
    assert contents.cases["case_id"].tolist() == ["endovl/a"]
    assert contents.frames["index"].tolist() == list(range(10))
    assert all("which is kept for the case" in p.what for p in contents.problems)
    assert contents.problems


def test_a_table_without_rows(folder):
    (folder / "annotations.csv").write_text("Image,Split\n")
    with pytest.raises(ValueError, match="holds no row"):
        load("endovl", folder, columns=COLUMNS)


@pytest.mark.parametrize(
    ("column", "cell", "unit", "labels"),
    [
        ("paris", "", 1.0, []),
        ("paris", "Is", 1.0, [("paris", "0-Is")]),
        ("paris", "0 - iia", 1.0, [("paris", "0-IIa")]),
        ("lobulated", "Yes", 1.0, [("lobulated", "1")]),
        ("lobulated", "0", 1.0, [("lobulated", "0")]),
        ("size", "10", 0.1, [("size_cm", "1"), ("size_10mm", "1")]),
        ("size", "9", 0.1, [("size_cm", "0.9"), ("size_10mm", "0")]),
        ("size", "1,2", 1.0, [("size_cm", "1.2"), ("size_10mm", "1")]),
    ],
)
def test_cells(column, cell, unit, labels):
    assert cell_labels(column, cell, unit_cm=unit) == labels


@pytest.mark.parametrize("cell", ["0", "-1", "nan", "inf", "1 cm"])
def test_impossible_sizes(cell):
    with pytest.raises(ValueError, match="size"):
        cell_labels("size", cell)


def test_descriptors():
    labels = descriptor_labels("Narrow base; smooth;smooth; pus", ";", {"pus": "white_coating"})
    assert labels == [
        ("descriptor", "narrow_base"),
        ("descriptor", "smooth"),
        ("descriptor", "white_coating"),
    ]
    assert descriptor_labels("", ";", {}) == []
