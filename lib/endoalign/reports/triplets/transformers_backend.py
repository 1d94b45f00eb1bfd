"""A model run by transformers, its answers constrained to a JSON Schema by xgrammar."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import xgrammar
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    GenerationConfig,
    LogitsProcessorList,
)
from xgrammar.contrib.hf import LogitsProcessor

from endoalign.reports.triplets.answer_cache import Reply
from endoalign.reports.triplets.prompt import Messages


class TransformersBackend:
    """Greedy decoding of a batch; masks leave only tokens that continue valid JSON."""

    def __init__(self, model: Any, tokenizer: Any, name: str) -> None:
        """Prepare the grammar compiler for the model's vocabulary.

        Raises:
            ValueError: the tokenizer has no chat template, so that the model is no instruct model.
        """
        if not getattr(tokenizer, "chat_template", None):
            raise ValueError(f"{name} has no chat template: it is no instruct model")
        self._model, self._tokenizer = model, tokenizer
        info = xgrammar.TokenizerInfo.from_huggingface(
            tokenizer, vocab_size=model.config.get_text_config().vocab_size
        )
        self._stops = list(info.stop_token_ids)
        self._compiler = xgrammar.GrammarCompiler(info)
        self._holds = getattr(model.config.get_text_config(), "max_position_embeddings", None)

    def reply(
        self, chats: Sequence[Messages], schemas: Sequence[str], max_new_tokens: int
    ) -> list[Reply]:
        """Answer a batch of chats, in order; a prompt that is too long is left unanswered."""
        prompts = [self._prompt(chat) for chat in chats]
        fits = [self._holds is None or len(p) + max_new_tokens <= self._holds for p in prompts]
        kept = [k for k, fit in enumerate(fits) if fit]
        replies = [Reply(None, False)] * len(chats)
        if kept:
            answers = self._generate(
                [prompts[k] for k in kept], [schemas[k] for k in kept], max_new_tokens
            )
            for k, answer in zip(kept, answers, strict=True):
                replies[k] = answer
        return replies

    def _prompt(self, chat: Messages) -> list[int]:
        text = self._tokenizer.apply_chat_template(
            chat, tokenize=False, add_generation_prompt=True, enable_thinking=False
        )
        ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def _generate(
        self, prompts: list[list[int]], schemas: list[str], max_new_tokens: int
    ) -> list[Reply]:
        width = max(map(len, prompts))
        pad, device = self._stops[0], self._model.device
        # Padded on the left: every answer starts where its prompt ends.
        ids = torch.tensor([[pad] * (width - len(p)) + p for p in prompts], device=device)
        mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts], device=device)
        grammars = [
            self._compiler.compile_json_schema(schema, any_whitespace=False) for schema in schemas
        ]
        config = GenerationConfig(  # type: ignore[no-untyped-call]
            do_sample=False,
            max_new_tokens=max_new_tokens,
            eos_token_id=self._stops,
            pad_token_id=pad,
        )
        with torch.inference_mode():
            out = self._model.generate(
                input_ids=ids,
                attention_mask=mask,
                generation_config=config,
                logits_processor=LogitsProcessorList([LogitsProcessor(grammars)]),
            )
        return [self._read(row.tolist()) for row in out[:, width:]]

    def _read(self, tokens: list[int]) -> Reply:
        ends = [k for k, token in enumerate(tokens) if token in self._stops]
        written = tokens[: ends[0]] if ends else tokens
        # An answer cut off inside a character ends in a replacement sign; it is dropped with the
        # unfinished finding.
        text = self._tokenizer.decode(
            written, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return Reply(text, bool(ends))


def load(folder: Path) -> TransformersBackend:
    """Load a model from its folder, on the accelerator where there is one.

    The numbers are those of the checkpoint on an accelerator; on a CPU, where halves are slow, 32
    bits.

    Raises:
        ValueError: the folder holds no causal language model, or none with a chat template.
    """
    accelerator = torch.accelerator.current_accelerator(check_available=True)
    dtype = torch.float32 if accelerator is None else "auto"
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model: Any = AutoModelForCausalLM.from_pretrained(
            folder, dtype=dtype, local_files_only=True
        )
    except (OSError, ValueError, KeyError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ValueError(f"{folder} holds no causal language model: {reason}") from error
    if accelerator is not None:
        model = model.to(accelerator)
    return TransformersBackend(model.eval(), tokenizer, str(folder))
