"""Grad-CAM of an ENT-CLIP model: where in a picture a class score or a text score comes from.

ENT-CLIP, section 6.4 and figure 3. The layer is the normalisation before the last block's
attention: behind that block only the CLS token counts, so that no gradient reaches the patches.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from captum.attr import LayerGradCam  # type: ignore[import-untyped]
from torch import Tensor, nn
from torch.nn.functional import interpolate

from endoalign.models.ent_clip import EntClip
from endoalign.models.lora import vision_transformer


class _Swap(nn.Module):
    """(n, tokens, width) to (n, width, tokens) or back: Grad-CAM wants channels second."""

    def forward(self, tokens: Tensor) -> Tensor:
        return tokens.transpose(1, 2)


def class_relevance(model: EntClip, pictures: Tensor, classes: Tensor) -> Tensor:
    """Grad-CAM of the classifier's logit of a class.

    Args:
        model: with a vision transformer of OpenCLIP's own.
        pictures: (n, 3, S, S), 0 to 255.
        classes: (n,) class ids.

    Returns:
        (n, S, S) from 0 (nothing) to 1 (most) in each picture, on the CPU; all 0 where nothing
        speaks for it.

    Raises:
        ValueError: the image tower is of another kind.
    """

    def score(images: Tensor) -> Tensor:
        logits: Tensor = model(images)["classes"]
        return logits.gather(1, classes.to(logits.device)[:, None])[:, 0]

    return _grad_cam(model, pictures, score)


def text_relevance(model: EntClip, pictures: Tensor, texts: Tensor) -> Tensor:
    """Grad-CAM of the cosine of each picture with a text; ``texts`` is (n, d) of unit norm.

    Returns and raises as `class_relevance`.
    """

    def score(images: Tensor) -> Tensor:
        found: Tensor = model(images)["retrieval"]
        return (found * texts.to(found.device)).sum(dim=1)

    return _grad_cam(model, pictures, score)


def _grad_cam(model: EntClip, pictures: Tensor, score: Callable[[Tensor], Tensor]) -> Tensor:
    training, side = model.training, pictures.shape[-1]
    model.eval()
    try:
        with _channels_second(model) as layer:
            images = pictures.to(model.mean.device).float().requires_grad_(True)
            maps = LayerGradCam(score, layer).attribute(images, relu_attributions=True)
    finally:
        model.train(training)
    grid = vision_transformer(model.encoder).grid_size
    patches = maps.detach().cpu()[:, 0, -grid[0] * grid[1] :].reshape(-1, 1, *grid)
    whole = interpolate(patches, size=(side, side), mode="bicubic").clamp(min=0)[:, 0]
    highest = whole.amax(dim=(1, 2), keepdim=True)
    return torch.where(highest > 0, whole / highest.clamp(min=1e-12), 0.0)


@contextmanager
def _channels_second(model: EntClip) -> Iterator[nn.Module]:
    """A layer whose output is (n, width, tokens), put in before the last block's attention."""
    block = vision_transformer(model.encoder).transformer.resblocks[-1]
    plain, probe = block.ln_1, nn.Identity()
    block.ln_1 = nn.Sequential(plain, _Swap(), probe, _Swap())
    try:
        yield probe
    finally:
        block.ln_1 = plain
