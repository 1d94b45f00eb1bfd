import av
import numpy as np
import pytest

from endoalign.frames.decode import FrameError
from endoalign.frames.video import (
    VideoError,
    even_indices,
    probe_video,
    read_frames,
    sample_frames,
)


def _clip(count, height=32, width=48):
    """Frame k is grey of level 5 k + 10, so that a decoded frame tells its number."""
    levels = (5 * np.arange(count) + 10).astype(np.uint8)
    return np.broadcast_to(levels[:, None, None, None], (count, height, width, 3))


def _numbers(frames):
    return np.round((frames.mean(axis=(1, 2, 3)) - 10) / 5).astype(int).tolist()


def _write(path, frames, *, index_first=False, codec="libx264"):
    options = {"movflags": "+faststart"} if index_first else {}
    with av.open(str(path), "w", container_options=options) as container:
        stream = container.add_stream(codec, rate=20, options={"threads": "1"})
        stream.height, stream.width = frames.shape[1:3]
        stream.pix_fmt, stream.bit_rate = "yuv420p", 4_000_000
        for frame in frames:
            picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="rgb24")
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return path


@pytest.fixture
def video(tmp_path):
    return _write(tmp_path / "v.mp4", _clip(40))


def test_facts(video):
    facts = probe_video(video)
    assert (facts.n_frames, facts.stated) == (40, 40)
    assert (facts.width, facts.height, facts.fps) == (48, 32, 20.0)
    assert not facts.truncated
    assert probe_video(video, by_decoding=True) == facts


@pytest.mark.parametrize("codec", ["libx264", "mpeg4"])
def test_frames_are_those_asked_for_in_the_order_asked(tmp_path, codec):
    path = _write(tmp_path / "v.mp4", _clip(40), codec=codec)
    frames = read_frames(path, [39, 0, 17, 17, 3])
    assert frames.shape == (5, 32, 48, 3)
    assert frames.dtype == np.uint8
    assert _numbers(frames) == [39, 0, 17, 17, 3]


def test_every_frame_has_its_own_index(video):
    assert _numbers(read_frames(video, range(40))) == list(range(40))


@pytest.mark.parametrize("n", [1, 2, 16, 40, 100])
@pytest.mark.parametrize("n_frames", [1, 3, 40, 1001])
def test_even_indices_are_the_middles_of_equal_parts(n_frames, n):
    naive = [int((k + 0.5) * n_frames / n) for k in range(n)]
    indices = even_indices(n_frames, n)
    assert indices.tolist() == naive
    assert indices.dtype == np.int64
    counts = np.bincount(indices, minlength=n_frames)
    assert len(counts) == n_frames
    if n >= n_frames:
        assert counts.min() >= 1
        assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize(("n_frames", "n"), [(0, 1), (1, 0), (-1, 4)])
def test_no_frames_or_none_wanted(n_frames, n):
    with pytest.raises(ValueError, match="at least 1"):
        even_indices(n_frames, n)


def test_sampling(video):
    assert _numbers(sample_frames(video, 4)) == [5, 15, 25, 35]


def test_a_video_of_three_frames_repeats_them(tmp_path):
    path = _write(tmp_path / "v.mp4", _clip(3))
    assert probe_video(path).n_frames == 3
    numbers = _numbers(sample_frames(path, 16))
    assert numbers == sorted(numbers)
    assert [numbers.count(k) for k in range(3)] == [5, 6, 5]


def test_a_file_cut_off_behind_its_index_keeps_its_first_frames(tmp_path):
    content = _write(tmp_path / "v.mp4", _clip(40), index_first=True).read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(content[: int(0.8 * len(content))])
    facts = probe_video(cut)
    assert facts.truncated
    assert facts.stated == 40
    assert 0 < facts.n_frames < 40
    numbers = _numbers(sample_frames(cut, 4))
    assert len(set(numbers)) == 4
    assert max(numbers) < 40


@pytest.mark.parametrize("share", [0.9, 0.5, 0.1, 0.02])
def test_a_file_cut_off_before_its_index_is_refused(video, share):
    content = video.read_bytes()
    video.write_bytes(content[: int(share * len(content))])
    with pytest.raises(VideoError, match="cut off"):
        probe_video(video)


@pytest.mark.parametrize("share", np.linspace(0, 1, 30).tolist())
def test_wherever_it_is_cut_the_only_error_is_one_of_ours(tmp_path, share):
    content = _write(tmp_path / "v.mp4", _clip(20), index_first=True).read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(content[: int(share * len(content))])
    try:
        facts = probe_video(cut)
    except VideoError as error:
        assert str(error)
    else:
        assert sample_frames(cut, 4).shape == (4, 32, 48, 3)
        assert facts.n_frames <= 20


@pytest.mark.parametrize("seed", range(8))
def test_damage_inside_keeps_the_length_or_is_ours(tmp_path, seed):
    noise = np.random.default_rng(seed).integers(0, 256, (20, 32, 48, 3), dtype=np.uint8)
    path = _write(tmp_path / "v.mp4", noise, index_first=True)
    content = bytearray(path.read_bytes())
    for place in np.random.default_rng(seed).integers(len(content) // 3, len(content), 40):
        content[place] ^= 255
    path.write_bytes(bytes(content))
    try:
        assert sample_frames(path, 4).shape == (4, 32, 48, 3)
    except VideoError as error:
        assert "decoded" in str(error) or "damaged" in str(error)


@pytest.mark.parametrize("content", [b"", b"\0" * 50, b"no video at all" * 20])
def test_what_is_no_video(tmp_path, content):
    path = tmp_path / "v.mp4"
    path.write_bytes(content)
    with pytest.raises(VideoError, match="no readable video"):
        probe_video(path)


def test_missing_file_is_an_error_of_frames(tmp_path):
    with pytest.raises(FrameError, match="no such file"):
        sample_frames(tmp_path / "none.mp4", 2)


def test_sound_without_pictures(tmp_path):
    path = tmp_path / "a.wav"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000, layout="mono")
        samples = np.zeros((1, 800), dtype=np.int16)
        frame = av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
        frame.sample_rate = 8000
        container.mux(stream.encode(frame))
    with pytest.raises(VideoError, match="no video stream"):
        probe_video(path)


@pytest.mark.parametrize("indices", [[], [-1], [2, -3]])
def test_impossible_indices(video, indices):
    with pytest.raises(ValueError, match="numbers from 0"):
        read_frames(video, indices)


def test_an_index_beyond_the_end(video):
    with pytest.raises(VideoError, match="frame 40 is beyond the 40 frames"):
        read_frames(video, [3, 40])


def test_frames_too_large(video, monkeypatch):
    monkeypatch.setattr("endoalign.frames.video.MAX_PIXELS", 48 * 32 - 1)
    with pytest.raises(VideoError, match="48 x 32 pixels"):
        probe_video(video)
