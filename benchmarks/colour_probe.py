"""Can a lesion's attributes be read from the colours of the frame alone? They should not.

A linear probe on three-dimensional colour histograms (6 bins a channel) of rendered lesion frames
across all centres, cross-validated by patient. Prints AUROC of every attribute; the bar is at most
0.80 for all but the lesion's colour.

    python benchmarks/colour_probe.py --frames 2000 --size 64 --seed 0
"""

import argparse
import json
import sys
from functools import partial

import numpy as np
import numpy.typing as npt
from realism_frames import sample_lesion
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from endoalign.vocabulary import COLON_REGIONS, DESCRIPTORS, LESION_COLOURS, PARIS_POLYPS
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.renderer.view import View
from endoalign.world.truth import Lesion

BINS = 6
BAR = 0.80
LEAST = 15
"""Positive and negative frames an attribute needs to be scored."""


def colour_histogram(frame: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Square roots of the shares of `BINS` cubed colours of a frame (H, W, 3), flattened."""
    counts, _ = np.histogramdd(
        frame.reshape(-1, 3).astype(np.float64), bins=(BINS,) * 3, range=((0, 256),) * 3
    )
    return np.sqrt(counts.ravel() / counts.sum())


def _attributes(lesion: Lesion) -> dict[str, bool]:
    found = {name: name in lesion.descriptors for name in DESCRIPTORS}
    found |= {f"paris {name}": lesion.paris == name for name in PARIS_POLYPS}
    found["size >= 1 cm"] = lesion.size_cm >= 1.0
    return found | {f"colour {name}": lesion.colour == name for name in LESION_COLOURS}


def _sample(index: int, size: int, seed: int) -> tuple[npt.NDArray[np.float64], dict[str, bool]]:
    """One lesion of a patient of its own, at a random centre, seen clearly or off-centre."""
    rng = np.random.default_rng([seed, index, 1])
    region = str(rng.choice(COLON_REGIONS))
    lesion = sample_lesion(rng, region, 0, float(np.exp(rng.uniform(np.log(0.2), np.log(1.2)))))
    framing = str(rng.choice(("clear", "off_centre", "partial", "far"), p=(0.5, 0.2, 0.2, 0.1)))
    seeds = rng.integers(2**31, size=2)
    view = View(region, (lesion,), framing, None, int(seeds[0]), int(seeds[1]))
    processor = list(PROCESSORS.values())[rng.integers(len(PROCESSORS))]
    return colour_histogram(render_frame(view, processor, size).rgb), _attributes(lesion)


def probe(histograms: npt.NDArray[np.float64], labels: npt.NDArray[np.bool_], seed: int) -> float:
    """Cross-validated AUROC of a linear probe; frames are of different patients."""
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=500))
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    scores = cross_val_predict(model, histograms, labels, cv=folds, method="decision_function")
    return float(roc_auc_score(labels, scores))


def main() -> None:
    """Render, probe, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--frames", type=int, default=2000)
    parser.add_argument("--size", type=int, default=64, help="height of a frame, pixels")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    sample = partial(_sample, size=arguments.size, seed=arguments.seed)
    samples = [sample(index) for index in range(arguments.frames)]
    histograms = np.stack([histogram for histogram, _ in samples])
    table = {}
    for name in samples[0][1]:
        labels = np.array([attributes[name] for _, attributes in samples])
        if min(labels.sum(), (~labels).sum()) >= LEAST:
            table[name] = {
                "positive": int(labels.sum()),
                "auroc": round(probe(histograms, labels, arguments.seed), 3),
            }
    over = [
        name for name, row in table.items() if row["auroc"] > BAR and not name.startswith("colour")
    ]
    json.dump({"bar": BAR, "over_the_bar": over, "attributes": table}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
