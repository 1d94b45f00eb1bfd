"""Training of ENT-CLIP on tiny pictures: it learns, resumes, freezes what it must, and the flip
table matters."""

from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
import torch

from endoalign.models.ent_encode import encode_pictures
from endoalign.models.ent_files import load_ent_clip
from endoalign.models.ent_prompts import EntClasses
from endoalign.models.ent_settings import ABLATION
from endoalign.training import ent_loop
from endoalign.training.ent_data import ArrayPixels, EntPictures
from endoalign.training.ent_fit import fit_ent
from endoalign.training.ent_history import ENT_COLUMNS
from endoalign.training.ent_settings import EntSettings
from endoalign.training.state import FOLDER

SIDE = 32
CLASSES = EntClasses(
    ("left", "right", "middle"),
    (False, False, True),
    ("A photo of a left.", "A photo of a right.", "A photo of a middle."),
    ("on the left", "on the right", "in the middle"),
)
SMALL = EntSettings(
    fusion_layers=[1, 2],
    fusion_width=16,
    fusion_heads=2,
    fusion_depth=1,
    mask_patch=8,
    epochs=2,
    batch_size=16,
    warmup_steps=2,
    learning_rate=3e-3,
)


def sided_pictures(n=48, seed=0, splits=("train", "validation", "test")):
    """A bright bar on the left, on the right or in the middle of noise."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    pixels = rng.integers(0, 120, (n, SIDE, SIDE, 3), dtype=np.uint8)
    for picture, label in zip(pixels, labels, strict=True):
        start = {0: 1, 1: SIDE - 9, 2: SIDE // 2 - 4}[int(label)] + int(rng.integers(-1, 2))
        picture[:, max(0, start) : start + 8] //= 2
        picture[:, max(0, start) : start + 8] += 120
    table = pd.DataFrame(
        {
            "picture_id": [f"p{row}" for row in range(n)],
            "group": [f"g{row}" for row in range(n)],
            "class": [CLASSES.names[label] for label in labels],
            "description": [f"bar {label}" for label in labels],
            "split": [splits[(row // 3) % len(splits)] for row in range(n)],
        }
    )
    return EntPictures.of(table, ArrayPixels.of(pixels), CLASSES)


@pytest.fixture(scope="module")
def encoder(micro):
    return micro.micro_encoder("vit", seed=0)


@pytest.fixture(scope="module")
def pictures():
    return sided_pictures()


def everything(model, pictures):
    return encode_pictures(model, [pictures.pixels.read(np.arange(len(pictures)))])


def test_what_a_training_leaves(encoder, pictures, tmp_path):
    seen = []
    random_state = torch.get_rng_state()
    before = deepcopy(encoder.model.state_dict())
    result = fit_ent(
        encoder, pictures, SMALL, tmp_path / "m", seed=0, progress=lambda *now: seen.append(now)
    )
    assert torch.equal(torch.get_rng_state(), random_state)
    assert seen == [(1, 2), (2, 2)] or seen[-1][0] == seen[-1][1] == len(result.history)
    assert list(result.history.columns) == list(ENT_COLUMNS)
    history = result.history
    joint = 1.0 * history["classification_loss"] + 0.5 * history["contrastive_loss"]
    np.testing.assert_allclose(history["loss"], joint, rtol=1e-5)
    of_epochs = history.groupby("epoch")["validation_loss"].apply(lambda v: v.notna().sum())
    assert of_epochs.tolist() == [1, 1]
    assert {path.name for path in (tmp_path / "m").iterdir()} == {
        "adapters.safetensors",
        "heads.safetensors",
        "ent_clip.json",
        "history.parquet",
        "training.json",
    }
    # the encoder given is as it was
    for name, value in encoder.model.state_dict().items():
        assert torch.equal(value, before[name]), name
    again = load_ent_clip(tmp_path / "m", deepcopy(encoder))
    assert torch.equal(
        everything(again, pictures).logits, everything(result.model, pictures).logits
    )


@pytest.mark.parametrize("system", [*ABLATION, "full"])
def test_frozen_weights_stay_bit_for_bit(encoder, pictures, tmp_path, system):
    switches = {"tower": "full", "fusion": False} if system == "full" else ABLATION[system]
    settings = SMALL.model_copy(update=switches)
    model = fit_ent(encoder, pictures, settings, tmp_path / "m", seed=0).model
    before = encoder.model.state_dict()
    after = model.encoder.model.state_dict()
    changed = {name for name, value in before.items() if not torch.equal(value, after[name])}
    if system == "full":
        assert "visual.transformer.resblocks.0.attn.in_proj_weight" in changed
        assert all(name.startswith("visual.") for name in changed)
    else:
        assert not changed
    added = set(after) - set(before)
    assert len(added) == (12 if switches["tower"] == "lora" else 0)  # 2 blocks x q, k, v x A, B
    assert all(after[name].abs().max() > 0 for name in added)  # every B has moved


def test_a_finished_training_is_not_repeated(encoder, pictures, tmp_path, monkeypatch):
    first = fit_ent(encoder, pictures, SMALL, tmp_path / "m", seed=0)
    monkeypatch.setattr(ent_loop.EntTrainer, "run", lambda self: pytest.fail("trained again"))
    again = fit_ent(encoder, pictures, SMALL, tmp_path / "m", seed=0)
    pd.testing.assert_frame_equal(again.history, first.history)
    assert torch.equal(
        everything(again.model, pictures).logits, everything(first.model, pictures).logits
    )
    monkeypatch.undo()
    other = fit_ent(encoder, pictures, SMALL, tmp_path / "m", seed=1)  # another seed replaces it
    assert not torch.equal(
        everything(other.model, pictures).logits, everything(first.model, pictures).logits
    )


def test_a_killed_training_goes_on_to_the_same_weights(encoder, pictures, tmp_path, monkeypatch):
    settings = SMALL.model_copy(update={"epochs": 3})
    whole = fit_ent(encoder, pictures, settings, tmp_path / "whole", seed=0)
    steps = len(whole.history)

    def die(done, total):
        if done == 2 * total // 3 + 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_ent(encoder, pictures, settings, tmp_path / "killed", seed=0, progress=die)
    assert (tmp_path / "killed" / FOLDER).is_dir()
    done = []
    again = fit_ent(
        encoder,
        pictures,
        settings,
        tmp_path / "killed",
        seed=0,
        progress=lambda d, t: done.append(d),
    )
    assert done == list(range(2 * steps // 3 + 1, steps + 1))
    pd.testing.assert_frame_equal(again.history, whole.history)
    assert torch.equal(
        everything(again.model, pictures).logits, everything(whole.model, pictures).logits
    )
    assert not (tmp_path / "killed" / FOLDER).exists()


def test_a_state_of_other_settings_is_not_gone_on_with(encoder, pictures, tmp_path):
    def die(done, total):
        if done == total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_ent(encoder, pictures, SMALL, tmp_path / "m", seed=0, progress=die)
    other = SMALL.model_copy(update={"learning_rate": 1e-3})
    fresh = fit_ent(encoder, pictures, other, tmp_path / "fresh", seed=0)
    found = fit_ent(encoder, pictures, other, tmp_path / "m", seed=0)
    assert torch.equal(
        everything(found.model, pictures).logits, everything(fresh.model, pictures).logits
    )


def test_dropout_and_interpolation_matter_in_training(encoder, pictures, tmp_path):
    found = {}
    for name, change in {
        "as it is": {},
        "no interpolation": {"slerp": False},
        "into the classifier": {"interpolated_enter": "classification"},
        "into the contrast": {"interpolated_enter": "contrastive"},
        "identity": {"targets": "identity", "prompt": "picture"},
    }.items():
        settings = SMALL.model_copy(update=change)
        result = fit_ent(encoder, pictures, settings, tmp_path / name, seed=0)
        found[name] = everything(result.model, pictures).logits
    names = list(found)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            assert not torch.equal(found[one], found[other]), (one, other)


def test_bfloat16_trains(encoder, pictures, tmp_path):
    settings = SMALL.model_copy(update={"precision": "bf16"})
    result = fit_ent(encoder, pictures, settings, tmp_path / "m", seed=0)
    assert np.isfinite(result.history["loss"]).all()
    assert all(p.dtype == torch.float32 for p in result.model.parameters())


def test_a_fixed_temperature_stays(encoder, pictures, tmp_path):
    settings = SMALL.model_copy(update={"temperature": 1.0})
    history = fit_ent(encoder, pictures, settings, tmp_path / "m", seed=0).history
    assert (history["logit_scale"] == 1.0).all()


def test_without_contrast(encoder, pictures, tmp_path):
    settings = SMALL.model_copy(update={"mu2": 0.0})
    history = fit_ent(encoder, pictures, settings, tmp_path / "m", seed=0).history
    assert (history["contrastive_loss"] == 0).all()


def accuracy_of_sides(encoder, tmp_path, table):
    """Accuracy on left and right after a training, with the flip table or without."""
    settings = SMALL.model_copy(
        update={
            "tower": "full",
            "fusion": False,
            "slerp": False,
            "epochs": 12,
            "batch_size": 8,
            "learning_rate": 5e-3,
            "horizontal_flip": table,
            "motion_blur": 0.0,
            "gaussian_blur": 0.0,
            "mask_share": 0.0,
            "mu2": 0.0,
        }
    )
    given = sided_pictures(96, splits=("train", "train", "test"))
    model = fit_ent(encoder, given, settings, tmp_path / table, seed=0).model
    found, rows = everything(model, given).predicted.numpy(), given.rows("test")
    sided = rows[given.labels[rows] < 2]
    return (found[sided] == given.labels[sided]).mean()


def test_ignoring_the_flip_table_hurts_left_and_right(encoder, tmp_path):
    kept = accuracy_of_sides(encoder, tmp_path, "mirror_table")
    ignored = accuracy_of_sides(encoder, tmp_path, "every")
    assert kept >= 0.9
    assert ignored <= 0.7  # a mirrored left is a right: nothing is left to tell them by
    assert kept - ignored >= 0.25


def test_pictures_of_another_size(encoder, tmp_path):
    table = sided_pictures(6).table
    small = EntPictures.of(table, ArrayPixels.of(np.zeros((6, 16, 16, 3), np.uint8)), CLASSES)
    with pytest.raises(ValueError, match="pictures of 16 pixels, but micro-vit takes 32"):
        fit_ent(encoder, small, SMALL, tmp_path / "m", seed=0)


def test_nothing_to_train_on(encoder, tmp_path):
    with pytest.raises(ValueError, match="no picture of split 'train'; the table has test"):
        fit_ent(encoder, sided_pictures(6, splits=("test",)), SMALL, tmp_path / "m", seed=0)
    assert not (tmp_path / "m").exists()


def test_one_picture_a_batch_and_one_picture_in_all(encoder, tmp_path):
    settings = SMALL.model_copy(update={"batch_size": 1, "epochs": 1})
    fit_ent(encoder, sided_pictures(6), settings, tmp_path / "six", seed=0)
    one = sided_pictures(1)
    assert len(fit_ent(encoder, one, SMALL, tmp_path / "one", seed=0).history) == SMALL.epochs


def test_a_loss_that_is_no_number_stops(encoder, pictures, tmp_path):
    settings = SMALL.model_copy(update={"learning_rate": 1e30, "max_grad_norm": None, "epochs": 9})
    with pytest.raises((FloatingPointError, ValueError), match="finite"):
        fit_ent(encoder, pictures, settings, tmp_path / "m", seed=0)
