"""Texts to tokens, as each text tower was trained to read them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from open_clip.tokenizer import DEFAULT_CONTEXT_LENGTH, HFTokenizer, SimpleTokenizer
from torch import Tensor


@dataclass(frozen=True)
class Tokenizer:
    """Texts -> (n, ``context_length``) int64; longer texts are cut, shorter ones padded."""

    of_list: Callable[[list[str]], Tensor]
    context_length: int

    def __call__(self, texts: Sequence[str]) -> Tensor:
        """Tokens of ``texts``; no texts give (0, context length).

        Raises:
            TypeError: one string instead of several, or an entry that is no string.
        """
        if isinstance(texts, str):
            raise TypeError("texts must be a sequence of strings, not one string")
        listed = list(texts)
        for place, text in enumerate(listed):
            if not isinstance(text, str):
                raise TypeError(f"text {place} is {text!r}, not a string")
        if not listed:
            return torch.zeros(0, self.context_length, dtype=torch.int64)
        return self.of_list(listed)


def build_tokenizer(model_cfg: dict[str, Any], folder: Path | None = None) -> Tokenizer:
    """The tokenizer that an OpenCLIP ``model_cfg`` asks for.

    Args:
        folder: where the files of a Hugging Face tokenizer lie; without it they are looked up by
            name as transformers does (its cache, then its hub).

    Raises:
        OSError: the files of the tokenizer are not to be had.
    """
    text = model_cfg["text_cfg"]
    length = int(text.get("context_length", DEFAULT_CONTEXT_LENGTH))
    options = dict(text.get("tokenizer_kwargs") or {})
    name = text.get("hf_tokenizer_name")
    if not name:
        return Tokenizer(SimpleTokenizer(context_length=length, **options), length)
    source = name if folder is None else str(folder)
    mode = text.get("tokenizer_mode")
    return Tokenizer(
        HFTokenizer(source, context_length=length, tokenizer_mode=mode, **options), length
    )
