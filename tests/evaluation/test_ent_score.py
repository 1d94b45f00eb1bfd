"""Scores of challenge files whose answers are known."""

import json

import pytest

from endoalign.evaluation.ent_score import challenge_score


def written(folder, name, values):
    (folder / name).write_text(json.dumps(values), encoding="utf-8")
    return folder / name


def test_classes_by_name_and_by_id(tmp_path):
    given = written(tmp_path, "given.json", {"a.png": 0, "b.png": 6, "c.png": 2})
    names = {"a.png": "nose-right", "b.png": "throat", "c.png": "ear-left"}
    assert challenge_score(given, written(tmp_path, "names.json", names)) == (2 / 3, 3)
    ids = {"a.png": 0, "b.png": 0, "c.png": 0}
    assert challenge_score(given, written(tmp_path, "ids.json", ids)) == (1 / 3, 3)


def test_files_by_name(tmp_path):
    given = written(tmp_path, "given.json", {"a polyp": "a.png", "normal": "b.png"})
    known = written(tmp_path, "known.json", {"a polyp": "a.png", "normal": "c.png"})
    assert challenge_score(given, known) == (0.5, 2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[1]", "must hold one JSON object"),
        ('{"a.png": ', "no sound JSON"),
        ('{"a.png": null}', "'a.png': None is neither a class nor"),
        ('{"a.png": "ear-lefft"}', r"'a.png': 'ear-lefft' is no class \(nearest: 'ear-left'\)"),
    ],
)
def test_answers_that_cannot_be_read_are_told(tmp_path, text, told):
    given = written(tmp_path, "given.json", {"a.png": 0})
    (tmp_path / "known.json").write_text(text)
    with pytest.raises(ValueError, match=rf"known\.json.*{told}"):
        challenge_score(given, tmp_path / "known.json")


def test_other_questions_are_refused(tmp_path):
    given = written(tmp_path, "given.json", {"a.png": 0})
    with pytest.raises(ValueError, match=r"'b.png' stands in one of them alone"):
        challenge_score(given, written(tmp_path, "known.json", {"a.png": 0, "b.png": 1}))
    empty = written(tmp_path, "empty.json", {})
    with pytest.raises(ValueError, match="there is no answer"):
        challenge_score(empty, empty)
