"""Relevance of every frame of a case to every proposition of it (EndoVLM, section 2.2)."""

import warnings

import torch
from torch import Tensor
from torch.nn.functional import pad

from endoalign.models.ragged import Ragged


def padded_relevance(
    texts: Tensor, frames: Tensor, propositions: Ragged, frame_sets: Ragged
) -> Tensor:
    """Dot products of propositions with the frames of their own case, a row a proposition.

    Only these products are computed, and features are not padded; the numbers alone are put into
    a table. Without gradient.

    Args:
        texts: (M, d) float32 or float64.
        frames: (F, d), of the same type.
        propositions: how the propositions divide into cases.
        frame_sets: how the frames divide into the same cases.

    Returns:
        (M, N) with N the frames of the largest case: column k is the case's k-th frame, -inf
        beyond its last.
    """
    owner, counts = propositions.owner, frame_sets.counts
    widths = counts[owner]
    rows = Ragged(pad(widths.cumsum(0), (1, 0)))
    place = torch.arange(rows.total, device=texts.device) - rows.offsets[:-1][rows.owner]
    columns = frame_sets.offsets[:-1][owner][rows.owner] + place
    values = _products(texts.detach(), frames.detach(), rows.offsets, columns)
    table = values.new_full((len(texts), int(counts.max())), -torch.inf)
    table[rows.owner, place] = values
    return table


def _products(texts: Tensor, frames: Tensor, starts: Tensor, columns: Tensor) -> Tensor:
    """Dot products at the places of a compressed sparse row pattern, (places,)."""
    with warnings.catch_warnings():
        # torch says once that this layout is young; what is used of it is tested here.
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        pattern = torch.sparse_csr_tensor(
            starts,
            columns,
            texts.new_zeros(len(columns)),
            size=(len(texts), len(frames)),
            check_invariants=False,
        )
        products: Tensor = torch.sparse.sampled_addmm(pattern, texts, frames.T, beta=0.0)
        return products.values()
