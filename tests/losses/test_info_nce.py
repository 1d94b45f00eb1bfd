import math

import pytest
import torch
from open_clip.loss import ClipLoss

from endoalign.losses.info_nce import info_nce, same_text_targets


def features(n, d=6, seed=0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    pair = torch.randn(2, n, d, generator=generator, dtype=dtype)
    return torch.nn.functional.normalize(pair, dim=-1).unbind()


def scalar(value, dtype=torch.float64):
    return torch.tensor(value, dtype=dtype)


def naive(images, texts, scale, targets):
    """Equation (1) term by term, the positives weighted by ``targets``."""
    n = len(images)
    s = [[scale * sum(a * b for a, b in zip(i, t, strict=True)) for t in texts] for i in images]
    loss = 0.0
    for k in range(n):
        column = sum(targets[i][k] for i in range(n))
        for j in range(n):
            to_text = math.exp(s[k][j]) / sum(math.exp(s[k][m]) for m in range(n))
            to_image = math.exp(s[j][k]) / sum(math.exp(s[m][k]) for m in range(n))
            loss -= targets[k][j] * math.log(to_text)
            if column:
                loss -= targets[j][k] / column * math.log(to_image)
    return loss / (2 * n)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_equals_the_equation_term_by_term(n):
    images, texts = features(n)
    loss = info_nce(images, texts, scalar(5.0))
    identity = torch.eye(n).tolist()
    assert loss.item() == pytest.approx(
        naive(images.tolist(), texts.tolist(), 5.0, identity), abs=1e-12
    )


@pytest.mark.parametrize("ids", [[0, 1, 0, 2, 0], [4, 4, 9, 9, 9], [7] * 5])
def test_same_text_equals_the_loop(ids):
    images, texts = features(len(ids))
    targets = same_text_targets(torch.tensor(ids))
    expected = [[(a == b) / ids.count(a) for b in ids] for a in ids]
    torch.testing.assert_close(targets, torch.tensor(expected))
    loss = info_nce(images, texts, scalar(3.0), targets=targets.double())
    assert loss.item() == pytest.approx(
        naive(images.tolist(), texts.tolist(), 3.0, targets.tolist()), abs=1e-7
    )


def test_any_targets_are_normalised_by_column_for_the_texts():
    images, texts = features(3)
    targets = torch.tensor([[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.25, 0.75, 0.0]]).double()
    loss = info_nce(images, texts, scalar(2.0), targets=targets)
    expected = naive(images.tolist(), texts.tolist(), 2.0, targets.tolist())
    assert loss.item() == pytest.approx(expected, abs=1e-12)


def test_equals_open_clip():
    images, texts = features(16, 32, dtype=torch.float32)
    scale = scalar(14.3, torch.float32)
    torch.testing.assert_close(
        info_nce(images, texts, scale), ClipLoss()(images, texts, scale), rtol=0, atol=1e-6
    )


def test_without_repetition_same_text_is_the_identity():
    images, texts = features(6)
    targets = same_text_targets(torch.tensor([3, 1, 9, 0, 5, 2]))
    assert torch.equal(targets, torch.eye(6))
    torch.testing.assert_close(
        info_nce(images, texts, scalar(8.0), targets=targets), info_nce(images, texts, scalar(8.0))
    )


def test_equal_texts_cost_log_n_with_equal_images():
    n = 8
    one = torch.ones(n, 1, dtype=torch.float64)
    targets = same_text_targets(torch.zeros(n, dtype=torch.int64))
    loss = info_nce(one, one, scalar(50.0), targets=targets)
    assert loss.item() == pytest.approx(math.log(n), abs=1e-12)


def test_equal_texts_in_closed_form():
    # All texts equal: images see n equal logits, log n. A text spreads its mass over all images:
    # the cross-entropy of a uniform target is logsumexp minus the mean logit.
    images, texts = features(5)
    texts = texts[:1].expand(5, -1)
    targets = same_text_targets(torch.zeros(5, dtype=torch.int64))
    logits = 4.0 * images @ texts[0]
    expected = (math.log(5) + torch.logsumexp(logits, 0) - logits.mean()) / 2
    torch.testing.assert_close(info_nce(images, texts, scalar(4.0), targets=targets), expected)


def test_a_single_pair_costs_nothing():
    images, texts = features(1)
    assert info_nce(images, texts, scalar(100.0)).item() == 0.0


@pytest.mark.parametrize("shared", [False, True])
def test_gradients(shared):
    images, texts = (f.requires_grad_() for f in features(4, 3))
    targets = same_text_targets(torch.tensor([0, 1, 1, 0])) if shared else None
    scale = scalar(2.0).requires_grad_()
    assert torch.autograd.gradcheck(
        lambda i, t, s: info_nce(i, t, s, targets=targets), (images, texts, scale)
    )


@pytest.mark.parametrize("scale", [0.0, 1.0, 100.0])
def test_finite_on_opposite_pairs(scale):
    images = torch.eye(4).requires_grad_()
    loss = info_nce(images, -torch.eye(4), scalar(scale, torch.float32))
    loss.backward()
    assert torch.isfinite(loss) and torch.isfinite(images.grad).all()


def test_nan_gives_nan():
    images, texts = features(3)
    images[1, 0] = float("nan")
    assert info_nce(images, texts, scalar(1.0)).isnan()


def test_half_precision_is_computed_in_single():
    images, texts = features(8, 16, dtype=torch.float32)
    rounded = images.bfloat16(), texts.bfloat16()
    scale = scalar(100.0, torch.float32)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = info_nce(*rounded, scale)
    torch.testing.assert_close(loss, info_nce(*(f.float() for f in rounded), scale))
    assert loss.dtype == torch.float32


@pytest.mark.parametrize(
    ("images", "texts", "scale", "targets", "match"),
    [
        ((3, 4), (2, 4), (), None, r"\(3, 4\) and text features \(2, 4\)"),
        ((3, 4), (3, 5), (), None, r"\(3, 4\) and text features \(3, 5\)"),
        ((4,), (4,), (), None, r"\(4,\)"),
        ((0, 4), (0, 4), (), None, "at least one"),
        ((3, 4), (3, 4), (1,), None, r"logit_scale \(1,\)"),
        ((3, 4), (3, 4), (), (3, 2), r"targets \(3, 2\) must be \(3, 3\)"),
    ],
)
def test_shapes_are_named(images, texts, scale, targets, match):
    with pytest.raises(ValueError, match=match):
        info_nce(
            torch.zeros(images),
            torch.zeros(texts),
            torch.ones(scale),
            targets=None if targets is None else torch.zeros(targets),
        )


@pytest.mark.parametrize("ids", [torch.zeros(3), torch.zeros(3, 1, dtype=torch.int64)])
def test_text_ids_are_a_vector_of_integers(ids):
    with pytest.raises(ValueError, match=r"integers of shape \(n,\)"):
        same_text_targets(ids)
