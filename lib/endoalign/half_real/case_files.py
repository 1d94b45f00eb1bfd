"""One half-real case on disk: its frames and masks, its report, and its rows of truth."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image

from endoalign.frames.box import Box
from endoalign.frames.decode import decode
from endoalign.half_real import phrases
from endoalign.half_real.attributes import attributes_of
from endoalign.half_real.cases import CasePlan, FramePlan
from endoalign.half_real.measures import measure
from endoalign.half_real.picture import Picture, read_picture
from endoalign.half_real.sentences import Sentence, write_sentence
from endoalign.half_real.settings import DATASET

JPEG_QUALITY: Final = 95
"""Of frames seen through a window; whole frames are copied byte by byte."""

Row = dict[str, Any]


@dataclass
class CaseRows:
    """What one case adds to the reports, to the tables of truth and to the list of origins."""

    report: Row = field(default_factory=dict)
    findings: list[Row] = field(default_factory=list)
    links: list[Row] = field(default_factory=list)
    labels: list[Row] = field(default_factory=list)
    origins: dict[str, Row] = field(default_factory=dict)


@dataclass(frozen=True)
class _Statement:
    """A sentence of the report, with the frame that it describes, if it describes one."""

    text: str
    kind: str = "lesion"
    frame: str | None = None
    lesion: str | None = None
    sentence: Sentence | None = None


def write_case(plan: CasePlan, folder: Path, rng: np.random.Generator) -> CaseRows:
    """Write ``raw/frames/CASE/NNN.jpg`` and ``truth/masks/CASE/NNN.png``; return the case's rows.

    A mask counts the lesions of the case: k on the polyps of the k-th polyp frame, else 0.
    """
    rows = CaseRows()
    statements: list[_Statement] = []
    for index, frame in enumerate(plan.frames):
        frame_id = f"{plan.case_id}/{index:03d}"
        _write_frame(frame, folder / "raw" / "frames" / f"{frame_id}.jpg")
        mask_path = f"masks/{frame_id}.png" if frame.shows_polyp else None
        if mask_path is not None:
            view = _view(frame)
            _save_mask(view, len(statements) + 1, folder / "truth" / mask_path)
            sentence = write_sentence(attributes_of(measure(view)), rng)
            lesion = frame.source.source_id
            statements.append(_Statement(sentence.text, "lesion", frame_id, lesion, sentence))
        rows.labels.append(_label_row(frame_id, mask_path))
        rows.origins[frame_id] = _origin(frame)
    statements = [statements[k] for k in rng.permutation(len(statements))]
    statements += _closing(plan, bool(statements), rng)
    text = "\n".join([phrases.NOTE, *(s.text for s in statements)])
    rows.report = _report_row(plan, text)
    for number, statement in enumerate(statements):
        row = _finding_row(plan.case_id, number, statement, text)
        rows.findings.append(row)
        if statement.frame is not None:
            ids = {"finding_id": row["finding_id"], "frame_id": statement.frame}
            rows.links.append({**ids, "representative": True})
    return rows


def _view(frame: FramePlan) -> Picture:
    picture = read_picture(frame.source)
    return picture if frame.window is None else picture.crop(frame.window)


def _write_frame(frame: FramePlan, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if frame.window is None:
        shutil.copyfile(frame.source.path, path)
        return
    part = frame.window.crop(decode(frame.source.path))
    Image.fromarray(part).save(path, quality=JPEG_QUALITY, subsampling=0)


def _save_mask(view: Picture, number: int, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(view.polyp.astype(np.uint8) * np.uint8(number)).save(path)


def _closing(plan: CasePlan, positive: bool, rng: np.random.Generator) -> list[_Statement]:
    """What is said of the frames without polyps: always of a normal case, else of every other."""
    if positive:
        is_said = bool(rng.random() < 0.5) and not all(f.shows_polyp for f in plan.frames)
        return [_Statement(_pick(phrases.OTHER_FRAMES, rng))] if is_said else []
    if plan.labelled_normal:
        return [_Statement(_pick(phrases.NORMAL, rng), "normal")]
    return [_Statement(_pick(phrases.NO_POLYP, rng))]


def _pick(options: tuple[str, ...], rng: np.random.Generator) -> str:
    return options[rng.integers(len(options))]


def _report_row(plan: CasePlan, text: str) -> Row:
    return {
        "case_id": plan.case_id,
        "patient_id": plan.case_id,  # no patient is known
        "exam_type": "colonoscopy",
        "split": plan.split,
        "source": DATASET,
        "language": "en",
        "report_text": text,
    }


def _finding_row(case_id: str, number: int, statement: _Statement, text: str) -> Row:
    sentence = statement.sentence
    start = text.index(statement.text)
    return {
        "finding_id": f"{case_id}#T{number}",
        "case_id": case_id,
        "start": start,
        "end": start + len(statement.text.rstrip(".")),
        "kind": statement.kind,
        "region": None,
        "status": int(sentence is not None),
        "count": None if sentence is None else sentence.count,
        "size_cm": None,
        "paris": None,
        "descriptors": [] if sentence is None else list(sentence.descriptors),
        "negated": sentence is None and statement.kind == "lesion",
        "lesion_ids": [] if statement.lesion is None else [statement.lesion],
    }


def _label_row(frame_id: str, mask_path: str | None) -> Row:
    return {
        "frame_id": frame_id,
        "polyp_present": mask_path is not None,
        "region": None,
        "mask_path": mask_path,
    }


def _origin(frame: FramePlan) -> Row:
    window = None if frame.window is None else list(_corners(frame.window))
    return {"source": frame.source.source_id, "window": window}


def _corners(box: Box) -> tuple[int, int, int, int]:
    return box.left, box.top, box.right, box.bottom
