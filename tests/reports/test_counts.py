import pytest

from endoalign.reports import parse_report


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("A polyp in the rectum.", 1),
        ("Sessile polyp in the rectum.", 1),
        ("Another polyp in the rectum.", 1),
        ("Two polyps in the rectum.", 2),
        ("Two small 3 mm polyps in the rectum.", 2),
        ("A total of 6 polyps in the rectum.", 6),
        ("Polyps x3 in the rectum.", 3),
        ("Multiple polyps (5) in the rectum.", 5),
        ("A 3- to 4-mm polyp in the rectum.", 1),
        ("Several polyps in the rectum.", None),
        ("Polyps in the rectum.", None),
        ("One of several polyps in the rectum.", None),
        ("A couple of polyps in the rectum.", 2),
        ("No polyps in the rectum.", None),
        ("直肠见2枚息肉。", 2),
        ("直肠见两枚息肉。", 2),
        ("直肠息肉一枚。", 1),
        ("直肠见数枚息肉。", None),
        ("直肠见多发息肉。", None),
        ("直肠见息肉。", None),
    ],
)
def test_counts(text, count):
    [finding] = parse_report(text).findings
    assert (finding.count.value if finding.count else None) == count
    if finding.count:
        assert text[finding.count.start : finding.count.end].strip()
