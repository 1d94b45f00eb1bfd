"""Texts without their padding: most sentences fill a fifth of the context length.

A text tower's features do not depend on padding where the tower masks it (Hugging Face towers) or
reads a text only up to its end token (OpenCLIP's causal towers). The latter insist on texts of
full length for one reason: their causal mask has that size.
"""

from typing import Any

from open_clip.hf_model import HFTextEncoder
from open_clip.transformer import TextTransformer
from torch import Tensor, nn

from endoalign.models.dual_encoder import DualEncoder

OPENCLIP_PADDING = 0  # what OpenCLIP's tokenizers fill up with


def trim_padding(tokens: Tensor, encoder: DualEncoder) -> Tensor:
    """Tokens without the columns at the end in which every text is padding.

    Text features stay the same up to rounding. Towers for which this does not hold get their
    tokens back whole.

    Args:
        tokens: (n, length) int64, as the encoder's ``tokenize`` makes them.

    Returns:
        (n, length of the longest text) or ``tokens``.
    """
    padding = _padding(getattr(encoder.model, "text", None))
    if padding is None:
        return tokens
    filled = (tokens != padding).any(dim=0).nonzero()
    return tokens[:, : int(filled.max()) + 1] if len(filled) else tokens


def accept_short_texts(model: nn.Module) -> None:
    """Let an OpenCLIP causal text tower take texts of any length up to its context length.

    Its mask is cut to the texts' length. Weights and the features of full texts are the same.
    """
    tower = getattr(model, "text", None)
    if isinstance(tower, TextTransformer) and _reads_to_the_end_token(tower):
        tower.transformer.register_forward_pre_hook(_cut_mask, with_kwargs=True)


def _padding(tower: nn.Module | None) -> int | None:
    """Padding token of a tower that takes short texts, None for any other tower."""
    if isinstance(tower, HFTextEncoder):
        return int(tower.config.pad_token_id)
    if isinstance(tower, TextTransformer):
        cuts = _cut_mask in tower.transformer._forward_pre_hooks.values()
        return OPENCLIP_PADDING if cuts else None
    return None


def _reads_to_the_end_token(tower: TextTransformer) -> bool:
    """Whether a text's feature is that of its end token, which sees no padding."""
    causal = tower.attn_mask is not None
    return causal and tower.cls_emb is None and tower.pool_type == "argmax"


def _cut_mask(
    module: nn.Module, args: tuple[Any, ...], options: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Before the layers of a tower: their mask to the length of their input, (n, length, d)."""
    del module
    length = args[0].shape[1]
    mask = options["attn_mask"]
    return args, {**options, "attn_mask": mask[:length, :length]}
