"""Training speed and memory beside OpenCLIP's own trainer, on the same encoder, pairs and batch.

Both trainers start from the same checkpoint of ``--encoder`` with random weights and train on
frames of a corpus (``--corpus``) or on rendered ones, each frame with a sentence of its own. They
run in turn, each in a process of its own; what is timed are the epochs, without start and saving.
Memory is the largest proportional set size of a trainer with its workers. Prints JSON.

    python benchmarks/training_speed.py --pairs 1920 --epochs 3 --rounds 2
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil
from PIL import Image

from endoalign.corpus.ingest import ingest
from endoalign.corpus.manifest import frame_path
from endoalign.corpus.sources import FoldersSource
from endoalign.corpus.tables import load_frames
from endoalign.models.checkpoint import save_encoder
from endoalign.models.registry import build_encoder
from endoalign.world.cases import sample_cases
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.views import plan_views

PLACES = ("caecum", "ascending colon", "transverse colon", "sigmoid colon", "rectum")
TIMED = """
import json, sys, time
import open_clip_train.main as trainer
epoch, seconds = trainer.train_one_epoch, []
def timed(*arguments, **options):
    start = time.perf_counter()
    epoch(*arguments, **options)
    seconds.append(time.perf_counter() - start)
trainer.train_one_epoch = timed
trainer.main(sys.argv[2:])
json.dump({"seconds": sum(seconds)}, open(sys.argv[1], "w"))
"""
OURS = """
import json, sys
from endoalign.training.fit import fit
from endoalign.training.job import TrainingJob
result = fit(TrainingJob.model_validate(json.loads(sys.argv[2])))
json.dump({"seconds": result.seconds}, open(sys.argv[1], "w"))
"""


def rendered(root: Path, count: int, height: int) -> Path:
    """Ingest ``count`` frames, rendered ones and shifted copies of them; the corpus's folder."""
    pictures = [
        render_frame(view, PROCESSORS[case.source], height).rgb
        for case in sample_cases(10, 10, seed=1, language="en")
        for view in plan_views(case, 12)
    ]
    for number in range(count):
        rgb = np.roll(pictures[number % len(pictures)], number // len(pictures), axis=1)
        path = root / "raw" / f"case_{number // 12:05d}" / f"{number % 12:02d}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(rgb).save(path, "JPEG", quality=90)
    ingest([FoldersSource(name="bench", frames=root / "raw")], root / "corpus", processes=2)
    return root / "corpus"


def make_pairs(corpus: Path, count: int, place: Path) -> tuple[Path, Path]:
    """The same pairs as a Parquet file for us and as a CSV for OpenCLIP."""
    frames = load_frames(corpus).head(count)
    texts = [
        f"a sessile polyp of {number % 97} mm at {number // 97} cm in the {PLACES[number % 5]}"
        for number in range(len(frames))
    ]
    files = [str(frame_path(corpus, path).resolve()) for path in frames["path"]]
    pairs = pd.DataFrame({"frame_id": frames["frame_id"], "finding_id": texts, "text": texts})
    pairs.to_parquet(place / "pairs.parquet")
    table = pd.DataFrame({"filepath": files, "title": texts})
    table.to_csv(place / "pairs.csv", sep="\t", index=False)
    return place / "pairs.parquet", place / "pairs.csv"


def measured(code: str, arguments: list[str], place: Path, threads: int) -> dict[str, float]:
    """Run code in a process of its own: seconds of its epochs, of all of it, and peak memory."""
    answer = place / "answer.json"
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", code, str(answer), *arguments]
    start = time.monotonic()
    log = (place / "log.txt").open("w")
    process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    stop, peak = threading.Event(), [0]
    watcher = threading.Thread(target=watch, args=(process.pid, stop, peak))
    watcher.start()
    code_returned = process.wait()
    stop.set()
    watcher.join()
    if code_returned != 0:
        raise RuntimeError((place / "log.txt").read_text()[-2000:])
    seconds = json.loads(answer.read_text())["seconds"]
    return {"seconds": seconds, "wall": time.monotonic() - start, "peak_mb": peak[0] / 2**20}


def watch(pid: int, stop: threading.Event, peak: list[int]) -> None:
    """Follow the proportional set size of a process with its children, in bytes."""
    while not stop.wait(0.1):
        total = 0
        try:
            root = psutil.Process(pid)
            for process in (root, *root.children(recursive=True)):
                total += process.memory_full_info().pss
        except psutil.Error:  # one that has just ended
            continue
        peak[0] = max(peak[0], total)


def job(options: argparse.Namespace, pairs: Path, corpus: Path, place: Path, **more: Any) -> str:
    """Settings for our loop, as JSON."""
    settings = {
        "encoder": options.encoder,
        "weights": str(place / "start"),
        "corpus": str(corpus),
        "pairs": str(pairs),
        "epochs": options.epochs,
        "batch_size": options.batch,
        "last_batch": "drop",
        "learning_rate": 1e-4,
        "workers": max(1, options.workers),
        **more,
    }
    return json.dumps(settings)


def openclip_arguments(options: argparse.Namespace, csv: Path, place: Path, name: str) -> list[str]:
    """The same settings for OpenCLIP's trainer."""
    given = {
        "model": f"local-dir:{place / 'start'}",
        "train-data": csv,
        "dataset-type": "csv",
        "csv-img-key": "filepath",
        "csv-caption-key": "title",
        "batch-size": options.batch,
        "epochs": options.epochs,
        "workers": options.workers,
        "lr": 1e-4,
        "wd": 0.1,
        "beta1": 0.9,
        "beta2": 0.98,
        "eps": 1e-6,
        "warmup": 50,
        "precision": "fp32",
        "logs": place / "logs",
        "name": name,
    }
    return [part for key, value in given.items() for part in (f"--{key}", str(value))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, help="corpus folder; none: rendered frames")
    parser.add_argument("--encoder", default="tiny-vit")
    parser.add_argument("--pairs", type=int, default=1920)
    parser.add_argument("--height", type=int, default=64, help="height of rendered frames")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--workers", type=int, default=1, help="decoders; OpenCLIP can do with 0")
    parser.add_argument("--threads", type=int, default=1, help="of each trainer's arithmetic")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    runs: dict[str, list[dict[str, float]]] = {"openclip": [], "cached": [], "decoded": []}
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        corpus = options.corpus or rendered(place, options.pairs, options.height)
        pairs, csv = make_pairs(corpus, options.pairs, place)
        encoder = build_encoder(options.encoder, weights="random", seed=1)
        save_encoder(encoder, place / "start", provenance={})
        for number in range(options.rounds):
            theirs = openclip_arguments(options, csv, place, f"run{number}")
            runs["openclip"].append(measured(TIMED, theirs, place, options.threads))
            for kind, more in (("cached", {"cache": str(place / "pixels.npy")}), ("decoded", {})):
                output = str(place / f"{kind}{number}")
                ours = job(options, pairs, corpus, place, output=output, **more)
                runs[kind].append(measured(OURS, [ours], place, options.threads))
            (place / "pixels.npy").unlink()  # made anew in each round, as part of the whole time
    samples = options.pairs // options.batch * options.batch * options.epochs
    middle = {
        kind: {key: statistics.median(run[key] for run in each) for key in each[0]}
        for kind, each in runs.items()
    }
    report: dict[str, Any] = {"samples_per_second": {}, "speed_ratio": {}, "memory_ratio": {}}
    for kind, values in middle.items():
        report["samples_per_second"][kind] = round(samples / values["seconds"], 1)
        report["speed_ratio"][kind] = round(middle["openclip"]["seconds"] / values["seconds"], 2)
        report["memory_ratio"][kind] = round(values["peak_mb"] / middle["openclip"]["peak_mb"], 2)
    print(json.dumps(report | {"runs": runs}, indent=1))
    enough = report["speed_ratio"]["cached"] >= 1 and report["memory_ratio"]["cached"] <= 1
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
