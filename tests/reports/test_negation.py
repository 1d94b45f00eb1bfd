import pytest

from endoalign.reports import parse_report


def stated(text):
    return [(f.concept, f.negated.value) for f in parse_report(text).findings]


@pytest.mark.parametrize(
    "text",
    [
        "No polyps were seen in the colon.",
        "There was no evidence of any polyp in the colon.",
        "The colon was free of polyps.",
        "The colon was negative for polyps, masses or strictures.",
        "Inspection of the colon failed to reveal any polyps.",
        "Polyps were not seen in the colon.",
        "Neither polyps nor masses were seen in the colon.",
        "Absence of polyps in the colon.",
        "The colon did not show any polyps.",
        "No obvious polyps, masses, or diverticula in the colon.",
        "No polyp, no diverticulum and no bleeding source was identified in the colon.",
        "Colonoscopy without evidence of polyps.",
        "未见息肉。",
        "各段结肠未见息肉、溃疡及肿物。",
        "结肠无息肉。",
    ],
)
def test_denied(text):
    assert stated(text) == [("lesion", True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "No polyps in the rectum but a polyp in the sigmoid.",
            [("lesion", True), ("lesion", False)],
        ),
        (
            "No lesions other than small hemorrhoids in the rectum.",
            [("lesion", True), ("haemorrhoids", False)],
        ),
        (
            "No polyps in the colon and a large ulcer in the cecum.",
            [("lesion", True), ("ulcer", False)],
        ),
        (
            "No ulceration was seen, as well as another polyp in the rectum.",
            [("lesion", False)],
        ),
        ("No polyps; scattered diverticula.", [("lesion", True), ("diverticula", False)]),
        ("Not only polyps in the rectum.", [("lesion", False)]),
        ("There was no change in the polyp of the rectum.", [("lesion", False)]),
        ("The scope passed without difficulty to a polyp in the rectum.", [("lesion", False)]),
        ("A polyp in the rectum without ulceration.", [("lesion", False)]),
        ("Non-bleeding hemorrhoids.", [("haemorrhoids", False)]),
        ("No manipulation of the polyp was done.", []),
        ("直肠未见息肉，乙状结肠见憩室。", [("lesion", True), ("diverticula", False)]),
    ],
)
def test_where_a_denial_ends(text, expected):
    assert stated(text) == expected


def test_the_cue_is_shown():
    text = "There was no evidence of polyps."
    [finding] = parse_report(text).findings
    assert text[finding.negated.start : finding.negated.end] == "no evidence of"
    assert (finding.status, finding.kind) == (0, "lesion")


@pytest.mark.parametrize(
    ("text", "descriptors"),
    [
        ("A lobulated polyp in the rectum without erosion or bleeding.", {"lobulated"}),
        ("A non-lobulated, smooth polyp in the rectum.", {"smooth"}),
        ("A polyp in the rectum; its margins were not clear.", {"ill_defined_margin"}),
        ("A polyp in the rectum. The surface was smooth, with no ulceration.", {"smooth"}),
        ("直肠见息肉，表面充血，未见溃疡及糜烂，边界清。", {"congestion", "well_defined_margin"}),
    ],
)
def test_denied_descriptors_are_left_out(text, descriptors):
    [finding] = parse_report(text).findings
    assert {v.value for v in finding.descriptors} == descriptors
