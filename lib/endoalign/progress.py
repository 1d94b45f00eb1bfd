"""Progress of long loops: tqdm in JupyterLab, plain periodic lines in batch."""

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tqdm.auto import tqdm

BATCH_CHANNEL = "ENDOALIGN_PROGRESS"
"""Environment variable that names the file to which a batch runner listens."""


class Progress:
    """Callable ``progress(done, total)`` that shows how far a long step is.

    In JupyterLab it moves a tqdm bar. In batch it writes a line at most every ``every`` seconds:
    to the runner's channel where one listens, so that the executed notebook stays clean, else to
    standard output.
    """

    def __init__(self, label: str, *, every: float = 5.0) -> None:
        self.label = label
        self.every = every
        self._start = self._last = time.monotonic()
        self._first: int | None = None
        self._bar: tqdm[Any] | None = tqdm(desc=label) if _interactive() else None

    def __call__(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` items are ready."""
        if self._bar is not None:
            self._bar.total = total
            self._bar.update(done - self._bar.n)
            return
        now = time.monotonic()
        if self._first is None:  # what went before the first item says nothing of the rate
            self._first, self._start = done, now
        if now - self._last >= self.every or (done >= total and self._last > self._start):
            self._last = now
            _write_line(line(self.label, done, total, now - self._start, self._first))

    def over(self, items: Iterable, total: int) -> Iterator:  # type: ignore[type-arg]
        """Yield ``items`` and show the progress through them."""
        for done, item in enumerate(items, start=1):
            yield item
            self(done, total)


def line(label: str, done: int, total: int, seconds: float, first: int = 0) -> str:
    """One plain line: share done, rate and time left, ``seconds`` after ``first`` were done."""
    share = done / total if total else 1.0
    text = f"{label}: {done:,} of {total:,} ({share:.0%})"
    rate = (done - first) / seconds if seconds > 0 else 0.0
    if rate == 0.0:
        return text
    return f"{text}, {rate:,.1f} a second, about {clock((total - done) / rate)} left"


def clock(seconds: float) -> str:
    """Seconds as ``m:ss``, or ``h:mm:ss`` from an hour on."""
    minutes, rest = divmod(round(max(seconds, 0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _interactive() -> bool:
    """Whether a person watches this kernel: Jupyter servers name the session in the environment."""
    watched = {"JPY_SESSION_NAME", "VSCODE_PID", "COLAB_RELEASE_TAG"} & set(os.environ)
    return bool(watched) and BATCH_CHANNEL not in os.environ


def _write_line(text: str) -> None:
    channel = os.environ.get(BATCH_CHANNEL)
    if channel is None:
        print(text, flush=True)
        return
    with Path(channel).open("a", encoding="utf-8") as stream:
        stream.write(text + "\n")
