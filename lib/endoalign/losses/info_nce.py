"""Symmetric image-text InfoNCE (EndoCLIP, section 4.4.3, equation 1)."""

import torch
from torch import Tensor
from torch.nn import functional

_HALF = (torch.float16, torch.bfloat16)


def info_nce(
    image_features: Tensor,
    text_features: Tensor,
    logit_scale: Tensor,
    *,
    targets: Tensor | None = None,
) -> Tensor:
    r"""Mean cross-entropy of images over texts and of texts over images.

    With similarities :math:`S_{kl}` of image k and text l and temperature
    :math:`\tau` = 1 / ``logit_scale``:

    .. math::
        L = -\frac{1}{2N} \sum_k \Big[\log \frac{e^{S_{kk}/\tau}}{\sum_l e^{S_{kl}/\tau}}
            + \log \frac{e^{S_{kk}/\tau}}{\sum_l e^{S_{lk}/\tau}}\Big]

    Half-precision features are taken to float32 first, also under autocast: at a scale of 100 a
    bfloat16 logit is off by up to a quarter.

    Args:
        image_features: (n, d), unit norm; row k is paired with row k of the texts.
        text_features: (n, d), unit norm.
        logit_scale: scalar, the inverse temperature itself (already exponentiated).
        targets: (n, n), how the target mass of image k is spread over the texts; rows sum to 1.
            Texts use its columns, each brought to a sum of 1. None means the identity, equation 1.
            A text that is no image's target adds nothing.

    Returns:
        Scalar loss, 0 for a single pair. A NaN in the input raises no error but gives NaN.

    Raises:
        ValueError: shapes do not fit, or there is no pair.
    """
    check_pairs(image_features, text_features, logit_scale)
    n = len(image_features)
    logits = scaled_similarity(image_features, text_features, logit_scale)
    if targets is None:
        diagonal = torch.arange(n, device=logits.device)
        to_text, to_image = diagonal, diagonal
    elif targets.shape != (n, n):
        raise ValueError(f"targets {tuple(targets.shape)} must be ({n}, {n}) for {n} pairs")
    else:
        to_text = targets.to(logits.dtype)
        to_image = _rows_to_one(to_text.T)
    return symmetric_cross_entropy(logits, logits.T, to_text, to_image)


def same_text_targets(text_ids: Tensor) -> Tensor:
    """Targets that share the mass equally among the pairs whose text is the same.

    Where texts repeat (the two prompts of stage I), the identity would call equal texts negatives
    of one another. The matrix is symmetric, so it serves both directions.

    Args:
        text_ids: (n,) integers, equal where the texts are equal.

    Returns:
        (n, n) float32, rows sum to 1; the identity where no text repeats.

    Raises:
        ValueError: not a vector of integers.
    """
    check_text_ids(text_ids)
    return shared_mass(text_ids, text_ids)


def shared_mass(queries: Tensor, candidates: Tensor) -> Tensor:
    """(n, m) float32: each query's mass, spread equally over the candidates of its own text id.

    Args:
        queries: (n,) text ids.
        candidates: (m,) text ids.
    """
    return _rows_to_one((queries[:, None] == candidates[None, :]).float())


def scaled_similarity(queries: Tensor, candidates: Tensor, logit_scale: Tensor) -> Tensor:
    """Logits (n, m) of (n, d) and (m, d) features, in float32 where those are of half precision."""
    with torch.autocast(queries.device.type, enabled=False):
        return _full(logit_scale) * (_full(queries) @ _full(candidates).T)


def symmetric_cross_entropy(
    image_logits: Tensor, text_logits: Tensor, to_text: Tensor, to_image: Tensor
) -> Tensor:
    """Mean of both directions' cross-entropy; targets are indices (n,) or masses (n, m)."""
    per_image = functional.cross_entropy(image_logits, to_text)
    per_text = functional.cross_entropy(text_logits, to_image)
    return (per_image + per_text) / 2


def check_pairs(image_features: Tensor, text_features: Tensor, logit_scale: Tensor) -> None:
    """Raise a ValueError that names the shape unless features are equal (n, d) with n >= 1."""
    images, texts = tuple(image_features.shape), tuple(text_features.shape)
    if len(images) != 2 or images != texts:
        raise ValueError(f"image features {images} and text features {texts} must be equal (n, d)")
    if images[0] == 0:
        raise ValueError(f"features {images} hold no pair; a batch needs at least one")
    check_logit_scale(logit_scale)


def check_logit_scale(logit_scale: Tensor) -> None:
    """Raise a ValueError that names the shape unless the logit scale is a scalar."""
    if logit_scale.ndim != 0:
        raise ValueError(f"logit_scale {tuple(logit_scale.shape)} must be a scalar, shape ()")


def check_text_ids(text_ids: Tensor, n: int | None = None) -> None:
    """Raise a ValueError unless text ids are integers of shape (n,); any length where n is None."""
    is_integer = not (text_ids.is_floating_point() or text_ids.is_complex())
    if text_ids.ndim != 1 or not is_integer or (n is not None and len(text_ids) != n):
        wanted = "(n,)" if n is None else f"({n},)"
        raise ValueError(
            f"text_ids {tuple(text_ids.shape)} {text_ids.dtype} must be integers of shape {wanted}"
        )


def _full(value: Tensor) -> Tensor:
    return value.float() if value.dtype in _HALF else value


def _rows_to_one(mass: Tensor) -> Tensor:
    """Rows brought to a sum of 1; a row without mass stays 0."""
    total = mass.sum(dim=1, keepdim=True)
    return mass / torch.where(total > 0, total, torch.ones_like(total))
