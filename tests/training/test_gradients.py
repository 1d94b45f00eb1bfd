"""Several passes a step against one large batch, on one process."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState

from endoalign.training.augmentation import Augmentation
from endoalign.training.batches import Batch
from endoalign.training.forward import Forward
from endoalign.training.gradients import add_gradients, statistics_kept
from endoalign.training.objective import Objective

TEXTS = ["a polyp", "no finding", "two flat polyps", "a mass in the rectum"]
TEXT_IDS = np.array([0, 1, 1, 2, 3, 0, 2])
BAG = np.array([0, 0, 1, 2, 3, 3, 4, 5, 6])


@pytest.fixture
def accelerator():
    yield Accelerator(cpu=True)
    AcceleratorState._reset_state(reset_partial_state=True)


def batch(start, stop, bags):
    """Pairs (or bags) from ``start`` to ``stop`` of a fixed set."""
    pixels = np.random.default_rng(3).integers(0, 256, (9, 3, 32, 32), dtype=np.uint8)
    bag = BAG if bags else np.arange(7)
    members = np.flatnonzero((bag >= start) & (bag < stop))
    return Batch(
        members, torch.from_numpy(pixels[members]), TEXT_IDS[start:stop], bag[members] - start
    )


def gradients(encoder, passes, objective, accelerator, seed=0):
    encoder.model.train()
    encoder.model.zero_grad()
    forward = Forward(encoder, encoder.model, TEXTS, torch.device("cpu"))

    def run(number):
        torch.manual_seed(seed + number)
        return forward(passes[number], Augmentation(), seed=1, epoch=0)

    loss = add_gradients(run, passes, objective, encoder.model, accelerator)
    return loss, {name: p.grad.clone() for name, p in encoder.model.named_parameters()}


def relative(found, expected):
    """Largest difference, by the largest entry where that is above 1."""
    return (found - expected).abs().max().item() / max(1.0, expected.abs().max().item())


@pytest.mark.parametrize("same_text", [False, True])
@pytest.mark.parametrize("kind", ["info_nce", "mil_nce"])
@pytest.mark.parametrize("cuts", [(0, 4, 7), (0, 2, 4, 6, 7), (0, 1, 2, 3, 4, 5, 6, 7)])
def test_passes_equal_one_large_batch(micro, accelerator, kind, same_text, cuts):
    encoder = micro.micro_encoder("vit")
    objective = Objective(kind, same_text)
    bags = kind == "mil_nce"
    loss, whole = gradients(encoder, [batch(0, 7, bags)], objective, accelerator)
    passes = [batch(start, stop, bags) for start, stop in pairwise(cuts)]
    cut_loss, cut = gradients(encoder, passes, objective, accelerator)
    assert cut_loss.item() == pytest.approx(loss.item(), abs=1e-6)
    assert whole["logit_scale"].abs() > 1e-4
    for name, gradient in whole.items():
        assert relative(cut[name], gradient) < 1e-6, name


def test_plain_accumulation_would_not(micro, accelerator):
    encoder = micro.micro_encoder("vit")
    _, whole = gradients(encoder, [batch(0, 7, False)], Objective(), accelerator)
    parts = [
        gradients(encoder, [batch(*cut, False)], Objective(), accelerator)[1]
        for cut in ((0, 4), (4, 7))
    ]
    name = "visual.proj"
    assert not torch.allclose((parts[0][name] + parts[1][name]) / 2, whole[name], atol=1e-4)


def test_dropout_is_the_same_in_both_runs_of_a_pass(micro, accelerator):
    """Against the naive way with the masks replayed: all live features in one loss at once."""
    encoder = micro.micro_encoder("conv")
    passes = [batch(0, 4, False), batch(4, 7, False)]
    _, found = gradients(encoder, passes, Objective(), accelerator, seed=5)
    encoder.model.zero_grad()
    forward = Forward(encoder, encoder.model, TEXTS, torch.device("cpu"))
    live = []
    for number, one in enumerate(passes):
        torch.manual_seed(5 + number)
        live.append(forward(one, Augmentation(), seed=1, epoch=0))
    images, texts = (
        torch.cat([getattr(one, kind) for one in live]) for kind in ("images", "texts")
    )
    logits = live[0].scale * images @ texts.T
    diagonal = torch.arange(7)
    cross = torch.nn.functional.cross_entropy
    ((cross(logits, diagonal) + cross(logits.T, diagonal)) / 2).backward()
    for name, parameter in encoder.model.named_parameters():
        assert relative(found[name], parameter.grad) < 5e-6, name


def test_running_statistics_see_each_pass_once(micro, accelerator):
    passes = [batch(0, 4, False), batch(4, 7, False)]
    encoder, naive = micro.micro_encoder("conv"), micro.micro_encoder("conv")
    gradients(encoder, passes, Objective(), accelerator)
    naive.model.train()
    forward = Forward(naive, naive.model, TEXTS, torch.device("cpu"))
    for one in passes:
        forward(one, Augmentation(), seed=1, epoch=0)
    moved = 0
    for name, value in naive.model.named_buffers():
        if "running" in name or "num_batches" in name:
            torch.testing.assert_close(encoder.model.get_buffer(name), value, msg=name)
            moved += 1
    assert moved > 0


def test_statistics_are_kept_and_come_back():
    layer = torch.nn.BatchNorm1d(2)
    with statistics_kept(layer):
        layer(torch.randn(5, 2))
    assert torch.equal(layer.running_mean, torch.zeros(2))
    layer(torch.randn(5, 2))
    assert not torch.equal(layer.running_mean, torch.zeros(2))


def test_repeated_texts_encoded_once_give_the_same_features(micro):
    encoder = micro.micro_encoder("vit")
    forward = Forward(encoder, encoder.model, TEXTS, torch.device("cpu"))
    found = forward(batch(0, 7, False), None, seed=0, epoch=0)
    tokens = encoder.tokenize([TEXTS[place] for place in TEXT_IDS])
    out = encoder.model(text=tokens)
    torch.testing.assert_close(found.texts, out["text_features"], rtol=0, atol=1e-6)
    assert found.scale.item() == pytest.approx(out["logit_scale"].item())
