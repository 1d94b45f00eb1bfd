"""Answers of models on disk, named by the content they answer: none is ever computed twice."""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from endoalign.reports.triplets.prompt import Messages


class Reply(NamedTuple):
    """What a model wrote; ``finished`` is false where its tokens ran out.

    ``text`` is ``None`` where prompt and answer exceed what the model can hold.
    """

    text: str | None
    finished: bool


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    model: str
    text: str | None
    finished: bool


def answer_key(model: str, messages: Messages, schema: str, max_new_tokens: int) -> str:
    """64 hexadecimal digits over all that an answer depends on.

    Args:
        model: identity of the weights, see `instruct_model.InstructModel`.
        messages: the whole chat: instructions, examples and report.
    """
    parts: Sequence[object] = (model, messages, schema, max_new_tokens)
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


class AnswerCache:
    """A folder with one JSON file an answer, in subfolders by the first two digits of its key."""

    def __init__(self, folder: Path, model: str) -> None:
        """Use ``folder``, made at need; ``model`` is noted in every file, for the reader."""
        self._folder = folder
        self._model = model

    def get(self, key: str) -> Reply | None:
        """The answer under ``key``, ``None`` where there is none.

        Raises:
            ValueError: its file is damaged; the message names it.
        """
        path = self._path(key)
        if not path.is_file():
            return None
        try:
            stored = _Stored.model_validate_json(path.read_bytes())
        except ValidationError:
            raise ValueError(f"{path} is no sound answer: delete it to have it again") from None
        return Reply(stored.text, stored.finished)

    def put(self, key: str, reply: Reply) -> None:
        """Write an answer under a temporary name and rename it."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        stored = _Stored(model=self._model, text=reply.text, finished=reply.finished)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        temporary.write_text(stored.model_dump_json(indent=1), encoding="utf-8")
        temporary.replace(path)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
