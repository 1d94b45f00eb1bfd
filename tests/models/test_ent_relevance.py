"""Grad-CAM of ENT-CLIP: against the formula, and the model left as it was."""

import pytest
import torch

from endoalign.models.ent_clip import EntClip
from endoalign.models.ent_prompts import load_classes
from endoalign.models.ent_relevance import class_relevance, text_relevance
from endoalign.models.ent_settings import EntClipSettings
from endoalign.models.lora import vision_transformer
from endoalign.models.registry import build_encoder

CLASSES = load_classes("entrep")
SETTINGS = EntClipSettings(tower="frozen", fusion=False, slerp=False)


@pytest.fixture(scope="module")
def model():
    return EntClip(build_encoder("tiny-vit", weights="random"), CLASSES, SETTINGS, seed=0)


@pytest.fixture(scope="module")
def pictures():
    return torch.randint(0, 256, (2, 3, 64, 64), generator=torch.Generator().manual_seed(0))


def test_maps_are_the_formula_s(model, pictures):
    block = vision_transformer(model.encoder).transformer.resblocks[-1]
    kept = {}
    hook = block.ln_1.register_forward_hook(lambda *given: kept.update(tokens=given[2]))
    model.eval()
    images = pictures.float().requires_grad_(True)
    score = model(images)["classes"][:, 3].sum()
    hook.remove()
    (slope,) = torch.autograd.grad(score, kept["tokens"])
    weights = slope.mean(dim=1, keepdim=True)
    grid = (weights * kept["tokens"]).sum(dim=2).clamp(min=0)[:, 1:].reshape(2, 1, 8, 8)
    whole = torch.nn.functional.interpolate(grid, size=(64, 64), mode="bicubic").clamp(min=0)[:, 0]
    expected = whole / whole.amax(dim=(1, 2), keepdim=True).clamp(min=1e-12)
    found = class_relevance(model, pictures, torch.tensor([3, 3]))
    torch.testing.assert_close(found, expected.detach(), atol=1e-4, rtol=1e-3)


def test_the_model_is_left_as_it_was(model, pictures):
    before = [type(m) for m in model.modules()]
    model.train()
    found = text_relevance(model, pictures, torch.eye(2, 128))
    assert model.training and [type(m) for m in model.modules()] == before
    assert found.shape == (2, 64, 64) and found.min() >= 0 and found.max() <= 1
    assert all(value.grad is None for value in model.parameters() if not value.requires_grad)


def test_another_tower_is_refused(pictures):
    other = EntClip(build_encoder("lite0-tiny", weights="random"), CLASSES, SETTINGS, seed=0)
    with pytest.raises(ValueError, match="vision transformer"):
        class_relevance(other, pictures, torch.tensor([0, 1]))
