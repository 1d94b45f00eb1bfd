"""Submission files of the three ENTRep tracks: checked, then written (`ent_format`)."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from endoalign.corpus.files import write_text
from endoalign.evaluation.ent_format import CLASS_IDS, Track, check_answers


def write_classification(predicted: Mapping[str, str], asked: Sequence[str], file: Path) -> None:
    """Write track 1.

    Args:
        predicted: file name -> class name.
        asked: file names of ``cls.csv``.

    Raises:
        ValueError: a class is unknown, or the files are not those asked for.
    """
    for name, label in predicted.items():
        if label not in CLASS_IDS:
            known = ", ".join(CLASS_IDS)
            raise ValueError(f"{name!r}: {label!r} is no class of the challenge: {known}")
    ids = {name: CLASS_IDS[label] for name, label in predicted.items()}
    _write("classification", ids, asked, (), file)


def write_image_to_image(
    found: Mapping[str, str], asked: Sequence[str], gallery: Sequence[str], file: Path
) -> None:
    """Write track 2: query file -> the most similar other file of the gallery.

    Raises:
        ValueError: the queries are not those asked for, or an answer is no file of the gallery or
            the query itself.
    """
    _write("image_to_image", found, asked, gallery, file)


def write_text_to_image(
    found: Mapping[str, str], asked: Sequence[str], gallery: Sequence[str], file: Path
) -> None:
    """Write track 3: phrase -> file of the gallery.

    Raises:
        ValueError: the phrases are not those asked for, or an answer is no file of the gallery.
    """
    _write("text_to_image", found, asked, gallery, file)


def _write(
    track: Track,
    answers: Mapping[str, object],
    asked: Sequence[str],
    gallery: Sequence[str],
    file: Path,
) -> None:
    """Check first, so that nothing wrong is written; in the order in which it was asked."""
    check_answers(track, answers, asked, gallery, file.name)
    ordered = {name: answers[name] for name in asked}
    write_text(json.dumps(ordered, ensure_ascii=False, indent=1) + "\n", file)
