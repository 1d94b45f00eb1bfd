"""Examinations as EndoVLM's JSONL, with the spellings of its files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from endoalign.vocabulary import COLON_REGIONS, UPPER_REGIONS
from endoalign.world.layouts.pictures import write_lines, write_picture

SITES: Final[dict[str, tuple[str, ...]]] = {
    **{name: (name.capitalize(),) for name in UPPER_REGIONS},
    "angularis": ("Angularis", "Angulus"),
    **{name: (name.replace("_", " ").capitalize(),) for name in COLON_REGIONS},
    "terminal_ileum": ("Ileum", "Insertion"),
    "ileocecal": ("Ileocecal region",),
}
"""How its reports name each region; where there are two names, both are met."""
MODALITY: Final = {"gastroscopy": "gastroscopy", "colonoscopy": "colonscopy"}
"""So spelt."""
_REGIONS: Final = {"gastroscopy": UPPER_REGIONS, "colonoscopy": COLON_REGIONS}


@dataclass(frozen=True)
class Examination:
    """One examination.

    Attributes:
        name: its id, used once.
        exam_type: ``gastroscopy`` or ``colonoscopy``.
        frames: RGB pictures, uint8 (H, W, 3) each, in order.
        site_texts: what is said of a region; regions without a text have an empty line.
        abnormal: regions with a finding.
        report: the report as written; empty: that by site again.
    """

    name: str
    exam_type: str
    frames: Sequence[NDArray[np.uint8]]
    site_texts: Mapping[str, str]
    abnormal: frozenset[str] = field(default_factory=frozenset)
    report: str = ""


def write(
    examinations: Sequence[Examination], folder: Path, *, seed: int, name: str = "train"
) -> None:
    """Write ``folder/NAME.jsonl`` and the frames under ``folder/images/ID``.

    Raises:
        ValueError: an unknown examination type, or a region that is none of its regions.
    """
    rng = np.random.default_rng([seed, 0xE4])
    lines = []
    for exam in examinations:
        _check(exam)
        base = f"images/{exam.name}"
        paths = [f"{base}/{index:04d}.jpg" for index in range(len(exam.frames))]
        for path, rgb in zip(paths, exam.frames, strict=True):
            write_picture(rgb, folder / path)
        report = _by_site(exam, rng)
        line = {
            "id": exam.name,
            "modality": MODALITY[exam.exam_type],
            "image_path": base,
            "endo_report_raw": exam.report or report,
            "endo_report": report,
            "site_abnormality_flags": [
                int(region in exam.abnormal) for region in _REGIONS[exam.exam_type]
            ],
            "valid_image_paths": paths,
        }
        lines.append(json.dumps(line, ensure_ascii=False))
    write_lines(lines, folder / f"{name}.jsonl")


def _check(exam: Examination) -> None:
    regions = _REGIONS.get(exam.exam_type)
    if regions is None:
        raise ValueError(f"exam_type {exam.exam_type!r} is none of {', '.join(_REGIONS)}")
    for region in (*exam.site_texts, *sorted(exam.abnormal)):
        if region not in regions:
            raise ValueError(f"{region!r} is no region of a {exam.exam_type}: {', '.join(regions)}")


def _by_site(exam: Examination, rng: np.random.Generator) -> str:
    """Return a header line, then one ``Site: text`` line a region of the examination."""
    lines = ["Endoscopic findings"]
    for region in _REGIONS[exam.exam_type]:
        names = SITES[region]
        site = names[rng.integers(len(names))]
        lines.append(f"{site}: {exam.site_texts.get(region, '')}".rstrip())
    return "\n".join(lines)
