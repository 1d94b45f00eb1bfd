"""How the processes of a training tell the one that started them what goes on: by small files."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Final

CHANNEL: Final = "ENDOALIGN_TRAINING_CHANNEL"
"""Environment variable that names the folder of the files; absent where nobody listens."""
EVERY: Final = 0.5
"""Seconds between two words."""
_PROGRESS: Final = "progress"

Report = Callable[[int, int], None]


def teller() -> Report | None:
    """A ``progress`` that writes to the channel, None where there is none."""
    channel = os.environ.get(CHANNEL)
    if channel is None:
        return None
    file = Path(channel) / _PROGRESS
    last = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= EVERY or done == total:
            last = now
            partial = file.with_suffix(".partial")
            partial.write_text(f"{done} {total}", encoding="utf-8")
            partial.replace(file)

    return tell


@contextmanager
def error_told() -> Iterator[None]:
    """Write an error of this process to the channel, and raise it on."""
    try:
        yield
    except Exception as error:
        channel = os.environ.get(CHANNEL)
        if channel is not None:
            file = Path(channel) / f"error-{os.environ.get('RANK', '0')}"
            file.write_text(f"{type(error).__name__}: {error}", encoding="utf-8")
        raise


def failures(folder: Path) -> str:
    """The errors that processes told, each once."""
    told = {path.read_text(encoding="utf-8") for path in sorted(folder.glob("error-*"))}
    return "; ".join(sorted(told))


class Listener:
    """Passes on what is told to ``report`` while a ``with`` block runs."""

    def __init__(self, folder: Path, report: Report | None) -> None:
        self._file, self._report, self._over = folder / _PROGRESS, report, Event()
        self._thread = Thread(target=self._listen, daemon=True)

    def __enter__(self) -> None:
        if self._report is not None:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._report is not None:
            self._thread.join()

    def _listen(self) -> None:
        told = ""
        while True:
            over = self._over.wait(EVERY)  # first, so that nothing is held while processes fork
            text = self._file.read_text(encoding="utf-8") if self._file.is_file() else ""
            if text != told and self._report is not None:
                told = text
                done, total = map(int, text.split())
                self._report(done, total)
            if over:
                return
