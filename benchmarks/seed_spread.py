"""Notebooks 02 to 04 and 07 with several seeds, on one corpus: how far the figures spread.

The corpus of the profile must be there already (`make run`). The seed changes the frames drawn, the
initial weights, the order of the pairs and the resamples; cases, frames and reports stay. Each
seed's outputs go to a folder of their own. Prints a table in Markdown, a row a figure.

    python benchmarks/seed_spread.py --profile demo --seeds 42 123 456
"""

import argparse
import os
import statistics
import sys
from pathlib import Path

import pandas as pd
import papermill

from endoalign.config.files import read_settings
from endoalign.paths import artifact, outputs_root
from endoalign.run.graph import notebook_path, params_path

NOTEBOOKS = (
    "02_stage1_localisation",
    "03_stage2_anchors",
    "04_stage3_disambiguation",
    "07_eval_retrieval",
)
SHOWN = [
    ("frame_polyp", "frames", "auroc"),
    ("recovery", "retention", "precision"),
    ("recovery", "retention", "recall"),
    ("recovery", "anchors", "accuracy"),
    ("recovery", "matching", "accuracy"),
    ("recovery", "overall", "accuracy"),
    ("recovery", "overall", "efficiency"),
    ("retrieval", "global/mean", "recall@1"),
    ("retrieval", "intra_case/mean", "recall@1"),
]


def run(profile: str, seed: int, corpus: Path, root: Path) -> pd.DataFrame:
    """Results of the four notebooks with this seed, made in ``root``."""
    own = root / str(seed)
    linked = own / profile / "artifacts" / corpus.name
    linked.parent.mkdir(parents=True, exist_ok=True)
    if not linked.exists():
        linked.symlink_to(corpus, target_is_directory=True)
    os.environ["ENDOALIGN_OUTPUTS"] = str(own)
    for name in NOTEBOOKS:
        values = read_settings(params_path(profile, name)) | {"seed": seed}
        source = notebook_path(name)
        print(f"seed {seed}: {name}", file=sys.stderr, flush=True)
        papermill.execute_notebook(
            str(source),
            str(own / f"{name}.ipynb"),
            parameters=values,
            progress_bar=False,
            cwd=str(source.parent),
        )
    tables = [pd.read_parquet(own / profile / "results" / f"{name}.parquet") for name in NOTEBOOKS]
    return pd.concat(tables).assign(seed=seed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="demo")
    parser.add_argument("--seeds", type=int, nargs="+", default=[42, 123, 456])
    options = parser.parse_args()
    name = read_settings(params_path(options.profile, NOTEBOOKS[0]))["corpus"]
    corpus = artifact(name, options.profile).resolve()
    if not corpus.is_dir():
        print(f"{corpus} is missing: make run PROFILE={options.profile} first", file=sys.stderr)
        return 2
    root = outputs_root() / "seeds"
    found = pd.concat([run(options.profile, seed, corpus, root) for seed in options.seeds])
    print(
        "| protocol | metric | system | " + " | ".join(map(str, options.seeds)) + " | mean (SD) |"
    )
    print("|---|---|---|" + "---|" * (len(options.seeds) + 1))
    for key, rows in found.groupby(["task", "protocol", "metric", "system"], sort=False):
        task, protocol, metric, system = key
        if (task, protocol, metric) not in SHOWN or len(rows) != len(options.seeds):
            continue
        values = rows["value"].tolist()
        spread = f"{statistics.mean(values):.3f} ({statistics.stdev(values):.3f})"
        cells = " | ".join(f"{value:.3f}" for value in values)
        print(f"| {protocol} | {metric} | {system} | {cells} | {spread} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
