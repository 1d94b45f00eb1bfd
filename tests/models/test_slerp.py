"""Interpolation on the sphere: norm, endpoints, angles, and the places where it is singular."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from torch.nn.functional import normalize

from endoalign.models.slerp import SlerpSettings, lambdas, same_class_partners, slerp

SEEDS = st.integers(0, 2**32 - 1)
SHARES = st.floats(0, 1, width=32)
KINDS = st.sampled_from(["any", "identical", "opposite", "nearly identical", "nearly opposite"])
GAPS = st.floats(1e-9, 1e-2)


def pair(seed, d, kind, gap, dtype=torch.float32):
    generator = torch.Generator().manual_seed(seed)
    one, other = normalize(torch.randn(2, d, generator=generator, dtype=torch.float64), dim=1)
    if kind == "identical":
        other = one
    elif kind == "opposite":
        other = -one
    elif kind != "any":
        sign = 1 if kind == "nearly identical" else -1
        other = normalize(sign * one + gap * other, dim=0)
    return one.to(dtype)[None], other.to(dtype)[None]


def angle(a, b):
    """Angle of unit vectors, well conditioned everywhere."""
    a, b = a.double(), b.double()
    return 2 * torch.atan2((a - b).norm(dim=1), (a + b).norm(dim=1))


@settings(max_examples=120, deadline=None)
@given(SEEDS, st.sampled_from([2, 3, 8, 64, 512]), KINDS, GAPS, SHARES)
def test_unit_norm_and_finite_gradients(seed, d, kind, gap, share):
    first, second = (one.requires_grad_() for one in pair(seed, d, kind, gap))
    weight = torch.tensor([share]).requires_grad_()
    found = slerp(first, second, weight)
    assert abs(float(found.detach().double().norm()) - 1) <= 1e-6
    (found * torch.linspace(-1, 1, d)).sum().backward()
    for value in (first, second, weight):
        assert value.grad is not None
        assert torch.isfinite(value.grad).all()


@settings(max_examples=80, deadline=None)
@given(SEEDS, st.sampled_from([2, 8, 128]), KINDS, GAPS, SHARES)
def test_angle_is_proportional_to_lambda(seed, d, kind, gap, share):
    first, second = pair(seed, d, kind, gap)
    found = slerp(first, second, torch.tensor([share]))
    whole = float(angle(first, second))
    assert float(angle(first, found)) == pytest.approx(share * whole, abs=3e-6)
    assert float(angle(found, second)) == pytest.approx((1 - share) * whole, abs=3e-6)


@settings(max_examples=80, deadline=None)
@given(SEEDS, st.sampled_from([2, 8, 128]), KINDS, GAPS)
def test_endpoints(seed, d, kind, gap):
    first, second = pair(seed, d, kind, gap)
    torch.testing.assert_close(slerp(first, second, torch.zeros(1)), first, rtol=0, atol=2e-6)
    torch.testing.assert_close(slerp(first, second, torch.ones(1)), second, rtol=0, atol=2e-6)


def test_equals_the_papers_equation():
    generator = torch.Generator().manual_seed(0)
    first, second = (
        normalize(torch.randn(50, 16, generator=generator, dtype=torch.float64), dim=1)
        for _ in range(2)
    )
    weight = torch.rand(50, generator=generator, dtype=torch.float64)
    theta = torch.arccos((first * second).sum(dim=1))
    one, other = torch.sin((1 - weight) * theta), torch.sin(weight * theta)
    expected = (one / torch.sin(theta))[:, None] * first
    expected += (other / torch.sin(theta))[:, None] * second
    torch.testing.assert_close(slerp(first, second, weight), expected, rtol=0, atol=1e-12)


def test_gradients_are_those_of_the_papers_equation():
    generator = torch.Generator().manual_seed(1)
    first, second = (
        normalize(
            torch.randn(4, 5, generator=generator, dtype=torch.float64), dim=1
        ).requires_grad_()
        for _ in range(2)
    )
    weight = torch.rand(4, generator=generator, dtype=torch.float64).requires_grad_()
    assert torch.autograd.gradcheck(slerp, (first, second, weight))


def test_all_rows_at_once_are_the_rows_one_by_one():
    kinds = ["any", "identical", "opposite", "nearly identical", "nearly opposite"]
    pairs = [pair(n, 6, kind, 1e-5) for n, kind in enumerate(kinds)]
    first, second = (torch.cat(part) for part in zip(*pairs, strict=True))
    weight = torch.linspace(0.1, 0.9, len(kinds))
    together = slerp(first, second, weight)
    for n in range(len(kinds)):
        alone = slerp(first[n : n + 1], second[n : n + 1], weight[n : n + 1])
        torch.testing.assert_close(together[n : n + 1], alone, rtol=0, atol=1e-6)


def test_halfway_between_opposites_is_at_a_right_angle():
    first = normalize(torch.tensor([[3.0, 0.0, -1.0]]), dim=1)
    found = slerp(first, -first, torch.tensor([0.5]))
    assert float((found * first).sum()) == pytest.approx(0, abs=1e-6)
    torch.testing.assert_close(found, torch.tensor([[0.0, 1.0, 0.0]]), rtol=0, atol=1e-6)


def test_half_precision_is_taken_to_float32():
    first, second = pair(0, 8, "any", 0, torch.bfloat16)
    found = slerp(first, second, torch.tensor([0.3], dtype=torch.bfloat16))
    assert found.dtype == torch.float32
    assert abs(float(found.norm()) - 1) <= 1e-6


def test_no_rows():
    assert slerp(torch.zeros(0, 4), torch.zeros(0, 4), torch.zeros(0)).shape == (0, 4)


@pytest.mark.parametrize(
    "shapes",
    [((2, 3), (2, 4), (2,)), ((2, 3), (2, 3), (3,)), ((3,), (3,), (1,)), ((2, 1),) * 2 + ((2,),)],
)
def test_shapes_that_do_not_fit(shapes):
    with pytest.raises(ValueError, match="equal \\(n, d\\)"):
        slerp(*(torch.zeros(shape) for shape in shapes))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=30), SEEDS)
def test_partners_are_other_rows_of_the_same_class(labels, seed):
    given_labels = torch.tensor(labels)
    chances = torch.rand(len(labels), generator=torch.Generator().manual_seed(seed))
    found = same_class_partners(given_labels, chances).tolist()
    for row, partner in enumerate(found):
        others = [i for i, label in enumerate(labels) if label == labels[row] and i != row]
        expected = (
            others[min(int(float(chances[row]) * len(others)), len(others) - 1)] if others else row
        )
        assert partner == expected


def test_every_other_row_of_a_class_is_taken_equally_often():
    n = 20_000
    labels = torch.tensor([0, 1, 0, 0, 1, 0])
    chances = torch.rand(n, generator=torch.Generator().manual_seed(0))
    found = [int(same_class_partners(labels, chances[k].expand(6))[2]) for k in range(2000)]
    counts = np.bincount(found, minlength=6)
    assert counts[[1, 2, 4]].sum() == 0
    assert stats.chisquare(counts[[0, 3, 5]]).pvalue > 1e-3


@pytest.mark.parametrize(
    ("beta", "low", "high"), [(1.0, 0.0, 1.0), (0.4, 0.0, 1.0), (2.0, 0.2, 0.6)]
)
def test_lambdas_have_the_distribution_asked_for(beta, low, high):
    chances = torch.rand(4000, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    found = lambdas(chances, SlerpSettings(slerp_beta=beta, slerp_low=low, slerp_high=high))
    assert low <= float(found.min()) and float(found.max()) <= high
    scaled = (found.double().numpy() - low) / (high - low)
    assert stats.kstest(scaled, stats.beta(beta, beta).cdf).pvalue > 1e-3


def test_one_lambda_for_all():
    given_settings = SlerpSettings(slerp_low=0.5, slerp_high=0.5)
    assert lambdas(torch.rand(5), given_settings).tolist() == [0.5] * 5


def test_bounds_must_rise():
    with pytest.raises(ValueError, match="exchange them"):
        SlerpSettings(slerp_low=0.6, slerp_high=0.5)


def test_pi_is_half_a_turn():
    """The angle of opposites is pi, not something beside it."""
    first = torch.eye(3)[:1].double()
    found = slerp(first, -first, torch.tensor([0.25], dtype=torch.float64))
    assert float((found * first).sum()) == pytest.approx(math.cos(math.pi / 4))
