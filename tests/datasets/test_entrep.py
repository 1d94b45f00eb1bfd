import json

import numpy as np
import pytest

from endoalign.datasets.registry import load
from endoalign.world.layouts.entrep import write_challenge, write_earlier
from endoalign.world.layouts.pictures import LabelledPicture

CLASSES = ("nose-right", "nose-left", "ear-right", "ear-left", "vc-open", "vc-closed", "throat")


def pictures(count=21, test=5):
    rng = np.random.default_rng(0)
    return [
        LabelledPicture(
            rng.integers(0, 256, (6, 8, 3), dtype=np.uint8),
            None,
            {
                "class": CLASSES[k % 7],
                "split": "test" if k < test else "train",
                "phrases": f"phrase {k % 7}",
                "type": "abnormal",
            },
            f"p{k // 4:03d}_e1",
            {"vi": f"mô tả {k}", "en": f"description {k}"},
        )
        for k in range(count)
    ]


@pytest.fixture
def challenge(tmp_path):
    write_challenge(pictures(), tmp_path, seed=3)
    return tmp_path


@pytest.fixture
def earlier(tmp_path):
    write_earlier(pictures(), tmp_path, seed=3)
    return tmp_path


def change(path, edit):
    content = json.loads(path.read_text(encoding="utf-8"))
    edited = edit(content)
    path.write_text(json.dumps(content if edited is None else edited), encoding="utf-8")


def problems(folder):
    return [(p.kind, p.path, p.what) for p in load("entrep", folder).problems]


def beyond_case(folder):
    """Problems other than that names differ in case, as the writer leaves them."""
    return [p for p in problems(folder) if "differ in case" not in p[2]]


def test_challenge_as_written(challenge):
    found = load("entrep", challenge)
    assert found.problems == ()
    classes = json.loads((challenge / "train" / "cls.json").read_text())
    labels = found.labels[found.labels["task"] == "class"].set_index("frame_id")["label"]
    assert labels.to_dict() == {f"entrep/{n.removesuffix('.png')}": c for n, c in classes.items()}
    assert found.splits["part"].value_counts().to_dict() == {"train": 16, "test": 5}
    assert found.counts()["labelled"] == 16
    assert set(found.cases["exam_type"]) == {"ent"}
    phrases = json.loads((challenge / "train" / "t2i.json").read_text())
    assert set(found.texts["text"]) == set(phrases)
    matches = json.loads((challenge / "train" / "i2i.json").read_text())
    rows = found.labels[found.labels["task"] == "match"]
    assert dict(zip(rows["frame_id"], rows["label"], strict=True)) == {
        f"entrep/{a[:-4]}": f"entrep/{b[:-4]}" for a, b in matches.items()
    }
    assert set(found.labels["frame_id"]) <= set(found.frames["frame_id"])


def test_ids_of_the_challenge_stand_for_classes(challenge):
    before = load("entrep", challenge).labels
    number = {name: k for k, name in enumerate(CLASSES)}
    change(challenge / "train" / "cls.json", lambda c: {k: number[v] for k, v in c.items()})
    assert load("entrep", challenge).labels.equals(before)


def test_challenge_with_what_is_wrong(challenge):
    files = sorted(p.name for p in (challenge / "train" / "imgs").iterdir())

    def edit(classes):
        classes[files[0]] = "ear-rihgt"
        classes[files[1]] = True
        classes["nowhere.png"] = "throat"

    change(challenge / "train" / "cls.json", edit)
    found = beyond_case(challenge)
    words = " | ".join(what for _, _, what in found)
    assert "unknown class 'ear-rihgt' (nearest: 'ear-right')" in words
    assert "unknown class 'True'" in words
    assert "names nowhere.png, which is not in train/imgs" in words
    unlabelled = {path for _, path, what in found if "has no class" in what}
    assert unlabelled == {f"train/imgs/{name}" for name in files[:2]}
    assert load("entrep", challenge).counts()["labelled"] == 14


def test_a_match_or_phrase_that_names_a_missing_file(challenge):
    change(challenge / "train" / "i2i.json", lambda c: {**c, "a.png": "b.png"})
    change(challenge / "train" / "t2i.json", lambda c: {**c, "a phrase": "b.png"})
    assert problems(challenge) == [
        ("missing", "train/i2i.json", "a.png: b.png names a.png, which is nowhere"),
        ("missing", "train/t2i.json", "'a phrase' names b.png, which is nowhere"),
    ]


def test_a_match_may_lie_in_the_test(challenge):
    train = next((challenge / "train" / "imgs").iterdir()).name
    test = next((challenge / "PublicTest").iterdir()).name
    change(challenge / "train" / "i2i.json", lambda _: {train: test})
    found = load("entrep", challenge)
    assert found.problems == ()
    row = found.labels[found.labels["task"] == "match"].iloc[0]
    assert row["label"] == f"entrep/{test[:-4]}"


def test_a_key_that_stands_twice(challenge):
    path = challenge / "train" / "cls.json"
    name = next(iter(json.loads(path.read_text())))
    path.write_text(path.read_text().rstrip("}\n ") + f',\n "{name}": "throat"\n}}')
    assert [what for _, _, what in problems(challenge)] == [
        f"'{name}' stands twice; the first is taken"
    ]


def test_lists_of_the_test(challenge):
    with (challenge / "cls.csv").open("a") as stream:
        stream.write("nowhere.png")  # and no final newline
    (file, *_) = (challenge / "PublicTest").iterdir()
    file.unlink()
    words = sorted(what for _, _, what in problems(challenge))
    assert words == sorted(
        [
            "names nowhere.png, which is not in PublicTest",
            f"names {file.name}, which is not in PublicTest",
        ]
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_other_encodings_and_line_ends(challenge, encoding):
    before = load("entrep", challenge)
    for path in [*challenge.glob("train/*.json"), *challenge.glob("*.csv")]:
        text = path.read_text(encoding="utf-8").replace("\n", "\r\n")
        path.write_bytes(text.encode(encoding))
    after = load("entrep", challenge)
    assert after.problems == ()
    assert after.labels.equals(before.labels)


def test_parts_that_are_absent(challenge):
    for name in ("train/i2i.json", "train/t2i.json", "cls.csv"):
        (challenge / name).unlink()
    assert [p[1] for p in problems(challenge)] == ["train/i2i.json", "train/t2i.json", "cls.csv"]
    (challenge / "PublicTest").rename(challenge / "other")
    assert "PublicTest" in [p[1] for p in problems(challenge)]
    (challenge / "train" / "imgs").rename(challenge / "train" / "pictures")
    found = problems(challenge)
    assert ("missing", "train/imgs", "no such folder; it should hold UUID.png") in found


def test_earlier_as_written(earlier):
    found = load("entrep", earlier)
    assert beyond_case(earlier) == []
    assert len(problems(earlier)) == 1
    assert found.counts() == {"frames": 21}
    assert found.cases["case_id"].tolist() == [f"entrep/p{k:03d}_e1" for k in range(6)]
    assert found.frames["index"].tolist() == [k % 4 for k in range(21)]
    assert all((earlier / path).is_file() for path in found.frames["path"])
    told = found.texts.set_index(["key", "language"])["text"]
    for k, frame_id in enumerate(found.frames["frame_id"]):
        assert told[frame_id, "vi"] == f"mô tả {k}"
        assert told[frame_id, "en"] == f"description {k}"
    labels = found.labels.pivot_table(
        index="frame_id", columns="task", values="label", aggfunc="first"
    )
    assert labels["class"].tolist() == [CLASSES[k % 7] for k in range(21)]
    assert set(labels["type"]) == {"abnormal"}


def test_earlier_with_what_is_wrong(earlier):
    def edit(entries):
        entries[0]["Classification"] = "NOSE_right "  # spelt in another way
        entries[1]["Classification"] = "eye"
        entries[2]["Path"] = "gone_Image01.png"
        entries[3] = "no entry"
        entries[4]["DescriptionEN"] = " "
        del entries[5]["Description"]
        entries.append(dict(entries[6]))

    change(earlier / "data.json", edit)
    found = beyond_case(earlier)
    told = {path: what for _, path, what in found}
    assert "unknown class 'eye'" in told["data.json:entry 2"]
    assert told["data.json:entry 3"] == "names gone_Image01.png, which is nowhere"
    assert told["data.json:entry 4"].startswith("not an object with Path, Classification")
    assert told["data.json:entry 5"].endswith("has no DescriptionEN")
    assert told["data.json:entry 6"].endswith("has no Description")
    assert "has the id of images/" in told["data.json:entry 22"]
    assert "3 pictures are not in the list" in told["images"]
    contents = load("entrep", earlier)
    assert len(contents.frames) == 18
    assert contents.labels["label"][0] == "nose-right"


def test_file_names_without_an_examination_are_cases_of_their_own(earlier):
    def edit(entries):
        for k, entry in enumerate(entries):
            old = entry["Path"]
            (file,) = (p for p in (earlier / "images").iterdir() if p.name.lower() == old.lower())
            entry["Path"] = f"{k}.png"
            file.rename(file.with_name(f"{k}.png"))

    change(earlier / "data.json", edit)
    contents = load("entrep", earlier)
    assert contents.problems == ()
    assert contents.cases["case_id"].tolist() == contents.frames["frame_id"].tolist()


def test_a_release_can_be_asked_for(challenge):
    write_earlier(pictures(), challenge, seed=3)
    assert load("entrep", challenge).card.title == "ENTRep"
    assert load("entrep", challenge, release="earlier").counts() == {"frames": 21}
    with pytest.raises(ValueError, match="release is 'first'"):
        load("entrep", challenge, release="first")


@pytest.mark.parametrize(
    ("text", "words"),
    [("[{", "data.json: no readable JSON"), ('{"a": 1}', "not a list"), ("3", "not a list")],
)
def test_a_broken_list_is_an_error(tmp_path, text, words):
    (tmp_path / "data.json").write_text(text)
    with pytest.raises(ValueError, match=words):
        load("entrep", tmp_path)


def test_a_broken_object_is_an_error(challenge):
    (challenge / "train" / "cls.json").write_text('["a"]')
    with pytest.raises(ValueError, match=r"cls.json: not an object"):
        load("entrep", challenge)


def test_nothing_of_it(tmp_path):
    with pytest.raises(ValueError, match="not the layout of ENTRep"):
        load("entrep", tmp_path)
    with pytest.raises(ValueError, match="no such folder"):
        load("entrep", tmp_path / "absent")
