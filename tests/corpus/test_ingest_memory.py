import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image

import endoalign

_INGEST = """
import resource, sys
from pathlib import Path
from endoalign.corpus.ingest import ingest
from endoalign.corpus.sources import FoldersSource
summary = ingest([FoldersSource(name="here", frames=Path(sys.argv[1]))], Path(sys.argv[2]))
print(summary.frames, summary.rejected, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _write_frames(root, count):
    """Write frames of which one in a hundred is cut short."""
    rng = np.random.default_rng(0)
    for number in range(count):
        stream = io.BytesIO()
        rgb = rng.integers(0, 220, (256, 256, 3), dtype=np.uint8)
        Image.fromarray(rgb).save(stream, "JPEG", quality=30)
        path = root / f"c{number % 10}" / f"{number}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(stream.getvalue()[: 500 if number % 100 == 50 else None])


def test_ten_times_the_frames_take_no_more_memory(tmp_path):
    library = str(Path(endoalign.__file__).parents[1])
    peaks = []
    for count in (40, 400):
        root, folder = tmp_path / f"frames{count}", tmp_path / f"corpus{count}"
        _write_frames(root, count)
        ended = subprocess.run(
            [sys.executable, "-c", _INGEST, str(root), str(folder)],
            env={**os.environ, "PYTHONPATH": library},
            check=True,
            capture_output=True,
            text=True,
        )
        frames, rejected, peak = map(int, ended.stdout.split())
        assert (frames, rejected) == (count - count // 100, count // 100)
        peaks.append(peak)
    assert peaks[1] <= 1.1 * peaks[0]
