"""Adapters of q, k and v: nothing at first, everything trained, merged to the same."""

import json
import math
from copy import deepcopy
from dataclasses import replace

import open_clip
import pytest
import torch
from open_clip.transformer import ResidualAttentionBlock
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import nn

from endoalign.models.checkpoint import save_encoder
from endoalign.models.ent_files import merged_encoder
from endoalign.models.lora import LoraSettings, add_lora, merge_lora, named_adapters
from endoalign.models.lora_attention import LoraAttention, LowRank
from endoalign.models.lora_files import adapter_tensors, load_adapters, save_adapters
from endoalign.models.registry import build_encoder
from endoalign.models.weights import WeightsError

SETTINGS = LoraSettings()


@pytest.fixture(scope="module")
def base():
    return build_encoder("tiny-vit", weights="random", seed=3)


@pytest.fixture
def encoder(base):
    return replace(base, model=deepcopy(base.model))


@pytest.fixture
def images():
    return torch.randn(3, 3, 64, 64, generator=torch.Generator().manual_seed(1))


def trained_a_little(encoder, images, steps=3):
    """Move every adapter away from its start."""
    tower = encoder.model.visual.train()
    adapters = [value for _, value in named_adapters(encoder)]
    optimizer = torch.optim.AdamW(adapters, lr=0.01)
    torch.manual_seed(0)
    for _ in range(steps):
        optimizer.zero_grad()
        tower(images).square().mean().backward()
        optimizer.step()
    return tower.eval()


def test_one_layer_is_the_papers_equation():
    torch.manual_seed(0)
    plain = nn.MultiheadAttention(12, 3, batch_first=True)
    nn.init.normal_(plain.in_proj_bias)
    layer = LoraAttention(plain, rank=2, alpha=5.0, dropout=0.1).eval()
    for adapter in layer.adapters():
        nn.init.normal_(adapter.B)
    x = torch.randn(2, 5, 12)
    weights, biases = plain.in_proj_weight.chunk(3), plain.in_proj_bias.chunk(3)
    expected = torch.zeros(2, 5, 12)
    for n in range(2):
        q, k, v = (
            x[n] @ (w + 5.0 / 2 * adapter.B @ adapter.A).T + b
            for w, b, adapter in zip(weights, biases, layer.adapters(), strict=True)
        )
        heads = []
        for h in range(3):
            part = slice(4 * h, 4 * h + 4)
            scores = q[:, part] @ k[:, part].T / math.sqrt(4)
            heads.append(scores.softmax(dim=1) @ v[:, part])
        expected[n] = plain.out_proj(torch.cat(heads, dim=1))
    torch.testing.assert_close(layer(x, x, x)[0], expected, rtol=1e-5, atol=1e-6)


def test_zero_b_leaves_the_tower_as_it_was(encoder, images):
    for mode in (True, False):
        tower = encoder.model.visual.train(mode)
        before = deepcopy(tower)(images)
        add_lora(replace(encoder, model=(copy := deepcopy(encoder.model))), SETTINGS, seed=0)
        torch.testing.assert_close(copy.visual(images), before, rtol=1e-5, atol=1e-5)
        assert copy.visual.training is mode


def test_start_of_a_and_b(encoder):
    layers = add_lora(encoder, SETTINGS, seed=0)
    bound = 1 / math.sqrt(192)  # Kaiming with a = sqrt(5) over a fan-in of 192
    every = torch.cat(
        [adapter.A.detach().flatten() for layer in layers for adapter in layer.adapters()]
    )
    assert len(layers) == 6
    assert every.abs().max() <= bound
    assert float(every.std()) == pytest.approx(bound / math.sqrt(3), rel=0.03)
    assert every.unique().numel() > 0.99 * every.numel()  # q, k and v share no A
    assert all((adapter.B == 0).all() for layer in layers for adapter in layer.adapters())
    assert all(adapter.scale == 2.0 for layer in layers for adapter in layer.adapters())


def test_seed_alone_decides_and_torchs_state_stays(base):
    found = []
    for seed, noise in ((1, 5), (1, 6), (2, 5)):
        copy = replace(base, model=deepcopy(base.model))
        torch.manual_seed(noise)
        before = torch.get_rng_state()
        add_lora(copy, SETTINGS, seed=seed)
        assert torch.equal(torch.get_rng_state(), before)
        found.append(adapter_tensors(copy)["transformer.resblocks.0.attn.q.A"])
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])


def test_trainable_parameters_counted_by_hand(encoder):
    add_lora(encoder, SETTINGS, seed=0)
    trained = [v for v in encoder.model.visual.parameters() if v.requires_grad]
    assert sum(v.numel() for v in trained) == 6 * 3 * (4 * 192 + 192 * 4)
    assert len(trained) == 6 * 3 * 2


def test_vit_b_16_counted_and_its_adapter_file_small(tmp_path):
    model = open_clip.create_model("ViT-B-16", device="meta")
    whole = sum(v.numel() for v in model.parameters())
    by_hand = 12 * 3 * (4 * 768 + 768 * 4)
    found = 0
    for block in model.visual.transformer.resblocks:
        with torch.device("meta"):
            layer = LoraAttention(block.attn, rank=4, alpha=8.0, dropout=0.1)
        found += sum(v.numel() for v in layer.parameters() if v.requires_grad)
    assert found == by_hand == 221_184
    file = tmp_path / "adapters.safetensors"
    named = {
        f"transformer.resblocks.{n}.attn.{p}": torch.zeros(4 * 768)
        for n in range(12)
        for p in ("q.A", "q.B", "k.A", "k.B", "v.A", "v.B")
    }
    save_file(named, file)
    assert file.stat().st_size < 0.02 * 4 * whole


def test_every_a_and_b_gets_a_gradient_and_nothing_else(encoder, images):
    add_lora(encoder, SETTINGS, seed=0)
    trained_a_little(encoder, images, steps=1)  # with B at zero A has none
    encoder.model.zero_grad()
    encoder.model.visual.train()(images).square().mean().backward()
    named = named_adapters(encoder)
    assert len(named) == 6 * 3 * 2
    for name, value in named:
        assert value.grad is not None and value.grad.abs().max() > 0, name
    adapted = {id(value) for _, value in named}
    assert all(v.grad is None for v in encoder.model.parameters() if id(v) not in adapted)


def test_frozen_weights_are_bit_identical_after_training(encoder, images):
    add_lora(encoder, SETTINGS, seed=0)
    before = deepcopy(encoder.model.state_dict())
    trained_a_little(encoder, images)
    adapters = {f"visual.{name}" for name, _ in named_adapters(encoder)}
    for name, value in encoder.model.state_dict().items():
        assert torch.equal(value, before[name]) != (name in adapters), name


def test_dropout_acts_in_training_only_and_on_the_adapters_alone(encoder, images):
    add_lora(encoder, LoraSettings(lora_dropout=0.5), seed=0)
    tower = encoder.model.visual.train()
    assert torch.equal(tower(images), tower(images))  # with B at zero there is nothing to drop
    trained_a_little(encoder, images)
    assert torch.equal(tower(images), tower(images))
    tower.train()
    assert (tower(images) - tower(images)).abs().max() > 1e-4


def test_dropout_keeps_the_expected_value():
    torch.manual_seed(0)
    adapter = LowRank(8, rank=2, alpha=2.0, dropout=0.3)
    nn.init.normal_(adapter.B)
    x = torch.randn(1, 8)
    many = adapter.train()(x.expand(20_000, 8)).mean(dim=0)
    torch.testing.assert_close(many, adapter.eval()(x)[0], atol=0.02, rtol=0.05)


def test_merged_equals_unmerged(encoder, images):
    add_lora(encoder, SETTINGS, seed=0)
    before = encoder.model.visual.eval()(images)
    tower = trained_a_little(encoder, images)
    with torch.no_grad():
        unmerged = tower(images)
        merge_lora(encoder)
        merged = tower(images)
    assert (unmerged - before).abs().max() > 1e-2
    torch.testing.assert_close(merged, unmerged, rtol=0, atol=1e-5)
    assert all(type(block.attn) is nn.MultiheadAttention for block in tower.transformer.resblocks)
    assert not any(v.requires_grad for v in tower.parameters())


def test_merged_checkpoint_is_read_by_openclip(encoder, images, tmp_path):
    add_lora(encoder, SETTINGS, seed=0)
    tower = trained_a_little(encoder, images)
    save_encoder(merged_encoder(encoder), tmp_path / "merged", provenance={})
    theirs = open_clip.create_model(f"local-dir:{tmp_path / 'merged'}").eval()
    with torch.no_grad():
        torch.testing.assert_close(theirs.encode_image(images), tower(images), rtol=0, atol=1e-5)
    assert isinstance(tower.transformer.resblocks[0].attn, LoraAttention)  # ours stays adapted


def test_adapters_come_back_in_one_line(encoder, base, images, tmp_path):
    add_lora(encoder, LoraSettings(lora_rank=3, lora_alpha=6.0), seed=0)
    tower = trained_a_little(encoder, images)
    file = tmp_path / "deep" / "adapters.safetensors"
    save_adapters(encoder, LoraSettings(lora_rank=3, lora_alpha=6.0), file)
    assert set(load_file(file)) == {name for name, _ in named_adapters(encoder)}
    again = replace(base, model=deepcopy(base.model))
    assert load_adapters(again, file).lora_rank == 3
    with torch.no_grad():
        assert torch.equal(again.model.visual.eval()(images), tower(images))
    assert [p.name for p in file.parent.iterdir()] == [file.name]


def test_adapters_of_other_weights_are_refused(encoder, tmp_path):
    add_lora(encoder, SETTINGS, seed=0)
    save_adapters(encoder, SETTINGS, tmp_path / "a.safetensors")
    other = build_encoder("tiny-vit", weights="random", seed=4)
    with pytest.raises(WeightsError, match="other weights than those of tiny-vit"):
        load_adapters(other, tmp_path / "a.safetensors")
    assert not named_adapters(other)


@pytest.mark.parametrize("content", [None, b"", b"noise", "plain"])
def test_files_that_hold_no_adapters(encoder, tmp_path, content):
    file = tmp_path / "a.safetensors"
    if content == "plain":
        save_file({"x": torch.zeros(1)}, file)
    elif content is not None:
        file.write_bytes(content)
    with pytest.raises(WeightsError, match=r"a\.safetensors"):
        load_adapters(encoder, file)


def test_a_missing_tensor_is_named(encoder, base, tmp_path):
    add_lora(encoder, SETTINGS, seed=0)
    save_adapters(encoder, SETTINGS, tmp_path / "a.safetensors")
    with safe_open(tmp_path / "a.safetensors", "pt") as held:
        facts = held.metadata()
    tensors = load_file(tmp_path / "a.safetensors")
    tensors.pop("transformer.resblocks.5.attn.v.B")
    save_file(tensors, tmp_path / "b.safetensors", metadata=facts)
    assert json.loads(facts["settings"])["lora_rank"] == 4
    again = replace(base, model=deepcopy(base.model))
    with pytest.raises(WeightsError, match=r"resblocks\.5\.attn\.v\.B"):
        load_adapters(again, tmp_path / "b.safetensors")
    assert not named_adapters(again)


def test_what_cannot_be_adapted_is_said():
    with pytest.raises(ValueError, match=r"tiny-conv is TimmModel.*tiny-vit"):
        add_lora(build_encoder("tiny-conv", weights="random"), SETTINGS, seed=0)


def test_adapted_twice_is_refused(encoder):
    add_lora(encoder, SETTINGS, seed=0)
    with pytest.raises(ValueError, match="block 1 has LoraAttention"):
        add_lora(encoder, SETTINGS, seed=0)


def test_nothing_to_save_is_refused(encoder, tmp_path):
    with pytest.raises(ValueError, match="no adapters to save"):
        save_adapters(encoder, SETTINGS, tmp_path / "a.safetensors")
    assert not list(tmp_path.iterdir())


def test_attention_to_something_else_is_refused():
    block = ResidualAttentionBlock(8, 2)
    layer = LoraAttention(block.attn, rank=1, alpha=1.0, dropout=0.0)
    x = torch.zeros(1, 2, 8)
    with pytest.raises(ValueError, match="self-attention"):
        layer(x, x.clone(), x)
    with pytest.raises(ValueError, match="joined q, k, v"):
        LoraAttention(nn.MultiheadAttention(8, 2), rank=1, alpha=1.0, dropout=0.0)


def test_masks_act(images):
    torch.manual_seed(0)
    plain = nn.MultiheadAttention(8, 2, batch_first=True)
    layer = LoraAttention(plain, rank=1, alpha=1.0, dropout=0.0).eval()
    x, mask = torch.randn(2, 4, 8), torch.full((4, 4), -math.inf).triu(1)
    expected = plain(x, x, x, need_weights=False, attn_mask=mask)[0]
    torch.testing.assert_close(layer(x, x, x, attn_mask=mask)[0], expected, rtol=1e-5, atol=1e-6)
