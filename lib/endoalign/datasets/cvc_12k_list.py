"""``videolist.txt``, the published list of CVC-12k: which sequences train and which test."""

from typing import Final

from endoalign.datasets.clinicdb_sequences import PUBLISHED_TEST, PUBLISHED_TRAIN, SEQUENCES
from endoalign.datasets.listing import Names
from endoalign.datasets.problems import Problem, odd
from endoalign.datasets.text_files import read_lines

LIST: Final = "videolist.txt"

Parts = dict[str, tuple[int, ...]]
"""First stills of the sequences of each part, ``train`` and ``test``."""

PUBLISHED: Final[Parts] = {"train": PUBLISHED_TRAIN, "test": PUBLISHED_TEST}


def published_parts(names: Names) -> tuple[Parts, list[Problem]]:
    """Return the parts that ``videolist.txt`` tells, and what is wrong with it.

    Lines are ``NAME FIRST LENGTH -1``: the first 20 are trained on, the others tested on. The
    published parts are returned where there is no such file, or a faulty one.
    """
    path = names.find(LIST)
    if path is None:
        return PUBLISHED, []
    starts: list[int] = []
    problems: list[Problem] = []
    for number, line in read_lines(names.root / path):
        start, wrong = _start_of(line)
        if wrong:
            problems.append(odd(f"{path}:{number}", wrong))
        else:
            starts.append(start)
    count = len(PUBLISHED_TRAIN)
    found: Parts = {"train": tuple(starts[:count]), "test": tuple(starts[count:])}
    if problems or not found["test"]:
        why = "for its faulty lines" if problems else f"as it names {len(starts)} sequences"
        what = f"not taken {why}; the published lists are used"
        return PUBLISHED, [*problems, odd(path, what)]
    if any(set(found[part]) != set(PUBLISHED[part]) for part in PUBLISHED):
        problems.append(odd(path, "other sequences than in the published list"))
    return found, problems


def _start_of(line: str) -> tuple[int, str]:
    """Return the first still of the sequence of a line, and what is wrong with the line."""
    cells = line.split()
    if len(cells) < 3 or not (cells[1].isdecimal() and cells[2].isdecimal()):
        return 0, f"{line[:60]!r} is not NAME FIRST LENGTH -1"
    start, length = int(cells[1]), int(cells[2])
    if SEQUENCES.get(start) != length:
        return 0, f"no sequence of {length} stills from {start} on"
    return start, ""
