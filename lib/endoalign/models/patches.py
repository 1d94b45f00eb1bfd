"""Pictures as patches: cut, put together again, chosen by chance and put back in their places."""

import torch
from torch import Tensor


def cut(images: Tensor, size: int) -> Tensor:
    """Patches of pictures, row by row from the top left.

    Args:
        images: (n, c, H, W), H and W multiples of ``size``.
        size: side of a patch, pixels.

    Returns:
        (n, N, size * size * c) with N = H W / size^2; the channel changes fastest.

    Raises:
        ValueError: the picture does not divide into patches.
    """
    n, c, height, width = images.shape
    if height % size or width % size:
        raise ValueError(f"pictures {tuple(images.shape)} do not divide into patches of {size}")
    rows, columns = height // size, width // size
    parts = images.reshape(n, c, rows, size, columns, size)
    return parts.permute(0, 2, 4, 3, 5, 1).reshape(n, rows * columns, size * size * c)


def join(patches: Tensor, size: int, height: int) -> Tensor:
    """Pictures (n, c, H, W) of height ``height`` from the patches of `cut`."""
    n, count, length = patches.shape
    rows = height // size
    columns, c = count // rows, length // (size * size)
    parts = patches.reshape(n, rows, columns, size, size, c)
    return parts.permute(0, 5, 1, 3, 2, 4).reshape(n, c, height, columns * size)


def visible_patches(chances: Tensor, mask_ratio: float) -> Tensor:
    """Patches that stay visible: those of the lowest chances, in the order of their places.

    Args:
        chances: (n, N) numbers in [0, 1), one a patch.
        mask_ratio: share of the patches to hide, 0.75 in EndoVLM (section 2.4).

    Returns:
        (n, N - hidden) int64, hidden = ``mask_ratio`` N rounded.

    Raises:
        ValueError: no patch would be hidden, or none visible.
    """
    count = chances.shape[1]
    hidden = round(mask_ratio * count)
    if not 0 < hidden < count:
        raise ValueError(
            f"mask_ratio {mask_ratio} hides {hidden} of {count} patches; at least one must be "
            "hidden and one visible"
        )
    kept = chances.argsort(dim=1, stable=True)[:, : count - hidden]
    return kept.sort(dim=1).values


def hidden_mask(visible: Tensor, count: int) -> Tensor:
    """(n, ``count``) booleans, true for the patches that are not among the ``visible`` (n, V)."""
    mask = torch.ones(len(visible), count, dtype=torch.bool, device=visible.device)
    return mask.scatter(1, visible, False)


def put_back(tokens: Tensor, visible: Tensor, filler: Tensor, count: int) -> Tensor:
    """Tokens of visible patches at their own places, ``filler`` in all others.

    Args:
        tokens: (n, V, d), without prefix tokens.
        visible: (n, V) int64, their places.
        filler: (d,).
        count: places N.

    Returns:
        (n, N, d).

    Raises:
        ValueError: there are not as many tokens as places, as when prefix tokens are among them.
    """
    if tokens.shape[:2] != visible.shape:
        raise ValueError(
            f"tokens {tuple(tokens.shape)} and places {tuple(visible.shape)} must be (n, V, d) and "
            "(n, V); prefix tokens have no place"
        )
    n, _, width = tokens.shape
    whole = filler.to(tokens.dtype).expand(n, count, width)
    return whole.scatter(1, visible[:, :, None].expand(-1, -1, width), tokens)
