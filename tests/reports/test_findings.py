import pytest

from endoalign.reports import parse_report


def stated(text):
    return [
        (
            f.concept,
            f.region,
            f.size_cm.value if f.size_cm else None,
            f.paris.value if f.paris else None,
            {v.value for v in f.descriptors},
        )
        for f in parse_report(text).findings
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A 5 mm sessile polyp in the sigmoid and a 3 mm flat polyp in the rectum were removed.",
            [
                ("lesion", "sigmoid_colon", 0.5, "0-Is", set()),
                ("lesion", "rectum", 0.3, None, {"flat"}),
            ],
        ),
        (
            "In the sigmoid there were two polyps: a 3 mm sessile polyp and a 5 mm lobulated one.",
            [("lesion", "sigmoid_colon", 0.5, "0-Is", {"lobulated"})],
        ),
        (
            "In the sigmoid there were two polyps: a 3 mm polyp and a 5 mm lobulated polyp.",
            [
                ("lesion", "sigmoid_colon", 0.3, None, set()),
                ("lesion", "sigmoid_colon", 0.5, None, {"lobulated"}),
            ],
        ),
        (
            "A 3 mm polyp and a 5 mm polyp were found in the rectum.",
            [("lesion", "rectum", 0.3, None, set()), ("lesion", "rectum", 0.5, None, set())],
        ),
        (
            "A polyp in the cecum about 8 mm and another one in the sigmoid about 1 cm.",
            [
                ("lesion", "ileocecal", 0.8, None, set()),
                ("lesion", "sigmoid_colon", 1.0, None, set()),
            ],
        ),
        (
            "The rectum was normal and the sigmoid showed scattered diverticula.",
            [
                ("normal", "rectum", None, None, set()),
                ("diverticula", "sigmoid_colon", None, None, set()),
            ],
        ),
        (
            "The rectal mucosa was normal except for a 4 mm polyp.",
            [("normal", "rectum", None, None, set()), ("lesion", "rectum", 0.4, None, set())],
        ),
        (
            "A 2 mm polyp versus lymphoid aggregate in the descending colon.",
            [("lesion", "descending_colon", 0.2, None, set())],
        ),
        (
            "There were ulcerations, edema and loss of vascular pattern consistent with proctitis.",
            [("ulceration", "rectum", None, None, set())],
        ),
        (
            "A villous mass with ulceration and partial obstruction of the rectum.",
            [("lesion", "rectum", None, None, {"villous", "ulceration"})],
        ),
        (
            "An ulceration in the rectum.",
            [("ulceration", "rectum", None, None, set())],
        ),
        (
            "A polyp in the rectum with congestion of the head; the surrounding mucosa was smooth.",
            [("lesion", "rectum", None, None, {"congestion"})],
        ),
        (
            "No blood was seen. Normal saline was used in the rectum.",
            [("bleeding", None, None, None, set())],
        ),
        (
            "There was no bleeding at the polypectomy site in the rectum.",
            [],
        ),
        (
            "横结肠见一枚0.5cm息肉，表面充血，边界清；另直肠见一枚0.3cm扁平息肉。",
            [
                (
                    "lesion",
                    "transverse_colon",
                    0.5,
                    None,
                    {"congestion", "well_defined_margin"},
                ),
                ("lesion", "rectum", 0.3, None, {"flat"}),
            ],
        ),
    ],
)
def test_several_findings_a_sentence(text, expected):
    assert stated(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A small polyp in the rectum. This was approximately 3 mm in size and pedunculated.",
            [("lesion", "rectum", 0.3, "0-Ip", set())],
        ),
        (
            "A polyp was found in the rectum. The polyp was 5 mm in size. The surface was smooth.",
            [("lesion", "rectum", 0.5, None, {"smooth"})],
        ),
        (
            "A polyp in the rectum. A polyp in the cecum. Both polyps were 4 mm.",
            [("lesion", "rectum", 0.4, None, set()), ("lesion", "ileocecal", 0.4, None, set())],
        ),
        (
            "A polyp in the rectum. It was removed with a 10 mm snare. No bleeding followed.",
            [("lesion", "rectum", None, None, set())],
        ),
        (
            "A polyp in the rectum. A snare was used to remove the polyp. It was sent off.",
            [("lesion", "rectum", None, None, set())],
        ),
        (
            "A snare was used to remove the 8 mm polyp at 30 cm.",
            [("lesion", "sigmoid_colon", 0.8, None, set())],
        ),
        (
            "The previous polyp in the rectum is gone. A polypoid mass, likely a lipoma, at 50 cm.",
            [("lesion", "descending_colon", None, None, set())],
        ),
        (
            "The lesser curve had an ulcer. The lesion was not bleeding.",
            [("ulcer", "body", None, None, set())],
        ),
        (
            "The esophagus was normal. There were no erosions.",
            [
                ("normal", "esophagus", None, None, set()),
                ("erosion", "esophagus", None, None, set()),
            ],
        ),
        (
            "A 5 mm polyp in the sigmoid. Another 4 mm polyp was seen nearby.",
            [
                ("lesion", "sigmoid_colon", 0.5, None, set()),
                ("lesion", "sigmoid_colon", 0.4, None, set()),
            ],
        ),
        (
            "The sigmoid was inspected. Two polyps were seen.",
            [("lesion", "sigmoid_colon", None, None, set())],
        ),
        (
            "The terminal ileum was reached; it was normal.",
            [("normal", "terminal_ileum", None, None, set())],
        ),
        (
            "The scope was advanced to the cecum. No polyps were seen.",
            [("lesion", None, None, None, set())],
        ),
        (
            "直肠见一枚息肉。表面充血，大小约0.4cm。",
            [("lesion", "rectum", 0.4, None, {"congestion"})],
        ),
    ],
)
def test_sentences_that_go_on(text, expected):
    assert stated(text) == expected


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("hyperaemic", "congestion"),
        ("congested", "congestion"),
        ("smooth", "smooth"),
        ("rough-surfaced", "rough"),
        ("granular", "granular"),
        ("nodular", "nodular"),
        ("multilobulated", "lobulated"),
        ("villous", "villous"),
        ("eroded", "erosion"),
        ("ulcerated", "ulceration"),
        ("oozing", "bleeding"),
        ("mucus-covered", "mucus_attachment"),
        ("whitish", "white_coating"),
        ("flat", "flat"),
        ("umbilicated", "central_depression"),
        ("irregularly shaped", "irregular_shape"),
        ("narrow-based", "narrow_base"),
        ("broad-based", "broad_base"),
        ("well-demarcated", "well_defined_margin"),
        ("ill-defined", "ill_defined_margin"),
    ],
)
def test_descriptors(words, name):
    text = f"A {words} polyp in the rectum."
    [finding] = parse_report(text).findings
    [value] = finding.descriptors
    assert value.value == name
    assert text[value.start : value.end].lower() in words


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("表面充血", "congestion"),
        ("表面光滑", "smooth"),
        ("表面粗糙", "rough"),
        ("表面呈颗粒样", "granular"),
        ("表面呈结节样", "nodular"),
        ("呈分叶状", "lobulated"),
        ("呈绒毛状", "villous"),
        ("表面糜烂", "erosion"),
        ("表面见溃疡", "ulceration"),
        ("表面渗血", "bleeding"),
        ("黏液附着", "mucus_attachment"),
        ("附白苔", "white_coating"),
        ("形态扁平", "flat"),
        ("中央凹陷", "central_depression"),
        ("形态不规则", "irregular_shape"),
        ("基底较窄", "narrow_base"),
        ("宽基底", "broad_base"),
        ("边界清晰", "well_defined_margin"),
        ("边界欠清", "ill_defined_margin"),
        ("边届不清", "ill_defined_margin"),
    ],
)
def test_chinese_descriptors(words, name):
    text = f"直肠见一枚息肉，{words}。"
    [finding] = parse_report(text).findings
    assert [v.value for v in finding.descriptors] == [name]


def test_polyp_positive_needs_a_lesion_that_is_there():
    assert parse_report("A polyp in the rectum.").polyp_positive
    assert not parse_report("No polyp in the rectum.").polyp_positive
    assert not parse_report("Diverticula in the sigmoid.").polyp_positive
