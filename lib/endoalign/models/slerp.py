"""Spherical interpolation of features of one class (ENT-CLIP, section 3.5, equation 9)."""

from typing import Final

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field, model_validator
from scipy.special import betaincinv
from torch import Tensor
from torch.nn.functional import normalize, one_hot

PARALLEL: Final = 1e-3
"""Sine of the angle below which an arc and its chord are the same to 1e-7 of the angle."""
_HALF: Final = (torch.float16, torch.bfloat16)


class SlerpSettings(BaseModel):
    """How the place between two features is drawn; the paper gives no distribution."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    slerp_beta: float = Field(
        1.0, gt=0, description="lambda is drawn from Beta(b, b) of this b; 1 is uniform"
    )
    slerp_low: float = Field(0.0, ge=0, le=1, description="the draw's 0 becomes this lambda")
    slerp_high: float = Field(1.0, ge=0, le=1, description="the draw's 1 becomes this lambda")

    @model_validator(mode="after")
    def _bounds_rise(self) -> "SlerpSettings":
        if self.slerp_low > self.slerp_high:
            raise ValueError(
                f"slerp_low {self.slerp_low} is above slerp_high {self.slerp_high}; exchange them"
            )
        return self


def slerp(first: Tensor, second: Tensor, weight: Tensor) -> Tensor:
    r"""Points on the great circles from ``first`` to ``second``, at ``weight`` of the angle.

    With :math:`\theta` the angle between them, equation 9 is

    .. math::
        f(\lambda) = \frac{\sin((1 - \lambda)\theta)}{\sin\theta} f_1
            + \frac{\sin(\lambda\theta)}{\sin\theta} f_2
            = \cos(\lambda\theta) f_1 + \sin(\lambda\theta) u

    with :math:`u` the direction from :math:`f_1` towards :math:`f_2` at a right angle to
    :math:`f_1`. The right side is computed: its terms stay bounded where :math:`\sin\theta`
    vanishes. Nearly parallel features are interpolated along the chord and brought back to unit
    norm. From a feature to its opposite every great circle is a shortest way; the one through the
    coordinate axis farthest from the feature is taken. Values and gradients are finite everywhere.

    Args:
        first, second: (n, d) with d of at least 2, brought to unit norm here.
        weight: (n,) lambda, 0 gives ``first``, 1 gives ``second``.

    Returns:
        (n, d) of unit norm; half precision becomes float32.

    Raises:
        ValueError: shapes do not fit.
    """
    _check(first, second, weight)
    start, end = normalize(_full(first), dim=1), normalize(_full(second), dim=1)
    share = weight.to(start.dtype)[:, None]
    cosine = (start * end).sum(dim=1, keepdim=True)
    across = end - cosine * start
    sine = across.detach().norm(dim=1, keepdim=True)
    opposite = (sine < 8 * torch.finfo(start.dtype).eps) & (cosine < 0)
    parallel = (sine < PARALLEL) & (cosine > 0)
    # Each way gets harmless input where another is taken: a NaN behind `where` has a gradient.
    across = torch.where(opposite | parallel, _farthest_axis(start), across)
    towards = normalize(_right_angle(normalize(across, dim=1), start), dim=1)
    angle = torch.atan2((towards * end).sum(dim=1, keepdim=True), cosine)
    angle = torch.where(opposite, torch.pi, torch.where(parallel, 0.0, angle))
    arc = torch.cos(share * angle) * start + torch.sin(share * angle) * towards
    chord = normalize(start + share * torch.where(parallel, end - start, 0.0), dim=1)
    return torch.where(parallel, chord, normalize(arc, dim=1))


def same_class_partners(labels: Tensor, chances: Tensor) -> Tensor:
    """A partner of the same class for each row, another row where there is one: (n,) places.

    Args:
        labels: (n,) integers.
        chances: (n,) in [0, 1); row i takes its class's row at this share of the others.
    """
    others = (labels[:, None] == labels[None, :]).long()
    others.fill_diagonal_(0)
    count = others.sum(dim=1)
    wanted = (chances.to(labels.device) * count).long().clamp(max=count - 1) + 1
    place = (others.cumsum(dim=1) == wanted[:, None]).long().argmax(dim=1)
    return torch.where(count > 0, place, torch.arange(len(labels), device=labels.device))


def lambdas(chances: Tensor, settings: SlerpSettings) -> Tensor:
    """Lambda for each uniform number in [0, 1): (n,) float32."""
    draw = betaincinv(settings.slerp_beta, settings.slerp_beta, chances.double().cpu().numpy())
    span = settings.slerp_high - settings.slerp_low
    return torch.from_numpy(np.asarray(settings.slerp_low + span * draw)).float().to(chances.device)


def _right_angle(vectors: Tensor, axes: Tensor) -> Tensor:
    """The part of each vector at a right angle to its axis, both of unit norm: (n, d)."""
    return vectors - (vectors * axes).sum(dim=1, keepdim=True) * axes


def _farthest_axis(directions: Tensor) -> Tensor:
    """The coordinate axis nearest to a right angle with each direction, at a right angle to it."""
    place = directions.detach().abs().argmin(dim=1)
    axis = one_hot(place, directions.shape[1]).to(directions.dtype)
    return _right_angle(axis, directions)


def _check(first: Tensor, second: Tensor, weight: Tensor) -> None:
    one, two = tuple(first.shape), tuple(second.shape)
    if len(one) != 2 or one != two or one[1] < 2 or weight.shape != one[:1]:
        raise ValueError(
            f"features {one} and {two} must be equal (n, d) with d of at least 2, and weight "
            f"{tuple(weight.shape)} (n,)"
        )


def _full(value: Tensor) -> Tensor:
    return value.float() if value.dtype in _HALF else value
