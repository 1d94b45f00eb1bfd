"""The rows of EndoReport100's tables: frames, lesions, reports."""

from dataclasses import dataclass
from pathlib import Path

from endoalign.datasets.endoreport100_options import EndoReport100Options, FrameColumns
from endoalign.datasets.endovl_labels import cell_labels
from endoalign.datasets.listing import Names
from endoalign.datasets.mapped_pictures import MappedPictures
from endoalign.datasets.mapped_table import read_mapped
from endoalign.datasets.problems import Problem, missing, odd


@dataclass(frozen=True)
class Lesion:
    """A lesion: the sentence that describes it and the frame that represents it."""

    lesion_id: str
    case_id: str
    frame_id: str
    sentence: str


def read_frames(
    root: Path,
    table: str,
    columns: FrameColumns,
    pictures: MappedPictures,
    problems: list[Problem],
) -> list[dict[str, object]]:
    """Add all frames of the table to ``pictures``; return their labels.

    Raises ValueError for a missed column, and adds to ``problems`` what is wrong with rows.
    """
    rows, wrong = read_mapped(root, table, columns.model_dump(), "frame_columns")
    labels: list[dict[str, object]] = []
    for line, row in rows:
        if not row["case"]:
            wrong.append(odd(f"{table}:{line}", "names no case; left out"))
            continue
        frame_id = pictures.add(row["image"], row["case"], "", line)
        if frame_id is None:
            continue
        try:
            stated = cell_labels("polyp_present", row.get("polyp", ""))
        except ValueError as error:
            wrong.append(odd(f"{table}:{line}", str(error)))
            continue
        labels += [{"frame_id": frame_id, "task": task, "label": label} for task, label in stated]
    problems += wrong
    return labels


def read_lesions(
    names: Names,
    settings: EndoReport100Options,
    pictures: MappedPictures,
    problems: list[Problem],
) -> list[Lesion]:
    """Return the lesions, numbered in each case in the order of the table.

    A lesion whose frame is not in the table of frames, or is of another case, is left out and a
    problem. Raises ValueError for a missed column.
    """
    table = names.find(settings.lesions_table)
    if table is None:
        problems.append(missing(settings.lesions_table, "no such table: no lesion is linked"))
        return []
    columns = settings.lesion_columns.model_dump()
    rows, wrong = read_mapped(names.root, table, columns, "lesion_columns")
    lesions: list[Lesion] = []
    count: dict[str, int] = {}
    for line, row in rows:
        frame_id = pictures.find(row["image"])
        fault = _fault(row, frame_id, pictures)
        if fault or frame_id is None:
            wrong.append(odd(f"{table}:{line}", f"{fault}; the lesion is left out"))
            continue
        case_id = pictures.case_of(frame_id)
        number = count[case_id] = count.get(case_id, 0) + 1
        lesions.append(Lesion(f"{case_id}#{number}", case_id, frame_id, row["sentence"]))
    problems += wrong
    return lesions


def read_reports(
    names: Names, settings: EndoReport100Options, problems: list[Problem]
) -> dict[str, str]:
    """Return the reports by case id; none where the options name no table of them.

    Raises ValueError for a table that is not there, and for a missed column.
    """
    if settings.reports_table is None:
        return {}
    table = names.find(settings.reports_table) or settings.reports_table
    columns = settings.report_columns.model_dump()
    rows, wrong = read_mapped(names.root, table, columns, "report_columns")
    problems += wrong
    return {f"endoreport100/{row['case']}": row["report"] for _, row in rows}


def _fault(row: dict[str, str], frame_id: str | None, pictures: MappedPictures) -> str:
    """Return what is wrong with a row of the lesions, nothing where all is right."""
    if frame_id is None:
        return f"names the frame {row['image']!r}, which the table of frames does not have"
    if not row["sentence"]:
        return "has no sentence"
    case_id = pictures.case_of(frame_id)
    if case_id != f"endoreport100/{row['case']}":
        return f"is of the case {row['case']!r}, but its frame of {case_id.split('/', 1)[1]!r}"
    return ""
