"""EndoVLM's forward pass: each part against what it is made of, and invariance to order."""

import math

import pytest
import torch
from torch.nn.functional import normalize

from endoalign.models.chunks import in_chunks
from endoalign.models.endovlm_batch import Examinations, Plan
from endoalign.models.endovlm_encoder import (
    backbone_features,
    build_endovlm,
    encode_frames,
    encode_propositions,
)
from endoalign.models.endovlm_settings import EndovlmModelSettings
from endoalign.models.ragged import Ragged
from endoalign.models.weights import WeightsError

SIDE, COUNTS, PROPOSITIONS = 16, [3, 1, 4], [2, 1, 2]
TEXTS = ["the rectum was normal", "a 5 mm polyp in the sigmoid colon", "no mass", "report of one"]
TINY = {
    "image_weights": "random",
    "image_size": SIDE,
    "patch_size": 4,
    "image_width": 16,
    "image_depth": 2,
    "image_heads": 2,
    "text_tower": "tiny",
    "text_width": 8,
    "text_layers": 1,
    "vocabulary_size": 150,
    "context_length": 24,
    "embed_dim": 8,
    "decoder_width": 8,
    "decoder_depth": 1,
    "decoder_heads": 2,
}


class Frames:
    """Random pictures and chances, looked up by row."""

    def __init__(self, order=None):
        draw = torch.Generator().manual_seed(0)
        self.order = torch.arange(sum(COUNTS)) if order is None else order
        self.images = torch.randn(sum(COUNTS), 3, SIDE, SIDE, generator=draw)
        self.numbers = torch.rand(sum(COUNTS), 16, generator=draw)

    def __len__(self):
        return len(self.order)

    def pictures(self, rows):
        return self.images[self.order[rows]]

    def tokens(self, rows):
        return None

    def chances(self, rows):
        return self.numbers[self.order[rows]]


def encoder(**changes):
    found = build_endovlm(EndovlmModelSettings(**{**TINY, **changes}), TEXTS, seed=3)
    found.model.eval()
    return found


def batch(found, frames=None, **changes):
    given = {
        "frames": frames or Frames(),
        "frame_sets": Ragged.of_counts(COUNTS),
        "tokens": found.tokenize(TEXTS),
        "propositions": torch.tensor([0, 1, 0, 2, 1]),
        "proposition_sets": Ragged.of_counts(PROPOSITIONS),
        "reports": torch.tensor([3, 1, 3]),
    }
    return Examinations(**{**given, **changes})


def per_frame(found):
    """A measure that tells frames apart."""
    return found.predicted.square().mean(dim=(1, 2)) + found.patches.mean(dim=(1, 2))


@pytest.mark.parametrize("heads", ["separate", "shared"])
@pytest.mark.parametrize("image_feature", ["cls_and_mean", "cls"])
def test_features_are_those_of_their_parts(heads, image_feature):
    found = encoder(heads=heads, image_feature=image_feature)
    model = found.model
    aligned = model(batch(found), Plan(), per_frame)
    tokens = model.image_tower.forward_features(Frames().images)
    vectors = [tokens[:, 0], tokens[:, 1:].mean(dim=1)]
    image = model.image_heads
    joined = torch.cat(vectors, dim=1) if image_feature == "cls_and_mean" else vectors[0]
    trunk = joined if image.mix is None else image.mix(joined)
    fine_head = image.to_global if heads == "shared" else image.to_fine
    frames = normalize(fine_head(trunk), dim=1)
    texts = model.text_tower(found.tokenize(TEXTS))
    text_head = model.text_heads.to_global if heads == "shared" else model.text_heads.to_fine
    fine_text = normalize(text_head(texts), dim=1)[[0, 1, 0, 2, 1]]
    torch.testing.assert_close(aligned.fine_text, fine_text)
    pooled = model.pool(fine_text, frames, Ragged.of_counts(PROPOSITIONS), Ragged.of_counts(COUNTS))
    torch.testing.assert_close(aligned.fine_visual, pooled.features)
    means = torch.stack([part.mean(dim=0) for part in trunk.split(COUNTS)])
    torch.testing.assert_close(aligned.global_visual, normalize(image.to_global(means), dim=1))
    reports = normalize(model.text_heads.to_global(texts), dim=1)[[3, 1, 3]]
    torch.testing.assert_close(aligned.global_text, reports)
    assert aligned.reconstructed.tolist() == pooled.selected().tolist()
    one = Frames().images[aligned.reconstructed], Frames().numbers[aligned.reconstructed]
    torch.testing.assert_close(aligned.errors, per_frame(model.reconstruct(*one)))
    assert aligned.global_scale.item() == pytest.approx(1 / 0.07)


def test_the_papers_global_feature_is_the_mean_of_projected_frames():
    found = encoder(global_pool="after_projection")
    aligned = found.model(batch(found), Plan(), per_frame)
    frames = found.model.image_heads.globally(found.model.image_trunk(Frames().images))
    means = torch.stack([part.mean(dim=0) for part in frames.split(COUNTS)])
    torch.testing.assert_close(aligned.global_visual, normalize(means, dim=1))


def test_permuting_frames_within_cases_changes_nothing():
    found = encoder()
    order = torch.tensor([2, 0, 1, 3, 6, 7, 4, 5])
    plain = found.model(batch(found), Plan(), per_frame)
    moved = found.model(batch(found, Frames(order)), Plan(), per_frame)
    for name in ("global_visual", "fine_visual", "fine_text"):
        torch.testing.assert_close(getattr(moved, name), getattr(plain, name))
    assert sorted(order[moved.reconstructed].tolist()) == plain.reconstructed.tolist()


def test_permuting_cases_permutes_the_result():
    found = encoder()
    frames = torch.tensor([4, 5, 6, 7, 0, 1, 2, 3])  # the third case first
    moved = batch(
        found,
        Frames(frames),
        frame_sets=Ragged.of_counts([4, 3, 1]),
        propositions=torch.tensor([2, 1, 0, 1, 0]),
        proposition_sets=Ragged.of_counts([2, 2, 1]),
        reports=torch.tensor([3, 3, 1]),
    )
    one, other = (found.model(x, Plan(), per_frame) for x in (batch(found), moved))
    torch.testing.assert_close(other.global_visual, one.global_visual[[2, 0, 1]])
    torch.testing.assert_close(other.fine_visual, one.fine_visual[[3, 4, 0, 1, 2]])


def test_parts_that_are_left_out_are_none():
    found = encoder()
    alone = found.model(batch(found), Plan(use_fine=False, use_mae=False))
    assert alone.fine_visual is None and alone.errors is None and alone.pooled is None
    plain = Plan(use_global=False, use_fine=False, mae_frames="all")
    everything = found.model(batch(found), plain, per_frame)
    assert everything.global_visual is None
    assert everything.reconstructed.tolist() == list(range(sum(COUNTS)))
    with pytest.raises(ValueError, match="a measure is needed"):
        found.model(batch(found), Plan())


@pytest.mark.parametrize("size", [None, 1, 3, 100])
@pytest.mark.parametrize("recompute", [True, False])
def test_chunks_give_the_same_values_and_gradients(size, recompute):
    layer = torch.nn.Linear(4, 4, dtype=torch.float64)
    rows = torch.arange(7)
    inputs = torch.randn(7, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    found = in_chunks(lambda part: layer(inputs[part]).tanh(), rows, size=size, recompute=recompute)
    expected = layer(inputs).tanh()
    torch.testing.assert_close(found, expected)
    ours, theirs = (torch.autograd.grad(x.square().sum(), layer.weight) for x in (found, expected))
    torch.testing.assert_close(ours, theirs)


def test_recomputation_holds_less_memory():
    """What autograd keeps for backward: with chunks computed again, their inputs alone."""
    layers = torch.nn.Sequential(*(torch.nn.Linear(64, 64) for _ in range(6)))
    inputs = torch.randn(64, 64)
    kept = {}
    for recompute in (False, True):
        sizes = []

        def keep(value, sizes=sizes):
            sizes.append(value.numel())
            return value

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda value: value):
            in_chunks(
                lambda rows: layers(inputs[rows]), torch.arange(64), size=8, recompute=recompute
            )
        kept[recompute] = sum(sizes)
    assert kept[True] < kept[False] / 10


def test_features_of_frames_and_texts():
    found = encoder()
    pixels = torch.randint(0, 256, (3, 3, SIDE, SIDE), dtype=torch.uint8)
    images = found.normalise(pixels)
    torch.testing.assert_close(found.to_pixels(images), pixels.float(), rtol=0, atol=1e-3)
    assert (found.mean, found.std) == ((0.5,) * 3, (0.5,) * 3)
    assert images.min() >= -1 and images.max() <= 1
    model = found.model
    for space, heads in (("fine", "finely"), ("global", "globally")):
        visual = encode_frames(found, pixels, space=space)
        torch.testing.assert_close(
            visual, getattr(model.image_heads, heads)(model.image_trunk(images))
        )
        written = encode_propositions(found, TEXTS, space=space, batch_size=3)
        one_by_one = torch.cat([encode_propositions(found, [text], space=space) for text in TEXTS])
        torch.testing.assert_close(written, one_by_one)
        torch.testing.assert_close(written.norm(dim=1), torch.ones(4))
    assert encode_propositions(found, []).shape == (0, 8)
    pooled, patches = backbone_features(found, pixels)
    tokens = model.image_tower.forward_features(images)
    assert pooled.shape == (3, 32) and patches.shape == (3, 16, 4, 4)
    torch.testing.assert_close(patches[1, :, 2, 3], tokens[1, 1 + 2 * 4 + 3])
    with pytest.raises(TypeError, match="must be uint8"):
        encode_frames(found, pixels.float())
    with pytest.raises(ValueError, match=r"takes pixels \(n, 3, 16, 16\)"):
        encode_frames(found, pixels[:, :, 1:])


def test_registers_are_no_patches():
    """A tower with four register tokens: they are in no mean and no map."""
    found = encoder(image_tower="vit_small_patch14_reg4_dinov2")
    model = found.model
    assert model.image_tower.num_prefix_tokens == 5
    images = Frames().images
    tokens = model.image_tower.forward_features(images)
    trunk = model.image_heads.trunk(tokens[:, 0], tokens[:, 5:].mean(dim=1))
    torch.testing.assert_close(model.image_trunk(images), trunk)
    _, patches = backbone_features(found, torch.zeros(1, 3, SIDE, SIDE, dtype=torch.uint8))
    assert patches.shape == (1, 16, 4, 4)
    aligned = model(batch(found), Plan(), per_frame)
    assert aligned.errors.isfinite().all()


def test_new_weights_depend_on_the_seed_alone():
    before = torch.get_rng_state()
    one, other = (encoder().model.state_dict() for _ in range(2))
    assert all(torch.equal(value, other[name]) for name, value in one.items())
    assert torch.equal(before, torch.get_rng_state())
    changed = build_endovlm(EndovlmModelSettings(**TINY), TEXTS, seed=4).model.state_dict()
    same = [name for name, value in one.items() if torch.equal(value, changed[name])]
    # What starts at a constant: biases, gains, the scales.
    assert all(one[name].ndim < 2 or "bias" in name for name in same)


def test_unknown_towers_and_missing_weights_are_named(tmp_path):
    told = "is no vision transformer of timm; the nearest is"
    with pytest.raises(ValueError, match=f"'vit_bas_patch16_224' {told} 'vit_base_patch16_224'"):
        encoder(image_tower="vit_bas_patch16_224")
    with pytest.raises(ValueError, match=f"'resnet18' {told}"):
        encoder(image_tower="resnet18")
    with pytest.raises(ValueError, match=r"timm has no weights 'nothing'; it has .*augreg"):
        encoder(image_tower="vit_base_patch16_224.nothing")
    with pytest.raises(ValueError, match="vit_medium_patch16_gap_240' has no class token"):
        encoder(image_tower="vit_medium_patch16_gap_240")
    with pytest.raises(WeightsError, match="no such file or folder"):
        encoder(image_weights="/nowhere/at/all")
    with pytest.raises(WeightsError, match="one file with weights is wanted, not none"):
        encoder(image_weights=str(tmp_path))
    with pytest.raises(ValueError, match="text_width 9 must be a multiple of text_heads 2"):
        encoder(text_width=9)


def test_scales_start_at_one_by_seven_hundredths():
    model = encoder().model
    assert model.global_logit_scale.item() == model.fine_logit_scale.item()
    assert model.fine_logit_scale.exp().item() == pytest.approx(1 / 0.07)
    assert math.isclose(model.global_logit_scale.item(), math.log(1 / 0.07), rel_tol=1e-6)
