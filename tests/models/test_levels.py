"""The frozen trunk of several levels, and the cache of what it says of each frame."""

import numpy as np
import pytest
import torch

from endoalign.models.checkpoint import load_encoder, save_encoder
from endoalign.models.encode import encode_pixels, normalise_pixels
from endoalign.models.levels import LEVELS, level_trunk
from endoalign.models.lite0 import build_lite0
from endoalign.models.registry import build_encoder


@pytest.fixture(scope="module")
def encoder():
    return build_encoder("lite0-levels-minilm", seed=3)


@pytest.fixture
def pixels():
    generator = torch.Generator().manual_seed(0)
    return torch.randint(0, 256, (3, 3, 128, 128), generator=generator).to(torch.uint8)


def test_levels_are_the_pooled_maps_of_the_imagenet_model(encoder, pixels):
    whole = build_lite0().eval()
    maps = whole.bn1(whole.conv_stem(normalise_pixels(pixels, encoder)))
    expected = []
    with torch.no_grad():
        for number, block in enumerate(whole.blocks):
            maps = block(maps)
            if number in LEVELS:
                quarter = maps.shape[-1] // 4
                middle = maps[..., quarter:-quarter, quarter:-quarter]
                for part in (maps.numpy(), middle.numpy()):
                    expected += [part.mean((2, 3)), part.max((2, 3))]
    found = level_trunk(encoder.model).levels(normalise_pixels(pixels, encoder))
    np.testing.assert_allclose(found.numpy(), np.concatenate(expected, 1), rtol=1e-4, atol=1e-4)


def test_levels_in_the_place_of_pictures_give_the_same_features(encoder, pixels):
    levels = level_trunk(encoder.model).levels(normalise_pixels(pixels, encoder))
    torch.testing.assert_close(encode_pixels(encoder, levels), encode_pixels(encoder, pixels))


def test_training_leaves_the_trunk_as_it_is(encoder, pixels):
    trunk = level_trunk(encoder.model)
    before = {name: value.clone() for name, value in trunk.state_dict().items()}
    encoder.model.train()
    trunk(normalise_pixels(pixels, encoder))
    after = trunk.state_dict()
    changed = {name for name, value in before.items() if not torch.equal(value, after[name])}
    assert changed == {"norm.running_mean", "norm.running_var", "norm.num_batches_tracked"}
    assert not any(parameter.requires_grad for parameter in trunk.parameters())


def test_a_checkpoint_comes_back_the_same(encoder, pixels, tmp_path):
    save_encoder(encoder, tmp_path / "checkpoint", provenance={})
    again = load_encoder(tmp_path / "checkpoint")
    torch.testing.assert_close(encode_pixels(again, pixels), encode_pixels(encoder, pixels))


def test_other_encoders_have_no_such_trunk():
    assert level_trunk(build_encoder("tiny-conv").model) is None
