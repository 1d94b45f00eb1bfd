"""Sparse pooling against a loop over cases, propositions and frames, in value and gradient."""

import math

import pytest
import torch
from torch.nn.functional import normalize

from endoalign.models.agsp import sparse_pooling
from endoalign.models.ragged import Ragged

D = 6
BATCHES = {
    "random": ([5, 2, 7, 3], [3, 1, 4, 2]),
    "one frame": ([1], [1]),
    "fewer frames than K": ([1, 2, 5], [2, 3, 1]),
    "a case without propositions": ([4, 3, 2], [2, 0, 3]),
    "one large case": ([2, 40, 2], [1, 9, 1]),
}


def batch(counts, seed=0, dtype=torch.float64):
    draw = torch.Generator().manual_seed(seed)
    frames, texts = (
        normalize(torch.randn(sum(n), D, generator=draw, dtype=dtype), dim=1) for n in counts
    )
    sets = [Ragged.of_counts(n) for n in counts]
    return texts.requires_grad_(), frames.requires_grad_(), sets[1], sets[0]


def naive(texts, frames, propositions, sets, top_k=3, temperature=0.07, scale=1.0):
    """Equation 1, a proposition at a time; also the chosen frames and their weights."""
    pooled, chosen, weights = [], [], []
    for case in range(len(sets)):
        first, last = sets.offsets[case : case + 2].tolist()
        for j in range(*propositions.offsets[case : case + 2].tolist()):
            relevance = [texts[j] @ frames[k] for k in range(first, last)]
            best = sorted(range(last - first), key=lambda k, r=relevance: -r[k].item())[:top_k]
            powers = [(relevance[k] * scale / temperature).exp() for k in best]
            total = sum(powers)
            weights.append([(power / total).item() for power in powers])
            chosen.append([first + k for k in best])
            parts = zip(powers, best, strict=True)
            pooled.append(sum(power / total * frames[first + k] for power, k in parts))
    return normalize(torch.stack(pooled), dim=1), chosen, weights


def gradients(value, *inputs):
    weights = torch.linspace(-1, 2, value.numel(), dtype=value.dtype).view_as(value)
    return torch.autograd.grad((value * weights).sum(), inputs)


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.parametrize("top_k", [1, 3, 50])
def test_equals_the_loop_in_value_and_gradient(name, top_k):
    given = batch(BATCHES[name])
    pooled = sparse_pooling(*given, top_k=top_k)
    expected, chosen, weights = naive(*given, top_k=top_k)
    torch.testing.assert_close(pooled.features, expected, rtol=0, atol=1e-12)
    for row, (frames, shares) in enumerate(zip(chosen, weights, strict=True)):
        empty = pooled.frames.shape[1] - len(frames)
        assert pooled.frames[row].tolist() == frames + [-1] * empty
        assert pooled.weights[row].tolist() == pytest.approx(shares + [0.0] * empty, abs=1e-12)
    ours, theirs = (gradients(value, *given[:2]) for value in (pooled.features, expected))
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-10)


def test_float32_is_good_to_a_millionth():
    texts, frames, *sets = batch(BATCHES["random"])
    single = [x.detach().float().requires_grad_() for x in (texts, frames)]
    ours = sparse_pooling(*single, *sets).features
    expected, _, _ = naive(texts, frames, *sets)
    torch.testing.assert_close(ours.double(), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("scale", [None, 0.3])
def test_gradcheck_of_texts_frames_and_logit_scale(scale):
    texts, frames, *sets = batch(([4, 1, 3], [2, 1, 2]))
    given = (texts, frames)
    if scale is not None:
        given += (torch.tensor(scale, dtype=torch.float64, requires_grad=True),)

    def features(texts, frames, logit_scale=None):
        return sparse_pooling(texts, frames, *sets, logit_scale=logit_scale).features

    assert torch.autograd.gradcheck(features, given)


def test_the_published_scaling_makes_three_frames_act_like_one():
    texts, frames, *sets = batch(BATCHES["random"])
    scale = torch.tensor(40.0, dtype=torch.float64)
    scaled = sparse_pooling(texts, frames, *sets, logit_scale=scale)
    expected, _, _ = naive(texts, frames, *sets, scale=40.0)
    torch.testing.assert_close(scaled.features, expected, rtol=0, atol=1e-12)
    first = frames[scaled.frames[:, 0]]
    torch.testing.assert_close(scaled.features, first, rtol=0, atol=1e-6)
    paper = sparse_pooling(texts, frames, *sets).features
    assert (paper - first).abs().max() > 0.1


def test_negative_relevance_is_pooled_like_any_other():
    texts, frames, *sets = batch(([3], [1]))
    with torch.no_grad():
        frames.copy_(normalize(-texts + 0.1 * frames, dim=1))
    pooled = sparse_pooling(texts, frames, *sets)
    torch.testing.assert_close(pooled.features, naive(texts, frames, *sets)[0], rtol=0, atol=1e-12)
    assert (texts @ frames.T).max() < 0


def test_equal_frames_share_their_weight():
    texts, frames, *sets = batch(([3], [2]))
    with torch.no_grad():
        frames[:] = frames[0].clone()
    pooled = sparse_pooling(texts, frames, *sets)
    torch.testing.assert_close(pooled.weights, torch.full((2, 3), 1 / 3, dtype=torch.float64))
    torch.testing.assert_close(pooled.features, frames[:2])


def test_permuting_frames_permutes_what_is_chosen():
    texts, frames, propositions, sets = batch(([5, 4], [3, 2]))
    order = torch.tensor([3, 0, 4, 1, 2, 7, 5, 8, 6])  # within each case
    plain = sparse_pooling(texts, frames, propositions, sets)
    moved = sparse_pooling(texts, frames[order], propositions, sets)
    torch.testing.assert_close(moved.features, plain.features, rtol=0, atol=1e-14)
    assert torch.equal(order[moved.frames], plain.frames)


def test_permuting_cases_permutes_the_result():
    texts, frames, _, _ = batch(([5, 2], [3, 1]))
    ahead = sparse_pooling(texts, frames, Ragged.of_counts([3, 1]), Ragged.of_counts([5, 2]))
    turned = [torch.cat([x[n:], x[:n]]) for x, n in ((texts, 3), (frames, 5))]
    behind = sparse_pooling(*turned, Ragged.of_counts([1, 3]), Ragged.of_counts([2, 5]))
    torch.testing.assert_close(behind.features.roll(-1, 0), ahead.features, rtol=0, atol=1e-14)


def test_selected_frames_are_the_union_in_order():
    pooled = sparse_pooling(*batch(([1, 6], [2, 3])), top_k=2)
    used = {k for row in pooled.frames.tolist() for k in row if k >= 0}
    assert pooled.selected().tolist() == sorted(used)
    assert 0 in used and -1 in pooled.frames


def test_frames_that_cancel_give_no_nan():
    texts = torch.tensor([[1.0, 0.0]]).requires_grad_()
    frames = torch.tensor([[0.0, 1.0], [0.0, -1.0]]).requires_grad_()
    pooled = sparse_pooling(texts, frames, Ragged.of_counts([1]), Ragged.of_counts([2]))
    found = torch.autograd.grad(pooled.features.sum(), (texts, frames))
    assert torch.equal(pooled.features, torch.zeros(1, 2))
    assert all(x.isfinite().all() for x in found)


def test_half_precision_is_taken_to_single():
    texts, frames, *sets = batch(BATCHES["random"], dtype=torch.float32)
    low = [x.detach().bfloat16() for x in (texts, frames)]
    found = sparse_pooling(*low, *sets).features
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, naive(*(x.float() for x in low), *sets)[0], rtol=0, atol=1e-6)


def test_a_case_without_frames_is_named():
    texts, frames, *_ = batch(([3, 2], [1, 1]))
    sets = Ragged.of_counts([1, 1]), Ragged.of_counts([5, 0])
    with pytest.raises(ValueError, match=r"cases \[1\] have propositions but no frame"):
        sparse_pooling(texts, frames, *sets)


def test_unfit_input_is_named():
    texts, frames, propositions, sets = batch(([3, 2], [1, 1]))
    with pytest.raises(ValueError, match=r"frames \(4, 6\) must be \(n, d\) with n = 5"):
        sparse_pooling(texts, frames[1:], propositions, sets)
    with pytest.raises(ValueError, match="same cases"):
        sparse_pooling(texts, frames, Ragged.of_counts([2]), sets)
    with pytest.raises(ValueError, match="one length and one type"):
        sparse_pooling(texts.float(), frames, propositions, sets)
    with pytest.raises(ValueError, match="top_k 0 must be at least 1"):
        sparse_pooling(texts, frames, propositions, sets, top_k=0)
    with pytest.raises(ValueError, match="have no proposition"):
        sparse_pooling(texts[:0], frames, Ragged.of_counts([0, 0]), sets)


def test_ragged_sets():
    sets = Ragged.of_counts([2, 0, 3])
    assert (len(sets), sets.total) == (3, 5)
    assert sets.owner.tolist() == [0, 0, 2, 2, 2]
    assert sets.counts.tolist() == [2, 0, 3]
    rows = torch.arange(10.0).view(5, 2)
    with pytest.raises(ValueError, match=r"cases \[1\] are empty"):
        sets.mean(rows)
    found = Ragged.of_counts([2, 3]).mean(rows)
    assert torch.equal(found, torch.stack([rows[:2].mean(0), rows[2:].mean(0)]))
    for counts, told in (([], "at least one case"), ([1, -2], r"cases \[1\] have negative")):
        with pytest.raises(ValueError, match=told):
            Ragged.of_counts(counts)
    assert math.isclose(sets.to(torch.device("cpu")).total, 5)
