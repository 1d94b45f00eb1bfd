"""What a person sees of a batch run: which cell of which notebook runs, and how long is left."""

import json
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from endoalign.paths import project_root
from endoalign.progress import BATCH_CHANNEL, clock

EXPECTED_FILE = Path("notebooks") / "expected_seconds.json"


def expected_seconds(profile: str, name: str) -> float | None:
    """Seconds that the notebook took on two cores when it was last measured; ``None`` if never."""
    table = json.loads((project_root() / EXPECTED_FILE).read_text(encoding="utf-8"))
    seconds = table.get(profile, {}).get(name)
    return None if seconds is None else float(seconds)


class CellReport:
    """Prints a line as each cell of a notebook starts."""

    def __init__(self, name: str, cells: list[Any], expected: float | None) -> None:
        self.name = name
        self.cells = cells
        self.expected = expected
        self._start = time.monotonic()
        self._titles = list(_titles(cells))

    def start(self, index: int) -> None:
        """Tell that the cell at ``index`` (0-based) starts."""
        if self.cells[index].cell_type == "code":
            head = f"[{self.name} cell {index + 1} of {len(self.cells)}]"
            print(f"{head} {self._titles[index]} · {self._left()}", flush=True)

    def _left(self) -> str:
        elapsed = time.monotonic() - self._start
        if self.expected is None:
            return f"{clock(elapsed)} so far"
        return f"about {clock(self.expected - elapsed)} left"


def _titles(cells: list[Any]) -> Iterator[str]:
    """For each cell, the nearest heading above it."""
    title = ""
    for cell in cells:
        first = str(cell.source).lstrip().partition("\n")[0]
        if cell.cell_type == "markdown" and first.startswith("#"):
            title = first.lstrip("# ")
        yield title


@contextmanager
def progress_channel() -> Iterator[None]:
    """Listen to the progress lines of the notebook's kernel and print them as they come."""
    with tempfile.TemporaryDirectory() as folder:
        channel = Path(folder) / "progress"
        channel.touch()
        os.environ[BATCH_CHANNEL] = str(channel)
        stop = threading.Event()
        listener = threading.Thread(target=_listen, args=(channel, stop), daemon=True)
        listener.start()
        try:
            yield
        finally:
            stop.set()
            listener.join()
            del os.environ[BATCH_CHANNEL]


def _listen(channel: Path, stop: threading.Event) -> None:
    with channel.open(encoding="utf-8") as stream:
        while True:
            last = stop.is_set()
            for text in stream.readlines():
                print(f"    {text}", end="", flush=True)
            if last:
                return
            stop.wait(0.3)
