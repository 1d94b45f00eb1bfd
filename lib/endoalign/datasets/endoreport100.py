"""EndoReport100: cases of several lesions, each linked to a frame and its sentence."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from endoalign.corpus.language import language_of
from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.endoreport100_options import EndoReport100Options
from endoalign.datasets.endoreport100_rows import read_frames, read_lesions, read_reports
from endoalign.datasets.listing import Names
from endoalign.datasets.mapped_pictures import MappedPictures
from endoalign.datasets.options import options_of
from endoalign.datasets.problems import Problem

CARD: Final = Card(
    name="endoreport100",
    title="EndoReport100",
    page="https://doi.org/10.6084/m9.figshare.33085637",
    licence="that of the record",
    citation="Li 2026, EndoReport100, Figshare; the EndoCLIP paper, sections 2.2 and 4.5.2",
    layout=(
        "FRAMES    one row a frame: path, case, polyp (0 or 1)\n"
        "LESIONS   one row a lesion: case, path of its representative frame, sentence\n"
        "REPORTS   one row a case: case, report (optional)\n"
        "frames at the paths of the tables, under the folder of the option images"
    ),
    expected={"cases": 100, "frames": 7002, "lesions": 217},
    how_to_get=(
        "download it from the page; then write the options, a YAML file with frames_table, "
        "lesions_table, images and the columns of each table, in which each of our names has the "
        "name of its column, or null."
    ),
    notes=(
        "The schema is not public: only what the options map is read.",
        "The paper counts 7,002 frames, the record's own page 7,003.",
        "All of it is a test set.",
    ),
)


Columns = Mapping[str, str | None]
"""Column of a table by our name; null for what the table does not have."""


def read(
    root: Path,
    *,
    frames_table: str = "frames.csv",
    lesions_table: str = "lesions.csv",
    reports_table: str | None = None,
    images: str = "",
    frame_columns: Columns | None = None,
    lesion_columns: Columns | None = None,
    report_columns: Columns | None = None,
) -> Contents:
    """Return the cases, frames, labels and sentences.

    Labels: ``polyp_present`` (0 or 1) of a frame, and ``lesion`` (the lesion's id) of its
    representative frame, whose sentences are in ``texts``. A case without a report has its
    sentences, one a line, in their stead.

    Args:
        root: the folder with the tables and the frames.
        frames_table: path of the table of frames (CSV, TSV, JSONL or Parquet) in the root.
        lesions_table: path of the table of lesions.
        reports_table: path of the table of reports; none where it is not named.
        images: folder in the root from which the frames' paths start; empty: the root.
        frame_columns: fields of `FrameColumns`.
        lesion_columns: fields of `LesionColumns`.
        report_columns: fields of `ReportColumns`.

    Raises:
        ValueError: a wrong option, no table, or a missed column, all named.
    """
    options = {
        "frames_table": frames_table,
        "lesions_table": lesions_table,
        "reports_table": reports_table,
        "images": images,
        "frame_columns": dict(frame_columns or {}),
        "lesion_columns": dict(lesion_columns or {}),
        "report_columns": dict(report_columns or {}),
    }
    settings = options_of(CARD, EndoReport100Options, options)
    names, problems = Names(root), list[Problem]()
    table = names.find(settings.frames_table)
    if table is None:
        refuse(CARD, root, f"the table {settings.frames_table}")
    pictures = MappedPictures(CARD.name, root, settings.images, table, default_split="test")
    labels = read_frames(root, table, settings.frame_columns, pictures, problems)
    lesions = read_lesions(names, settings, pictures, problems)
    reports = read_reports(names, settings, problems)
    cases = pictures.cases()
    for case in cases:
        sentences = [lesion.sentence for lesion in lesions if lesion.case_id == case["case_id"]]
        text = reports.get(str(case["case_id"]), "\n".join(sentences))
        case |= {"report_text": text, "language": language_of(text)}
    labels += [
        {"frame_id": lesion.frame_id, "task": "lesion", "label": lesion.lesion_id}
        for lesion in lesions
    ]
    return make_contents(
        CARD,
        root,
        cases=cases,
        frames=pictures.frames,
        labels=labels,
        texts=[
            {
                "key": lesion.frame_id,
                "language": language_of(lesion.sentence),
                "text": lesion.sentence,
            }
            for lesion in lesions
        ],
        problems=[*problems, *pictures.problems()],
        counted={"lesions": len(lesions)},
    )
