"""MIL-NCE: InfoNCE where the match of a text is one of a bag of images, which one is unknown."""

import torch
from torch import Tensor

from endoalign.losses.info_nce import check_logit_scale, scaled_similarity


def mil_nce(
    text_features: Tensor, image_features: Tensor, bag: Tensor, logit_scale: Tensor
) -> Tensor:
    r"""Mean over texts of the MIL-NCE loss (Miech et al. 2020, arXiv 1912.06430, equation 1).

    With :math:`s_{ij}` the scaled similarity of text i and image j, and :math:`B_i` the images of
    text i's bag:

    .. math::
        L_i = -\log \frac{\sum_{j \in B_i} e^{s_{ij}}}
            {\sum_j e^{s_{ij}} + \sum_{j \in B_i} \sum_{k \ne i} e^{s_{kj}}}

    The positives of a text are all images of its bag, summed before the logarithm, so that one good
    image is enough. Its negatives are the images of other bags, and its own images with the other
    texts. Each positive counts once in the denominator, as in the equation. With one image a bag
    this is InfoNCE with both directions in one denominator.

    Args:
        text_features: (n, d), unit norm.
        image_features: (m, d), unit norm.
        bag: (m,) integers, the text to whose bag each image belongs.
        logit_scale: scalar, the inverse temperature itself (already exponentiated).

    Returns:
        Scalar loss, 0 for a single text. A NaN in the features raises no error but gives NaN.

    Raises:
        ValueError: shapes do not fit, ``bag`` points outside the texts, or a bag is empty.
    """
    _check(text_features, image_features, bag, logit_scale)
    logits = scaled_similarity(text_features, image_features, logit_scale)
    texts = torch.arange(len(text_features), device=logits.device)
    is_positive = texts[:, None] == bag[None, :]
    # Finite and yet below any logit: the logarithm of an empty sum then has a gradient, which is 0.
    nothing = torch.finfo(logits.dtype).min / 2
    positives = logits.masked_fill(~is_positive, nothing).logsumexp(dim=1)
    other_texts = logits.masked_fill(is_positive, nothing).logsumexp(dim=0)
    own_images = other_texts.expand_as(logits).masked_fill(~is_positive, nothing).logsumexp(dim=1)
    total = torch.logaddexp(logits.logsumexp(dim=1), own_images)
    return (total - positives).mean()


def _check(texts: Tensor, images: Tensor, bag: Tensor, logit_scale: Tensor) -> None:
    if texts.ndim != 2 or images.ndim != 2 or texts.shape[1] != images.shape[1]:
        raise ValueError(
            f"text features {tuple(texts.shape)} and image features {tuple(images.shape)} "
            "must be (n, d) and (m, d)"
        )
    if bag.shape != (len(images),) or bag.is_floating_point():
        raise ValueError(
            f"bag {tuple(bag.shape)} {bag.dtype} must be integers of shape ({len(images)},)"
        )
    if len(texts) == 0 or len(images) == 0:
        raise ValueError(f"{len(texts)} texts and {len(images)} images: at least one of each")
    check_logit_scale(logit_scale)
    if int(bag.min()) < 0 or int(bag.max()) >= len(texts):
        raise ValueError(
            f"bag holds {int(bag.min())} to {int(bag.max())}; it must point at texts 0 to "
            f"{len(texts) - 1}"
        )
    empty = (torch.bincount(bag, minlength=len(texts)) == 0).nonzero().flatten().tolist()
    if empty:
        raise ValueError(f"texts {empty} have no image in their bags; each needs at least one")
