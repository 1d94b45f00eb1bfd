"""Speed of the scoring pass of recovery beside the bare forward pass on tensors in memory.

The bare pass encodes batches of pictures that are there already; scoring reads them (from the
cache, or decoded from the files), encodes, compares with the prompts and writes the scores. Both
run in turn in this process. Prints JSON; the ratio is scoring speed by bare speed.

    python benchmarks/scoring_speed.py --frames 1920 --rounds 3
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
from training_speed import rendered

from endoalign.corpus.pixels import DiskPixels, PixelSource, open_pixels
from endoalign.corpus.tables import load_frames
from endoalign.models.encode import encode_pixels
from endoalign.models.registry import build_encoder
from endoalign.recovery.queries import prompt_queries
from endoalign.recovery.scoring import score_frames


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, help="corpus folder; none: rendered frames")
    parser.add_argument("--encoder", default="tiny-vit")
    parser.add_argument("--frames", type=int, default=1920)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of the arithmetic")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    encoder = build_encoder(options.encoder, weights="random", seed=1)
    queries = prompt_queries()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        corpus = options.corpus or rendered(place, options.frames, height=64)
        frames = load_frames(corpus).head(options.frames)
        size = encoder.image_size
        cached = open_pixels(corpus, frames, size, cache=place / "pixels.npy")
        decoded = DiskPixels(corpus, frames, size, threads=1)
        batches = cached.read(range(len(frames))).split(options.batch)

        def bare() -> None:
            for batch in batches:
                encode_pixels(encoder, batch)

        def scored(pixels: PixelSource, folder: str) -> Callable[[], object]:
            return lambda: score_frames(
                encoder, frames, pixels, queries, place / folder, batch_size=options.batch
            )

        encode_pixels(encoder, batches[0])  # the first pass allocates
        runs: dict[str, list[float]] = {"bare": [], "cached": [], "decoded": []}
        for number in range(options.rounds):
            runs["bare"].append(seconds(bare))
            runs["cached"].append(seconds(scored(cached, f"cached{number}")))
            runs["decoded"].append(seconds(scored(decoded, f"decoded{number}")))
    middle = {kind: statistics.median(values) for kind, values in runs.items()}
    speed = {kind: round(len(frames) / value) for kind, value in middle.items()}
    ratio = {kind: round(middle["bare"] / value, 3) for kind, value in middle.items()}
    print(json.dumps({"frames_per_second": speed, "ratio": ratio, "seconds": runs}, indent=1))
    return 0 if ratio["cached"] >= 0.85 else 1


if __name__ == "__main__":
    sys.exit(main())
