"""What is there of a data set, what is missing or odd, and how to get it."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any, Final

from endoalign.datasets.contents import Contents
from endoalign.datasets.masks import THRESHOLD, mask_values
from endoalign.datasets.problems import Problem, odd
from endoalign.datasets.registry import load
from endoalign.datasets.shared_patients import shared_patients

SHOWN: Final = 12
"""Problems of one kind that the report names; the others it counts."""


@dataclass(frozen=True)
class Check:
    """A data set on disk, all problems of it, those of its masks' pixels included, and remarks.

    Remarks are the notes of the card and what is odd in the files as they were published.
    """

    contents: Contents
    problems: tuple[Problem, ...]
    remarks: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether all counts are as published and nothing is missing or odd."""
        return not self.problems and self.contents.counts() == dict(self.contents.card.expected)


def check(name: str, root: Path, **options: Any) -> Check:
    """Read a data set and the pixels of all its masks; raises ValueError as `registry.load`."""
    contents = load(name, root, **options)
    card = contents.card
    remarks = (*card.notes, *_shared(contents))
    if card.label_maps:
        return Check(contents, contents.problems, remarks)
    problems, grey = mask_problems(contents)
    if card.lossy_masks:
        remarks += tuple(f"{one.path}: {one.what}" for one in grey)
        return Check(contents, (*contents.problems, *problems), remarks)
    return Check(contents, (*contents.problems, *problems, *grey), remarks)


def _shared(contents: Contents) -> list[str]:
    """Return a remark for each protocol that has a patient in training and in test."""
    lines = []
    for protocol in dict.fromkeys(contents.splits["protocol"]):
        shared = shared_patients(contents, protocol)
        if shared:
            lines.append(
                f"Protocol {protocol}: {len(shared)} patients or sequences are in training and in "
                f"test, the first of them {shared[0]}."
            )
    return lines


def mask_problems(contents: Contents) -> tuple[list[Problem], list[Problem]]:
    """Return what the pixels of the masks say.

    Returns:
        Masks that cannot be read or have nothing above the threshold although they are not
        empty; and one problem for each folder with masks that are not binary, which
        `masks.read_mask` reads all the same.
    """
    problems: list[Problem] = []
    grey: dict[str, list[float]] = {}
    for path in contents.masks["mask_path"]:
        try:
            values = mask_values(contents.root / path)
        except ValueError as error:
            problems.append(odd(path, str(error).split(": ", 1)[-1]))
            continue
        if 0 < values.highest <= THRESHOLD:
            what = f"no value above {THRESHOLD} (highest {values.highest}): read as an empty mask"
            problems.append(odd(path, what))
        elif values.between > 0:
            grey.setdefault(PurePosixPath(path).parent.as_posix(), []).append(values.between)
    return problems, [
        odd(
            folder,
            f"{len(shares)} masks are not binary (up to {max(shares):.1%} of the pixels are "
            f"neither 0 nor 255); they are read as foreground where above {THRESHOLD}",
        )
        for folder, shares in grey.items()
    ]


def report(result: Check) -> str:
    """Return what the command prints: facts, counts, problems and how to get what is missing."""
    card, root = result.contents.card, result.contents.root
    lines = [
        f"{card.title} ({card.name})",
        f"  page      {card.page}",
        f"  licence   {card.licence}",
        f"  citation  {card.citation}",
        f"  folder    {root}",
        "",
        *_count_lines(result.contents),
        "",
        *_problem_lines(result.problems),
    ]
    lines += [f"Note: {note}" for note in result.remarks]
    if not result.complete:
        lines += ["", "Expected layout:", *_indented(card.layout), f"To get it: {card.how_to_get}"]
    return "\n".join(lines)


def _count_lines(contents: Contents) -> list[str]:
    lines = []
    width = max(map(len, contents.card.expected), default=0)
    for name, found in contents.counts().items():
        published = contents.card.expected[name]
        verdict = "as published"
        if found < published:
            verdict = f"{published - found:,} missing"
        elif found > published:
            verdict = f"{found - published:,} more than published"
        lines.append(f"  {name:<{width}} {found:>7,} of {published:>7,}  {verdict}")
    return lines


def _problem_lines(problems: Iterable[Problem]) -> list[str]:
    ordered = sorted(problems, key=lambda problem: problem.kind)
    lines = []
    for kind, group in groupby(ordered, key=lambda problem: problem.kind):
        of_kind = list(group)
        lines.append(f"{kind.capitalize()}: {len(of_kind)}")
        lines += [f"  {problem.path}: {problem.what}" for problem in of_kind[:SHOWN]]
        if len(of_kind) > SHOWN:
            lines.append(f"  … and {len(of_kind) - SHOWN} more")
    return lines or ["Nothing is missing or odd."]


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.strip("\n").split("\n")]
