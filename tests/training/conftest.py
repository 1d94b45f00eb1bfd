"""A corpus of random frames on disk, pairs, and a job that trains a micro encoder on them."""

import hashlib
import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from endoalign.corpus.manifest import Manifest
from endoalign.corpus.tables import write_table
from endoalign.training import loop
from endoalign.training.job import TrainingJob

FRAMES, HEIGHT, WIDTH = 20, 36, 48


@pytest.fixture(scope="session")
def micro():
    spec = importlib.util.spec_from_file_location("micro", Path(__file__).parent / "micro.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def frame_row(number, content):
    return {
        "frame_id": f"c{number}/0",
        "case_id": f"c{number}",
        "path": f"{number}.png",
        "index": 0,
        "width": WIDTH,
        "height": HEIGHT,
        "sha256": hashlib.sha256(content).hexdigest(),
        "phash": "0" * 16,
        "quality": 0.5,
        "sharpness": 0.5,
        "exposure": 0.5,
        "colour": 0.5,
        "box_left": 4,
        "box_top": 2,
        "box_right": 44,
        "box_bottom": 34,
        "duplicate_of": None,
        "retained": None,
    }


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    rng = np.random.default_rng(0)
    rows = []
    for number in range(FRAMES):
        file = folder / "raw" / f"{number}.png"
        file.parent.mkdir(exist_ok=True)
        coarse = rng.integers(0, 256, (6, 8, 3), dtype=np.uint8)
        Image.fromarray(coarse).resize((WIDTH, HEIGHT)).save(file)
        rows.append(frame_row(number, file.read_bytes()))
    write_table("frames", pd.DataFrame(rows), folder)
    Manifest(roots={"here": "raw"}, settings="0" * 64, counts={}).write(folder)
    return folder


@pytest.fixture
def pairs_table():
    texts = [f"a polyp of {number % 7} mm in the colon" for number in range(FRAMES)]
    return pd.DataFrame(
        {
            "frame_id": [f"c{number}/0" for number in range(FRAMES)],
            "case_id": [f"c{number}" for number in range(FRAMES)],
            "finding_id": [f"c{number}#0" for number in range(FRAMES)],
            "text": texts,
            "stage": "III",
            "score": 0.5,
            "seed": 42,
        }
    )


@pytest.fixture
def job(corpus, pairs_table, tmp_path):
    """Makes jobs: ``job(epochs=3)``; pairs and output lie in the test's own folder."""
    pairs = tmp_path / "pairs.parquet"
    pairs_table.to_parquet(pairs)
    given = {
        "encoder": "tiny-vit",
        "weights": "random",
        "corpus": corpus,
        "pairs": pairs,
        "output": tmp_path / "out",
        "epochs": 2,
        "batch_size": 8,
        "learning_rate": 0.01,
        "warmup_steps": 2,
        "seed": 7,
    }
    return lambda **changes: TrainingJob(**{**given, **changes})


@pytest.fixture
def use(micro, monkeypatch):
    """``use("vit")``: trainings in this process take the micro encoder."""

    def choose(kind):
        monkeypatch.setattr(
            loop, "build_encoder", lambda name, *, weights, seed: micro.micro_encoder(kind, seed)
        )

    return choose
