"""Trainings side by side leave what trainings one after the other leave."""

import numpy as np
import pandas as pd
import pytest

from endoalign.models.checkpoint import load_encoder, save_encoder
from endoalign.models.ent_prompts import EntClasses
from endoalign.training import ent_fit
from endoalign.training.ent_data import ArrayPixels, EntPictures
from endoalign.training.ent_fit import fit_ent
from endoalign.training.ent_runs import EntRun, fit_ent_side_by_side
from endoalign.training.ent_settings import EntSettings

SMALL = EntSettings(
    fusion_layers=[1, 2],
    fusion_width=16,
    fusion_heads=2,
    mask_patch=8,
    epochs=1,
    batch_size=8,
    learning_rate=3e-3,
)


@pytest.fixture
def start(micro, tmp_path):
    save_encoder(micro.micro_encoder("vit", seed=0), tmp_path / "start", provenance={})
    return tmp_path / "start"


@pytest.fixture
def pictures():
    classes = EntClasses(("a", "b"), (True, False), ("a", "b"), ("one", "two"))
    rows = range(16)
    table = pd.DataFrame(
        {
            "picture_id": [f"p{row}" for row in rows],
            "group": [f"g{row}" for row in rows],
            "class": [classes.names[row % 2] for row in rows],
            "description": "",
            "split": "train",
        }
    )
    pixels = np.random.default_rng(0).integers(0, 255, (16, 32, 32, 3), dtype=np.uint8)
    return EntPictures.of(table, ArrayPixels.of(pixels), classes)


def runs(folder):
    return [EntRun(SMALL, folder / str(seed), seed) for seed in (1, 2)]


def test_side_by_side_equals_one_after_the_other(start, pictures, tmp_path, monkeypatch):
    done = []
    both = runs(tmp_path / "both")
    fit_ent_side_by_side(start, pictures, both, at_once=2, progress=lambda *n: done.append(n))
    assert done == [(1, 2), (2, 2)]
    alone = [
        fit_ent(load_encoder(start), pictures, r.settings, r.output, seed=r.seed)
        for r in runs(tmp_path / "alone")
    ]
    monkeypatch.setattr(ent_fit, "EntTrainer", None)  # what is trained is found, not repeated
    for run, one in zip(both, alone, strict=True):
        found = fit_ent(load_encoder(start), pictures, run.settings, run.output, seed=run.seed)
        np.testing.assert_allclose(found.history["loss"], one.history["loss"], rtol=1e-4)


def test_one_at_a_time_is_left_to_the_caller(start, pictures, tmp_path):
    fit_ent_side_by_side(start, pictures, runs(tmp_path / "runs"), at_once=1)
    assert not (tmp_path / "runs").exists()


def test_less_than_one_is_refused(start, pictures):
    with pytest.raises(ValueError, match="at_once 0 must be at least 1"):
        fit_ent_side_by_side(start, pictures, [], at_once=0)
