import numpy as np
import pytest

from endoalign.datasets.registry import load
from endoalign.frames.video import read_frames
from endoalign.world.layouts import polypdiag
from endoalign.world.layouts.polypdiag import LabelledClip


def _clips(lengths=(20, 30, 25, 20, 22, 40)):
    """Clip k is grey of level 20 + 5 f in frame f."""
    clips = []
    for k, length in enumerate(lengths):
        levels = (20 + 5 * np.arange(length)).astype(np.uint8)
        frames = np.broadcast_to(levels[:, None, None, None], (length, 16, 32, 3))
        clips.append(LabelledClip(np.ascontiguousarray(frames), bool(k % 2)))
    return clips


@pytest.fixture
def written(tmp_path):
    return tmp_path, polypdiag.write(_clips(), tmp_path, seed=0)


def _problems(folder, **options):
    return {p.path: p.what for p in load("polypdiag", folder, **options).problems}


def test_reads_what_was_written(written):
    folder, names = written
    contents = load("polypdiag", folder)
    assert contents.problems == ()
    label = contents.labels[contents.labels["task"] == "polyp"].set_index("frame_id")["label"]
    length = contents.labels[contents.labels["task"] == "n_frames"].set_index("frame_id")["label"]
    for name, clip in zip(names, _clips(), strict=True):
        assert label[f"polypdiag/{name}"] == str(int(clip.polyp))
        assert length[f"polypdiag/{name}"] == str(len(clip.frames))
    assert contents.frames.groupby("case_id").size().tolist() == [16] * 6
    split = contents.cases.set_index("case_id")["split"]
    parts = contents.splits.set_index("frame_id")["part"]
    assert split.sort_index().tolist() == parts.sort_index().tolist()
    assert sorted(set(split)) == ["test", "train"]
    for part in ("train", "test"):
        assert set(label[parts.index[parts == part]]) == {"0", "1"}


def test_frames_are_evenly_spaced_and_decode_to_their_index(written):
    folder, _ = written
    frames = load("polypdiag", folder, frames_per_video=4).frames
    for (path, _), of_video in frames.groupby(["path", "case_id"]):
        pixels = read_frames(folder / path, of_video["index"].to_numpy())
        decoded = np.round((pixels.mean(axis=(1, 2, 3)) - 20) / 5).astype(int)
        assert decoded.tolist() == of_video["index"].tolist()
        assert of_video["frame_id"].str.endswith(f"{of_video['index'].iloc[0]:06d}").iloc[0]
        assert np.ptp(np.diff(of_video["index"])) <= 1


def test_a_video_of_three_frames(tmp_path):
    names = polypdiag.write(_clips((3, 20)), tmp_path, seed=0)
    contents = load("polypdiag", tmp_path)
    (problem,) = contents.problems
    assert problem.path == f"videos/{names[0]}.mp4"
    assert "has 3 frames, fewer than the 16 asked for" in problem.what
    short = contents.frames[contents.frames["case_id"] == f"polypdiag/{names[0]}"]
    assert short["index"].tolist() == [0, 1, 2]
    assert contents.frames["frame_id"].is_unique


def test_a_truncated_video_is_told_and_its_sound_frames_are_kept(written):
    folder, names = written
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 256, (30, 16, 32, 3), dtype=np.uint8)
    path = folder / f"videos/{names[0]}.mp4"
    polypdiag.write_mp4(noise, path)
    content = path.read_bytes()
    path.write_bytes(content[: int(0.7 * len(content))])
    contents = load("polypdiag", folder)
    (problem,) = contents.problems
    assert problem.path == f"videos/{names[0]}.mp4"
    assert "of 30 frames can be read" in problem.what
    of_video = contents.frames[contents.frames["case_id"] == f"polypdiag/{names[0]}"]
    assert len(read_frames(path, of_video["index"].to_numpy())) == len(of_video) > 0


@pytest.mark.parametrize("content", [b"", b"not a video" * 9])
def test_an_unreadable_video_is_left_out(written, content):
    folder, names = written
    (folder / f"videos/{names[1]}.mp4").write_bytes(content)
    contents = load("polypdiag", folder)
    (problem,) = contents.problems
    assert "left out, download it again" in problem.what
    assert len(contents.cases) == 5
    assert f"polypdiag/{names[1]}" not in set(contents.frames["case_id"])


def test_a_line_that_names_a_missing_video_and_a_video_without_a_line(written):
    folder, _ = written
    lines = (folder / "splits/train.txt").read_text().splitlines()
    name = lines[1].split(",")[0]
    (folder / "videos" / name).rename(folder / "videos/other.mp4")
    problems = _problems(folder)
    assert f"names {name.removesuffix('.mp4')}" in problems["splits/train.txt:2"]
    assert "(other): they have no label" in problems["splits"]


def test_names_that_differ_in_case(written):
    folder, names = written
    (folder / f"videos/{names[2]}.mp4").rename(folder / f"videos/{names[2].upper()}.MP4")
    (folder / "splits/val.txt").rename(folder / "splits/Val.txt")
    (folder / "videos").rename(folder / "Videos")
    contents = load("polypdiag", folder)
    (problem,) = contents.problems
    assert "differs in case" in problem.what
    assert set(contents.cases["case_id"]) == set(contents.splits["frame_id"])


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.rstrip("\n").encode(),
        lambda text: text.replace(",", ";").encode(),
        lambda text: text.replace(",", " , ").encode("utf-8-sig"),
    ],
    ids=["utf-16", "windows", "no last line end", "; for ,", "blanks"],
)
def test_lists_of_other_systems(written, change):
    folder, _ = written
    before = load("polypdiag", folder)
    path = folder / "splits/train.txt"
    path.write_bytes(change(path.read_text()))
    after = load("polypdiag", folder)
    assert after.problems == ()
    assert after.labels.equals(before.labels)
    assert after.splits.equals(before.splits)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("a.mp4,2", "label '2' is not 0 (no polyp) or 1 (polyp)"),
        ("a.mp4", "is not name.mp4,label"),
        ("a.mp4,1,x", "is not name.mp4,label"),
    ],
)
def test_wrong_lines(written, line, what):
    folder, _ = written
    path = folder / "splits/train.txt"
    count = len(path.read_text().splitlines())
    path.write_text(path.read_text() + line + "\n")
    assert what in _problems(folder)[f"splits/train.txt:{count + 1}"]


def test_one_video_in_both_lists(written):
    folder, _ = written
    train, val = (folder / f"splits/{part}.txt" for part in ("train", "val"))
    val.write_text(val.read_text() + train.read_text().splitlines()[0] + "\n")
    (words,) = _problems(folder).values()
    assert "is in the part train too" in words


def test_without_lists_and_without_anything(written, tmp_path_factory):
    folder, _ = written
    for part in ("train", "val"):
        (folder / f"splits/{part}.txt").unlink()
    assert set(_problems(folder)) == {"splits/train.txt", "splits/val.txt", "splits"}
    with pytest.raises(ValueError, match="not the layout of PolypDiag"):
        load("polypdiag", tmp_path_factory.mktemp("empty"))


def test_no_frames_wanted(written):
    with pytest.raises(ValueError, match="not 1 or more"):
        load("polypdiag", written[0], frames_per_video=0)
