"""A model run by vLLM, its answers constrained to a JSON Schema; vLLM is no dependency.

Written for vLLM 0.12 and later (``StructuredOutputsParams``).
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from endoalign.reports.triplets.answer_cache import Reply
from endoalign.reports.triplets.prompt import Messages

_NO_THINKING = {"enable_thinking": False}


class VllmBackend:
    """Greedy decoding; vLLM schedules the batch itself and shares the common prefix."""

    def __init__(self, llm: Any) -> None:
        """Wrap a loaded engine."""
        self._llm = llm
        self._holds = int(llm.llm_engine.model_config.max_model_len)

    def reply(
        self, chats: Sequence[Messages], schemas: Sequence[str], max_new_tokens: int
    ) -> list[Reply]:
        """Answer a batch of chats, in order; a prompt that is too long is left unanswered."""
        kept = [k for k, chat in enumerate(chats) if self._fits(chat, max_new_tokens)]
        replies = [Reply(None, False)] * len(chats)
        if not kept:
            return replies
        outputs = self._llm.chat(
            [chats[k] for k in kept],
            sampling_params=[_sampling(schemas[k], max_new_tokens) for k in kept],
            chat_template_kwargs=_NO_THINKING,
            use_tqdm=False,
        )
        for k, output in zip(kept, outputs, strict=True):
            answer = output.outputs[0]
            replies[k] = Reply(answer.text, answer.finish_reason == "stop")
        return replies

    def _fits(self, chat: Messages, max_new_tokens: int) -> bool:
        tokenizer = self._llm.get_tokenizer()
        text = tokenizer.apply_chat_template(
            chat, tokenize=False, add_generation_prompt=True, **_NO_THINKING
        )
        prompt = tokenizer(text, add_special_tokens=False)["input_ids"]
        return len(prompt) + max_new_tokens <= self._holds


def load(folder: Path) -> VllmBackend:
    """Load a model from its folder; `ModuleNotFoundError` where vLLM is not installed."""
    vllm = import_module("vllm")
    return VllmBackend(vllm.LLM(model=str(folder), enable_prefix_caching=True))


def _sampling(schema: str, max_new_tokens: int) -> Any:
    parameters = import_module("vllm.sampling_params")
    return parameters.SamplingParams(
        temperature=0.0,
        max_tokens=max_new_tokens,
        structured_outputs=parameters.StructuredOutputsParams(
            json=schema, disable_any_whitespace=True
        ),
    )
