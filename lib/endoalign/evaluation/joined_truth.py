"""The truth of several corpora as that of one, whose sources they are."""

import os
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import pandas as pd

from endoalign.corpus.truth import FOLDER, Truth, load_truth, write_truth


def join_truths(parts: Sequence[Path], folder: Path) -> Truth:
    """Write into ``folder`` the truth of all corpora in ``parts``, and return it.

    Masks stay where they are; their paths lead there from the truth folder of ``folder``.

    Raises:
        CorpusError: a part has no truth, or two share an id.
        ValueError: there is no part.
    """
    if not parts:
        raise ValueError("no corpus whose truth could be joined")
    truths = [_moved(load_truth(part), part, folder) for part in parts]
    joined = Truth(
        **{
            field.name: pd.concat([getattr(one, field.name) for one in truths], ignore_index=True)
            for field in fields(Truth)
        }
    )
    write_truth(joined, folder)
    return joined


def _moved(truth: Truth, part: Path, folder: Path) -> Truth:
    """The same truth, with paths of masks as seen from ``folder``."""
    way = Path(os.path.relpath(part / FOLDER, folder / FOLDER)).as_posix()
    paths = truth.frame_labels["mask_path"].map(lambda path: f"{way}/{path}", na_action="ignore")
    labels = truth.frame_labels.assign(mask_path=paths)
    return Truth(truth.cases, truth.findings, truth.lesions, truth.links, labels)
