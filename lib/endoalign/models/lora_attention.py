"""Low-rank adaptation of an attention layer's q, k and v (ENT-CLIP, section 3.3, equation 3).

`torch.nn.MultiheadAttention` keeps the three projections in one matrix, ``in_proj_weight``, so that
adapters for linear layers do not see them one by one. This layer uses the same matrix, frozen, and
adds to each of q, k and v a product of its own.
"""

import math
from typing import Final, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, linear, scaled_dot_product_attention
from torch.nn.utils import skip_init

PROJECTIONS: Final = ("q", "k", "v")
"""In the order in which ``in_proj_weight`` stacks them."""


class LowRank(nn.Module):
    """``gamma B A x`` with ``gamma = alpha / rank``, of a (width, width) projection.

    A starts as Kaiming has it, B at zero, so that nothing is added before training.

    Attributes:
        A: (rank, width).
        B: (width, rank).
    """

    def __init__(self, width: int, *, rank: int, alpha: float, dropout: float) -> None:
        super().__init__()
        self.scale, self.dropout = alpha / rank, dropout
        self.A = nn.Parameter(torch.empty(rank, width))
        self.B = nn.Parameter(torch.zeros(width, rank))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))

    def forward(self, x: Tensor) -> Tensor:
        """What is added to the projection of ``x``, (…, width); dropout of ``x`` in training."""
        dropped = dropout(x, self.dropout, self.training)
        return self.scale * linear(linear(dropped, self.A), self.B)

    def delta(self) -> Tensor:
        """The change of the projection's matrix, (width, width)."""
        return self.scale * (self.B @ self.A)


class LoraAttention(nn.Module):
    """Self-attention whose q, k and v are adapted; it stands where the given layer stood.

    The given layer's parameters are taken over under their names, frozen, so that a state dict
    differs from that of the plain model by the adapters alone.

    Args:
        attention: batch first, without dropout of its own.

    Raises:
        ValueError: the layer is of a kind that image towers of OpenCLIP do not use.
    """

    def __init__(
        self, attention: nn.MultiheadAttention, *, rank: int, alpha: float, dropout: float
    ) -> None:
        super().__init__()
        self.heads, self.width = attention.num_heads, attention.embed_dim
        self._check(attention)
        self.in_proj_weight: nn.Parameter = attention.in_proj_weight
        self.in_proj_bias: nn.Parameter = attention.in_proj_bias
        self.out_proj = attention.out_proj
        self.requires_grad_(False)
        for name in PROJECTIONS:
            adapter = LowRank(self.width, rank=rank, alpha=alpha, dropout=dropout)
            self.add_module(name, adapter.to(self.in_proj_weight.device))

    def adapters(self) -> list[LowRank]:
        """The adapters of q, k and v."""
        return [module for module in self.children() if isinstance(module, LowRank)]

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        *,
        need_weights: Literal[False] = False,
        attn_mask: Tensor | None = None,
    ) -> tuple[Tensor, None]:
        """Attention of a sequence to itself.

        Args:
            query: (n, length, width); ``key`` and ``value`` must be the same tensor.
            attn_mask: as `scaled_dot_product_attention` takes it.

        Raises:
            ValueError: the attention is to something else, or its weights are asked for.
        """
        if key is not query or value is not query or need_weights:
            raise ValueError("an adapted attention layer is self-attention and gives no weights")
        n, length, width = query.shape
        plain = linear(query, self.in_proj_weight, self.in_proj_bias).chunk(3, dim=-1)
        q, k, v = (
            (part + adapter(query)).view(n, length, self.heads, -1).transpose(1, 2)
            for part, adapter in zip(plain, self.adapters(), strict=True)
        )
        mixed = scaled_dot_product_attention(q, k, v, attn_mask=attn_mask)
        out: Tensor = self.out_proj(mixed.transpose(1, 2).reshape(n, length, width))
        return out, None

    @torch.no_grad()
    def merged(self) -> nn.MultiheadAttention:
        """A plain attention layer that gives what this one gives in evaluation."""
        plain: nn.MultiheadAttention = skip_init(  # type: ignore[no-untyped-call]
            nn.MultiheadAttention,
            self.width,
            self.heads,
            batch_first=True,
            device=self.in_proj_weight.device,
            dtype=self.in_proj_weight.dtype,
        )
        deltas = torch.cat([adapter.delta() for adapter in self.adapters()])
        plain.in_proj_weight.copy_(self.in_proj_weight + deltas)
        plain.in_proj_bias.copy_(self.in_proj_bias)
        plain.out_proj.load_state_dict(self.out_proj.state_dict())
        plain.train(self.training)
        return plain

    @staticmethod
    def _check(attention: nn.MultiheadAttention) -> None:
        plain = attention.in_proj_weight is not None and attention.in_proj_bias is not None
        if not plain or not attention.batch_first or attention.dropout or attention.add_zero_attn:
            raise ValueError(
                "LoRA needs attention with joined q, k, v and biases, batch first and without "
                f"dropout of its own, not {attention}"
            )
