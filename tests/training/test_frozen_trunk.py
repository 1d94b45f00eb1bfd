"""Training on what a frozen trunk says of each frame, computed once."""

import numpy as np
import pytest
import torch

from endoalign.corpus.tables import load_frames
from endoalign.models.checkpoint import load_encoder
from endoalign.models.frame_input import CachedLevels, open_input
from endoalign.models.registry import build_encoder
from endoalign.training.fit import fit

SETTINGS = {"encoder": "lite0-levels-minilm", "epochs": 2, "batch_size": 10, "lock_text": True}


@pytest.fixture
def levels_job(job, tmp_path):
    return lambda **changes: job(**SETTINGS, cache=tmp_path / "levels.npy", min_crop=1.0, **changes)


def test_cache_holds_what_the_trunk_says_and_is_made_once(corpus, tmp_path):
    encoder, frames = build_encoder("lite0-levels-minilm"), load_frames(corpus)
    calls = []
    cached = open_input(
        encoder, corpus, frames, cache=tmp_path / "a.npy", progress=lambda *c: calls.append(c)
    )
    assert isinstance(cached, CachedLevels)
    assert calls == [(len(frames), len(frames))]
    rows = [3, 0, 3]
    pictures = open_input(encoder, corpus, frames).read(rows)
    assert pictures.dtype == torch.uint8
    encoder.model.eval()
    scaled = (pictures.float() / 255 - torch.tensor(encoder.mean).view(3, 1, 1)) / torch.tensor(
        encoder.std
    ).view(3, 1, 1)
    expected = encoder.model.visual.trunk.levels(scaled)
    np.testing.assert_allclose(cached.read(rows), expected, rtol=1e-4, atol=1e-4)
    again = open_input(encoder, corpus, frames, cache=tmp_path / "a.npy", progress=calls.append)
    np.testing.assert_array_equal(again.read(rows), cached.read(rows))
    assert len(calls) == 1


def test_trains_the_head_alone(levels_job, corpus):
    started = build_encoder("lite0-levels-minilm", weights="packages", seed=levels_job().seed)
    start = started.model.state_dict()
    result = fit(levels_job(weights="packages"))
    assert result.history["loss"].notna().all()
    end = load_encoder(result.folder).model.state_dict()
    changed = {name for name in start if not torch.equal(start[name], end[name])}
    assert "visual.head.mlp.fc1.weight" in changed
    assert not any("trunk" in name and "norm" not in name for name in changed)
    assert not any(name.startswith("text.transformer") for name in changed)


def test_augmentation_of_cached_features_is_refused(levels_job):
    with pytest.raises(ValueError, match=r"cannot be augmented: set min_crop: 1.0, flip: false"):
        fit(levels_job(flip=True))
