"""EndoVLM's text tower: a BERT by name, from a folder, or a tiny one with words of its own."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn
from transformers import (
    AutoConfig,
    AutoModel,
    AutoTokenizer,
    BertConfig,
    BertModel,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from endoalign.models.architecture import seeded
from endoalign.models.endovlm_settings import EndovlmTextSettings
from endoalign.models.endovlm_vocabulary import learn_vocabulary
from endoalign.models.hub import fetching
from endoalign.models.minilm import minilm_folder
from endoalign.models.weights import WeightsError, first_line
from endoalign.paths import given

TINY: Final = "tiny"
MINILM: Final = "minilm"
MOST_KNOWN: Final = 200_000
"""Texts whose vectors are kept of a locked transformer, some 300 MB; others are read each time."""
_KNOWN: Final[dict[bytes, dict[bytes, Tensor]]] = {}
"""Vectors of texts by the digest of the transformer that read them, for all towers that lock it."""


@dataclass(frozen=True)
class TextTokens:
    """Texts -> (n, tokens of the longest text) int64, cut at ``context_length``."""

    tokenizer: PreTrainedTokenizerBase
    context_length: int

    @property
    def padding(self) -> int:
        """Number of the token that fills up shorter texts."""
        return int(self.tokenizer.pad_token_id)

    def __call__(self, texts: Sequence[str]) -> Tensor:
        """Tokens of ``texts``.

        Raises:
            TypeError: one string instead of several, or an entry that is no string.
        """
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
            raise TypeError("texts must be a sequence of strings")
        if not texts:
            return torch.zeros(0, 1, dtype=torch.int64)
        found = self.tokenizer(
            list(texts), padding=True, truncation=True, max_length=self.context_length
        )
        return torch.tensor(found["input_ids"], dtype=torch.int64)


class TextTower(nn.Module):
    """A BERT whose output for a text is one vector.

    Args:
        locked: the transformer is not trained (LiT; Zhai et al. 2022, arXiv 2111.07991). Each text
            is then read once, by itself, so that what it gives depends on no other text.
    """

    def __init__(
        self, transformer: PreTrainedModel, pool: str, padding: int, *, locked: bool = False
    ) -> None:
        super().__init__()
        self.locked = locked
        self._known: dict[bytes, Tensor] | None = None
        transformer.requires_grad_(not locked)
        # It was trained for another task, where there is one at all.
        transformer.pooler = None  # type: ignore[assignment]
        self.transformer, self.pool, self.padding = transformer, pool, padding
        self.width = int(transformer.config.hidden_size)

    def train(self, mode: bool = True) -> "TextTower":
        """Set the mode; a locked transformer stays in evaluation mode."""
        super().train(mode)
        if self.locked:
            self.transformer.train(False)
        return self

    def forward(self, tokens: Tensor) -> Tensor:
        """Vectors (n, width) of tokens (n, length), padding apart."""
        return self._remembered(tokens) if self.locked else self._read(tokens)

    def _remembered(self, tokens: Tensor) -> Tensor:
        if self._known is None:
            self._known = _KNOWN.setdefault(self._reader(tokens.device), {})
        found = []
        for row in tokens:
            text = row[row != self.padding]
            key = text.cpu().numpy().tobytes()
            vector = self._known.get(key)
            if vector is None:
                # As any other tower may take it: no tensor of inference, no half precision.
                whole = torch.autocast(tokens.device.type, enabled=False)
                with torch.inference_mode(False), torch.no_grad(), whole:
                    vector = self._read(text.clone()[None])[0]
                if len(self._known) < MOST_KNOWN:
                    self._known[key] = vector
            found.append(vector)
        return torch.stack(found)

    def _reader(self, device: torch.device) -> bytes:
        """What the vector of a text depends on besides the text."""
        digest = hashlib.sha256(f"{device} {torch.get_num_threads()} {self.pool}".encode())
        for name, weights in self.transformer.state_dict().items():
            digest.update(name.encode())
            digest.update(weights.detach().cpu().contiguous().view(torch.uint8).numpy())
        return digest.digest()

    def _read(self, tokens: Tensor) -> Tensor:
        is_token = tokens != self.padding
        states: Tensor = self.transformer(
            input_ids=tokens, attention_mask=is_token
        ).last_hidden_state
        if self.pool == "cls":
            return states[:, 0]
        shares = is_token / is_token.sum(dim=1, keepdim=True)
        return (states * shares[:, :, None].to(states.dtype)).sum(dim=1)


def build_text_tower(
    settings: EndovlmTextSettings, texts: Sequence[str], *, seed: int
) -> tuple[TextTower, TextTokens]:
    """The tower and its tokenizer; new weights depend on ``seed`` alone.

    Args:
        texts: where a tiny tower learns its word pieces; not used for others.

    Raises:
        WeightsError: the tower is not to be had.
        ModuleNotFoundError: the package of ``minilm`` is not installed.
        ValueError: ``text_width`` does not divide into ``text_heads`` (tiny), or texts may be
            longer than the tower has places for.
    """
    if settings.text_tower == TINY:
        transformer, tokenizer = _tiny(settings, texts, seed)
    else:
        transformer, tokenizer = _named(settings, seed)
        places = getattr(transformer.config, "max_position_embeddings", settings.context_length)
        if settings.context_length > places:
            raise ValueError(
                f"context_length {settings.context_length}: text tower {settings.text_tower} has "
                f"places for {places} tokens; set context_length to that or less"
            )
    tokens = TextTokens(tokenizer, settings.context_length)
    locked = settings.text_locked
    return TextTower(transformer, settings.text_pool, tokens.padding, locked=locked), tokens


def stored_text_tower(settings: EndovlmTextSettings, folder: Path) -> tuple[TextTower, TextTokens]:
    """The tower that ``folder`` describes (configuration and tokenizer), with random weights.

    Raises:
        WeightsError: a file of the folder is missing or damaged.
    """
    try:
        with seeded(0):
            transformer = _untrained(str(folder))
        tokenizer = AutoTokenizer.from_pretrained(str(folder))
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise WeightsError(f"{folder} describes no text tower: {first_line(error)}") from error
    tokens = TextTokens(tokenizer, settings.context_length)
    locked = settings.text_locked
    return TextTower(transformer, settings.text_pool, tokens.padding, locked=locked), tokens


def _tiny(
    settings: EndovlmTextSettings, texts: Sequence[str], seed: int
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    width, heads = settings.text_width, settings.text_heads
    if width % heads:
        raise ValueError(f"text_width {width} must be a multiple of text_heads {heads}")
    tokenizer = learn_vocabulary(texts, settings.vocabulary_size)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        num_hidden_layers=settings.text_layers,
        num_attention_heads=heads,
        intermediate_size=4 * width,
        max_position_embeddings=settings.context_length,
        hidden_dropout_prob=0.0,  # there is little to overfit to, and runs stay comparable
        attention_probs_dropout_prob=0.0,
        pad_token_id=tokenizer.pad_token_id,
    )
    with seeded(seed):
        return BertModel(config, add_pooling_layer=False), tokenizer


def _named(
    settings: EndovlmTextSettings, seed: int
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    name = settings.text_tower
    source = str(minilm_folder()) if name == MINILM else str(given(name))
    is_folder = Path(source).is_dir()
    source = source if is_folder else name
    with fetching(name, f"text tower {name}", from_disk=is_folder), seeded(seed):
        if settings.text_weights == "random":
            model = _untrained(source)
        else:
            model = AutoModel.from_pretrained(source, dtype=torch.float32)
        return model, AutoTokenizer.from_pretrained(source)


def _untrained(source: str) -> PreTrainedModel:
    config = AutoConfig.from_pretrained(source)
    model: PreTrainedModel = AutoModel.from_config(config)  # type: ignore[no-untyped-call]
    return model
