"""Where an instruct model lies on this machine, and what tells its weights from others."""

import hashlib
from pathlib import Path
from typing import Final, NamedTuple

from huggingface_hub import snapshot_download
from huggingface_hub.errors import HFValidationError

from endoalign.paths import given
from endoalign.reports.triplets import smollm2

_FILES: Final = ["*.json", "*.safetensors", "*.txt", "*.model", "*.jinja"]
_PATIENCE: Final = 4.0  # seconds that the hub has to answer


class InstructModel(NamedTuple):
    """A model's folder, and an identity that changes with its weights, tokenizer or template."""

    folder: Path
    identity: str


def find_model(name: str, cache: Path) -> InstructModel:
    """Find a model by local directory, by name on the hub, or the packaged SmolLM2.

    A directory is told by the SHA-256 of its files, a model of the hub by its commit; the hub is
    asked only for what its cache on this machine lacks.

    Args:
        cache: folder where the packaged model's converted weights are kept.

    Raises:
        ValueError: there is no such model here, and the hub does not give it.
    """
    if name == smollm2.NAME:
        return InstructModel(smollm2.converted(cache), smollm2.identity())
    if (local := given(name)).is_dir():
        return InstructModel(local, _digest(local))
    folder = _from_hub(name)
    return InstructModel(folder, f"{name}@{folder.name}")


def _from_hub(name: str) -> Path:
    try:
        folder = Path(snapshot_download(name, allow_patterns=_FILES, local_files_only=True))
        if any(folder.glob("*.safetensors")):
            return folder
    except (OSError, HFValidationError):
        pass
    try:
        return Path(snapshot_download(name, allow_patterns=_FILES, etag_timeout=_PATIENCE))
    except (OSError, HFValidationError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ValueError(
            f"no instruct model {name!r}: it is no directory, and the hub does not give it "
            f"({reason}). Give a local directory, a name on the hub, or {smollm2.NAME!r}"
        ) from None


def _digest(folder: Path) -> str:
    """SHA-256 over the names and contents of a model's files."""
    files = sorted({path for pattern in _FILES for path in folder.glob(pattern)})
    if not any(path.suffix == ".safetensors" for path in files):
        raise ValueError(f"{folder} holds no *.safetensors: it is no directory of a model")
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as stream:
            contents = hashlib.file_digest(stream, "sha256").hexdigest()
        digest.update(f"{path.name} {contents}\n".encode())
    return digest.hexdigest()
