"""Soft targets and the fine-grained loss against loops over units, written from the equations."""

import math

import pytest
import torch
from torch.nn.functional import cross_entropy, normalize

from endoalign.losses.info_nce import info_nce
from endoalign.losses.psaa import fine_grained_loss, soft_targets

D = 5


def units(count, regions, abnormal, seed=0, dtype=torch.float64):
    draw = torch.Generator().manual_seed(seed)
    features = normalize(torch.randn(2, count, D, generator=draw, dtype=dtype), dim=2)
    labels = torch.tensor(regions), torch.tensor(abnormal, dtype=torch.bool)
    return *(x.clone().requires_grad_() for x in features), *labels


def random_units(count=23, seed=1):
    draw = torch.Generator().manual_seed(seed)
    regions = torch.randint(0, 4, (count,), generator=draw).tolist()
    abnormal = (torch.rand(count, generator=draw) < 0.4).tolist()
    return units(count, regions, abnormal, seed)


BATCHES = {
    "random": random_units(),
    "more units than a block": random_units(150, seed=2),
    "one unit": units(1, [3], [True]),
    "one anatomy only": units(7, [2] * 7, [True, False, True, False, False, True, True]),
    "all normal": units(6, [0, 0, 1, 1, 2, 0], [False] * 6),
    "all different": units(4, [0, 1, 2, 3], [True, False, True, False]),
}


def naive_targets(texts, regions, abnormal, power=1):
    """Equation 4, a pair at a time."""
    count = len(texts)
    rows = []
    for u in range(count):
        mass = []
        for k in range(count):
            if u == k or (regions[u] == regions[k] and not abnormal[u] and not abnormal[k]):
                mass.append(1.0)
            elif regions[u] == regions[k]:
                mass.append(min(1.0, max(0.0, (texts[u] @ texts[k]).item())) ** power)
            else:
                mass.append(0.0)
        rows.append([value / sum(mass) for value in mass])
    return torch.tensor(rows, dtype=texts.dtype)


def naive_loss(visual, texts, targets, scale):
    """Equations 3 and 5, a unit at a time."""
    count, total = len(texts), 0
    for u in range(count):
        for queries, candidates in ((visual, texts), (texts, visual)):
            powers = [(queries[u] @ candidates[k] * scale).exp() for k in range(count)]
            for k in range(count):
                total = total - targets[u, k] * (powers[k] / sum(powers)).log()
    return total / (2 * count)


@pytest.mark.parametrize("power", [1, 0.5, 6])
@pytest.mark.parametrize("name", BATCHES)
def test_targets_equal_the_loop(name, power):
    _, texts, *labels = BATCHES[name]
    found = soft_targets(texts, *labels, power=power)
    torch.testing.assert_close(found, naive_targets(texts, *labels, power), rtol=0, atol=1e-12)
    assert not found.requires_grad
    assert torch.allclose(found.sum(dim=1), torch.ones(len(texts), dtype=found.dtype))


def test_a_power_leaves_an_abnormal_unit_its_own_mass():
    _, texts, *labels = BATCHES["one anatomy only"]
    own = [soft_targets(texts, *labels, power=power).diagonal() for power in (1, 6, 200)]
    abnormal = labels[1]
    assert (own[0][abnormal] < own[1][abnormal]).all()
    torch.testing.assert_close(own[2][abnormal], torch.ones_like(own[2][abnormal]))
    with pytest.raises(ValueError, match="power 0 must be above 0"):
        soft_targets(texts, *labels, power=0)


@pytest.mark.parametrize("name", [name for name in BATCHES if name != "more units than a block"])
def test_loss_equals_the_loop_in_value_and_gradient(name):
    visual, texts, *labels = BATCHES[name]
    targets = soft_targets(texts, *labels)
    scale = torch.tensor(6.0, dtype=torch.float64, requires_grad=True)
    ours = fine_grained_loss(visual, texts, targets, scale)
    theirs = naive_loss(visual, texts, targets, scale)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)
    for found, expected in zip(
        *(torch.autograd.grad(3 * loss, (visual, texts, scale)) for loss in (ours, theirs)),
        strict=True,
    ):
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-10)


def test_blocks_do_not_show():
    """150 units are two blocks; torch's own cross-entropy takes them at once."""
    visual, texts, *labels = BATCHES["more units than a block"]
    targets = soft_targets(texts, *labels)
    scale = torch.tensor(20.0, dtype=torch.float64, requires_grad=True)
    logits = scale * visual @ texts.T
    theirs = (cross_entropy(logits, targets) + cross_entropy(logits.T, targets)) / 2
    ours = fine_grained_loss(visual, texts, targets, scale)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)
    inputs = (visual, texts, scale)
    found, expected = (torch.autograd.grad(loss, inputs) for loss in (ours, theirs))
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-10)


def test_float32_is_good_to_a_millionth():
    visual, texts, *labels = BATCHES["random"]
    scale = torch.tensor(14.0, dtype=torch.float64)
    single = [x.detach().float().requires_grad_() for x in (visual, texts)]
    ours = fine_grained_loss(*single, soft_targets(single[1], *labels), scale.float())
    theirs = naive_loss(visual, texts, naive_targets(texts, *labels), scale)
    assert ours.item() == pytest.approx(theirs.item(), abs=1e-6)
    found = torch.autograd.grad(ours, single)
    expected = torch.autograd.grad(theirs, (visual, texts))
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one.double(), other, rtol=0, atol=1e-6)


def test_identity_targets_make_it_info_nce():
    visual, texts, *_ = BATCHES["random"]
    scale = torch.tensor(9.0, dtype=torch.float64)
    loss = fine_grained_loss(visual, texts, torch.eye(len(texts), dtype=torch.float64), scale)
    torch.testing.assert_close(loss, info_nce(visual, texts, scale))


def test_units_of_different_anatomies_have_identity_targets():
    _, texts, *labels = BATCHES["all different"]
    assert torch.equal(soft_targets(texts, *labels), torch.eye(4, dtype=torch.float64))


def test_normal_units_of_one_anatomy_do_not_repel():
    """Two healthy units of one region and equal logits: the loss is the entropy alone."""
    labels = torch.tensor([1, 1]), torch.tensor([False, False])
    found = soft_targets(torch.eye(2, dtype=torch.float64), *labels)
    assert torch.equal(found, torch.full((2, 2), 0.5, dtype=torch.float64))
    visual = torch.eye(2, dtype=torch.float64)[[0, 0]].requires_grad_()
    loss = fine_grained_loss(visual, visual.detach(), found, torch.tensor(5.0))
    assert loss.item() == pytest.approx(math.log(2))
    (gradient,) = torch.autograd.grad(loss, visual)
    assert gradient.abs().max() < 1e-12


def test_a_negative_cosine_has_no_mass_and_the_diagonal_is_whole():
    """Rounding may put a unit's cosine with itself above or below 1; its mass is 1."""
    texts = torch.tensor([[1.0, 0.0], [-0.6, 0.8], [0.6, 0.8]]) * 1.0001
    found = soft_targets(texts, torch.tensor([4, 4, 4]), torch.tensor([True, True, True]))
    mass = torch.tensor([[1.0, 0.0, 0.6], [0.0, 1.0, 0.28], [0.6, 0.28, 1.0]])
    torch.testing.assert_close(found, mass / mass.sum(1, keepdim=True), rtol=0, atol=2e-4)
    assert found[0, 1] == 0


def test_duplicate_sentences_share_their_mass_equally():
    texts = normalize(torch.tensor([[1.0, 2.0], [1.0, 2.0], [2.0, -1.0]]), dim=1)
    found = soft_targets(texts, torch.tensor([4, 4, 4]), torch.tensor([True, True, True]))
    expected = torch.tensor([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-6)


def test_permuting_units_permutes_targets_and_gradients():
    visual, texts, *labels = BATCHES["random"]
    order = torch.randperm(len(texts), generator=torch.Generator().manual_seed(3))
    scale = torch.tensor(6.0, dtype=torch.float64)
    plain = soft_targets(texts, *labels)
    moved = soft_targets(texts[order], *(x[order] for x in labels))
    torch.testing.assert_close(moved, plain[order][:, order], rtol=0, atol=1e-14)
    losses = (
        fine_grained_loss(visual, texts, plain, scale),
        fine_grained_loss(visual[order], texts[order], moved, scale),
    )
    one, other = (torch.autograd.grad(loss, (visual, texts)) for loss in losses)
    torch.testing.assert_close(one, other, rtol=0, atol=1e-13)


def test_half_precision_is_taken_to_single_also_under_autocast():
    visual, texts, *labels = BATCHES["random"]
    low = [x.detach().bfloat16().requires_grad_() for x in (visual, texts)]
    scale = torch.tensor(14.0)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = fine_grained_loss(*low, soft_targets(low[1], *labels), scale)
    full = [x.detach().float() for x in low]
    expected = fine_grained_loss(*full, soft_targets(full[1], *labels), scale)
    assert loss.dtype == torch.float32
    assert torch.equal(loss, expected)
    assert torch.autograd.grad(loss, low)[0].dtype == torch.bfloat16


def test_nan_gives_nan():
    visual, texts, *labels = BATCHES["random"]
    broken = visual.detach().clone()
    broken[0, 0] = torch.nan
    loss = fine_grained_loss(broken, texts, soft_targets(texts, *labels), torch.tensor(1.0))
    assert loss.isnan()


def test_unfit_input_is_named():
    visual, texts, regions, abnormal = BATCHES["all normal"]
    scale = torch.tensor(1.0)
    with pytest.raises(ValueError, match=r"text features \(0, 5\) must be \(M, d\)"):
        soft_targets(texts[:0], regions[:0], abnormal[:0])
    with pytest.raises(ValueError, match=r"regions \(5,\).*integers of shape \(6,\)"):
        soft_targets(texts, regions[1:], abnormal)
    with pytest.raises(ValueError, match=r"abnormal .* must be booleans"):
        soft_targets(texts, regions, abnormal.long())
    targets = soft_targets(texts, regions, abnormal)
    with pytest.raises(ValueError, match=r"visual features \(5, 5\) and text features \(6, 5\)"):
        fine_grained_loss(visual[1:], texts, targets, scale)
    with pytest.raises(ValueError, match=r"targets \(5, 6\) must be \(6, 6\)"):
        fine_grained_loss(visual, texts, targets[1:], scale)
    with pytest.raises(ValueError, match="scalar"):
        fine_grained_loss(visual, texts, targets, torch.ones(1))
