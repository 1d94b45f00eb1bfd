import numpy as np
import pandas as pd
import pytest
from PIL import Image

from endoalign.datasets.fingerprints import fingerprints
from endoalign.datasets.near_duplicates import COLUMNS, Limits, near_duplicates
from endoalign.datasets.registry import load
from endoalign.frames.hashing import hamming
from endoalign.world.layouts import cvc_clinicdb, pair_folders
from endoalign.world.layouts.pictures import LabelledPicture


def table(name, phashes, files=None, pixels=None, parts=None):
    count = len(phashes)
    return pd.DataFrame(
        {
            "frame_id": [f"{name}/{k}" for k in range(count)],
            "path": [f"{k}.png" for k in range(count)],
            "part": parts or ["train"] * count,
            "sha256": files or [f"{name}{k}" for k in range(count)],
            "pixels": pixels or [f"{name}{k}" for k in range(count)],
            "phash": np.array(phashes, dtype=np.uint64),
        }
    )


def rows(report):
    return [tuple(row) for row in report[["frame_a", "frame_b", "kind", "distance"]].to_numpy()]


def test_hashes_against_a_loop():
    rng = np.random.default_rng(0)
    bases = rng.integers(1, 2**63, size=12)
    flips = [int(b) ^ sum(1 << int(k) for k in rng.integers(0, 64, 3)) for b in bases]
    a, b = table("a", [int(x) for x in bases]), table("b", [*flips, int(bases[0]), 77])
    for distance in (0, 2, 3, 25, 64):
        report = near_duplicates(a, b, limits=Limits(max_distance=distance))
        expected = {
            (f"a/{i}", f"b/{j}", "perceptual", float(hamming(int(x), int(y))))
            for i, x in enumerate(a["phash"])
            for j, y in enumerate(b["phash"])
            if hamming(int(x), int(y)) <= distance
        }
        assert set(rows(report)) == expected
        assert len(report) == len(expected)
    assert near_duplicates(a, b)["distance"].is_monotonic_increasing


def test_more_frames_than_one_block():
    rng = np.random.default_rng(1)
    values = [int(x) for x in rng.integers(1, 2**63, size=1100)]
    report = near_duplicates(table("a", values), table("b", values[::-1]))
    assert set(rows(report)) == {
        (f"a/{k}", f"b/{1099 - k}", "perceptual", 0.0) for k in range(1100)
    }


def test_a_pair_is_listed_once_under_its_surest_kind():
    a = table("a", [5, 5, 5], files=["f", "x", "y"], pixels=["p", "p", "q"])
    b = table("b", [5], files=["f"], pixels=["p"])
    report = near_duplicates(a, b, features=(np.ones((3, 2)), np.ones((1, 2))))
    assert rows(report) == [
        ("a/0", "b/0", "file", 0.0),
        ("a/1", "b/0", "pixels", 0.0),
        ("a/2", "b/0", "perceptual", 0.0),
    ]
    assert tuple(report.columns) == COLUMNS


def test_frames_without_structure_resemble_nothing():
    assert near_duplicates(table("a", [0, 0]), table("b", [0, 1]), limits=Limits(64)).empty


def test_cosines_against_a_loop():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(20, 5)), rng.normal(size=(30, 5))
    a = table("a", [2**k for k in range(20)])
    b = table("b", [~(2**k) & (2**64 - 1) for k in range(30)])
    report = near_duplicates(a, b, features=(x * 3, y), limits=Limits(0, min_cosine=0.7))
    expected = {}
    for i in range(20):
        for j in range(30):
            cosine = x[i] @ y[j] / (np.linalg.norm(x[i]) * np.linalg.norm(y[j]))
            if cosine >= 0.7:
                expected[f"a/{i}", f"b/{j}"] = 1 - cosine
    assert expected
    found = {(f, g): d for f, g, kind, d in rows(report) if kind == "embedding"}
    assert set(found) == set(expected)
    assert all(found[pair] == pytest.approx(expected[pair], abs=1e-6) for pair in expected)


def test_equal_embeddings_are_near_at_cosine_1():
    a, b = table("a", [1]), table("b", [2**64 - 1])
    one = np.array([[0.1, 0.2, 0.3]])
    report = near_duplicates(a, b, features=(one, one * 7), limits=Limits(0, min_cosine=1.0))
    assert [row[2] for row in rows(report)] == ["embedding"]


@pytest.mark.parametrize(
    ("features", "what"),
    [
        (np.ones((2, 3)), r"features of shape \(2, 3\), not \(1, d\)"),
        (np.ones(3), r"features of shape \(3,\)"),
        (np.zeros((1, 3)), "row 0 is not finite, or all 0"),
        (np.array([[1.0, np.nan]]), "row 0 is not finite, or all 0"),
    ],
)
def test_features_that_do_not_fit(features, what):
    a = table("a", [1])
    with pytest.raises(ValueError, match=what):
        near_duplicates(a, a, features=(features, features))


def test_limits_are_checked():
    with pytest.raises(ValueError, match=r"max_distance is 65, not within 0\.\.64"):
        Limits(max_distance=65)
    with pytest.raises(ValueError, match=r"min_cosine is 1\.5"):
        Limits(min_cosine=1.5)


def test_a_table_held_against_itself_lists_each_pair_once():
    a = table("a", [9, 9, 2**64 - 1])
    assert rows(near_duplicates(a, a)) == [("a/0", "a/1", "perceptual", 0.0)]


@pytest.mark.parametrize("count", [0, 1])
def test_few_frames(count):
    a, none = table("a", [3] * count), table("b", [])
    assert near_duplicates(a, none).empty
    assert tuple(near_duplicates(none, a).columns) == COLUMNS


@pytest.fixture
def scenes():
    """Smooth random pictures: only these keep their hash when they are scaled."""
    rng = np.random.default_rng(5)
    scenes = []
    for _ in range(3):
        small = rng.integers(40, 220, (6, 8, 3), dtype=np.uint8)
        big = Image.fromarray(small).resize((320, 240), Image.Resampling.BICUBIC)
        scenes.append(LabelledPicture(np.asarray(big), np.zeros((240, 320), bool)))
    return scenes


def test_pictures_on_disk(tmp_path, scenes):
    """A file copied, one packed anew without loss, one scaled and lossy, one of its own."""
    cvc_clinicdb.write(scenes, tmp_path / "a")
    other = LabelledPicture(np.ascontiguousarray(scenes[0].rgb[::-1]), scenes[0].mask)
    pair_folders.write([*scenes, other], tmp_path / "b", name="etis", release="repack")
    images = tmp_path / "b/images"
    (images / "1.png").unlink()
    (images / "1.tif").write_bytes((tmp_path / "a/Original/1.tif").read_bytes())
    (images / "3.png").unlink()
    third = Image.fromarray(scenes[2].rgb).resize((400, 300), Image.Resampling.LANCZOS)
    third.save(images / "3.jpg", quality=80)
    Image.new("L", (400, 300)).save(tmp_path / "b/masks/3.png")
    a = fingerprints(load("cvc-clinicdb", tmp_path / "a"))
    b = fingerprints(load("etis", tmp_path / "b"))
    report = near_duplicates(a, b)
    found = [row[:3] for row in rows(report)]
    assert found == [
        ("cvc-clinicdb/1", "etis/1", "file"),
        ("cvc-clinicdb/2", "etis/2", "pixels"),
        ("cvc-clinicdb/3", "etis/3", "perceptual"),
    ]
    assert report["part_a"].tolist() == ["train"] * 3
    assert report["part_b"].tolist() == ["test"] * 3


def test_what_cannot_be_read_is_left_out(tmp_path, scenes):
    pair_folders.write(scenes, tmp_path, name="etis", release="repack")
    contents = load("etis", tmp_path)
    (tmp_path / "images/2.png").write_bytes(b"broken")
    (tmp_path / "images/3.png").unlink()
    calls = []
    found = fingerprints(contents, lambda done, total: calls.append((done, total)))
    assert found["frame_id"].tolist() == ["etis/1"]
    assert found["phash"].dtype == np.uint64
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_no_frames_have_no_fingerprints(tmp_path, scenes):
    pair_folders.write(scenes[:1], tmp_path, name="etis", release="repack")
    contents = load("etis", tmp_path)
    contents.frames["path"] = "video.mp4"
    assert fingerprints(contents).empty
    assert near_duplicates(fingerprints(contents), fingerprints(contents)).empty
