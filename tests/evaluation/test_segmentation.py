import numpy as np
import pytest

from endoalign.evaluation.segmentation import dice_per_image


def _naive(probability, truth, threshold):
    scores = []
    for image, mask in zip(probability, truth, strict=True):
        both = predicted = true = 0
        for p, t in zip(image.ravel(), mask.ravel(), strict=True):
            predicted += int(p > threshold)
            true += int(t)
            both += int(p > threshold and t)
        scores.append(1.0 if predicted + true == 0 else 2 * both / (predicted + true))
    return scores


@pytest.mark.parametrize("threshold", [0.5, 0.2])
def test_dice_against_a_naive_loop(threshold):
    rng = np.random.default_rng(0)
    probability = rng.random((5, 7, 6))
    truth = rng.random((5, 7, 6)) < 0.3
    expected = _naive(probability, truth, threshold)
    assert dice_per_image(probability, truth, threshold) == pytest.approx(expected)


def test_empty_masks():
    blank, full = np.zeros((1, 2, 2)), np.ones((1, 2, 2))
    nothing, everything = np.zeros((1, 2, 2), bool), np.ones((1, 2, 2), bool)
    assert dice_per_image(blank, nothing).tolist() == [1.0]
    assert dice_per_image(full, nothing).tolist() == [0.0]
    assert dice_per_image(blank, everything).tolist() == [0.0]
    assert dice_per_image(full, everything).tolist() == [1.0]


def test_the_threshold_itself_does_not_count():
    half = np.full((1, 1, 2), 0.5)
    assert dice_per_image(half, np.zeros((1, 1, 2), bool)).tolist() == [1.0]


def test_no_images():
    assert dice_per_image(np.zeros((0, 4, 4)), np.zeros((0, 4, 4), bool)).shape == (0,)


@pytest.mark.parametrize(
    "probability, truth, error, words",
    [
        (np.zeros((1, 2, 2)), np.zeros((1, 2, 3), bool), ValueError, "must be equal"),
        (np.zeros((2, 2)), np.zeros((2, 2), bool), ValueError, r"\(N, H, W\)"),
        (np.zeros((1, 2, 2)), np.zeros((1, 2, 2), np.uint8), TypeError, "binarise"),
        (np.full((1, 2, 2), np.nan), np.zeros((1, 2, 2), bool), ValueError, "NaN"),
        (np.full((1, 2, 2), 1.5), np.zeros((1, 2, 2), bool), ValueError, "0 to 1"),
    ],
)
def test_bad_input_is_named(probability, truth, error, words):
    with pytest.raises(error, match=words):
        dice_per_image(probability, truth)
