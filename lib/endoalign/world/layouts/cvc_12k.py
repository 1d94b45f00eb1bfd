"""Labelled pictures as CVC-12k: CVC-ClinicDB's stills and the list of sequences."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from endoalign.world.layouts import cvc_clinicdb
from endoalign.world.layouts.pictures import LabelledPicture, write_lines


def write(
    pictures: Sequence[LabelledPicture],
    folder: Path,
    *,
    sequences: Mapping[int, int],
    train: Sequence[int],
    test: Sequence[int],
) -> None:
    """Write stills under ``folder/CVC-ClinicDB`` and ``folder/videolist.txt``.

    Args:
        pictures: the k-th is still k, from 1.
        folder: to write to.
        sequences: length of each sequence by the number of its first still.
        train: first stills of the sequences to train on; the list has them first.
        test: first stills of the sequences to test on; the published list repeats some.

    Raises:
        ValueError: a sequence that is not in ``sequences``, or reaches beyond the pictures.
    """
    lines = []
    for start in (*train, *test):
        if start not in sequences or start + sequences[start] - 1 > len(pictures):
            raise ValueError(
                f"sequence from still {start} on: not known, or beyond {len(pictures)} stills"
            )
        lines.append(f"CVC-ClinicVideoDB/indexed {start} {sequences[start]} -1")
    cvc_clinicdb.write(pictures, folder / "CVC-ClinicDB")
    write_lines(lines, folder / "videolist.txt")
