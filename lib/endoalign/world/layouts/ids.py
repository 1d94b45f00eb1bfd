"""Names of files as public data sets give them, and labels of the pictures to write."""

import uuid
from collections.abc import Collection

import numpy as np

from endoalign.corpus.validation import nearest
from endoalign.world.layouts.pictures import LabelledPicture


def uuids(count: int, rng: np.random.Generator) -> list[str]:
    """Return ``count`` random UUIDs (version 4) that depend on ``rng`` alone."""
    return [str(uuid.UUID(bytes=rng.bytes(16), version=4)) for _ in range(count)]


def label_of(picture: LabelledPicture, task: str, known: Collection[str]) -> str:
    """Return a picture's label of a task.

    Raises:
        ValueError: the picture has none, or one that is not in ``known``; names the nearest.
    """
    label = picture.labels.get(task, "")
    if label not in known:
        near = nearest(label, list(known))
        raise ValueError(f"label {task} is {label!r}{near}; known: {', '.join(known)}")
    return label
