import pytest

from endoalign.reports import ReportParser, parse_report


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("The colonoscope was passed to the cecum.", "colonoscopy", "course"),
        ("The gastroscope was passed into the esophagus.", "gastroscopy", "course"),
        ("A fiberoptic laryngoscope was passed.", "ent", "course"),
        ("Screening colonoscopy.", "colonoscopy", "names"),
        ("A polyp in the antrum.", "gastroscopy", "regions"),
        ("A polyp in the sigmoid.", "colonoscopy", "regions"),
        ("No polyps.", "colonoscopy", "findings"),
        ("An incision was made, the fascia was opened and sutures were placed.", None, "surgery"),
        ("Your doctor will tell you when you may eat.", None, "patients"),
        (
            "CHIEF COMPLAINT: Pain. She comes for discussion of a colonoscopy.",
            None,
            "consultation",
        ),
        (
            "PROCEDURE: EGD and PEG.\nUpper endoscopy was performed. An incision.",
            "gastroscopy",
            "cour",
        ),
        ("CHIEF COMPLAINT: Pain. The scope was passed to the cecum.", "colonoscopy", "course"),
        ("The colonoscope is passed. You may eat. You will go home.", None, "patients"),
        ("", None, "neither"),
        ("The weather was fine.", None, "neither"),
        ("进镜至回盲部。", "colonoscopy", "course"),
        ("胃底黏膜光滑，胃窦见息肉。", "gastroscopy", "course"),
    ],
)
def test_examinations(text, kind, reason):
    exam = parse_report(text).exam
    assert exam.kind == kind
    assert reason in exam.reason


def test_no_examination_no_findings():
    report = parse_report("Your doctor may find a polyp in the rectum. You will be told.")
    assert report.findings == ()
    assert not report.polyp_positive
    assert report.eligibility.reason.startswith("no examination: information")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Colonoscopy. The cecum was normal.", None),
        ("Colonoscopy. The terminal ileum was normal. A polyp in the rectum.", None),
        ("Total colonoscopy. A polyp in the rectum.", None),
        ("Colonoscopy. A polyp in the rectum.", "missing landmarks"),
        ("Colonoscopy to the cecum. The ileocolonic anastomosis was intact.", "post-operative"),
        ("HISTORY: Status post hemicolectomy.\nFINDINGS: Cecum normal.", "post-operative"),
        ("Colonoscopy. Stool in the cecum, preventing further passage.", "incomplete"),
        ("HISTORY: An incomplete colonoscopy last year.\nFINDINGS: Cecum normal.", None),
        ("EGD. The duodenum was normal.", None),
        ("EGD. The esophagus was normal.", "missing landmarks"),
        ("A fiberoptic laryngoscope was passed.", None),
        ("进镜至回盲部，直肠见息肉。", None),
        ("未达回盲部，直肠见息肉。", "incomplete"),
        ("进镜至吻合口，直肠见息肉。", "post-operative"),
    ],
)
def test_eligibility(text, reason):
    eligibility = parse_report(text).eligibility
    assert eligibility.eligible == (reason is None)
    assert reason is None or eligibility.reason.startswith(reason)


def test_every_region_may_be_asked_for():
    parser = ReportParser.from_lexicon("en", every_region=True)
    text = "Colonoscopy. The cecum and the rectum were normal."
    reason = parser.parse(text).eligibility.reason
    assert reason == (
        "missing landmarks: terminal_ileum, ascending_colon, hepatic_flexure, transverse_colon, "
        "splenic_flexure, descending_colon, sigmoid_colon"
    )
    assert parse_report(text).eligibility.regions == ("ileocecal", "rectum")
