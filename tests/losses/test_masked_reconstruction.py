"""The masked pixel loss against a loop over frames, patches and numbers."""

import math

import pytest
import torch

from endoalign.losses.masked_reconstruction import masked_errors, patch_statistics

N, P = 6, 12


def data(frames=4, seed=0, dtype=torch.float64):
    draw = torch.Generator().manual_seed(seed)
    predicted, patches = torch.randn(2, frames, N, P, generator=draw, dtype=dtype)
    hidden = torch.rand(frames, N, generator=draw).argsort(dim=1) < 4
    return predicted.requires_grad_(), patches, hidden


def naive(predicted, patches, hidden, norm_pix_loss):
    errors = []
    for frame in range(len(predicted)):
        per_patch = []
        for place in range(N):
            if not hidden[frame, place]:
                continue
            target = patches[frame, place]
            if norm_pix_loss:
                mean = sum(target) / P
                variance = sum((x - mean) ** 2 for x in target) / (P - 1)
                target = [(x - mean) / math.sqrt(variance + 1e-6) for x in target]
            squares = [(a - b) ** 2 for a, b in zip(predicted[frame, place], target, strict=True)]
            per_patch.append(sum(squares) / P)
        errors.append(sum(per_patch) / len(per_patch))
    return torch.stack(errors)


@pytest.mark.parametrize("norm_pix_loss", [True, False])
@pytest.mark.parametrize("frames", [1, 4])
def test_equals_the_loop_in_value_and_gradient(frames, norm_pix_loss):
    predicted, patches, hidden = data(frames)
    ours = masked_errors(predicted, patches, hidden, norm_pix_loss=norm_pix_loss)
    theirs = naive(predicted, patches, hidden, norm_pix_loss)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)
    found, expected = (torch.autograd.grad(x.mean(), predicted)[0] for x in (ours, theirs))
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)
    assert found[~hidden].abs().max() == 0


def test_permuting_frames_permutes_the_errors():
    given = data()
    order = torch.tensor([2, 0, 3, 1])
    moved = masked_errors(*(x[order] for x in given))
    assert torch.equal(moved, masked_errors(*given)[order])


def test_a_perfect_prediction_has_no_error_in_its_own_units():
    _, patches, hidden = data()
    mean, deviation = patch_statistics(patches)
    assert masked_errors((patches - mean) / deviation, patches, hidden).max() < 1e-25
    assert masked_errors(patches, patches, hidden, norm_pix_loss=False).max() == 0
    assert masked_errors(patches, patches, hidden).min() > 1e-3


def test_a_patch_of_one_colour_has_a_target_of_zero():
    flat = torch.full((1, N, P), 0.7)
    errors = masked_errors(torch.zeros(1, N, P), flat, torch.ones(1, N, dtype=torch.bool))
    assert errors.item() == pytest.approx(0, abs=1e-6)


def test_half_precision_is_taken_to_single():
    predicted, patches, hidden = data(dtype=torch.float32)
    low = predicted.detach().bfloat16().requires_grad_()
    errors = masked_errors(low, patches, hidden)
    assert errors.dtype == torch.float32
    torch.testing.assert_close(errors, masked_errors(low.float(), patches, hidden))


def test_unfit_input_is_named():
    predicted, patches, hidden = data()
    with pytest.raises(ValueError, match=r"predicted \(3, 6, 12\) and patches \(4, 6, 12\)"):
        masked_errors(predicted[1:], patches, hidden)
    with pytest.raises(ValueError, match="at least one frame"):
        masked_errors(predicted[:0], patches[:0], hidden[:0])
    with pytest.raises(ValueError, match=r"is_masked .* must be booleans of shape \(4, 6\)"):
        masked_errors(predicted, patches, hidden.long())
    hidden[2] = False
    with pytest.raises(ValueError, match=r"frames \[2\] have no masked patch"):
        masked_errors(predicted, patches, hidden)
