import json
import re

import numpy as np
import pytest
from PIL import Image

from endoalign.world.layouts.entrep import write_challenge, write_earlier
from endoalign.world.layouts.pictures import LabelledPicture

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.png")


def picture(seed, label, split="train", phrases="normal", case="p1_e1"):
    pixels = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    labels = {"class": label, "split": split, "phrases": phrases, "type": "normal"}
    return LabelledPicture(pixels, None, labels, case, {"vi": f"tai {seed}", "en": f"ear {seed}"})


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def pictures():
    return [
        picture(0, "ear-left", phrases="cerumen in the canal; erythema"),
        picture(1, "ear-left", phrases="cerumen in the canal"),
        picture(2, "ear-right", phrases="cerumen in the canal"),
        picture(3, "throat", phrases="erythema"),
        picture(4, "vc-open", "validation"),
        picture(5, "ear-left", "test", phrases="cerumen in the canal"),
        picture(6, "ear-left", "test", phrases="cerumen in the canal"),
        picture(7, "throat", "test", phrases=""),
    ]


def test_challenge(tmp_path, pictures):
    names = write_challenge(pictures, tmp_path, seed=1, answers=tmp_path / "kept")
    assert len(set(names)) == 8
    assert all(UUID.fullmatch(name) for name in names)
    assert {p.name for p in (tmp_path / "train" / "imgs").iterdir()} == set(names[:5])
    assert {p.name for p in (tmp_path / "PublicTest").iterdir()} == set(names[5:])
    for name, shown in zip(names[:5], pictures, strict=False):
        file = tmp_path / "train" / "imgs" / name
        assert np.array_equal(np.asarray(Image.open(file)), shown.rgb)
    classes = read(tmp_path / "train" / "cls.json")
    assert classes == {names[i]: pictures[i].labels["class"] for i in range(5)}
    assert set((tmp_path / "cls.csv").read_text().splitlines()) == set(names[5:])
    assert read(tmp_path / "kept" / "cls.json") == {
        names[i]: pictures[i].labels["class"] for i in (5, 6, 7)
    }


def test_phrases_and_matches(tmp_path, pictures):
    names = write_challenge(pictures, tmp_path, seed=1, answers=tmp_path / "kept")
    place = {name: i for i, name in enumerate(names)}
    phrases = read(tmp_path / "train" / "t2i.json")
    assert set(phrases) == {"cerumen in the canal", "erythema", "normal"}
    for phrase, name in phrases.items():
        assert phrase in pictures[place[name]].labels["phrases"].split("; ")
        assert place[name] < 5
    matches = read(tmp_path / "train" / "i2i.json")
    # Pictures 0 and 1 alone share both a phrase and a class.
    assert matches == {names[0]: names[1], names[1]: names[0]}
    assert (tmp_path / "t2i.csv").read_text() == "cerumen in the canal\n"
    assert set((tmp_path / "i2i.csv").read_text().split()) == {names[5], names[6]}
    assert read(tmp_path / "kept" / "i2i.json") == {names[5]: names[6], names[6]: names[5]}


def test_names_tell_nothing_and_depend_on_the_seed_alone(tmp_path, pictures):
    first = write_challenge(pictures, tmp_path / "a", seed=1)
    assert first == write_challenge(pictures, tmp_path / "b", seed=1)
    assert set(first).isdisjoint(write_challenge(pictures, tmp_path / "c", seed=2))
    assert not (tmp_path / "a" / "kept").exists()


def test_earlier(tmp_path, pictures):
    many = [picture(k, "ear-left", case=f"p{k % 3}_e1") for k in range(40)]
    names = write_earlier(many, tmp_path, seed=1)
    entries = read(tmp_path / "data.json")
    assert [entry["Path"] for entry in entries] == names
    assert names[:4] == [
        "p0_e1_Image01.png",
        "p1_e1_Image01.png",
        "p2_e1_Image01.png",
        "p0_e1_Image02.png",
    ]
    assert list(entries[5]) == ["Path", "Classification", "Type", "Description", "DescriptionEN"]
    assert entries[5]["Description"] == "tai 5"
    assert entries[5]["DescriptionEN"] == "ear 5"
    on_disk = {p.name for p in (tmp_path / "images").iterdir()}
    assert {name.lower() for name in on_disk} == {name.lower() for name in names}
    assert 0 < len(on_disk - set(names)) < 40


def test_vietnamese_stays_readable(tmp_path):
    shown = picture(0, "ear-left")
    write_earlier(
        [LabelledPicture(shown.rgb, None, shown.labels, "p", {"vi": "màng nhĩ"})], tmp_path, seed=0
    )
    assert "màng nhĩ" in (tmp_path / "data.json").read_text(encoding="utf-8")


def test_what_cannot_be_written(tmp_path):
    with pytest.raises(ValueError, match="label class is 'ear'"):
        write_challenge([picture(0, "ear")], tmp_path, seed=0)
    with pytest.raises(ValueError, match="needs its examination"):
        write_earlier([picture(0, "throat", case="")], tmp_path, seed=0)
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_write(tmp_path):
    assert write_challenge([], tmp_path, seed=0) == []
    assert read(tmp_path / "train" / "cls.json") == {}
    assert (tmp_path / "cls.csv").read_text() == ""
    assert write_earlier([], tmp_path, seed=0) == []
    assert read(tmp_path / "data.json") == []
