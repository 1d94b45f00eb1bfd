"""ENTRep: ear, nose and throat endoscopy in seven classes, in either of its two releases."""

from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.entrep_challenge import read_challenge
from endoalign.datasets.entrep_earlier import read_earlier
from endoalign.datasets.entrep_files import Tables
from endoalign.datasets.listing import Names
from endoalign.datasets.problems import Problem

CARD: Final = Card(
    name="entrep",
    title="ENTRep",
    page="https://aichallenge.hcmus.edu.vn/acm-mm-2025/entrep",
    licence="for participants of the challenge, under its terms of use; ask its organisers",
    citation="Nguyen et al. 2025, ENTRep Challenge, ACM Multimedia",
    layout=(
        "challenge:  train/imgs/UUID.png\n"
        "            train/cls.json, train/i2i.json, train/t2i.json\n"
        "            PublicTest/UUID.png, cls.csv, i2i.csv, t2i.csv   (lists, no answers)\n"
        "earlier:    data.json  [{Path, Classification, Type, Description, DescriptionEN}]\n"
        "            images/EXAMINATION_ImageNN.png"
    ),
    expected={
        "labelled": 1291,
        "class=nose-right": 325,
        "class=nose-left": 290,
        "class=ear-right": 156,
        "class=ear-left": 133,
        "class=vc-open": 159,
        "class=vc-closed": 147,
        "class=throat": 81,
    },
    how_to_get="register for the challenge at the page and unpack its archives into one folder.",
    notes=(
        "Sides are the patient's: a picture flipped left to right shows the other side.",
        "Files of the challenge tell no examination: group them by look before they are divided.",
    ),
)
EARLIER: Final = replace(CARD, title="ENTRep (earlier release)", expected={"frames": 565})
"""The ENT-CLIP paper's 565 pictures."""

Release = Literal["challenge", "earlier"]


def read(root: Path, *, release: Release | None = None) -> Contents:
    """Return the tables of a release of ENTRep.

    The label of task ``class`` is one of the seven classes, that of ``type`` (earlier release) the
    kind of condition. Texts are the descriptions (``vi`` and ``en``), or in the challenge's release
    the phrases of ``t2i.json``. The label of task ``match`` is the frame_id that ``i2i.json`` calls
    a match. Pictures of ``PublicTest`` are the split ``test`` and have no labels.

    Args:
        root: the folder of either release, or around it.
        release: which one; told from the files where it is `None`.

    Raises:
        ValueError: neither release is there, or its list is no readable JSON.
    """
    if release not in (None, "challenge", "earlier"):
        raise ValueError(f"entrep: release is {release!r}; it is challenge, earlier or none")
    names = Names(root)
    lists = {
        "challenge": names.find_first("train/cls.json", "cls.json", "train/train/cls.json"),
        "earlier": names.find_first("data.json", "train/data.json", "Dataset/train/data.json"),
    }
    found = [name for name, path in lists.items() if path is not None and release in (None, name)]
    if not found:
        refuse(CARD, root, "train/cls.json (challenge) or data.json (earlier release)")
    path = str(lists[found[0]])
    if found[0] == "earlier":
        tables, problems = read_earlier(names, path)
        return _contents(EARLIER, root, tables, problems)
    tables, problems = read_challenge(names, path)
    return _contents(CARD, root, tables, problems)


def _contents(card: Card, root: Path, tables: Tables, problems: list[Problem]) -> Contents:
    return make_contents(
        card,
        root,
        cases=tables["cases"],
        frames=tables["frames"],
        labels=tables["labels"],
        splits=tables["splits"],
        texts=tables["texts"],
        problems=problems,
        counted={"labelled": sum(row["task"] == "class" for row in tables["labels"])},
    )
