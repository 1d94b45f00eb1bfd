import pytest

from endoalign.reports import parse_report
from endoalign.reports.grammar import ENGLISH
from endoalign.reports.lexicon import load_lexicon
from endoalign.reports.roles import site_titles, term_roles
from endoalign.reports.sections import Heading, HeadingFinder, goes_on, next_section


def stated(text):
    return [(f.concept, f.region) for f in parse_report(text).findings]


def finder(language):
    lexicon = load_lexicon(language)
    return HeadingFinder(lexicon, site_titles(term_roles(lexicon)))


FINDER, CHINESE = finder("en"), finder("zh")


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("PREOPERATIVE DIAGNOSIS", "apart"),
        ("Pre-procedure diagnoses", "apart"),
        ("POSTOPERATIVE DIAGNOSIS", "diagnosis"),
        ("Impression", "diagnosis"),
        ("ENDOSCOPIC FINDINGS", "body"),
        ("DESCRIPTION OF PROCEDURE", "body"),
        ("PROCEDURE PERFORMED", "name"),
        ("INDICATIONS FOR PROCEDURE", "reason"),
        ("PAST MEDICAL HISTORY", "reason"),
        ("RECOMMENDATIONS", "excluded"),
        ("ICD9 CODE(S)", "excluded"),
        ("MEDICATIONS", "aside"),
        ("RECTUM", "site"),
        ("WHAT NEXT", None),
    ],
)
def test_titles(title, kind):
    assert FINDER.kind(title) == kind


@pytest.mark.parametrize(
    ("title", "kind"),
    [("镜下所见", "body"), ("内镜诊断", "diagnosis"), ("处理建议", "excluded"), ("病史", "reason")],
)
def test_chinese_titles(title, kind):
    assert CHINESE.kind(title) == kind


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("FINDINGS: normal.", ["FINDINGS:"]),
        ("Findings: normal.", ["Findings:"]),
        ("PROCEDURE:: The scope", ["PROCEDURE::"]),
        ("Prep good. IMPRESSION: polyp", ["IMPRESSION:"]),
        ("Rectum: a polyp", ["Rectum:"]),
        ("There were two polyps: a small one", ["There were two polyps:"]),
        ("In the sigmoid colon we saw two polyps: a small one", []),
        ("What was seen: a polyp", ["What was seen:"]),
        ("POSTOPERATIVE DIAGNOSIS\nPolyp.", ["POSTOPERATIVE DIAGNOSIS"]),
        ("Conclusion. A polyp.", ["Conclusion."]),
        ("Seen at 10:30 today", []),
        (":", []),
    ],
)
def test_headings_in_a_text(text, titles):
    assert [text[h.start : h.end] for h in FINDER.find(text)] == titles


def test_chinese_headings():
    text = "【镜下所见】直肠正常。诊断:息肉。"
    assert [text[h.start : h.end] for h in CHINESE.find(text)] == [
        "【镜下所见】",
        "诊断:",
    ]


def test_sections_follow_each_other():
    assert next_section("aside", Heading(0, 1, None)) == "body"
    assert next_section("reason", Heading(0, 1, None)) == "body"
    assert next_section("excluded", Heading(0, 1, None)) == "excluded"
    assert next_section("excluded", Heading(0, 1, "body")) == "body"
    assert next_section("excluded", Heading(0, 1, "site")) == "body"
    assert next_section("diagnosis", Heading(0, 1, "site")) == "diagnosis"


@pytest.mark.parametrize(
    ("section", "sentence", "facts", "after"),
    [
        ("name", "colonoscopy with biopsy.", "", "name"),
        ("name", "the scope was passed.", "", "body"),
        ("name", "a polyp, 5 mm.", "states", "body"),
        ("reason", "prep good.", "is_course", "body"),
        ("reason", "a polyp was seen in the rectum.", "states placed", "reason"),
        ("aside", "no polyps.", "states", "body"),
        ("aside", "versed 2 mg.", "", "aside"),
        ("apart", "a polyp was seen in the rectum.", "states placed", "body"),
        ("apart", "rectal polyp.", "states placed", "apart"),
        ("apart", "no polyps.", "states", "apart"),
        ("excluded", "the scope was passed.", "is_course", "body"),
        ("diagnosis", "the scope was passed.", "is_course", "body"),
        ("diagnosis", "no polyps.", "states", "diagnosis"),
    ],
)
def test_sections_end_where_the_text_runs_on(section, sentence, facts, after):
    told = {name: name in facts.split() for name in ("is_course", "states", "placed")}
    assert goes_on(section, sentence, ENGLISH, **told) == after


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("INDICATION: Bleeding. A polyp was seen in the rectum.", [("lesion", "rectum")]),
        ("INDICATION: Bleeding. A polyp was seen in the rectum on CT.", []),
        ("A mass in the cecum, referred for surgery.", [("lesion", "ileocecal")]),
        ("Polyps in the cecum were removed in 2004.", []),
        ("Polyps: none seen in the rectum.", [("lesion", "rectum")]),
        ("COMPLICATIONS: None. A polyp was found in the rectum.", [("lesion", "rectum")]),
        ("SPECIMENS: Rectal polyp.\nFINDINGS: Normal rectum.", [("normal", "rectum")]),
        (
            "PLAN: Diet.\nWHAT NEXT: A polyp in the rectum.\nCECUM: normal",
            [("normal", "ileocecal")],
        ),
    ],
)
def test_no_heading_silences_what_is_told(text, expected):
    assert stated(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "INDICATION: Rectal polyp.\n\nFINDINGS: normal prep.",
        "PREOPERATIVE DIAGNOSIS: Polyp in the rectum.\n\nThe colonoscope was passed.",
        "PROCEDURE PERFORMED: Colonoscopy with removal of a polyp in the rectum.",
        "PLAN: If the polyp in the rectum is adenomatous, repeat in 5 years.",
        "The colonoscope was passed. He has a history of polyps in the rectum.",
        "The colonoscope was passed. The risks of bleeding were explained.",
        "The colonoscope was passed. An exam in 1997 showed a polyp in the rectum.",
        "Digital rectal exam showed a mass in the rectum. The colonoscope was passed.",
        "External inspection showed hemorrhoids.",
        "病史：直肠息肉。\n检查所见：进镜至回盲部。",
        "检查所见：进镜至回盲部。\n建议：直肠息肉复查。",
    ],
)
def test_what_was_not_seen_now_is_no_finding(text):
    assert stated(text) == []


def test_the_endoscope_ends_an_examination_by_finger():
    text = (
        "Digital rectal exam was normal. The anal canal had a fissure. The colonoscope was "
        "inserted. The rectum had a polyp."
    )
    assert stated(text) == [("lesion", "rectum")]


def test_an_aside_ends_with_its_paragraph_and_a_plan_does_not():
    body, tail = "FINDINGS: Normal cecum.\n\n", "\n\nA polyp was seen in the rectum."
    cecum, polyp = ("normal", "ileocecal"), ("lesion", "rectum")
    assert stated(body + "MEDICATIONS: Versed." + tail) == [cecum, polyp]
    assert stated(body + "PLAN: Diet." + tail) == [cecum]


def test_a_distance_does_not_leave_the_site_of_the_heading():
    text = "SIGMOID: A polyp at 30 cm from the anal verge. It was smooth. Scattered diverticula."
    assert stated(text) == [("lesion", "sigmoid_colon"), ("diverticula", "sigmoid_colon")]


def test_a_heading_names_the_site_of_its_line():
    text = "SIGMOID: A polyp. Also a small ulcer.\nCECUM: normal.\nNo other polyps."
    assert stated(text) == [
        ("lesion", "sigmoid_colon"),
        ("ulcer", "sigmoid_colon"),
        ("normal", "ileocecal"),
        ("lesion", None),
    ]


@pytest.mark.parametrize(
    ("diagnosis", "extra"),
    [
        ("Polyp in the sigmoid.", []),
        ("Polyp in the rectum.", []),  # a neighbour: summaries are coarser
        ("Polyp in the cecum.", [("lesion", "ileocecal")]),
        ("Colon polyps.", []),
        ("Diverticulosis.", [("diverticula", None)]),
        ("Normal colonoscopy.", []),
        ("No ulcer.", [("ulcer", None)]),
    ],
)
def test_diagnoses_count_only_where_the_body_is_silent(diagnosis, extra):
    body = "FINDINGS: A polyp in the sigmoid.\n\n"
    found = stated(f"{body}IMPRESSION: {diagnosis}")
    assert found == [("lesion", "sigmoid_colon"), *extra]


def test_diagnoses_stand_alone_where_there_is_no_body():
    assert stated("IMPRESSION: Polyp in the cecum, diverticulosis.") == [
        ("lesion", "ileocecal"),
        ("diverticula", None),
    ]
