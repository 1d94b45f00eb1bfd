"""Chosen frames of a video become RGB arrays; whatever the file is, the only error is `VideoError`.

A video is decoded from its beginning up to the last frame asked for: exact for every codec (a jump
to a key frame is not), and only the chosen frames are held in memory.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
from av.container import InputContainer
from av.error import FFmpegError
from av.video.stream import VideoStream
from numpy.typing import NDArray

from endoalign.frames.decode import FrameError

MAX_PIXELS: Final = 16_000_000
"""Videos with larger frames are refused: dozens of frames of one video are in memory at once."""


class VideoError(FrameError):
    """A video that cannot be used; the message is the reason in a few words."""


@dataclass(frozen=True)
class VideoFacts:
    """What can be read of a video.

    ``n_frames`` frames can be read, of the ``stated`` ones that the file's index names (0: it
    names none); ``width`` and ``height`` are pixels, ``fps`` frames a second (0: not said).
    """

    n_frames: int
    stated: int
    width: int
    height: int
    fps: float

    @property
    def truncated(self) -> bool:
        """Whether the file ends before the frames that its index names."""
        return self.n_frames < self.stated


def probe_video(path: Path, *, by_decoding: bool = False) -> VideoFacts:
    """Count the frames of a video by its packets, and decode them only where the file is cut off.

    With ``by_decoding`` they are always decoded, which also finds damage within a file of full
    length; frames count up to the first fault. Raises `VideoError` where the file is missing, no
    video, or without a single sound frame.
    """
    with _opened(path) as (container, stream):
        whole, sound = 0, True
        try:
            for packet in container.demux(stream):
                whole += packet.size > 0 and not packet.is_corrupt
                sound &= not packet.is_corrupt
        except FFmpegError:
            sound = False
        stated = int(stream.frames)
        width, height = stream.codec_context.width, stream.codec_context.height
        fps = float(stream.average_rate or 0)
    if by_decoding or not sound or whole < stated:
        whole = sum(1 for _ in _sound_frames(path))
    if whole == 0:
        raise VideoError("holds no frame that can be decoded: damaged or cut off")
    return VideoFacts(whole, stated, width, height, fps)


def even_indices(n_frames: int, n: int) -> NDArray[np.int64]:
    """Return the middles of ``n`` equal parts of a video of ``n_frames`` frames, int64 (n,).

    Ascending; a video shorter than ``n`` repeats frames, each about as often as any other.

    Raises:
        ValueError: ``n`` or ``n_frames`` below 1.
    """
    if n < 1 or n_frames < 1:
        raise ValueError(f"n and n_frames must be at least 1, got {n} and {n_frames}")
    return (2 * np.arange(n, dtype=np.int64) + 1) * n_frames // (2 * n)


def read_frames(path: Path, indices: Sequence[int] | NDArray[np.int64]) -> NDArray[np.uint8]:
    """Decode the frames at ``indices`` (from 0, in any order, repeats allowed).

    Returns:
        RGB, uint8 (len(indices), height, width, 3), in the order of ``indices``.

    Raises:
        VideoError: no video, or an index beyond the last frame that can be decoded.
        ValueError: no index, or one below 0.
    """
    wanted = np.asarray(indices, dtype=np.int64).reshape(-1)
    if not len(wanted) or wanted.min() < 0:
        raise ValueError(f"indices must be one or more numbers from 0, got {wanted.tolist()}")
    last, count = int(wanted.max()), 0
    size: tuple[int, int] | None = None  # of the first one: the picture may change its size
    found: dict[int, NDArray[Any]] = {}
    chosen = set(wanted.tolist())
    for index, frame in enumerate(_sound_frames(path)):
        count = index + 1
        if index in chosen:
            size = size or (frame.width, frame.height)
            found[index] = frame.to_ndarray(width=size[0], height=size[1], format="rgb24")
        if index == last:
            break
    if last not in found:
        raise VideoError(f"frame {last} is beyond the {count} frames that can be decoded")
    return np.stack([found[index] for index in wanted.tolist()])


def sample_frames(path: Path, n: int) -> NDArray[np.uint8]:
    """Decode ``n`` frames evenly spaced (`even_indices`) over what can be read of a video.

    Returns:
        RGB, uint8 (n, height, width, 3).

    Raises:
        VideoError: nothing can be read.
        ValueError: ``n`` below 1.
    """
    try:
        return read_frames(path, even_indices(probe_video(path).n_frames, n))
    except VideoError:  # damaged inside: as many packets as it should have, but not all decode
        facts = probe_video(path, by_decoding=True)
        return read_frames(path, even_indices(facts.n_frames, n))


def _sound_frames(path: Path) -> Iterator[av.VideoFrame]:
    """Yield the frames in the order shown, until the end or the first fault of the file."""
    with _opened(path) as (container, stream):
        try:
            for packet in container.demux(stream):
                if packet.is_corrupt:
                    yield from stream.codec_context.decode(None)
                    return
                yield from stream.codec_context.decode(packet)
        except FFmpegError:
            return


@contextmanager
def _opened(path: Path) -> Iterator[tuple[InputContainer, VideoStream]]:
    if not path.is_file():
        raise VideoError("no such file")
    try:
        container = av.open(str(path))
    except (FFmpegError, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise VideoError(f"no readable video ({reason}): damaged or cut off") from error
    with container:
        if not container.streams.video:
            raise VideoError("holds no video stream")
        stream = container.streams.video[0]
        # A file cut off inside its index leaves a stream whose codec is unknown.
        if getattr(stream, "codec_context", None) is None:
            raise VideoError("no readable video (codec unknown): damaged or cut off")
        stream.codec_context.thread_count = 1  # loaders already run one process a core
        width, height = stream.codec_context.width, stream.codec_context.height
        if width * height == 0:
            raise VideoError("no readable video (size unknown): damaged or cut off")
        if width * height > MAX_PIXELS:
            raise VideoError(f"frames of {width} x {height} pixels; at most {MAX_PIXELS} pixels")
        yield container, stream
