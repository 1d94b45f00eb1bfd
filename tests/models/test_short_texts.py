import open_clip
import pytest
import torch

from endoalign.models.encode import evaluating
from endoalign.models.registry import build_encoder
from endoalign.models.short_texts import accept_short_texts, trim_padding

TEXTS = ["a pedunculated polyp of 12 mm in the rectum !!!", "no finding", "polyp !"]


@pytest.fixture(scope="module", params=["tiny-conv", "lite0-minilm"])
def encoder(request):
    return build_encoder(request.param, seed=1)


def test_short_texts_give_the_features_of_full_ones(encoder):
    tokens = encoder.tokenize(TEXTS)
    longest = max(max(i for i, t in enumerate(row) if t) for row in tokens.tolist()) + 1
    assert 8 < longest < 30
    shorter = trim_padding(tokens, encoder)
    assert torch.equal(shorter, tokens[:, :longest])
    with evaluating(encoder.model):
        whole = encoder.model(text=tokens)["text_features"]
        short = encoder.model(text=shorter)["text_features"]
    torch.testing.assert_close(short, whole, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("checkpointing", [False, True])
def test_short_texts_give_the_gradients_of_full_ones(checkpointing):
    encoder = build_encoder("tiny-conv", seed=1)
    encoder.model.set_grad_checkpointing(checkpointing)
    weight = encoder.model.text.transformer.resblocks[0].mlp.c_fc.weight
    direction = torch.rand(3, 128, generator=torch.Generator().manual_seed(0))
    gradients = []
    for tokens in (encoder.tokenize(TEXTS), trim_padding(encoder.tokenize(TEXTS), encoder)):
        weight.grad = None
        (encoder.model(text=tokens)["text_features"] * direction).sum().backward()
        gradients.append(weight.grad.clone())
    assert gradients[0].abs().max() > 1e-3
    torch.testing.assert_close(*gradients, rtol=1e-3, atol=1e-5)


def test_full_texts_are_encoded_as_openclip_does():
    """The mask that is cut to full length is the whole mask."""
    encoder = build_encoder("tiny-conv", seed=1)
    cfg = {key: value for key, value in encoder.config["model_cfg"].items() if key != "custom_text"}
    plain = open_clip.CustomTextCLIP(**cfg)
    plain.load_state_dict(encoder.model.state_dict())
    tokens = encoder.tokenize(TEXTS)
    with evaluating(encoder.model), evaluating(plain):
        assert torch.equal(plain.encode_text(tokens), encoder.model.encode_text(tokens))


def test_nothing_and_full_texts_stay(encoder):
    assert trim_padding(encoder.tokenize([]), encoder).shape == (0, 64)
    full = encoder.tokenize(["polyp " * 100, "polyp"])
    assert torch.equal(trim_padding(full, encoder), full)


def test_towers_that_look_at_padding_keep_it():
    cfg = {"context_length": 16, "width": 32, "heads": 1, "layers": 1, "vocab_size": 49408}
    vision = {"image_size": 32, "patch_size": 16, "width": 64, "layers": 1}
    for text_cfg in (
        {**cfg, "no_causal_mask": True},
        {**cfg, "pool_type": "last"},
        {**cfg, "embed_cls": True},
    ):
        model = open_clip.CustomTextCLIP(embed_dim=8, vision_cfg=vision, text_cfg=text_cfg)
        accept_short_texts(model)
        assert not model.text.transformer._forward_pre_hooks
    encoder = build_encoder("RN50", weights="random")
    tokens = encoder.tokenize(TEXTS)
    assert trim_padding(tokens, encoder) is tokens
