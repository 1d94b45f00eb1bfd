"""Many frames are measured by several processes; a scan that was stopped goes on where it was."""

import hashlib
import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import pyarrow as pa

from endoalign.frames.decode import MAX_PIXELS, FrameError, read_bytes
from endoalign.frames.measure import measure_frame
from endoalign.frames.shards import FileKey, measured_keys, read_table, write_part

SHARD: Final = 64
"""Files a worker measures before it writes them down; at most so many are lost when killed."""

Progress = Callable[[int, int], None]


class ScanError(RuntimeError):
    """A worker process died; what was measured is kept, and the next scan goes on from it."""


@dataclass(frozen=True)
class Scan:
    """One row a file in ``table`` (`shards.SCHEMA`, sorted by file); ``measured`` in this run."""

    table: pa.Table
    measured: int


def scan(
    files: Iterable[Path],
    work: Path,
    *,
    processes: int = 1,
    max_pixels: int = MAX_PIXELS,
    progress: Progress | None = None,
) -> Scan:
    """Measure every file that no earlier scan into ``work`` has measured.

    Results are kept as Parquet parts under ``work``. A file that cannot be read gets a row with
    the reason. Each worker holds one frame and one shard of rows at a time, so memory grows with
    the number of frames only by their rows, some hundred bytes each. The table does not depend on
    the number of processes. ``progress`` gets (files done, files in all), those of earlier scans
    included. Raises `ScanError` where a worker process is killed from outside, and ValueError
    for fewer than one process.
    """
    if processes < 1:
        raise ValueError(f"processes is {processes}, not 1 or more")
    folder = _cache_folder(work, max_pixels)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = set(map(FileKey.of, files))
    missing = sorted(wanted - measured_keys(folder), key=lambda key: key.file)
    done = len(wanted) - len(missing)
    if progress is not None:
        progress(done, len(wanted))
    shards = (missing[start : start + SHARD] for start in range(0, len(missing), SHARD))
    for count in _measure_all(shards, folder, max_pixels, processes):
        done += count
        if progress is not None:
            progress(done, len(wanted))
    return Scan(read_table(folder, wanted), len(missing))


def _measure_all(
    shards: Iterator[list[FileKey]], folder: Path, max_pixels: int, processes: int
) -> Iterator[int]:
    """Yield the length of each shard as it is done."""
    if processes == 1:
        yield from (_measure_shard(shard, folder, max_pixels) for shard in shards)
        return
    # Spawned, not forked: a notebook has threads (BLAS, Arrow) whose locks a fork would copy.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        running: set[Future[int]] = set()
        try:
            while True:
                for shard in islice(shards, 2 * processes - len(running)):
                    running.add(pool.submit(_measure_shard, shard, folder, max_pixels))
                if not running:
                    return
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in finished)
        except BrokenProcessPool as error:
            raise ScanError("a worker process was killed; scan again to go on") from error
        finally:
            pool.shutdown(cancel_futures=True)


def _measure_shard(shard: list[FileKey], folder: Path, max_pixels: int) -> int:
    write_part([_row(key, max_pixels) for key in shard], folder)
    return len(shard)


def _row(key: FileKey, max_pixels: int) -> dict[str, object]:
    row: dict[str, object] = {
        "file": key.file,
        "size": key.size,
        "modified_ns": key.modified_ns,
        "reason": None,
    }
    try:
        measures = measure_frame(read_bytes(Path(key.file)), max_pixels)
    except FrameError as error:
        return row | {"reason": str(error)}
    box, quality = measures.box, measures.quality
    return row | {
        "width": measures.width,
        "height": measures.height,
        "sha256": measures.sha256,
        "phash": measures.phash,
        "quality": quality.score,
        "sharpness": quality.sharpness,
        "exposure": quality.exposure,
        "colour": quality.colour,
        "box_left": box.left,
        "box_top": box.top,
        "box_right": box.right,
        "box_bottom": box.bottom,
    }


def _cache_folder(work: Path, max_pixels: int) -> Path:
    """Return a folder of its own for each limit and each version of this room's code.

    Results of an older decoder or quality formula must not be taken for those of today.
    """
    digest = hashlib.sha256(str(max_pixels).encode())
    for module in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(module.read_bytes())
    return work / digest.hexdigest()[:16]
