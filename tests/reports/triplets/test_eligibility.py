import pytest

from endoalign.reports.triplets import (
    Extraction,
    ReportInput,
    ReportTriplets,
    Triplet,
    decide_cases,
    funnel,
)

ALL_UPPER = (
    "Gastroscopy. Esophagus: normal. Cardia: normal. Fundus: normal. Body: normal. "
    "Angulus: normal. Antrum: erosions. Pylorus: normal. Duodenum: normal."
)
ALL_COLON = (
    "Colonoscopy. The terminal ileum, caecum, ascending colon, hepatic flexure, transverse colon, "
    "splenic flexure, descending colon, sigmoid colon and rectum were normal."
)
REPORTS = [
    ReportInput("upper", ALL_UPPER),
    ReportInput("colon", ALL_COLON),
    ReportInput("seven", ALL_UPPER.replace("Angulus: normal. ", "")),
    ReportInput("eight", ALL_COLON.replace("splenic flexure, ", "")),
    ReportInput("left", "Colonoscopy. The sigmoid colon and rectum were normal."),
    ReportInput("after", ALL_COLON + " An ileocolonic anastomosis was seen."),
    ReportInput("broken off", ALL_COLON + " Incomplete examination."),
    ReportInput("letter", "Dear colleague, thank you."),
]


def failures(**options):
    return {d.case_id: d.failed for d in decide_cases(REPORTS, **options)}


def test_all_landmarks():
    assert failures() == {
        "upper": None,
        "colon": None,
        "seven": "landmarks present",
        "eight": "landmarks present",
        "left": "landmarks present",
        "after": "not after an operation",
        "broken off": "complete",
        "letter": "gastroscopy or colonoscopy",
    }


def test_landmarks_reached():
    found = failures(landmarks="reached")
    assert found["seven"] is None
    assert found["eight"] is None
    assert found["left"] == "landmarks present"


def test_the_reason_names_what_is_missing():
    reasons = {d.case_id: d.reason for d in decide_cases(REPORTS)}
    assert reasons["seven"] == "missing landmarks: angularis"
    assert reasons["eight"] == "missing landmarks: splenic_flexure"
    assert reasons["upper"] is None


def test_funnel_counts():
    table = funnel(decide_cases(REPORTS)).set_index("step")
    assert table["left"].tolist() == [8, 7, 6, 5, 2, 2, 2]
    assert table["removed"].tolist() == [0, 1, 1, 1, 3, 0, 0]
    assert (table["left"].diff().iloc[1:] == -table["removed"].iloc[1:]).all()


def test_funnel_by_examination():
    decisions = decide_cases(REPORTS)
    table = funnel(decisions, by_exam=True)
    last = table[table["step"] == "landmarks present"].set_index("exam_type")["left"]
    assert last.to_dict() == {"gastroscopy": 1, "colonoscopy": 1, "none": 0}
    whole = funnel(decisions)
    assert table.groupby("step", sort=False)["left"].sum().tolist() == whole["left"].tolist()


def test_answers_count_where_given():
    upper = ReportTriplets("upper", "gastroscopy", (Triplet("x", "body", 0, 0, 1),))
    read = [upper, ReportTriplets("colon", "colonoscopy", outcome="not grounded", note="no")]
    read += [ReportTriplets(r.case_id, "colonoscopy") for r in REPORTS[2:]]
    found = failures(extraction=Extraction("llm", tuple(read)))
    assert (found["upper"], found["colon"]) == (None, "answer accepted")
    read[1] = ReportTriplets("colon", "colonoscopy")
    assert failures(extraction=Extraction("llm", tuple(read)))["colon"] == "with a triplet"


def test_an_extraction_of_other_reports_is_an_error():
    with pytest.raises(ValueError, match="no triplets were extracted of case 'upper'"):
        decide_cases(REPORTS, extraction=Extraction("llm", ()))


def test_no_reports():
    assert funnel([])["left"].tolist() == [0] * 7
    assert funnel([], by_exam=True)["left"].tolist() == [0] * 7
