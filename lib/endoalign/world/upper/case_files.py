"""One gastroscopy on disk: its frames and masks, and the rows of truth that it adds."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from endoalign.world.case_files import CaseRows, Row, link_rows, save, with_lists
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.renderer.upper_frame import render_upper_frame
from endoalign.world.renderer.upper_view import UpperView
from endoalign.world.settings import WorldSettings
from endoalign.world.truth import WrittenReport
from endoalign.world.upper.extent import is_complete_upper
from endoalign.world.upper.truth import UpperCase
from endoalign.world.upper.views import plan_upper_views
from endoalign.world.writer.upper import write_upper_report


def write_upper_case(case: UpperCase, settings: WorldSettings, folder: Path) -> CaseRows:
    """Render and write the frames of ``case`` under ``folder``; return its rows.

    Layout and tables as of a colonoscopy. ``lesions`` and masks hold the polyps; ``links`` lead
    from every abnormal finding, polyp or not, to the frames that show it.
    """
    report = write_upper_report(case)
    polyps = [one.lesion for one in case.findings if one.lesion is not None]
    labels: list[Row] = []
    seen: dict[str, list[tuple[float, str]]] = {one.finding_id: [] for one in case.findings}
    count = settings.frames_of(normal=not case.findings)
    for index, view in enumerate(plan_upper_views(case, count) if count else ()):
        frame = render_upper_frame(view, PROCESSORS[case.source], settings.frame_height)
        frame_id = f"{case.case_id}/{index:03d}"
        polyp = False
        for finding, share in zip(view.findings, frame.visible, strict=True):
            if share >= settings.visible_share:
                seen[finding.finding_id].append((share, frame_id))
                polyp |= finding.lesion is not None
        save(frame.rgb, folder / "raw" / "frames" / f"{frame_id}.jpg")
        mask_path = f"masks/{frame_id}.png" if polyp else None
        if mask_path is not None:
            order = [lesion.lesion_id for lesion in polyps]
            save(_polyp_numbers(order, view, frame.lesion_mask), folder / "truth" / mask_path)
        labels.append(
            {
                "frame_id": frame_id,
                "polyp_present": polyp,
                "region": view.region,
                "mask_path": mask_path,
            }
        )
    findings, links = _finding_rows(case, report, seen)
    lesions = [{"case_id": case.case_id, **with_lists(asdict(one))} for one in polyps]
    return CaseRows(_report_row(case, report), _extent_row(case), findings, lesions, links, labels)


def _polyp_numbers(order: list[str], view: UpperView, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Mask (H, W) that counts the findings of the view -> one that counts the case's polyps."""
    numbers = [order.index(one.finding_id) + 1 if one.lesion else 0 for one in view.findings]
    return np.array([0, *numbers], dtype=np.uint8)[mask]


def _report_row(case: UpperCase, report: WrittenReport) -> Row:
    return {
        "case_id": case.case_id,
        "patient_id": case.patient_id,
        "exam_type": "gastroscopy",
        "split": case.split,
        "source": case.source,
        "language": case.language,
        "report_text": report.text,
    }


def _extent_row(case: UpperCase) -> Row:
    return {
        "case_id": case.case_id,
        "complete": is_complete_upper(case),
        "reach": case.reach,
        "operation": case.operation,
    }


def _finding_rows(
    case: UpperCase, report: WrittenReport, seen: dict[str, list[tuple[float, str]]]
) -> tuple[list[Row], list[Row]]:
    """Rows of what the report states, and of the frames that show it.

    A statement names the findings it means; only polyps are lesions, so only they stay named.
    """
    polyps = {one.finding_id for one in case.findings if one.lesion is not None}
    rows, links = [], []
    for number, finding in enumerate(report.findings):
        finding_id = f"{case.case_id}#T{number}"
        links += link_rows(finding_id, list(finding.lesion_ids), seen)
        row = {"finding_id": finding_id, "case_id": case.case_id, **with_lists(asdict(finding))}
        row["lesion_ids"] = [name for name in finding.lesion_ids if name in polyps]
        rows.append(row)
    return rows, links
