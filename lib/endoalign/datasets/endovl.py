"""EndoVL: polyps with Paris type, surface, size and descriptors, in columns that the user names."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.endovl_labels import SIGNS, Labels, cell_labels, descriptor_labels
from endoalign.datasets.endovl_options import EndoVLOptions
from endoalign.datasets.listing import Names
from endoalign.datasets.mapped_pictures import MappedPictures
from endoalign.datasets.mapped_table import read_mapped
from endoalign.datasets.options import options_of
from endoalign.datasets.problems import odd

TASKS: Final = ("paris", "congestion", "lobulated", "villous", "size_cm")

CARD: Final = Card(
    name="endovl",
    title="EndoVL",
    page="https://doi.org/10.6084/m9.figshare.32320998",
    licence="that of the record; the pictures keep the terms of their four data sets",
    citation="Fu et al. 2026, EndoVL, Figshare; the EndoCLIP paper, section 4.5.2",
    layout=(
        "TABLE   one row a picture: its path, Paris type, congestion, lobulated, villous, size\n"
        "        and descriptors; a split. The options name the table and its columns\n"
        "pictures at the paths that the table names, under the folder of the option images"
    ),
    expected={
        "paris": 2106,
        "congestion": 2062,
        "lobulated": 2139,
        "villous": 2099,
        "size_cm": 2177,
    },
    how_to_get=(
        "download the annotations from the page, and CVC-ClinicDB, CVC-300, Kvasir-SEG and "
        "PolypGen from their own pages; then write the options, a YAML file with table, images "
        "and columns, in which each of our names has the name of its column, or null."
    ),
    notes=(
        "The schema is not public: only what the options map is read.",
        "For structured reports the paper uses 1,375, 197 and 394 pictures (train, validation, "
        "test).",
        "The pictures are also in Kvasir-SEG, CVC-ClinicDB, CVC-300 and PolypGen.",
    ),
)


def read(
    root: Path,
    *,
    table: str = "annotations.csv",
    images: str = "",
    columns: Mapping[str, str | None] | None = None,
    size_unit: str = "cm",
    separator: str = ";",
    descriptor_names: Mapping[str, str] | None = None,
) -> Contents:
    """Return the pictures with tasks ``paris``, ``congestion`` … of those rows that state them.

    Sizes are ``size_cm`` and ``size_10mm`` (1 from 10 mm on); each descriptor is a row of the task
    ``descriptor``. Labels hold what the table says of absent pictures too; frames are those on
    disk. A split is of the protocol ``official``.

    Args:
        root: the folder with the table and the pictures.
        table: path of the table (CSV, TSV, JSONL or Parquet) in the root.
        images: folder in the root from which the pictures' paths start; empty: the root.
        columns: fields of `EndoVLColumns`.
        size_unit: ``cm`` or ``mm``.
        separator: between two descriptors.
        descriptor_names: our descriptor by the table's name of it.

    Raises:
        ValueError: a wrong option, no table, or a missed column, all named.
    """
    options = {
        "table": table,
        "images": images,
        "columns": dict(columns or {}),
        "size_unit": size_unit,
        "separator": separator,
        "descriptor_names": dict(descriptor_names or {}),
    }
    settings = options_of(CARD, EndoVLOptions, options)
    found = Names(root).find(table)
    if found is None:
        refuse(CARD, root, f"the table {table}")
    table = found
    lines, problems = read_mapped(root, table, settings.columns.model_dump(), "columns")
    pictures = MappedPictures(CARD.name, root, settings.images, table)
    stated: list[dict[str, object]] = []
    for line, row in lines:
        frame_id = pictures.add(row["image"], row.get("patient", ""), row.get("split", ""), line)
        if frame_id is None:
            continue
        labels, wrong = _labels(row, settings)
        stated += [{"frame_id": frame_id, "task": t, "label": label} for t, label in labels]
        problems += [odd(f"{table}:{line}", what) for what in wrong]
    counted = Counter(row["task"] for row in stated)
    return make_contents(
        CARD,
        root,
        cases=pictures.cases(),
        frames=pictures.frames,
        labels=stated,
        splits=pictures.splits,
        problems=[*problems, *pictures.problems()],
        counted={task: counted[task] for task in TASKS},
    )


def _labels(row: Mapping[str, str], settings: EndoVLOptions) -> tuple[Labels, list[str]]:
    """Return the labels of a row, and what is wrong with the cells that state none."""
    labels: Labels = []
    wrong: list[str] = []
    unit_cm = 1.0 if settings.size_unit == "cm" else 0.1
    for column in ("paris", *SIGNS, "size"):
        try:
            labels += cell_labels(column, row.get(column, ""), unit_cm=unit_cm)
        except ValueError as error:
            wrong.append(str(error))
    try:
        labels += descriptor_labels(
            row.get("descriptors", ""), settings.separator, settings.descriptor_names
        )
    except ValueError as error:
        wrong.append(f"{error}; no descriptor of the row is taken")
    return labels, wrong
