"""Pictures of frames: from the files and from the cache, cropped and squashed."""

import hashlib
import multiprocessing
import threading

import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image

from endoalign.corpus.manifest import Manifest
from endoalign.corpus.pixels import CachedPixels, DiskPixels, load_picture, open_pixels
from endoalign.corpus.validation import CorpusError

N = 6


@pytest.fixture
def corpus(tmp_path):
    """Folder and frames table (only the columns that pixels read) of frames of several kinds."""
    rng = np.random.default_rng(0)
    rows = []
    for number in range(N):
        height, width = (60, 80) if number % 2 else (300, 400)
        file = tmp_path / "raw" / (f"{number}.png" if number % 3 else f"{number}.jpg")
        file.parent.mkdir(exist_ok=True)
        coarse = Image.fromarray(rng.integers(0, 256, (6, 8, 3), dtype=np.uint8))
        coarse.resize((width, height)).save(file)
        box = (width // 8, height // 6, width - 5, height - 3)
        rows.append(
            {
                "frame_id": f"f{number}",
                "path": file.name,
                "width": width,
                "height": height,
                "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
                **dict(zip(("box_left", "box_top", "box_right", "box_bottom"), box, strict=True)),
            }
        )
    Manifest(roots={"here": "raw"}, settings="0" * 64, counts={}).write(tmp_path)
    return tmp_path, pd.DataFrame(rows)


def naive(folder, row, size, crop):
    """The whole frame decoded, cropped to whole pixels, squashed."""
    image = Image.open(folder / "raw" / row.path).convert("RGB")
    if crop:
        image = image.crop((row.box_left, row.box_top, row.box_right, row.box_bottom))
    return np.asarray(image.resize((size, size), Image.Resampling.BICUBIC)).transpose(2, 0, 1)


@pytest.mark.parametrize("crop", [True, False])
def test_pictures_are_cropped_and_squashed(corpus, crop):
    folder, frames = corpus
    found = DiskPixels(folder, frames, 24, crop_content=crop).read(range(N))
    assert found.dtype == torch.uint8
    assert found.shape == (N, 3, 24, 24)
    for row, picture in zip(frames.itertuples(), found.numpy(), strict=True):
        expected = naive(folder, row, 24, crop).astype(int)
        difference = np.abs(expected - picture)
        assert difference.mean() < 0.5, row.frame_id  # large frames are decoded smaller
        if row.height == 60:
            assert difference.max() <= 3, row.frame_id  # Pillow may look beyond a box, not a crop


def test_large_frames_are_decoded_small_but_not_too_small(corpus, monkeypatch):
    from endoalign.corpus import picture

    sides, decode = [], picture.decode_frame

    def watched(source, *, min_side):
        frame = decode(source, min_side=min_side)
        sides.append(min(frame.rgb.shape[:2]))
        return frame

    monkeypatch.setattr(picture, "decode_frame", watched)
    folder, frames = corpus
    row = frames.iloc[0]
    box = (50, 50, 250, 250)
    full = load_picture(folder / "raw" / row["path"], box, 24)
    small = load_picture(folder / "raw" / row["path"], box, 24, frame_size=(400, 300))
    assert sides == [300, 75]
    assert sides[1] * 200 / 300 >= 2 * 24  # of the crop
    assert np.abs(full.astype(int) - small).mean() < 3


def test_a_box_outside_the_frame_is_told(corpus):
    folder, frames = corpus
    source = DiskPixels(folder, frames.assign(box_right=99), 16)
    with pytest.raises(CorpusError, match=r"frame 'f1' .* box \(10, 10, 99, 57\) .* 80 x 60"):
        source.read([1])


def test_rows_repeat_and_come_in_any_order(corpus, tmp_path):
    folder, frames = corpus
    rows = [4, 0, 0, 5]
    whole = DiskPixels(folder, frames, 16).read(range(N))
    for source in (
        DiskPixels(folder, frames, 16, threads=1),
        DiskPixels(folder, frames, 16, threads=5),
        CachedPixels.make(folder, frames, 16, tmp_path / "c.npy"),
    ):
        assert (len(source), source.size) == (N, 16)
        assert torch.equal(source.read(rows), whole[rows])
        assert torch.equal(source.read(np.array(rows)), whole[rows])
        assert source.read([]).shape == (0, 3, 16, 16)


def test_a_cache_is_one_array_that_numpy_reads(corpus, tmp_path):
    folder, frames = corpus
    calls = []
    source = CachedPixels.make(
        folder, frames, 16, tmp_path / "new" / "c.npy", progress=lambda *c: calls.append(c)
    )
    array = np.load(tmp_path / "new" / "c.npy", mmap_mode="r")
    assert array.shape == (N, 3, 16, 16)
    assert np.array_equal(array, source.read(range(N)).numpy())
    assert calls == [(N, N)]
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["c.npy"]


def count_decodes(monkeypatch):
    reads, read = [], DiskPixels.read
    monkeypatch.setattr(DiskPixels, "read", lambda self, rows: reads.append(1) or read(self, rows))
    return reads


def test_a_sound_cache_is_used_and_a_stale_one_made_anew(corpus, tmp_path, monkeypatch):
    folder, frames = corpus
    cache = tmp_path / "c.npy"
    CachedPixels.make(folder, frames, 16, cache)
    reads = count_decodes(monkeypatch)
    CachedPixels.make(folder, frames, 16, cache)
    assert not reads
    moved = frames.assign(box_left=0)
    changed = frames.assign(sha256=["0" * 64, *frames["sha256"][1:]])
    fewer, other = frames.head(N - 1), frames.iloc[::-1].reset_index(drop=True)
    for expected, (table, size, crop) in enumerate(
        [
            (moved, 16, True),
            (changed, 16, True),
            (fewer, 16, True),
            (other, 16, True),
            (other, 12, True),
            (other, 12, False),
        ],
        start=1,
    ):
        made = CachedPixels.make(folder, table, size, cache, crop_content=crop)
        assert len(reads) == expected
        live = DiskPixels(folder, table, size, crop_content=crop)
        assert torch.equal(made.read([0, 1]), torch.stack([live.read([0])[0], live.read([1])[0]]))
        del reads[expected:]


@pytest.mark.parametrize("left", ["half", "array_only", "nothing", "other"])
def test_an_unfinished_cache_is_made_anew(corpus, tmp_path, left):
    folder, frames = corpus
    cache = tmp_path / "c.npy"
    sound = CachedPixels.make(folder, frames, 16, cache).read(range(N))
    content = cache.read_bytes()
    cut = {"half": len(content) // 2, "array_only": len(content) - 64, "nothing": 0}
    cache.write_bytes(b"not an array" if left == "other" else content[: cut[left]])
    again = CachedPixels.make(folder, frames, 16, cache)
    assert torch.equal(again.read(range(N)), sound)
    assert cache.read_bytes() == content


def test_a_failed_cache_leaves_nothing_behind(corpus, tmp_path):
    folder, frames = corpus
    (folder / "raw" / "3.jpg").write_bytes(b"no picture")
    cache = tmp_path / "sub" / "c.npy"
    with pytest.raises(CorpusError, match=r"frame 'f3' cannot be read from .*3\.jpg: not an image"):
        CachedPixels.make(folder, frames, 16, cache)
    assert list(cache.parent.iterdir()) == []


def make_cache(folder, frames, cache, queue):
    queue.put(CachedPixels.make(folder, frames, 16, cache).read(range(N)).numpy().tobytes())


def test_processes_may_make_the_same_cache_at_once(corpus, tmp_path):
    folder, frames = corpus
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    cache = tmp_path / "c.npy"
    makers = [
        context.Process(target=make_cache, args=(folder, frames, cache, queue)) for _ in range(4)
    ]
    for maker in makers:
        maker.start()
    found = {queue.get(timeout=30) for _ in makers}
    for maker in makers:
        maker.join()
    assert found == {DiskPixels(folder, frames, 16).read(range(N)).numpy().tobytes()}
    assert [path.name for path in tmp_path.glob("*.npy*")] == ["c.npy"]


def test_threads_may_read_at_once(corpus, tmp_path):
    folder, frames = corpus
    source = CachedPixels.make(folder, frames, 16, tmp_path / "c.npy")
    whole, wrong = source.read(range(N)), []

    def read():
        for row in list(range(N)) * 20:
            if not torch.equal(source.read([row])[0], whole[row]):
                wrong.append(row)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("damage", ["missing", "empty", "text"])
def test_an_unreadable_frame_is_named(corpus, damage):
    folder, frames = corpus
    file = folder / "raw" / "4.png"
    if damage == "missing":
        file.unlink()
    else:
        file.write_bytes(b"" if damage == "empty" else b"no picture")
    source = open_pixels(folder, frames, 16)
    with pytest.raises(CorpusError, match=r"frame 'f4' cannot be read from .*raw/4\.png: "):
        source.read([1, 4, 2])
    assert source.read([1, 2]).shape[0] == 2


def test_what_makes_no_sense_is_refused(corpus, tmp_path):
    folder, frames = corpus
    with pytest.raises(ValueError, match=r"ends in \.npy"):
        open_pixels(folder, frames, 16, cache=tmp_path / "cache.bin")
    for wrong in ({"size": 0}, {"size": 16, "threads": 0}):
        with pytest.raises(ValueError, match="at least 1"):
            DiskPixels(folder, frames, **wrong)
    source = open_pixels(folder, frames, 16, cache=tmp_path / "c.npy")
    for row in (-1, N):
        with pytest.raises(IndexError, match=f"has {N}"):
            source.read([0, row])


def test_no_frames_make_an_empty_source(corpus, tmp_path):
    folder, frames = corpus
    for cache in (None, tmp_path / "c.npy"):
        source = open_pixels(folder, frames.head(0), 16, cache=cache)
        assert len(source) == 0
        assert source.read([]).shape == (0, 3, 16, 16)
