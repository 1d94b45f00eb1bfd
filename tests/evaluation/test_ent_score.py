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


def test_other_questions_are_refused(tmp_path):
    given = written(tmp_path, "given.json", {"a.png": 0})
    with pytest.raises(ValueError, match=r"'b.png' stands in one of them alone"):
        challenge_score(given, written(tmp_path, "known.json", {"a.png": 0, "b.png": 1}))
    empty = written(tmp_path, "empty.json", {})
    with pytest.raises(ValueError, match="there is no answer"):
        challenge_score(empty, empty)
