"""Labelled pictures as a release like EndoReport100: tables of frames, lesions and reports.

Its schema is not public: these columns are ours, and readers map them.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from endoalign.world.layouts.endovl import csv_lines
from endoalign.world.layouts.pictures import LabelledPicture, write_lines, write_picture

FRAME_COLUMNS: Final = ("Frame", "Case", "Polyp")
LESION_COLUMNS: Final = ("Case", "Representative frame", "Finding sentence")
REPORT_COLUMNS: Final = ("Case", "Report")


def write(
    pictures: Sequence[LabelledPicture],
    folder: Path,
    *,
    language: str = "en",
    reports: Mapping[str, str] | None = None,
) -> None:
    """Write ``frames.csv``, ``lesions.csv`` and the frames under ``folder/frames/CASE``.

    A picture with a text is the representative frame of a lesion, and the text is its sentence. The
    label ``polyp`` is 0 or 1. ``reports.csv`` is written where ``reports`` has texts by case.

    Raises:
        ValueError: a picture without a case.
    """
    frames, lesions = [list(FRAME_COLUMNS)], [list(LESION_COLUMNS)]
    count: dict[str, int] = {}
    for picture in pictures:
        case = picture.case_id
        if not case:
            raise ValueError("a picture of EndoReport100 belongs to a case: case_id is empty")
        index = count[case] = count.get(case, -1) + 1
        path = f"frames/{case}/{index:04d}.jpg"
        write_picture(picture.rgb, folder / path)
        frames.append([path, case, picture.labels.get("polyp", "")])
        if language in picture.texts:
            lesions.append([case, path, picture.texts[language]])
    write_lines(csv_lines(frames), folder / "frames.csv")
    write_lines(csv_lines(lesions), folder / "lesions.csv")
    if reports is not None:
        rows = [list(REPORT_COLUMNS), *([case, text] for case, text in reports.items())]
        write_lines(csv_lines(rows), folder / "reports.csv")
