"""How the renderer is compiled: one decorator, and a disk cache that never goes stale.

numba keys a cached kernel by its own source file only, not by the files it inlines. So the cache
carries a hash of all modules with compiled code, and is emptied when they have changed.
"""

import contextlib
import hashlib
from pathlib import Path
from typing import Any, Final

from numba import njit

_HERE: Final = Path(__file__).parent


def _drop_stale_kernels() -> None:
    stamp_file = _HERE / "__pycache__" / "world.stamp"
    sources = (path.read_bytes() for path in sorted(_HERE.glob("*.py")))
    stamp = hashlib.sha256(b"".join(s for s in sources if b"renderer.compiled" in s)).hexdigest()
    with contextlib.suppress(OSError):  # a read-only installation has no cache here to go stale
        if stamp_file.exists() and stamp_file.read_text() == stamp:
            return
        for cached in stamp_file.parent.glob("*.nb[ic]"):
            cached.unlink(missing_ok=True)
        stamp_file.parent.mkdir(exist_ok=True)
        stamp_file.write_text(stamp)


_drop_stale_kernels()

compiled: Any = njit(fastmath=True, nogil=True, cache=True)
"""Decorator of every function of the renderer that runs a pixel at a time."""

inlined: Any = njit(fastmath=True, nogil=True, cache=True, inline="always")
"""The same for small functions on the hot path, merged into their callers."""
