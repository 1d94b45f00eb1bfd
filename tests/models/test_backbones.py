"""Image towers of timm as dual encoders."""

import pytest
import torch

from endoalign.models.backbones import build_backbone
from endoalign.models.encode import encode_pixels


def test_a_timm_model_gives_features_and_says_what_it_started_from():
    tower = build_backbone("mobilenetv2_050", weights="random", image_size=32, seed=1)
    again = build_backbone("mobilenetv2_050", weights="random", image_size=32, seed=1)
    assert tower.started_from == "random, seed 1" and tower.image_size == 32
    pixels = torch.zeros(2, 3, 32, 32, dtype=torch.uint8)
    found = encode_pixels(tower, pixels)
    assert found.shape == (2, 128)
    torch.testing.assert_close(found, encode_pixels(again, pixels), rtol=0, atol=0)


def test_a_name_of_the_registry_keeps_its_own_size():
    tower = build_backbone("lite0-tiny", weights="random", image_size=224, seed=0)
    assert tower.image_size == 64


@pytest.mark.parametrize(
    ("name", "weights", "told"),
    [("mobilnetv2_100", "random", "mobilenetv2_100"), ("resnet18", "openai", "imagenet")],
)
def test_unknown_names_and_weights(name, weights, told):
    with pytest.raises(ValueError, match=told):
        build_backbone(name, weights=weights, image_size=32, seed=0)
