"""What a run stands on: versions, device, seed."""

import platform
import random
from importlib import metadata
from typing import Final

import numpy as np
import torch

from endoalign import __version__

PACKAGES: Final = ("numpy", "pandas", "torch", "open_clip_torch", "transformers")


def start_run(seed: int) -> None:
    """Seed every source of chance (Python, NumPy, torch) and print versions and device."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 -- libraries that draw from NumPy's global state
    torch.manual_seed(seed)
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES)
    print(f"EndoAlign {__version__}, Python {platform.python_version()}, {versions}")
    print(f"device {device()}, seed {seed}")


def device() -> str:
    """The accelerator torch would use (``cuda``, ``mps``, …), else ``cpu``."""
    found = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    return "cpu" if found is None else found.type
