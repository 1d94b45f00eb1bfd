"""Ingest of many frames, one in a hundred damaged: all counted, peak memory, killed and restarted.

Frames are rendered once and stored again and again with small changes, so that every file is a
picture of its own. The largest run is killed (SIGKILL) half-way, restarted, and its tables are
compared with those of an uninterrupted run. Prints JSON.

    python benchmarks/ingest.py --frames 1000 10000 --processes 2
"""

import argparse
import io
import json
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import psutil
from PIL import Image

from endoalign.corpus.ingest import ingest
from endoalign.corpus.sources import FoldersSource
from endoalign.world.cases import sample_cases
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.views import plan_views

TABLES = ("cases", "frames", "rejected")
DAMAGE_EVERY = 100


def write_frames(root: Path, count: int) -> None:
    pictures = [
        render_frame(view, PROCESSORS[case.source], 256).rgb
        for case in sample_cases(5, 5, seed=1, language="en")
        for view in plan_views(case, 10)
    ]
    for number in range(count):
        stream = io.BytesIO()
        shift = number // len(pictures)
        rgb = np.roll(pictures[number % len(pictures)], shift, axis=1)
        Image.fromarray(rgb).save(stream, "JPEG", quality=90)
        damaged = number % DAMAGE_EVERY == DAMAGE_EVERY - 1
        content = stream.getvalue()[: stream.tell() // 2 if damaged else None]
        path = root / f"case_{number // 20:05d}" / f"{number % 20:02d}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def peak_memory(stop: threading.Event, peak: list[int]) -> None:
    """Follow the proportional set size of this process and its children, in bytes."""
    me = psutil.Process()
    while not stop.wait(0.05):
        total = 0
        for process in (me, *me.children(recursive=True)):
            try:
                total += process.memory_full_info().pss
            except psutil.Error:  # a worker that has just ended
                continue
        peak[0] = max(peak[0], total)


def run(root: Path, folder: Path, processes: int) -> dict[str, float]:
    stop, peak = threading.Event(), [0]
    watcher = threading.Thread(target=peak_memory, args=(stop, peak))
    watcher.start()
    start = time.monotonic()
    summary = ingest([FoldersSource(name="bench", frames=root)], folder, processes=processes)
    seconds = time.monotonic() - start
    stop.set()
    watcher.join()
    return {
        "frames": summary.frames,
        "rejected": summary.rejected,
        "measured": summary.measured,
        "seconds": round(seconds, 1),
        "peak_mb": round(peak[0] / 2**20, 1),
    }


def ingest_alone(root: Path, folder: Path, processes: int) -> None:
    os.setsid()  # so that the workers die with it
    ingest([FoldersSource(name="bench", frames=root)], folder, processes=processes)


def kill_half_way(root: Path, folder: Path, processes: int, seconds: float) -> None:
    victim = multiprocessing.get_context("spawn").Process(
        target=ingest_alone, args=(root, folder, processes)
    )
    victim.start()
    time.sleep(seconds / 2)
    os.killpg(os.getpgid(victim.pid or 0), signal.SIGKILL)
    victim.join()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, nargs="+", default=[1000, 10000])
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    runs = {}
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for count in options.frames:
            write_frames(place / f"raw{count}", count)
            runs[count] = run(place / f"raw{count}", place / f"out{count}", options.processes)
        last = max(options.frames)
        raw, whole = place / f"raw{last}", place / f"out{last}"
        kill_half_way(raw, place / "killed", options.processes, runs[last]["seconds"])
        again = run(raw, place / "killed", options.processes)
        same = all(
            (place / "killed" / f"{t}.parquet").read_bytes()
            == (whole / f"{t}.parquet").read_bytes()
            for t in TABLES
        )
    print(json.dumps({"runs": runs, "after_kill": again, "same_tables": same}, indent=1))
    return 0 if same and again["measured"] < last else 1


if __name__ == "__main__":
    sys.exit(main())
