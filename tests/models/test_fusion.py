"""Fusion of CLS tokens: the right tokens, by the right blocks, into one."""

from copy import deepcopy
from dataclasses import replace

import pytest
import torch
from torch import nn
from torch.nn.functional import gelu, layer_norm

from endoalign.models.fusion import ClsFusion, FusionSettings, check_layers, cls_tokens
from endoalign.models.registry import build_encoder

SETTINGS = FusionSettings(fusion_layers=[1, 3], fusion_depth=1, fusion_width=8, fusion_heads=2)


@pytest.fixture(scope="module")
def encoder():
    return build_encoder("tiny-vit", weights="random", seed=0)


@pytest.fixture
def images():
    return torch.randn(2, 3, 64, 64, generator=torch.Generator().manual_seed(1))


def test_tokens_are_those_of_the_blocks(encoder, images):
    tower = encoder.model.visual.eval()
    seen = []
    hooks = [
        block.register_forward_hook(lambda _m, _i, out: seen.append(out[:, 0]))
        for block in tower.transformer.resblocks
    ]
    with torch.no_grad():
        features, tokens = cls_tokens(encoder, images, [2, 5, 6])
        assert len(seen) == 6  # one pass
        for hook in hooks:
            hook.remove()
        torch.testing.assert_close(tokens, torch.stack([seen[1], seen[4], seen[5]], dim=1))
        torch.testing.assert_close(features, tower(images))


@pytest.mark.parametrize("layers", [[], [0, 1], [3, 7], [3, 2], [2, 2]])
def test_layers_that_there_are_not(encoder, layers):
    with pytest.raises(ValueError, match=r"within 1 to 6.*evenly spaced are \[2, 3, 4, 6\]"):
        check_layers(encoder, layers)


def test_layers_that_there_are(encoder):
    check_layers(encoder, [1])
    check_layers(encoder, [1, 2, 3, 4, 5, 6])


def by_hand(fusion, tokens):
    """The same, one picture at a time, with plain matrices."""
    block, heads = fusion.blocks[0], 2
    attention = block.self_attn
    out = []
    for one in tokens:
        entered = fusion.enter[1](layer_norm(one, one.shape[1:], *fusion.enter[0].parameters()))
        x = torch.cat([fusion.token[None], entered]) + fusion.level
        normed = block.norm1(x)
        q, k, v = (
            normed @ w.T + b
            for w, b in zip(
                attention.in_proj_weight.chunk(3), attention.in_proj_bias.chunk(3), strict=True
            )
        )
        mixed = []
        for h in range(heads):
            part = slice(4 * h, 4 * h + 4)
            mixed.append((q[:, part] @ k[:, part].T / 2.0).softmax(dim=1) @ v[:, part])
        x = x + attention.out_proj(torch.cat(mixed, dim=1))
        x = x + block.linear2(gelu(block.linear1(block.norm2(x))))
        out.append(fusion.leave(x[0]))
    return torch.stack(out)


def test_equals_a_transformer_by_hand():
    fusion = ClsFusion(2, 12, 5, SETTINGS, seed=0)
    for parameter in fusion.parameters():  # biases and levels too
        nn.init.normal_(
            parameter, std=0.5, generator=torch.Generator().manual_seed(parameter.numel())
        )
    tokens = torch.randn(3, 2, 12)
    expected = by_hand(fusion, tokens)
    torch.testing.assert_close(fusion.eval()(tokens), expected, rtol=1e-4, atol=1e-5)
    with torch.no_grad():  # torch's own fast way, taken in evaluation
        torch.testing.assert_close(fusion(tokens), expected, rtol=1e-4, atol=1e-5)


def test_every_token_matters_and_its_block_too():
    fusion = ClsFusion(3, 6, 4, SETTINGS, seed=0).eval()
    tokens = torch.randn(1, 3, 6, requires_grad=True)
    fusion(tokens).square().sum().backward()
    assert (tokens.grad.abs().amax(dim=2) > 0).all()
    assert all(p.grad is not None and p.grad.abs().max() > 0 for p in fusion.parameters())
    assert not torch.allclose(fusion(tokens), fusion(tokens.flip(1)))


def test_size_of_a_token_does_not_matter():
    """Tokens of early blocks are smaller than those of late ones; both are normalised."""
    fusion = ClsFusion(2, 64, 4, SETTINGS, seed=0).eval()
    tokens = torch.randn(1, 2, 64)
    scaled = tokens * torch.tensor([0.1, 30.0])[None, :, None]
    torch.testing.assert_close(fusion(scaled), fusion(tokens), rtol=1e-3, atol=1e-3)


def test_nothing_is_added_at_first_where_it_starts_at_zero():
    fusion = ClsFusion(2, 6, 4, SETTINGS, seed=0)
    fusion.start_at_zero()
    tokens = torch.randn(3, 2, 6)
    assert torch.equal(fusion(tokens), torch.zeros(3, 4))
    fusion(tokens).sum().backward()
    assert fusion.leave[1].weight.grad.abs().max() > 0  # and yet it learns


def test_seed_alone_decides():
    torch.manual_seed(1)
    first = ClsFusion(2, 6, 4, SETTINGS, seed=5).state_dict()
    torch.manual_seed(2)
    second = ClsFusion(2, 6, 4, SETTINGS, seed=5).state_dict()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_dropout_acts_in_training_only():
    fusion = ClsFusion(2, 6, 4, SETTINGS, seed=0)
    tokens = torch.randn(1, 2, 6)
    assert not torch.equal(fusion.train()(tokens), fusion(tokens))
    assert torch.equal(fusion.eval()(tokens), fusion(tokens))


def test_parameters_counted_by_hand():
    fusion = ClsFusion(4, 768, 512, FusionSettings(), seed=0)
    w = 256
    enter, token, level = 2 * 768 + 768 * w + w, w, 5 * w
    block = 4 * w * w + 4 * w + 2 * 4 * w * w + 4 * w + w + 4 * w
    leave = 2 * w + w * 512 + 512
    assert sum(p.numel() for p in fusion.parameters()) == enter + token + level + 2 * block + leave
    assert sum(p.numel() for p in fusion.parameters()) == 1_911_552


def test_what_does_not_fit_is_said(encoder):
    with pytest.raises(
        ValueError, match="fusion_width 10 is no multiple of fusion_heads 4; take 8"
    ):
        ClsFusion(2, 6, 4, FusionSettings(fusion_width=10), seed=0)
    with pytest.raises(ValueError, match=r"\(2, 3, 6\) must be \(n, 2, width\)"):
        ClsFusion(2, 6, 4, SETTINGS, seed=0)(torch.zeros(2, 3, 6))
    conv = build_encoder("tiny-conv", weights="random")
    with pytest.raises(ValueError, match="tiny-conv is TimmModel"):
        check_layers(conv, [1])


def test_encoder_stays_as_it_is(encoder, images):
    copy = replace(encoder, model=deepcopy(encoder.model))
    cls_tokens(copy, images, [1])
    for name, value in copy.model.state_dict().items():
        assert torch.equal(value, encoder.model.state_dict()[name])
