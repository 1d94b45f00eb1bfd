"""The whole model and its switches: baseline, + LoRA, + MFA, + SFA."""

import math
from copy import deepcopy
from dataclasses import replace

import pytest
import torch
from torch.nn.functional import normalize

from endoalign.models.encode import encode_pixels
from endoalign.models.ent_clip import CHANCES, EntClip
from endoalign.models.ent_counts import parameter_counts
from endoalign.models.ent_encode import encode_pictures
from endoalign.models.ent_files import load_ent_clip, save_ent_clip
from endoalign.models.ent_prompts import load_classes
from endoalign.models.ent_settings import ABLATION, EntClipSettings
from endoalign.models.lora import named_adapters
from endoalign.models.registry import build_encoder
from endoalign.models.slerp import lambdas, same_class_partners, slerp
from endoalign.models.weights import WeightsError

SETTINGS = EntClipSettings(
    fusion_layers=[2, 4, 6], fusion_width=16, fusion_heads=2, fusion_dropout=0.0, lora_dropout=0.0
)
CLASSES = load_classes("entrep")
TRAINED = {
    "ENT-baseline": {"classifier", "temperature"},
    "ENT+LoRA": {"adapters", "classifier", "temperature"},
    "ENT+LoRA+MFA": {"adapters", "fusion", "classifier", "temperature"},
    "ENT-CLIP": {"adapters", "fusion", "classifier", "temperature"},
}


@pytest.fixture(scope="module")
def base():
    return build_encoder("tiny-vit", weights="random", seed=0)


@pytest.fixture
def build(base):
    def make(**changes):
        copy = replace(base, model=deepcopy(base.model))
        return EntClip(copy, CLASSES, SETTINGS.model_copy(update=changes), seed=1)

    return make


@pytest.fixture
def pictures():
    generator = torch.Generator().manual_seed(0)
    return torch.randint(0, 256, (5, 3, 64, 64), generator=generator, dtype=torch.uint8)


def test_the_ablation_is_table_4():
    assert list(ABLATION) == ["ENT-baseline", "ENT+LoRA", "ENT+LoRA+MFA", "ENT-CLIP"]
    full = EntClipSettings()
    assert full.model_copy(update=ABLATION["ENT-CLIP"]) == full


@pytest.mark.parametrize("system", list(ABLATION))
def test_what_is_trained(build, system, pictures):
    model = build(**ABLATION[system])
    counts = parameter_counts(model).set_index("part")
    assert {part for part in counts.index[:-1] if counts["trained"][part]} == TRAINED[system]
    assert counts["parameters"]["total"] == sum(p.numel() for p in model.parameters())
    assert counts["trained"]["total"] == sum(
        p.numel() for p in model.parameters() if p.requires_grad
    )
    assert counts["parameters"]["classifier"] == 7 * 128 + 7
    assert counts["parameters"]["adapters"] == (0 if system == "ENT-baseline" else 6 * 3 * 8 * 192)
    found = model(pictures)
    assert found["retrieval"].shape == (5, 128)
    assert found["classes"].shape == (5, 7)
    torch.testing.assert_close(found["retrieval"].norm(dim=1), torch.ones(5))


def test_tower_trained_whole(build):
    counts = parameter_counts(build(tower="full", fusion=False)).set_index("part")
    assert counts["trained"]["image tower"] == counts["parameters"]["image tower"]
    assert counts["trained"]["text tower"] == 0
    assert counts["parameters"]["adapters"] == 0


def test_starts_as_the_encoder(build, base, pictures):
    expected = encode_pixels(base, pictures)
    for changes in (
        {"tower": "frozen", "fusion": False},
        {"fusion": False},
        {"fusion_joins": "classifier"},
        {"fusion_joins": "both"},
    ):
        found = encode_pictures(build(**changes), [pictures]).retrieval
        torch.testing.assert_close(found, expected, rtol=0, atol=2e-6)


def test_classifier_alone_sees_the_fused_features(build, pictures):
    model = build()
    model(pictures)["retrieval"].sum().backward()
    assert all(p.grad is None for p in model.fusion.parameters())
    model(pictures)["classes"].square().sum().backward()
    assert all(p.grad is not None for p in model.fusion.parameters())


def test_fused_features_join_retrieval_by_parameter(build, pictures):
    model = build(fusion_joins="both")
    model(pictures)["retrieval"].sum().backward()
    assert model.fusion.leave[1].weight.grad.abs().max() > 0


@pytest.mark.parametrize("joins", ["classifier", "both"])
def test_interpolated_rows(build, pictures, joins):
    model = build(fusion_joins=joins).eval()
    labels = torch.tensor([3, 1, 3, 3, 0])
    chances = torch.rand(5, CHANCES, generator=torch.Generator().manual_seed(0))
    plain, found = model(pictures), model(pictures, labels, chances)
    v = plain["retrieval"]
    partner = same_class_partners(labels, chances[:, 0])
    share = lambdas(chances[:, 1], SETTINGS)
    assert found["retrieval"].shape == (10, 128)
    assert found["classes"].shape == (10, 7)
    torch.testing.assert_close(found["retrieval"][:5], v)
    torch.testing.assert_close(found["classes"][:5], plain["classes"])
    torch.testing.assert_close(found["retrieval"][5:], slerp(v, v[partner], share))
    # rows 1 and 4 have no other picture of their class
    torch.testing.assert_close(
        found["classes"][[6, 9]], plain["classes"][[1, 4]], atol=1e-4, rtol=0
    )
    moved = (found["classes"][5:] - plain["classes"]).abs().amax(dim=1)
    assert (moved[[0, 2, 3]] > 1e-5).all()


def test_no_interpolation_without_the_switch_or_without_labels(build, pictures):
    labels, chances = torch.zeros(5, dtype=torch.long), torch.rand(5, CHANCES)
    assert len(build(slerp=False)(pictures, labels, chances)["classes"]) == 5
    assert len(build()(pictures)["classes"]) == 5


def test_temperature(build, base):
    learnable = build().logit_scale
    assert learnable.requires_grad
    assert float(learnable.detach()) == pytest.approx(float(base.model.logit_scale.detach()))
    fixed = build(temperature=1.0).logit_scale
    assert not fixed.requires_grad
    assert float(fixed.detach().exp()) == 1.0
    assert float(build(temperature=0.07).logit_scale.detach().exp()) == pytest.approx(1 / 0.07)


@pytest.mark.parametrize("wrong", [0.0, -1.0, 2.0, "one", math.nan])
def test_no_temperature(wrong):
    with pytest.raises(ValueError, match="temperature"):
        EntClipSettings(temperature=wrong)


def test_any_tower_without_adapters_and_fusion(pictures):
    conv = build_encoder("tiny-conv", weights="random")
    model = EntClip(conv, CLASSES, EntClipSettings(tower="full", fusion=False), seed=0)
    assert model(pictures)["classes"].shape == (5, 7)
    with pytest.raises(ValueError, match="tiny-conv is TimmModel"):
        EntClip(conv, CLASSES, EntClipSettings(), seed=0)


def test_layers_of_the_paper_do_not_fit_a_small_tower(base):
    copy = replace(base, model=deepcopy(base.model))
    with pytest.raises(ValueError, match=r"fusion_layers \[3, 6, 9, 12\] must rise within 1 to 6"):
        EntClip(copy, CLASSES, EntClipSettings(tower="frozen"), seed=0)


def test_logits_are_those_of_a_linear_layer_on_unit_variance(build, pictures):
    model = build(fusion=False, tower="frozen").eval()
    found = model(pictures)
    x = normalize(found["retrieval"], dim=1) * math.sqrt(128)
    expected = x @ model.classifier.weight.T + model.classifier.bias
    torch.testing.assert_close(found["classes"], expected, rtol=1e-4, atol=1e-5)
    assert float(x.square().mean()) == pytest.approx(1.0)


def test_encoding_leaves_the_model_as_it_was(build, pictures):
    model = build()
    model.train()
    found = encode_pictures(model, [pictures[:2], pictures[2:]])
    assert model.training
    assert found.retrieval.shape == (5, 128)
    assert torch.equal(found.predicted, found.logits.argmax(dim=1))
    torch.testing.assert_close(encode_pictures(model, [pictures]).logits, found.logits)
    assert encode_pictures(model, []).retrieval.shape == (0, 128)


def test_pictures_of_another_kind(build, pictures):
    model = build()
    with pytest.raises(TypeError, match="uint8"):
        encode_pictures(model, [pictures.float()])
    with pytest.raises(ValueError, match=r"tiny-vit takes \(n, 3, 64, 64\), not \(5, 3, 32, 64\)"):
        encode_pictures(model, [pictures[:, :, :32]])


def changed(model):
    """Move what is trained away from its start."""
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for value in model.parameters():
            if value.requires_grad:
                value.add_(0.05 * torch.randn(value.shape, generator=generator))
    return model


@pytest.mark.parametrize("system", [*ABLATION, "full"])
def test_comes_back_from_disk(build, base, pictures, tmp_path, system):
    switches = {"tower": "full", "fusion": False} if system == "full" else ABLATION[system]
    model = changed(build(**switches))
    save_ent_clip(model, tmp_path / "m", provenance={"seed": 1})
    expected = encode_pictures(model, [pictures])
    found = encode_pictures(load_ent_clip(tmp_path / "m"), [pictures])
    torch.testing.assert_close(found.retrieval, expected.retrieval, rtol=0, atol=1e-5)
    torch.testing.assert_close(found.logits, expected.logits, rtol=0, atol=1e-4)
    onto = load_ent_clip(tmp_path / "m", replace(base, model=deepcopy(base.model)))
    torch.testing.assert_close(
        encode_pictures(onto, [pictures]).logits, expected.logits, rtol=0, atol=1e-5
    )
    assert (tmp_path / "m" / "adapters.safetensors").exists() == (switches["tower"] == "lora")
    assert [path.name for path in tmp_path.iterdir()] == ["m"]
    # saving left the model adapted and as it was
    assert torch.equal(encode_pictures(model, [pictures]).logits, expected.logits)


def test_small_files_where_the_encoder_is_not_stored(build, base, tmp_path, pictures):
    model = changed(build())
    save_ent_clip(model, tmp_path / "m", provenance={}, merged=False)
    sizes = {path.name: path.stat().st_size for path in (tmp_path / "m").iterdir()}
    assert set(sizes) == {"adapters.safetensors", "heads.safetensors", "ent_clip.json"}
    with pytest.raises(WeightsError, match="merged is missing: give the encoder"):
        load_ent_clip(tmp_path / "m")
    again = load_ent_clip(tmp_path / "m", replace(base, model=deepcopy(base.model)))
    assert len(named_adapters(again.encoder)) == 36
    assert not again.training


def test_whole_towers_need_the_merged_folder(build, tmp_path):
    with pytest.raises(ValueError, match="merged=True"):
        save_ent_clip(
            build(tower="full", fusion=False), tmp_path / "m", provenance={}, merged=False
        )
    assert not list(tmp_path.iterdir())


def test_another_encoder_is_refused(build, tmp_path):
    save_ent_clip(changed(build()), tmp_path / "m", provenance={}, merged=False)
    other = build_encoder("tiny-vit", weights="random", seed=9)
    with pytest.raises(WeightsError, match="other weights"):
        load_ent_clip(tmp_path / "m", other)


def test_damaged_folders(build, tmp_path, base):
    with pytest.raises(WeightsError, match="is no ENT-CLIP model"):
        load_ent_clip(tmp_path)
    save_ent_clip(build(), tmp_path / "m", provenance={}, merged=False)
    heads = tmp_path / "m" / "heads.safetensors"
    heads.write_bytes(heads.read_bytes()[:-50])
    with pytest.raises(WeightsError, match=r"heads\.safetensors"):
        load_ent_clip(tmp_path / "m", replace(base, model=deepcopy(base.model)))
    (tmp_path / "m" / "ent_clip.json").write_text('{"settings": {"tower": "wood"}}')
    with pytest.raises(WeightsError, match=r"ent_clip\.json is damaged"):
        load_ent_clip(tmp_path / "m", base)


def test_what_json_does_not_know_is_named_and_nothing_is_written(build, tmp_path):
    with pytest.raises(TypeError, match="provenance"):
        save_ent_clip(build(), tmp_path / "m", provenance={"x": {1, 2}})
    assert not list(tmp_path.iterdir())
