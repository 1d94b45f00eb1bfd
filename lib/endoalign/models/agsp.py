"""Anatomy-guided sparse pooling (EndoVLM, section 2.2, equation 1) over a ragged batch."""

from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn.functional import embedding_bag

from endoalign.models.ragged import Ragged
from endoalign.models.relevance import padded_relevance

_HALF: Final = (torch.float16, torch.bfloat16)
_LEAST_LENGTH: Final = 1e-12
"""Frames that cancel one another have a mean of 0, which has no direction."""


@dataclass(frozen=True)
class Pooled:
    """What each proposition drew from the frames of its own case.

    Attributes:
        features: (M, d), z of equation 1 brought to unit norm, as the cosines of equation 3 need.
        frames: (M, K) int64, rows of the frames, the most relevant first; -1 in the places that
            a case with fewer than K frames leaves empty.
        weights: (M, K), of those frames, rows sum to 1; 0 in empty places. Without gradient.
    """

    features: Tensor
    frames: Tensor
    weights: Tensor

    def selected(self) -> Tensor:
        """Rows of the frames that any proposition took, each once and in order: (U,) int64."""
        rows: Tensor = torch.unique(self.frames[self.frames >= 0])
        return rows


def sparse_pooling(
    texts: Tensor,
    frames: Tensor,
    propositions: Ragged,
    frame_sets: Ragged,
    *,
    top_k: int = 3,
    temperature: float = 0.07,
    logit_scale: Tensor | None = None,
) -> Pooled:
    r"""Pool, for each proposition, the most relevant frames of its own case.

    With :math:`r_{jk} = t_j^\top v_k` and :math:`I_j` the ``top_k`` frames of the case of j:

    .. math::
        z_j = \sum_{k \in I_j} \frac{e^{r_{jk}/\tau_a}}{\sum_{m \in I_j} e^{r_{jm}/\tau_a}} v_k

    Then z is brought to unit norm. Of frames of equal relevance any may be taken. A case with
    fewer frames gives all of them. The choice of frames has no gradient; the weights and the frames
    do. Half-precision features are taken to float32 first.

    Args:
        texts: (M, d) propositions, unit norm.
        frames: (F, d), unit norm.
        propositions: how the propositions divide into cases; a case may have none.
        frame_sets: how the frames divide into the same cases.
        top_k: K.
        temperature: tau_a.
        logit_scale: scalar, where relevance is to be multiplied by it first, as the published
            code does (K = 3 then acts like K = 1); None: equation 1.

    Raises:
        ValueError: shapes do not fit, ``top_k`` or ``temperature`` is not positive, there is no
            proposition, or a case with propositions has no frame (named by its place).
    """
    _check(texts, frames, propositions, frame_sets, top_k, temperature)
    if texts.dtype in _HALF:
        texts, frames = texts.float(), frames.float()
    scale = texts.new_tensor(1.0) if logit_scale is None else logit_scale.to(texts.dtype)
    with torch.autocast(texts.device.type, enabled=False):
        with torch.no_grad():
            table = padded_relevance(texts, frames, propositions, frame_sets)
            relevance, places = table.topk(min(top_k, table.shape[1]), dim=1)
            is_frame = places < frame_sets.counts[propositions.owner][:, None]
            first = frame_sets.offsets[:-1][propositions.owner][:, None]
            chosen = torch.where(is_frame, first + places, first)
        features, weights = _WeightedFrames.apply(
            texts, frames, chosen, is_frame, relevance, scale / temperature
        )
    return Pooled(features, torch.where(is_frame, chosen, -1), weights)


class _WeightedFrames(torch.autograd.Function):
    """Softmax over the relevance of chosen frames, and their weighted mean, of unit norm.

    Relevance is given, as the choice has computed it; its gradient goes to texts and frames. No
    (M, K, d) copy of the chosen frames is kept for it, as plain autograd would.
    """

    @staticmethod
    def forward(
        ctx: Any,
        texts: Tensor,
        frames: Tensor,
        chosen: Tensor,
        is_frame: Tensor,
        relevance: Tensor,
        sharpness: Tensor,
    ) -> tuple[Tensor, Tensor]:
        relevance = relevance.masked_fill(~is_frame, 0)
        weights = (relevance * sharpness).masked_fill(~is_frame, -torch.inf).softmax(dim=1)
        features = _weighted_sums(frames, chosen, weights)
        length = features.norm(dim=1, keepdim=True).clamp_min_(_LEAST_LENGTH)
        features.div_(length)
        ctx.save_for_backward(
            texts, frames, chosen, relevance, sharpness, weights, features, length
        )
        ctx.mark_non_differentiable(weights)
        return features, weights

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, gradient: Tensor, _: Tensor
    ) -> tuple[Tensor, Tensor, None, None, None, Tensor]:
        texts, frames, chosen, relevance, sharpness, weights, features, length = ctx.saved_tensors
        along = torch.linalg.vecdot(features, gradient)[:, None]
        gradient = torch.addcmul(gradient, along, features, value=-1).div_(length)
        by_rank = [torch.linalg.vecdot(frames[rows], gradient) for rows in chosen.unbind(dim=1)]
        of_weights = torch.stack(by_rank, dim=1)
        centred = of_weights - (weights * of_weights).sum(dim=1, keepdim=True)
        of_logits = weights * centred
        of_relevance = of_logits * sharpness
        of_frames = torch.zeros_like(frames)
        for rank in range(chosen.shape[1]):
            part = weights[:, rank, None] * gradient
            part.addcmul_(of_relevance[:, rank, None], texts)
            of_frames.index_add_(0, chosen[:, rank], part)
        of_texts = _weighted_sums(frames, chosen, of_relevance)
        return of_texts, of_frames, None, None, None, (of_logits * relevance).sum()


def _weighted_sums(frames: Tensor, chosen: Tensor, weights: Tensor) -> Tensor:
    """Sums of the chosen frames (M, K) by their weights, (M, d), without copies of them."""
    sums: Tensor = embedding_bag(chosen, frames, mode="sum", per_sample_weights=weights)
    return sums


def _check(
    texts: Tensor,
    frames: Tensor,
    propositions: Ragged,
    frame_sets: Ragged,
    top_k: int,
    temperature: float,
) -> None:
    propositions.check_rows(texts, "texts")
    frame_sets.check_rows(frames, "frames")
    if texts.shape[1] != frames.shape[1] or texts.dtype != frames.dtype:
        raise ValueError(
            f"texts {tuple(texts.shape)} {texts.dtype} and frames {tuple(frames.shape)} "
            f"{frames.dtype} must have one length and one type"
        )
    if len(propositions) != len(frame_sets):
        raise ValueError(
            f"propositions of {len(propositions)} cases and frames of {len(frame_sets)}: both "
            "must divide into the same cases"
        )
    if top_k < 1 or temperature <= 0:
        raise ValueError(f"top_k {top_k} must be at least 1, temperature {temperature} above 0")
    if propositions.total == 0:
        raise ValueError(f"the {len(propositions)} cases of the batch have no proposition")
    starved = ((frame_sets.counts == 0) & (propositions.counts > 0)).nonzero().flatten().tolist()
    if starved:
        raise ValueError(f"cases {starved} have propositions but no frame; each needs at least one")
