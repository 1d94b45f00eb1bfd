"""The form of ENTRep's lists and submissions, and whether a file has it.

Each track takes one JSON object: file to class id (track 1), file to another file (track 2), phrase
to file (track 3). The lists of what is asked (``cls.csv``, ``i2i.csv``, ``t2i.csv``) have one entry
a line and no header.
"""

import csv
import difflib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from endoalign.vocabulary import ENT_CLASSES

Track = Literal["classification", "image_to_image", "text_to_image"]
CLASS_IDS: Final = {name: number for number, name in enumerate(ENT_CLASSES)}
"""The challenge's own."""


def read_asked(file: Path) -> list[str]:
    """What a list of the challenge asks for, one entry a line, in its order.

    A phrase may hold commas: only a line that is one quoted cell is unquoted.

    Raises:
        ValueError: the file is missing, empty or no UTF-8, a line is blank, or an entry stands
            twice.
    """
    if not file.is_file():
        raise ValueError(f"{file} is missing: it lists what a track asks for, one entry a line")
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{file}: not readable as UTF-8; save it as UTF-8") from None
    entries = [_unquoted(line) for line in lines]
    if not entries:
        raise ValueError(f"{file} is empty: one entry a line is right")
    for number, entry in enumerate(entries, start=1):
        if not entry:
            raise ValueError(f"{file}, line {number} is blank")
    _refuse_repeats(entries, str(file))
    return entries


def check_submission(
    track: Track, file: Path, asked: Sequence[str], gallery: Sequence[str] = ()
) -> int:
    """Check a submission file, ours or another's; returns the number of answers.

    Args:
        asked: file names or phrases, as `read_asked` gives them.
        gallery: file names that an answer may be (tracks 2 and 3).

    Raises:
        ValueError: the file is no sound JSON object, a key stands twice or is not asked for, an
            answer is missing or is not what the track takes; the message names file and key.
    """
    answers = read_answers(file)
    check_answers(track, answers, asked, gallery, str(file))
    return len(answers)


def read_answers(file: Path) -> dict[str, object]:
    """Question -> answer, as a file of one track holds them, unchecked.

    Raises:
        ValueError: the file is missing or no sound JSON object, or a key stands twice.
    """
    if not file.is_file():
        raise ValueError(f"{file} is missing")
    try:
        answers = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=_once(file))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} is no sound JSON: {error}") from error
    if not isinstance(answers, dict):
        raise ValueError(f"{file} must hold one JSON object, not a {type(answers).__name__}")
    return answers


def check_answers(
    track: Track,
    answers: Mapping[str, object],
    asked: Sequence[str],
    gallery: Sequence[str],
    where: str,
) -> None:
    """Raise a `ValueError` that starts with ``where`` unless answers are as a track takes them."""
    _refuse_repeats(asked, "what is asked")
    wanted, known = set(asked), set(gallery)
    for name in asked:
        if name not in answers:
            raise ValueError(f"{where}: no answer for {name!r}, one of {len(wanted)} asked for")
    for name, answer in answers.items():
        if name not in wanted:
            raise ValueError(f"{where}: {name!r} was not asked for{_near(name, asked)}")
        if track == "classification":
            if type(answer) is not int or answer not in CLASS_IDS.values():
                raise ValueError(
                    f"{where}: {name!r} has {answer!r}; right is a whole number 0 to 6"
                )
        elif not isinstance(answer, str) or answer not in known:
            near = _near(str(answer), gallery)
            raise ValueError(f"{where}: {name!r} has {answer!r}, no file of the gallery{near}")
        elif track == "image_to_image" and answer == name:
            raise ValueError(f"{where}: {name!r} is answered with itself")


def _once(file: Path) -> Callable[[list[tuple[str, object]]], dict[str, object]]:
    """A hook for JSON that refuses a key given twice, which the parser would pass over."""

    def hook(pairs: list[tuple[str, object]]) -> dict[str, object]:
        _refuse_repeats([key for key, _ in pairs], str(file))
        return dict(pairs)

    return hook


def _refuse_repeats(names: Sequence[str], where: str) -> None:
    if repeated := [name for name, count in Counter(names).items() if count > 1]:
        raise ValueError(f"{where}: {repeated[0]!r} stands twice")


def _unquoted(line: str) -> str:
    cells = next(csv.reader([line]), [])
    return (cells[0] if len(cells) == 1 else line).strip()


def _near(name: str, known: Sequence[str]) -> str:
    """The known name most like ``name``; case is what file names on disk differ in most often."""
    found = difflib.get_close_matches(name, known, n=1)
    same = [other for other in known if other.lower() == name.lower()]
    return f" (nearest: {(same or found)[0]!r})" if same or found else ""
