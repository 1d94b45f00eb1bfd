"""How real do rendered frames look to a network? Train on renders, test on real frames.

A small segmentation network is trained on rendered frames and masks only and scored on real
Kvasir-SEG frames (mean Dice@0.5); the same network trained on the real training frames is the
reference. Tune the world with ``--splits train --no-reference``; ``val`` is for the final figure.

    python benchmarks/realism.py --real DATA --frames 3000 --epochs 4 --seed 0

The folder may also be named by ENDOALIGN_REAL_DATA. Prints one JSON object.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import torch
from realism_frames import Frames, real_frames, rendered_frames
from realism_training import mean_dice, train

REFERENCE_EPOCHS = 25


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    named = os.environ.get("ENDOALIGN_REAL_DATA")
    parser.add_argument("--real", type=Path, default=Path(named) if named else None)
    parser.add_argument("--frames", type=int, default=3000, help="rendered frames")
    parser.add_argument("--epochs", type=int, default=4, help="passes over the rendered frames")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--splits", nargs="+", choices=("train", "val"), default=["train", "val"], help="scored on"
    )
    parser.add_argument("--processes", type=int, default=2, help="renderers")
    parser.add_argument("--threads", type=int, default=2, help="of the training")
    parser.add_argument("--no-reference", action="store_true", help="skip training on real frames")
    arguments = parser.parse_args()
    if arguments.real is None:
        parser.error("name the real samples by --real or ENDOALIGN_REAL_DATA")
    return arguments


def _scores(trained_on: Frames, tested_on: dict[str, Frames], epochs: int, seed: int) -> dict:
    network = train(*trained_on, epochs, seed)
    return {split: round(mean_dice(network, *frames), 4) for split, frames in tested_on.items()}


def main() -> None:
    """Train, score, print."""
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    started = time.monotonic()
    real = {split: real_frames(arguments.real, split) for split in arguments.splits}
    rendered = rendered_frames(arguments.frames, arguments.seed, arguments.processes)
    report = {
        "images": {split: len(frames[0]) for split, frames in real.items()},
        "frames": arguments.frames,
        "epochs": arguments.epochs,
        "seed": arguments.seed,
        "lesion_area": round(float(rendered[1].mean()), 4),
        "trained_on_renders": _scores(rendered, real, arguments.epochs, arguments.seed),
    }
    if not arguments.no_reference:
        own = real_frames(arguments.real, "train")
        held_out = {split: frames for split, frames in real.items() if split != "train"}
        report["trained_on_real"] = _scores(own, held_out, REFERENCE_EPOCHS, arguments.seed)
    report["minutes"] = round((time.monotonic() - started) / 60.0, 1)
    json.dump(report, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
