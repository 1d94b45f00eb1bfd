"""What runs a model: one interface, two ways."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from endoalign.reports.triplets.answer_cache import Reply
from endoalign.reports.triplets.instruct_model import InstructModel
from endoalign.reports.triplets.prompt import Messages
from endoalign.reports.triplets.settings import TripletSettings


class Backend(Protocol):
    """A loaded model that answers chats by a JSON Schema each."""

    def reply(
        self, chats: Sequence[Messages], schemas: Sequence[str], max_new_tokens: int
    ) -> list[Reply]:
        """Answer a batch of chats, in order."""
        ...


def load_backend(model: InstructModel, settings: TripletSettings) -> Backend:
    """Load a model with the backend that the settings name; ``auto`` takes vLLM where installed.

    Raises:
        ValueError: vLLM is asked for and not installed, or the folder holds no instruct model.
    """
    name = settings.backend
    has_vllm = find_spec("vllm") is not None
    if name == "auto":
        name = "vllm" if has_vllm else "transformers"
    if name == "vllm" and not has_vllm:
        raise ValueError("backend vllm: vLLM is not installed; pip install vllm, or take auto")
    # Loaded only now: both take seconds to import, and vLLM is seldom installed.
    module = import_module(f"endoalign.reports.triplets.{name}_backend")
    backend: Backend = module.load(model.folder)
    return backend
