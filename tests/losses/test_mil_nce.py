import math

import pytest
import torch

from endoalign.losses.mil_nce import mil_nce

BAG = [0, 1, 1, 2, 0, 1, 3]


def features(n, m, d=5):
    generator = torch.Generator().manual_seed(1)
    texts = torch.randn(n, d, generator=generator, dtype=torch.float64)
    images = torch.randn(m, d, generator=generator, dtype=torch.float64)
    return torch.nn.functional.normalize(texts, dim=1), torch.nn.functional.normalize(images, dim=1)


def naive(texts, images, bag, scale):
    """Equation (1) of the paper, pair by pair."""
    value = [[math.exp(scale * float(t @ i)) for i in images] for t in texts]
    loss = 0.0
    for i in range(len(texts)):
        positive = sum(value[i][j] for j in range(len(images)) if bag[j] == i)
        negative = 0.0
        for k in range(len(texts)):
            for j in range(len(images)):
                other_image = k == i and bag[j] != i
                other_text = k != i and bag[j] == i
                negative += value[k][j] if other_image or other_text else 0.0
        loss -= math.log(positive / (positive + negative))
    return loss / len(texts)


@pytest.mark.parametrize("bag", [BAG, [0], [0, 0, 0], [1, 0], [2, 1, 0]])
def test_equals_the_loop(bag):
    texts, images = features(max(bag) + 1, len(bag))
    loss = mil_nce(texts, images, torch.tensor(bag), torch.tensor(6.0).double())
    assert loss.item() == pytest.approx(naive(texts, images, bag, 6.0), abs=1e-12)


def test_a_single_text_costs_nothing():
    texts, images = features(1, 3)
    scale = torch.tensor(100.0).double()
    assert mil_nce(texts, images, torch.zeros(3, dtype=torch.int64), scale).item() == 0.0


def test_one_good_image_is_enough():
    texts = torch.eye(2)
    images = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    bag, scale = torch.tensor([0, 1, 1]), torch.tensor(100.0)
    assert mil_nce(texts, images, bag, scale).item() == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("bag", [BAG, [0, 0, 0]])
def test_gradients(bag):
    texts, images = (f.requires_grad_() for f in features(max(bag) + 1, len(bag), 3))
    scale = torch.tensor(2.0).double().requires_grad_()
    index = torch.tensor(bag)
    assert torch.autograd.gradcheck(lambda t, i, s: mil_nce(t, i, index, s), (texts, images, scale))


def test_finite_at_the_largest_scale_and_nan_gives_nan():
    texts = torch.eye(3).requires_grad_()
    images = -torch.eye(3)
    bag, scale = torch.arange(3), torch.tensor(100.0)
    loss = mil_nce(texts, images, bag, scale)
    loss.backward()
    assert torch.isfinite(loss) and torch.isfinite(texts.grad).all()
    images[0, 0] = float("nan")
    assert mil_nce(texts, images, bag, scale).isnan()


@pytest.mark.parametrize(
    ("texts", "images", "bag", "match"),
    [
        ((2, 3), (2, 4), [0, 1], r"\(2, 3\) and image features \(2, 4\)"),
        ((2, 3), (3, 3), [0, 1], r"bag \(2,\).*shape \(3,\)"),
        ((2, 3), (2, 3), [0.0, 1.0], "must be integers"),
        ((2, 3), (2, 3), [0, 2], "texts 0 to 1"),
        ((2, 3), (2, 3), [-1, 0], "holds -1 to 0"),
        ((3, 3), (2, 3), [0, 2], r"texts \[1\] have no image"),
        ((0, 3), (0, 3), [], "at least one of each"),
    ],
)
def test_bad_input_is_named(texts, images, bag, match):
    index = torch.tensor(bag) if bag else torch.zeros(0, dtype=torch.int64)
    with pytest.raises(ValueError, match=match):
        mil_nce(torch.zeros(texts), torch.zeros(images), index, torch.tensor(1.0))
