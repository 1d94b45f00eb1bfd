"""Pictures that the rows of a table of the user name, with their cases and parts."""

from pathlib import Path, PurePosixPath
from typing import Final

from endoalign.corpus.listing import files_under, is_frame
from endoalign.datasets.listed import ListedPictures
from endoalign.datasets.problems import Problem, odd

PARTS: Final = {
    "train": "train",
    "training": "train",
    "val": "validation",
    "valid": "validation",
    "validation": "validation",
    "test": "test",
}
"""Part by how a table may call it."""


class MappedPictures:
    """Frames, cases and splits of the pictures that a table names, gathered row by row.

    Args:
        dataset: name, the beginning of all ids.
        root: of the data set.
        images: folder in the root from which the table's paths start; empty: the root.
        table: path of the table, for problems.
        default_split: of cases of which the table says none.
    """

    def __init__(
        self, dataset: str, root: Path, images: str, table: str, default_split: str = "train"
    ) -> None:
        base = root / images
        if not base.is_dir():
            raise ValueError(f"{base}: no such folder; the option images names it")
        prefix = base.relative_to(root).as_posix()
        self._prefix = "" if prefix == "." else f"{prefix}/"
        self._dataset, self._table, self._default = dataset, table, default_split
        self._on_disk = {path for path in files_under(base) if is_frame(path)}
        self._lookup = ListedPictures(self._on_disk, table)
        self._split_of: dict[str, str] = {}
        self._case_of: dict[str, str] = {}
        self._lines: dict[str, int] = {}
        self._count: dict[str, int] = {}
        self._wrong: list[Problem] = []
        self.frames: list[dict[str, object]] = []
        self.splits: list[dict[str, object]] = []

    def add(self, image: str, case: str, part: str, line: int) -> str | None:
        """Add a picture and return its id, `None` where the row names none or a former one.

        A picture that is not on disk has an id, and labels may be kept under it, but no frame.

        Args:
            image: its path from the folder of the pictures.
            case: of the picture; empty: the picture is its own.
            part: of the split; empty: none is stated.
            line: of the table.
        """
        if not image:
            self._wrong.append(odd(f"{self._table}:{line}", "names no picture; left out"))
            return None
        path = self._lookup.id_of(_slashes(image), line)
        frame_id = self._id(path)
        if frame_id in self._lines:
            what = f"names the picture of line {self._lines[frame_id]} again; left out"
            self._wrong.append(odd(f"{self._table}:{line}", what))
            return None
        self._lines[frame_id] = line
        case_id = self._case_of[frame_id] = f"{self._dataset}/{case}" if case else frame_id
        self._place(frame_id, case_id, part, line)
        if path in self._on_disk:
            index = self._count[case_id] = self._count.get(case_id, -1) + 1
            self.frames.append(
                {
                    "frame_id": frame_id,
                    "case_id": case_id,
                    "path": self._prefix + path,
                    "index": index,
                }
            )
        return frame_id

    def find(self, image: str) -> str | None:
        """Return the id of a picture added before, by its path in any case; `None` for another."""
        wanted = self._id(_slashes(image))
        if wanted in self._lines:
            return wanted
        alike = [i for i in self._lines if i.casefold() == wanted.casefold()]
        return alike[0] if len(alike) == 1 else None

    def case_of(self, frame_id: str) -> str:
        """Return the case of a picture added before."""
        return self._case_of[frame_id]

    def cases(self) -> list[dict[str, object]]:
        """Return the cases with their splits, in the order of the table."""
        return [{"case_id": case_id, "split": part} for case_id, part in self._split_of.items()]

    def problems(self) -> list[Problem]:
        """Return what was wrong with the pictures of all rows."""
        return [*self._wrong, *self._lookup.problems()]

    def _id(self, path: str) -> str:
        return f"{self._dataset}/{PurePosixPath(path).with_suffix('')}"

    def _place(self, frame_id: str, case_id: str, part: str, line: int) -> None:
        split = PARTS.get(part.casefold(), self._default)
        if part and part.casefold() not in PARTS:
            what = f"split {part!r} is none of {', '.join(PARTS)}; taken as {split}"
            self._wrong.append(odd(f"{self._table}:{line}", what))
        elif part:
            row = {"frame_id": frame_id, "protocol": "official", "fold": "0", "part": split}
            self.splits.append(dict[str, object](row))
        first = self._split_of.setdefault(case_id, split)
        if first != split:
            what = f"{case_id} is in {split} here and in {first} before, which is kept for the case"
            self._wrong.append(odd(f"{self._table}:{line}", what))


def _slashes(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./")
