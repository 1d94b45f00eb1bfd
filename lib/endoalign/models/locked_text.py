"""A locked text trunk: its output is computed once a text, and only the projection is trained.

Locked towers are those of LiT (Zhai et al. 2022, arXiv 2111.07991), here on the side of the text.
Sentences are not augmented, so that what a locked trunk says of them never changes.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from open_clip.hf_model import HFTextEncoder
from torch import Tensor

from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.encode import evaluating
from endoalign.models.short_texts import trim_padding


@dataclass(frozen=True)
class LockedTexts:
    """Texts known to a locked trunk; inside `text_trunk_locked` the tower takes their rows."""

    texts: tuple[str, ...]

    def rows(self, texts: Sequence[str]) -> Tensor:
        """Rows of some of the texts, (n,) int64; KeyError for a text that is not known."""
        place = {text: row for row, text in enumerate(self.texts)}
        return torch.tensor([place[text] for text in texts], dtype=torch.int64)


@contextmanager
def text_trunk_locked(
    encoder: DualEncoder, texts: Sequence[str], *, batch_size: int = 128
) -> Iterator[LockedTexts]:
    """Lock the trunk of the text tower inside; the tower is as it was outside.

    Inside, the model takes as ``text`` the rows of `LockedTexts` in the place of tokens.

    Args:
        encoder: on its device; its text tower is one of Hugging Face's.
        texts: all texts that will be asked for; each distinct one is encoded once.

    Raises:
        ValueError: the text tower is OpenCLIP's own, which starts from scratch in this registry.
    """
    tower = getattr(encoder.model, "text", None)
    if not isinstance(tower, HFTextEncoder):
        raise ValueError(
            f"lock_text: the text tower of {encoder.name} is no pretrained Hugging Face tower; "
            "set lock_text: false, or choose an encoder such as lite0-minilm"
        )
    known = LockedTexts(tuple(dict.fromkeys(texts)))
    pooled = _pooled(encoder, tower, known.texts, batch_size)
    trained = {name: p.requires_grad for name, p in tower.transformer.named_parameters()}
    tower.transformer.requires_grad_(False)
    tower.forward = lambda rows: tower.proj(pooled[rows])
    try:
        yield known
    finally:
        del tower.forward
        for name, parameter in tower.transformer.named_parameters():
            parameter.requires_grad_(trained[name])


def _pooled(
    encoder: DualEncoder, tower: HFTextEncoder, texts: Sequence[str], batch_size: int
) -> Tensor:
    """Output of the trunk before the projection, (n, width); sorted by length to spare padding."""
    order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
    tokens = encoder.tokenize([texts[row] for row in order])
    device = next(tower.parameters()).device
    projection, found = tower.proj, []
    tower.proj = torch.nn.Identity()
    try:
        with evaluating(encoder.model):
            for start in range(0, len(tokens), batch_size):
                part = trim_padding(tokens[start : start + batch_size], encoder)
                found.append(tower(part.to(device)).float())
    finally:
        tower.proj = projection
    pooled = torch.cat(found)
    return pooled[torch.argsort(torch.tensor(order)).to(device)].clone()
