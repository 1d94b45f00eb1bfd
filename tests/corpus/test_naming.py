import random

from endoalign.corpus.naming import frame_names, natural_key


def test_numbers_sort_as_numbers():
    names = ["f1.jpg", "f2.jpg", "f10.jpg", "f010b.jpg", "g1.jpg", "10.jpg", "9.jpg", "F3.jpg"]
    shuffled = random.Random(0).sample(names, len(names))
    ordered = ["9.jpg", "10.jpg", "f1.jpg", "f2.jpg", "F3.jpg", "f10.jpg", "f010b.jpg", "g1.jpg"]
    assert sorted(shuffled, key=natural_key) == ordered


def test_order_is_total():
    names = ["a01", "a1", "A1", "a", "", "1", "²", "٣", "é2", "é10"]
    keys = [natural_key(name) for name in names]
    assert len({str(key) for key in keys}) == len(names)
    once = sorted(names, key=natural_key)
    backwards = list(reversed(names))
    assert sorted(backwards, key=natural_key) == once
    assert once.index("é2") < once.index("é10")


def test_names_are_stems_where_those_differ():
    assert frame_names(["c/1.jpg", "c/2.png"]) == ["1", "2"]
    assert frame_names([]) == []


def test_shared_stems_take_the_file_name_then_the_path():
    assert frame_names(["c/1.jpg", "c/1.png", "c/2.png"]) == ["1.jpg", "1.png", "2"]
    paths = ["a/1.jpg", "b/1.jpg", "b/1.png", "b/3.jpg"]
    assert frame_names(paths) == ["a/1.jpg", "b/1.jpg", "1.png", "3"]


def test_names_are_unique_even_where_a_stem_looks_like_a_file_name():
    paths = ["c/1.jpg", "c/1.png", "c/1.jpg.png", "d/1.jpg"]
    assert len(set(frame_names(paths))) == 4
