"""CVC-12k of Endo-FM: CVC-ClinicDB's stills as sequences, 20 to train on and 9 to test.

Seven of the nine test sequences are in training as well, so that nothing measured by the published
lists tells of unseen polyps. The protocol ``disjoint`` keeps the test sequences and trains on all
others.
"""

from pathlib import Path
from typing import Final

from endoalign.datasets.card import Card
from endoalign.datasets.clinicdb_sequences import (
    PUBLISHED_TEST,
    PUBLISHED_TRAIN,
    SEQUENCES,
    STILLS,
    place_of,
    sequence_id,
)
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.cvc_12k_list import Parts, published_parts
from endoalign.datasets.cvc_clinicdb import read_stills
from endoalign.datasets.listing import Names
from endoalign.datasets.still_rows import case_rows

PROTOCOLS: Final = ("published", "disjoint")

CARD: Final = Card(
    name="cvc-12k",
    title="CVC-12k (sequences of CVC-ClinicDB)",
    page="https://github.com/med-air/Endo-FM",
    licence="of CVC-ClinicDB: for research and education, with citation; terms on the page",
    citation=(
        "Bernal et al., WM-DOVA maps for accurate polyp highlighting in colonoscopy, 2015; lists: "
        "Wang et al., Foundation Model for Endoscopy Video Analysis via Large-scale "
        "Self-supervised Pre-train (Endo-FM), MICCAI 2023"
    ),
    layout=(
        "CVC-ClinicDB/Original/1.tif … 612.tif\n"
        "CVC-ClinicDB/Ground Truth/1.tif … 612.tif\n"
        "videolist.txt               NAME FIRST LENGTH -1, 20 lines to train, then 9 to test; "
        "optional"
    ),
    expected={
        "frames": STILLS,
        "masks": STILLS,
        "cases": len(SEQUENCES),
        "published train sequences": len(PUBLISHED_TRAIN),
        "published test sequences": len(PUBLISHED_TEST),
        "published shared sequences": 7,
        "disjoint shared sequences": 0,
    },
    how_to_get="CVC-ClinicDB from https://polyp.grand-challenge.org/CVCClinicDB/",
    notes=(
        "The published lists train on 7 of their 9 test sequences, and leave 7 of the 29 unused: "
        "report the protocol disjoint beside the published one.",
        "Disjoint is by sequence; the patients of the sequences are not published.",
    ),
)


def read(root: Path, *, protocol: str = "disjoint") -> Contents:
    """Return the tables of CVC-12k under ``root``; a case is a sequence.

    Args:
        root: the folder; where it holds no ``videolist.txt``, the lists are those published.
        protocol: ``published`` or ``disjoint``, which gives the ``split`` of the cases; a sequence
            in both published lists counts as a test sequence there. The table ``splits`` holds
            both protocols, with two rows for a frame in both lists.

    Raises:
        ValueError: another protocol, or no still under ``root``.
    """
    if protocol not in PROTOCOLS:
        raise ValueError(f"protocol {protocol!r} of cvc-12k: one of {', '.join(PROTOCOLS)}")
    pairs, problems = read_stills(root, CARD)
    rows = case_rows(pairs, CARD.name, _place)
    published, list_problems = published_parts(Names(root))
    parts = {"published": published, "disjoint": disjoint(published["test"])}
    test = {sequence_id(start) for start in parts[protocol]["test"]}
    return make_contents(
        CARD,
        root,
        cases=[
            {"case_id": case_id, "split": "test" if case_id in test else "train"}
            for case_id in rows.case_ids()
        ],
        frames=rows.frames,
        masks=rows.masks,
        labels=rows.labels,
        splits=[row for name in PROTOCOLS for row in _split_rows(rows.frames, name, parts[name])],
        problems=[*problems, *list_problems],
        counted=_counted(parts),
    )


def disjoint(test: tuple[int, ...]) -> Parts:
    """Return the split that tests on the sequences ``test`` and trains on all others."""
    return {"train": tuple(start for start in SEQUENCES if start not in test), "test": test}


def _counted(parts: dict[str, Parts]) -> dict[str, int]:
    counted = {
        f"{name} shared sequences": len(set(parts[name]["train"]) & set(parts[name]["test"]))
        for name in PROTOCOLS
    }
    published = parts["published"]
    return counted | {f"published {part} sequences": len(published[part]) for part in published}


def _split_rows(
    frames: list[dict[str, object]], protocol: str, parts: Parts
) -> list[dict[str, object]]:
    sequences = {part: {sequence_id(start) for start in parts[part]} for part in parts}
    return [
        {"frame_id": row["frame_id"], "protocol": protocol, "fold": "0", "part": part}
        for part, cases in sequences.items()
        for row in frames
        if row["case_id"] in cases
    ]


def _place(stem: str) -> tuple[str, int]:
    start, index = place_of(int(stem))
    return sequence_id(start), index
