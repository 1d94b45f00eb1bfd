"""How much of what reports say can be seen in the rendered colon: linear probes of frozen features.

Renders one clear view of each lesion and one passing view a case, without distractors, pools a
frozen ImageNet trunk (`endoalign.models.levels`), and fits logistic regressions of region, Paris
type and colour, and a ridge regression of the size, on the training split. Prints JSON: accuracies
on the cases of the test split beside the share of the commonest class, and the R² of the logarithm
of the size.

    python benchmarks/world_legibility.py --cases 1300 --height 64
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from PIL import Image
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from endoalign.models.encode import evaluating, normalise_pixels
from endoalign.models.levels import level_trunk
from endoalign.models.registry import build_encoder
from endoalign.world.cases import sample_cases
from endoalign.world.renderer.frame import compile_renderer, render_frame
from endoalign.world.renderer.processors import processor_named
from endoalign.world.truth import CaseTruth
from endoalign.world.views import plan_views

Row = dict[str, Any]
BATCH = 64


def pictures(case: CaseTruth, height: int, side: int) -> list[tuple[NDArray[np.uint8], Row]]:
    """Content of the undisturbed clear and passing views of a case, with what is true of them."""
    found = []
    for view in plan_views(case, len(case.lesions) + 2):
        if view.framing not in ("clear", "none") or view.distractor is not None:
            continue
        frame = render_frame(view, processor_named(case.source), height)
        down, across = np.where(frame.content)
        box = (int(across.min()), int(down.min()), int(across.max()) + 1, int(down.max()) + 1)
        small = Image.fromarray(frame.rgb).crop(box).resize((side, side), Image.Resampling.BICUBIC)
        row: Row = {"split": case.split, "region": view.region, "kind": "passing"}
        if view.lesions:
            lesion = view.lesions[0]
            row |= {"kind": "lesion", "paris": lesion.paris, "colour": lesion.colour}
            row["log_size"] = float(np.log(lesion.size_cm))
        found.append((np.asarray(small).transpose(2, 0, 1), row))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1300, help="positive cases")
    parser.add_argument("--height", type=int, default=64, help="of a rendered frame, pixels")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    encoder = build_encoder("lite0-levels-minilm")
    trunk = level_trunk(encoder.model)
    assert trunk is not None
    compile_renderer()
    cases = sample_cases(options.cases, 0, seed=options.seed, language="en")
    draw = partial(pictures, height=options.height, side=encoder.image_size)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        drawn = [item for found in pool.map(draw, cases, chunksize=8) for item in found]
    pixels = torch.from_numpy(np.stack([picture for picture, _ in drawn]))
    table = pd.DataFrame([row for _, row in drawn])
    with evaluating(encoder.model):
        parts = torch.split(pixels, BATCH)
        pooled = [trunk.levels(normalise_pixels(part, encoder)).numpy() for part in parts]
    features = np.concatenate(pooled)
    train, test = (table["split"].eq(name).to_numpy() for name in ("train", "test"))
    report: Row = {"frames": len(table), "test_frames": int(test.sum())}
    for name, rows in {
        "region": np.ones(len(table), dtype=bool),
        "paris": table["kind"].eq("lesion").to_numpy(),
        "colour": table["kind"].eq("lesion").to_numpy(),
    }.items():
        probe = make_pipeline(StandardScaler(), LogisticRegression(C=0.003, max_iter=400))
        probe.fit(features[train & rows], table.loc[train & rows, name])
        truth = table.loc[test & rows, name]
        right = pd.Series(probe.predict(features[test & rows]) == truth, index=truth.index)
        report[name] = {"accuracy": right.mean(), "commonest": truth.value_counts(True).iloc[0]}
        if name == "region":
            report[name] |= right.groupby(table.loc[test, "kind"]).mean().to_dict()
    seen = table["kind"].eq("lesion").to_numpy()
    ridge = make_pipeline(StandardScaler(), RidgeCV(np.logspace(2, 5, 7)))
    ridge.fit(features[train & seen], table.loc[train & seen, "log_size"])
    report["log_size_r2"] = ridge.score(features[test & seen], table.loc[test & seen, "log_size"])
    print(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
