"""The loop against OpenCLIP's own schedule, parameter groups and loss in a naive loop."""

import math

import numpy as np
import pytest
import torch
from open_clip.loss import ClipLoss
from open_clip_train.scheduler import cosine_lr
from safetensors.torch import load_file

from endoalign.corpus.pixels import DiskPixels
from endoalign.corpus.tables import load_frames
from endoalign.models.encode import normalise_pixels
from endoalign.training.fit import fit
from endoalign.training.groups import parameter_groups
from endoalign.training.order import EpochOrder
from endoalign.training.schedule import learning_rate


def openclip_groups(model, decay):
    def exclude(n, p):
        return p.ndim < 2 or "bn" in n or "ln" in n or "bias" in n or "logit_scale" in n

    named = list(model.named_parameters())
    return [
        {"params": [p for n, p in named if exclude(n, p)], "weight_decay": 0.0},
        {"params": [p for n, p in named if not exclude(n, p)], "weight_decay": decay},
    ]


@pytest.mark.parametrize(("warmup", "total"), [(0, 7), (3, 11), (5, 6), (9, 4)])
def test_schedule_is_openclips(warmup, total):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1)
    adjust = cosine_lr(optimizer, 0.3, warmup, total)
    for step in range(total):
        assert learning_rate(step, base=0.3, warmup=warmup, total=total) == adjust(step)


def test_schedule_in_closed_form():
    rates = [learning_rate(step, base=2.0, warmup=4, total=12) for step in range(12)]
    assert rates[:4] == [0.5, 1.0, 1.5, 2.0]
    assert rates[4:] == pytest.approx([1 + math.cos(math.pi * k / 8) for k in range(8)])


@pytest.mark.parametrize("kind", ["vit", "conv"])
def test_parameter_groups_are_openclips(micro, kind):
    model = micro.micro_encoder(kind).model
    ours, theirs = parameter_groups(model, 0.1), openclip_groups(model, 0.1)
    for one, other in zip(ours, theirs, strict=True):
        assert one["weight_decay"] == other["weight_decay"]
        assert list(map(id, one["params"])) == list(map(id, other["params"]))
    frozen = next(model.parameters()).requires_grad_(False)
    parameters = [p for group in parameter_groups(model, 0.1) for p in group["params"]]
    assert not any(p is frozen for p in parameters)


@pytest.mark.parametrize("max_grad_norm", [None, 0.05])
def test_a_training_equals_a_naive_loop(job, use, micro, pairs_table, corpus, max_grad_norm):
    use("vit")
    settings = {"min_crop": 1.0, "max_grad_norm": max_grad_norm, "max_logit_scale": 14.0}
    chosen = job(**settings)
    result = fit(chosen)

    encoder = micro.micro_encoder("vit", seed=chosen.seed)
    model = encoder.model
    optimizer = torch.optim.AdamW(
        openclip_groups(model, 0.1), lr=0.01, betas=(0.9, 0.98), eps=1e-6, fused=False
    )
    adjust = cosine_lr(optimizer, 0.01, 2, 6)
    pixels = DiskPixels(corpus, load_frames(corpus), 32)
    order = EpochOrder(units=20, size=8)
    losses = []
    for epoch in range(2):
        for batch in order.batches(chosen.seed, epoch):
            adjust(len(losses))
            optimizer.zero_grad()
            out = model(
                image=normalise_pixels(pixels.read(batch), encoder),
                text=encoder.tokenize(pairs_table["text"].iloc[batch].tolist()),
            )
            loss = ClipLoss()(out["image_features"], out["text_features"], out["logit_scale"])
            loss.backward()
            if max_grad_norm is not None:
                torch.nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
            optimizer.step()
            with torch.no_grad():
                model.logit_scale.clamp_(0, math.log(14.0))
            losses.append(loss.item())
    np.testing.assert_allclose(result.history["loss"], losses, atol=2e-5)
    stored = load_file(result.folder / "model.safetensors")
    for name, value in model.state_dict().items():
        ours, theirs = (micro.comparable(name, tensor) for tensor in (stored[name], value))
        np.testing.assert_allclose(ours, theirs, atol=2e-5, err_msg=name)
    assert stored["logit_scale"].item() <= math.log(14.0) + 1e-6
    assert result.history["logit_scale"].max() == pytest.approx(14.0)
