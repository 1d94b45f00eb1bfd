"""Overlap of predicted and true masks."""

import numpy as np
import numpy.typing as npt


def dice_per_image(
    probability: npt.NDArray[np.floating],
    truth: npt.NDArray[np.bool_],
    threshold: float = 0.5,
) -> npt.NDArray[np.float64]:
    """Dice coefficient of each image at a fixed threshold ("Dice@0.5" where it is 0.5).

    ``2 |P & T| / (|P| + |T|)`` with P the pixels whose probability exceeds ``threshold``. Where
    both masks are empty the prediction is perfect: 1. Where one alone is empty: 0.

    Args:
        probability: (N, H, W), 0 to 1.
        truth: (N, H, W) bool.

    Returns:
        (N,) values between 0 and 1.

    Raises:
        ValueError: shapes differ or are not (N, H, W), a probability is NaN or outside 0 to 1.
        TypeError: ``truth`` is not bool.
    """
    if probability.ndim != 3 or probability.shape != truth.shape:
        raise ValueError(
            f"probability {probability.shape} and truth {truth.shape} must be equal (N, H, W)"
        )
    if truth.dtype != np.bool_:
        raise TypeError(f"truth must be bool, not {truth.dtype}; binarise it first")
    if probability.size and not bool(((probability >= 0.0) & (probability <= 1.0)).all()):
        raise ValueError("probability must lie in 0 to 1 without NaN")
    predicted = probability > threshold
    overlap = (predicted & truth).sum(axis=(1, 2), dtype=np.float64)
    total = predicted.sum(axis=(1, 2), dtype=np.float64) + truth.sum(axis=(1, 2), dtype=np.float64)
    return np.where(total > 0.0, 2.0 * overlap / np.maximum(total, 1.0), 1.0)
