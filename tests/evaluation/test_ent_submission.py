"""Submission files of the three tracks: written whole or not at all, and checked."""

import json

import pytest

from endoalign.evaluation.ent_format import check_submission, read_asked
from endoalign.evaluation.ent_submission import (
    write_classification,
    write_image_to_image,
    write_text_to_image,
)

FILES = ["b.png", "a.png", "c.png"]
PHRASES = ["throat, with mucus", "tai giữa viêm"]


def test_track_1(tmp_path):
    file = tmp_path / "out" / "cls.json"
    write_classification(
        {"a.png": "throat", "b.png": "nose-right", "c.png": "ear-left"}, FILES, file
    )
    held = json.loads(file.read_text())
    assert held == {"b.png": 0, "a.png": 6, "c.png": 3}
    assert list(held) == FILES  # in the order in which they were asked for
    assert check_submission("classification", file, FILES) == 3
    assert [path.name for path in file.parent.iterdir()] == ["cls.json"]


def test_track_2(tmp_path):
    file = tmp_path / "i2i.json"
    write_image_to_image({"a.png": "b.png", "b.png": "a.png", "c.png": "a.png"}, FILES, FILES, file)
    assert json.loads(file.read_text())["b.png"] == "a.png"
    assert check_submission("image_to_image", file, FILES, FILES) == 3


def test_track_3(tmp_path):
    file = tmp_path / "t2i.json"
    write_text_to_image({PHRASES[1]: "a.png", PHRASES[0]: "b.png"}, PHRASES, FILES, file)
    text = file.read_text(encoding="utf-8")
    assert "tai giữa viêm" in text
    assert list(json.loads(text)) == PHRASES
    assert check_submission("text_to_image", file, PHRASES, FILES) == 2


def test_lists_of_what_is_asked(tmp_path):
    file = tmp_path / "t2i.csv"
    file.write_text('﻿throat, with mucus\n"nose, left"\n  tai giữa viêm \n', encoding="utf-8")
    assert read_asked(file) == ["throat, with mucus", "nose, left", "tai giữa viêm"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "missing"),
        ("", "empty"),
        ("a\n\nb\n", "line 2 is blank"),
        ("a\nb\na\n", "'a' stands twice"),
    ],
)
def test_lists_that_are_wrong(tmp_path, text, message):
    file = tmp_path / "cls.csv"
    if text is not None:
        file.write_text(text)
    with pytest.raises(ValueError, match=message):
        read_asked(file)


def test_a_list_of_another_encoding(tmp_path):
    file = tmp_path / "cls.csv"
    file.write_bytes("tai giữa\n".encode("utf-16"))
    with pytest.raises(ValueError, match=r"cls\.csv: not readable as UTF-8"):
        read_asked(file)


RIGHT = {"a.png": 0, "b.png": 1, "c.png": 2}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "no sound JSON"),
        ("[1]", "one JSON object, not a list"),
        ('{"a.png": 0, "a.png": 1}', "'a.png' stands twice"),
        (json.dumps({"a.png": 0, "b.png": 1}), r"no answer for 'c\.png', one of 3"),
        (json.dumps(RIGHT | {"d.png": 0}), r"'d\.png' was not asked for"),
        (json.dumps(RIGHT | {"A.PNG": 0}), r"'A\.PNG' was not asked for \(nearest: 'a\.png'\)"),
        (json.dumps(RIGHT | {"b.png": 7}), r"'b\.png' has 7; right is a whole number 0 to 6"),
        (json.dumps(RIGHT | {"b.png": True}), "has True"),
        (json.dumps(RIGHT | {"b.png": 1.0}), r"has 1\.0"),
        (json.dumps(RIGHT | {"b.png": "throat"}), "has 'throat'"),
        (json.dumps(RIGHT | {"b.png": None}), "has None"),
    ],
)
def test_track_1_that_is_wrong(tmp_path, content, message):
    file = tmp_path / "cls.json"
    file.write_text(content)
    with pytest.raises(ValueError, match=message):
        check_submission("classification", file, FILES)


def test_answers_that_are_no_file_of_the_gallery(tmp_path):
    file = tmp_path / "i2i.json"
    with pytest.raises(ValueError, match=r"'b\.png', no file of the gallery \(nearest: 'B\.png'\)"):
        write_image_to_image({"a.png": "b.png"}, ["a.png"], ["a.png", "B.png"], file)
    with pytest.raises(ValueError, match="answered with itself"):
        write_image_to_image({"a.png": "a.png"}, ["a.png"], FILES, file)
    with pytest.raises(ValueError, match="no file of the gallery"):
        write_text_to_image({"x": "d.png"}, ["x"], FILES, file)
    with pytest.raises(ValueError, match="'nose_left' is no class"):
        write_classification({"a.png": "nose_left"}, ["a.png"], file)
    assert not list(tmp_path.iterdir())


def test_what_was_there_stays_where_the_new_is_wrong(tmp_path):
    file = tmp_path / "cls.json"
    write_classification(dict.fromkeys(FILES, "throat"), FILES, file)
    before = file.read_text()
    with pytest.raises(ValueError, match="no answer"):
        write_classification({"a.png": "throat"}, FILES, file)
    assert file.read_text() == before


def test_a_missing_file(tmp_path):
    with pytest.raises(ValueError, match=r"cls\.json is missing"):
        check_submission("classification", tmp_path / "cls.json", FILES)
