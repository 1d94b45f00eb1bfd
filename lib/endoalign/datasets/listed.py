"""Pictures that a list names, found on disk whatever their case, or not found."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from endoalign.datasets.problems import Problem, missing, odd
from endoalign.datasets.text_files import read_table

Rows = list[tuple[int, dict[str, str]]]

NAMED: Final = 10
"""Lines of one list that get a problem each; more are counted in one problem."""


class ListedPictures:
    """Matches the lines of one list to the pictures on disk, and remembers what is wrong.

    Args:
        ids: of the pictures on disk.
        list_name: path of the list, relative to the root, for problems.
    """

    def __init__(self, ids: Iterable[str], list_name: str) -> None:
        self._list = list_name
        self._ids = set(ids)
        self._folded: dict[str, list[str]] = {}
        for frame_id in sorted(self._ids):
            self._folded.setdefault(frame_id.casefold(), []).append(frame_id)
        self._seen: set[str] = set()
        self._absent: list[tuple[int, str]] = []
        self._other_case: list[tuple[int, str]] = []

    def id_of(self, wanted: str, line: int = 0) -> str:
        """Return the id on disk of a listed picture, ``wanted`` itself where there is none.

        Args:
            wanted: id that the list gives.
            line: of the list, from 1; 0 where it has no lines.
        """
        found = wanted
        if wanted not in self._ids:
            candidates = self._folded.get(wanted.casefold(), [])
            if len(candidates) == 1:
                found = candidates[0]
                self._other_case.append((line, f"{wanted}, which is {found} on disk"))
            else:
                self._absent.append((line, wanted))
        self._seen.add(found)
        return found

    @property
    def unlisted(self) -> list[str]:
        """Ids on disk that no line has named, sorted; none where no line could be read."""
        return sorted(self._ids - self._seen) if self._seen else []

    def problems(self) -> list[Problem]:
        """Return the absent pictures and those whose names differ in case, by their lines."""
        found = [
            missing(self._at(line), f"names {name}, and no such picture is there")
            for line, name in self._absent[:NAMED]
        ]
        if len(self._absent) > NAMED:
            what = f"names {len(self._absent)} pictures in all that are not there"
            found.append(missing(self._list, f"{what}; {NAMED} of them are named"))
        found += [
            odd(self._at(line), f"differs in case: names {name}")
            for line, name in self._other_case[:NAMED]
        ]
        if len(self._other_case) > NAMED:
            what = f"names {len(self._other_case)} pictures in all in another case than the disk"
            found.append(odd(self._list, f"{what}; {NAMED} of them are named"))
        return found

    def _at(self, line: int) -> str:
        return f"{self._list}:{line}" if line else self._list


def unlisted_problems(unlisted: list[str], list_name: str, what: str) -> list[Problem]:
    """Return one problem for pictures on disk that a list lacks; ``what`` it then lacks of them."""
    if not unlisted:
        return []
    some = ", ".join(unlisted[:3]) + (", …" if len(unlisted) > 3 else "")
    return [odd(list_name, f"does not name {len(unlisted)} pictures on disk ({some}): {what}")]


def listed_rows(root: Path, path: str, columns: Sequence[str], problems: list[Problem]) -> Rows:
    """Return the rows of a list with a header, with their lines (`text_files.read_table`).

    A list that cannot be read (a missing column, an unknown encoding) has no rows, and that and
    each broken line is added to ``problems``.
    """
    try:
        rows, wrong = read_table(root / path, columns, path)
    except ValueError as error:
        problems.append(odd(path, str(error).removeprefix(f"{root / path}: ")))
        return []
    problems += wrong
    return rows
