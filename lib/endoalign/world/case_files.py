"""One case on disk: its frames and masks, and the rows of truth that it adds to the tables."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from endoalign.world.cases_sites import is_complete
from endoalign.world.renderer.frame import RenderedFrame, render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.renderer.view import View
from endoalign.world.settings import WorldSettings
from endoalign.world.truth import CaseTruth, WrittenReport
from endoalign.world.views import plan_views
from endoalign.world.writer.report import write_report

JPEG_QUALITY = 92

Row = dict[str, Any]


@dataclass(frozen=True)
class CaseRows:
    """What one case adds to the reports and to the tables of truth."""

    report: Row
    extent: Row
    findings: list[Row]
    lesions: list[Row]
    links: list[Row]
    labels: list[Row]


def write_case(case: CaseTruth, settings: WorldSettings, folder: Path) -> CaseRows:
    """Render and write the frames and masks of ``case`` under ``folder``; return its rows.

    Frames go to ``raw/frames/CASE/NNN.jpg``, masks to ``truth/masks/CASE/NNN.png``.
    """
    report = write_report(case, whole=settings.whole_examinations)
    labels: list[Row] = []
    seen: dict[str, list[tuple[float, str]]] = {lesion.lesion_id: [] for lesion in case.lesions}
    count = settings.frames_of(normal=not case.lesions)
    views = plan_views(case, count) if count else ()
    for index, view in enumerate(views):
        frame = render_frame(view, PROCESSORS[case.source], settings.frame_height)
        frame_id = f"{case.case_id}/{index:03d}"
        shares = _seen_lesions(view, frame, settings.visible_share)
        for lesion_id, share in shares.items():
            seen[lesion_id].append((share, frame_id))
        save(frame.rgb, folder / "raw" / "frames" / f"{frame_id}.jpg")
        mask_path = f"masks/{frame_id}.png" if shares else None
        if mask_path is not None:
            save(_case_numbers(case, view, frame.lesion_mask), folder / "truth" / mask_path)
        labels.append(
            {
                "frame_id": frame_id,
                "polyp_present": bool(shares),
                "region": view.region,
                "mask_path": mask_path,
            }
        )
    findings = _finding_rows(case, report)
    links = [row for f in findings for row in link_rows(f["finding_id"], f["lesion_ids"], seen)]
    lesions = [{"case_id": case.case_id, **with_lists(asdict(one))} for one in case.lesions]
    return CaseRows(_report_row(case, report), _extent_row(case), findings, lesions, links, labels)


def save(pixels: NDArray[np.uint8], path: Path) -> None:
    """Write a frame or a mask, by its file's ending, with the folders it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path, quality=JPEG_QUALITY)  # PNG takes no quality


def _seen_lesions(view: View, frame: RenderedFrame, least: float) -> dict[str, float]:
    """Lesion id -> share of the content area, for the lesions that count as seen."""
    shares = zip(view.lesions, frame.visible, strict=True)
    return {lesion.lesion_id: share for lesion, share in shares if share >= least}


def _case_numbers(case: CaseTruth, view: View, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Mask (H, W) that counts the lesions of the view -> one that counts those of the case."""
    order = [lesion.lesion_id for lesion in case.lesions]
    table = [0, *(order.index(lesion.lesion_id) + 1 for lesion in view.lesions)]
    return np.array(table, dtype=np.uint8)[mask]


def _report_row(case: CaseTruth, report: WrittenReport) -> Row:
    return {
        "case_id": case.case_id,
        "patient_id": case.patient_id,
        "exam_type": "colonoscopy",
        "split": case.split,
        "source": case.source,
        "language": case.language,
        "report_text": report.text,
    }


def _extent_row(case: CaseTruth) -> Row:
    return {
        "case_id": case.case_id,
        "complete": is_complete(case),
        "reach": case.reach,
        "operation": case.operation,
    }


def _finding_rows(case: CaseTruth, report: WrittenReport) -> list[Row]:
    return [
        {
            "finding_id": f"{case.case_id}#T{number}",
            "case_id": case.case_id,
            **with_lists(asdict(finding)),
        }
        for number, finding in enumerate(report.findings)
    ]


def link_rows(
    finding_id: str, lesion_ids: list[str], seen: dict[str, list[tuple[float, str]]]
) -> list[Row]:
    """Rows that link a finding to each frame that shows it; the largest view represents it."""
    shares: dict[str, float] = {}
    for lesion_id in lesion_ids:
        for share, frame_id in seen[lesion_id]:
            shares[frame_id] = max(share, shares.get(frame_id, 0.0))
    best = max(shares, key=lambda frame_id: (shares[frame_id], frame_id), default=None)
    return [
        {"finding_id": finding_id, "frame_id": frame_id, "representative": frame_id == best}
        for frame_id in sorted(shares)
    ]


def with_lists(row: Row) -> Row:
    """The row with lists for tuples, as Parquet holds them."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in row.items()}
