"""Curation decides by reports and frames alone; truth plays no part in it."""

import pandas as pd
import pytest

from endoalign.corpus.curate import (
    NO_FRAMES,
    NO_REPORT,
    CurationSettings,
    curate,
    frame_funnel,
    polyp_positive,
    report_funnel,
)
from endoalign.corpus.parse_cases import parse_cases
from endoalign.corpus.schemas import CASES, FINDINGS, FRAMES
from endoalign.corpus.validation import validated

POLYP = (
    "The colonoscope was passed to the cecum. A 6 mm sessile polyp was seen in the sigmoid colon."
)
NORMAL = "The colonoscope was passed to the cecum. No polyps were seen. The rectum was normal."


def cases(*reports):
    rows = [
        {
            "case_id": f"c{i}",
            "patient_id": f"p{i}",
            "exam_type": "colonoscopy",
            "split": "train",
            "source": "s",
            "language": "en",
            "report_text": text,
            "eligible": None,
            "reason": None,
        }
        for i, text in enumerate(reports)
    ]
    return pd.DataFrame(rows)


def frames(*rows):
    """Rows are (case, quality, duplicate_of)."""
    return pd.DataFrame(
        [
            {
                "frame_id": f"{case}/{i}",
                "case_id": case,
                "path": f"{case}/{i}.jpg",
                "index": i,
                "width": 64,
                "height": 64,
                "sha256": f"{i:064x}",
                "phash": f"{i:016x}",
                "quality": quality,
                "sharpness": quality,
                "exposure": quality,
                "colour": quality,
                "box_left": 0,
                "box_top": 0,
                "box_right": 64,
                "box_bottom": 64,
                "duplicate_of": duplicate_of,
                "retained": None,
            }
            for i, (case, quality, duplicate_of) in enumerate(rows)
        ]
    )


ALL = cases(POLYP, NORMAL, "", POLYP, POLYP)
STILLS = frames(
    ("c0", 0.9, None),
    ("c0", 0.9, "c0/0"),
    ("c0", 0.01, None),
    ("c1", 0.5, None),
    ("c2", 0.5, None),
    ("c4", 0.0, None),
)
SETTINGS = CurationSettings(min_quality=0.05)


def test_each_case_is_eligible_or_has_a_reason():
    decided = curate(ALL, STILLS, SETTINGS).cases.set_index("case_id")
    assert decided["eligible"].to_dict() == {
        "c0": True,
        "c1": True,
        "c2": False,
        "c3": False,
        "c4": False,
    }
    assert decided.loc["c2", "reason"] == NO_REPORT
    assert decided.loc["c3", "reason"] == decided.loc["c4", "reason"] == NO_FRAMES
    assert decided.loc[["c0", "c1"], "reason"].isna().all()


def test_frames_are_retained_by_quality_and_once():
    assert curate(ALL, STILLS, SETTINGS).frames["retained"].tolist() == [
        True,
        False,
        False,
        True,
        True,
        False,
    ]
    keep = CurationSettings(min_quality=0.0, drop_duplicates=False)
    assert curate(ALL, STILLS, keep).frames["retained"].all()


def test_the_tables_fit_their_schemas():
    curated = curate(ALL, STILLS, SETTINGS)
    for table, schema in (
        (curated.cases, CASES),
        (curated.frames, FRAMES),
        (curated.findings, FINDINGS),
    ):
        assert len(validated(table, schema, "x")) == len(table)


def test_funnels_count_by_hand():
    curated = curate(ALL, STILLS, SETTINGS)
    assert polyp_positive(curated.findings) == {"c0", "c3", "c4"}
    assert [n for _, n in report_funnel(curated)] == [4, 3, 3, 1]
    assert [n for _, n in frame_funnel(curated, SETTINGS, rejected=2)] == [8, 6, 5, 3]


@pytest.mark.parametrize("reports", [(), ("",)])
def test_no_reports_and_no_frames(reports):
    curated = curate(cases(*reports) if reports else ALL.iloc[:0], STILLS.iloc[:0], SETTINGS)
    assert len(curated.findings) == 0
    assert not curated.cases["eligible"].any()


def test_several_processes_give_the_same_findings(monkeypatch):
    monkeypatch.setattr("endoalign.corpus.parse_cases.CHUNK", 2)
    many = pd.concat([ALL.assign(case_id=ALL["case_id"] + f"_{k}") for k in range(4)])
    told = []
    alone = parse_cases(many, progress=lambda done, total: told.append((done, total)))
    assert parse_cases(many, processes=2) == alone
    assert told[-1] == (20, 20)
