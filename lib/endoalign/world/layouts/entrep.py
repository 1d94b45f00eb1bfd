"""Labelled pictures as ENTRep: the challenge's release, and the earlier one with descriptions."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from endoalign.world.layouts.entrep_pairs import class_answers, phrase_pairs
from endoalign.world.layouts.ids import uuids
from endoalign.world.layouts.pictures import LabelledPicture, write_lines, write_picture

RENAMED_SHARE: Final = 0.25
"""Files of the earlier release whose name on disk differs from the list's in case."""


def write_challenge(
    pictures: Sequence[LabelledPicture],
    folder: Path,
    *,
    seed: int,
    answers: Path | None = None,
) -> list[str]:
    """Write ``train/`` (``imgs/UUID.png``, ``cls.json``, ``i2i.json``, ``t2i.json``) and the test.

    The test is ``PublicTest/UUID.png`` and the lists ``cls.csv``, ``i2i.csv``, ``t2i.csv``, one
    entry a line. As published, names are random, and nothing tells patient or examination.

    Args:
        pictures: their labels are ``class`` (one of the seven), ``split`` (``test`` goes to the
            test, all else to training) and, for the retrieval tracks, ``phrases``: what is seen,
            separated by ``; ``.
        folder: to write to.
        seed: of the names, and of the order in the lists.
        answers: where to write the answers of the test (``cls.json``, ``i2i.json``,
            ``t2i.json``), which the challenge keeps to itself; nowhere where it is `None`.

    Returns:
        The name of each picture's file.

    Raises:
        ValueError: a picture without one of the seven classes.
    """
    rng = np.random.default_rng([seed, 0xE27])
    names = [f"{name}.png" for name in uuids(len(pictures), rng)]
    classes = class_answers(pictures, names)
    order = [int(i) for i in rng.permutation(len(pictures))]
    test = [i for i in order if pictures[i].labels.get("split") == "test"]
    train = [i for i in order if pictures[i].labels.get("split") != "test"]
    for part, where in ((train, folder / "train" / "imgs"), (test, folder / "PublicTest")):
        for i in part:
            write_picture(pictures[i].rgb, where / names[i])
    by_phrase, by_image = phrase_pairs(pictures, names, train)
    _write_json({names[i]: classes[names[i]] for i in train}, folder / "train" / "cls.json")
    _write_json(by_image, folder / "train" / "i2i.json")
    _write_json(by_phrase, folder / "train" / "t2i.json")
    by_phrase, by_image = phrase_pairs(pictures, names, test)
    asked = {"cls": [names[i] for i in test], "i2i": list(by_image), "t2i": list(by_phrase)}
    for track, entries in asked.items():
        write_lines(entries, folder / f"{track}.csv")
    if answers is not None:
        _write_json({names[i]: classes[names[i]] for i in test}, answers / "cls.json")
        _write_json(by_image, answers / "i2i.json")
        _write_json(by_phrase, answers / "t2i.json")
    return names


def write_earlier(pictures: Sequence[LabelledPicture], folder: Path, *, seed: int) -> list[str]:
    """Write ``images/EXAMINATION_ImageNN.png`` and ``data.json``, described in two languages.

    As published, the name of an examination begins the name of its files, and a share of the names
    differs on disk in case from the list (``_image01`` for ``_Image01``).

    Args:
        pictures: with the label ``class``, the texts ``vi`` and ``en``, the label ``type``
            (``normal`` or ``abnormal``) and the examination as ``case_id``.
        folder: to write to.
        seed: of the choice of the names that differ.

    Returns:
        The ``Path`` of each picture in ``data.json``.

    Raises:
        ValueError: a picture without one of the seven classes or without an examination.
    """
    rng = np.random.default_rng([seed, 0xEA7])
    count: dict[str, int] = {}
    names = []
    for picture in pictures:
        if not picture.case_id:
            raise ValueError("a picture of ENTRep's earlier release needs its examination, case_id")
        count[picture.case_id] = count.get(picture.case_id, 0) + 1
        names.append(f"{picture.case_id}_Image{count[picture.case_id]:02d}.png")
    classes = class_answers(pictures, names)
    for picture, name in zip(pictures, names, strict=True):
        renamed = rng.random() < RENAMED_SHARE
        on_disk = name.replace("_Image", "_image") if renamed else name
        write_picture(picture.rgb, folder / "images" / on_disk)
    entries = [
        {
            "Path": name,
            "Classification": classes[name],
            "Type": picture.labels.get("type", ""),
            "Description": picture.texts.get("vi", ""),
            "DescriptionEN": picture.texts.get("en", ""),
        }
        for picture, name in zip(pictures, names, strict=True)
    ]
    _write_json(entries, folder / "data.json")
    return names


def _write_json(content: Any, path: Path) -> None:
    write_lines([json.dumps(content, ensure_ascii=False, indent=1)], path)
