"""Kvasir v2: 8 classes of 1,000 pictures each, without an official split."""

from pathlib import Path, PurePosixPath
from typing import Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.class_folders import absent_classes, classed_pictures, without_repeats
from endoalign.datasets.class_names import KVASIR_V2, KVASIR_V2_UPPER
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.listing import Names

CARD: Final = Card(
    name="kvasir-v2",
    title="Kvasir v2",
    page="https://datasets.simula.no/kvasir/",
    licence="free for research and education; the paper has to be cited",
    citation="Pogorelov et al. 2017, ACM MMSys, doi:10.1145/3083187.3083212",
    layout="CLASS/ID.jpg  (8 folders, perhaps inside kvasir-dataset-v2)",
    expected={
        "frames": 8000,
        "classes": 8,
        **{f"class={name}": 1000 for name in KVASIR_V2.names},
    },
    how_to_get="download kvasir-dataset-v2.zip from the page and unpack it.",
    notes=(
        "There is no official split and patients are not known: each picture is a case of its own, "
        "all in the split train.",
        "Some of its pictures are in HyperKvasir and Kvasir-SEG too.",
    ),
)


def read(root: Path) -> Contents:
    """Return the pictures and their classes (task ``class``)."""
    names = Names(root)
    base = names.find_first("kvasir-dataset-v2") or ""
    found, problems = classed_pictures(names, base, KVASIR_V2)
    if not found:
        refuse(CARD, root, "folders such as normal-cecum/*.jpg")
    ids = [f"{CARD.name}/{PurePosixPath(picture.path).stem}" for picture in found]
    pictures, repeats = without_repeats(found, ids)
    return make_contents(
        CARD,
        root,
        cases=[
            {
                "case_id": i,
                "exam_type": "gastroscopy" if p.label in KVASIR_V2_UPPER else "colonoscopy",
            }
            for i, p in pictures.items()
        ],
        frames=[
            {"frame_id": i, "case_id": i, "path": p.path, "index": 0} for i, p in pictures.items()
        ],
        labels=[{"frame_id": i, "task": "class", "label": p.label} for i, p in pictures.items()],
        problems=[*problems, *repeats, *absent_classes(found, KVASIR_V2.names, base)],
        counted={"classes": len({p.label for p in pictures.values()})},
    )
