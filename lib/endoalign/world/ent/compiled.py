"""How the kernels of this room are compiled: the renderer's decorator, and a fresh disk cache.

A cached kernel knows its own source file only, not the files it inlines; so the cache carries a
hash of all compiled code of this room and of what it uses of the renderer's.
"""

import contextlib
import hashlib
from pathlib import Path
from typing import Any, Final

from endoalign.world.renderer import compiled as renderer_compiled

_HERE: Final = Path(__file__).parent
_RENDERER: Final = Path(renderer_compiled.__file__).parent
_USED: Final = ("compiled.py", "noise.py", "vectors.py")


def _drop_stale_kernels() -> None:
    stamp_file = _HERE / "__pycache__" / "ent.stamp"
    paths = [*sorted(_HERE.glob("*.py")), *(_RENDERER / name for name in _USED)]
    code = b"".join(s for s in (path.read_bytes() for path in paths) if b"compiled" in s)
    stamp = hashlib.sha256(code).hexdigest()
    with contextlib.suppress(OSError):  # a read-only installation has no cache here to go stale
        if stamp_file.exists() and stamp_file.read_text() == stamp:
            return
        for cached in stamp_file.parent.glob("*.nb[ic]"):
            cached.unlink(missing_ok=True)
        stamp_file.parent.mkdir(exist_ok=True)
        stamp_file.write_text(stamp)


_drop_stale_kernels()

compiled: Any = renderer_compiled.compiled
"""Decorator of every function of this room that runs a pixel at a time."""
