import pytest

from endoalign.reports import parse_report
from endoalign.reports.paris import find_paris_codes


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("a polyp (0-Is)", ["0-Is"]),
        ("Paris Is", ["0-Is"]),
        ("Paris classification type 0-IIa", ["0-IIa"]),
        ("type IIa", ["0-IIa"]),
        ("paris 0-isp", ["0-Isp"]),
        ("0 Ip", ["0-Ip"]),
        ("Paris 0-III", ["0-III"]),
        ("0-IIa+IIc", ["0-IIa", "0-IIc"]),
        ("Paris 0-Ⅰs型", ["0-Is"]),
        ("巴黎分型0-Ⅱa", ["0-IIa"]),
        ("Is there a polyp?", ["0-Is"]),  # no grammar here: a verb needs no capital elsewhere
        ("It is a polyp", []),
        ("grade III haemorrhoids", []),
        ("IS and IP", []),
        ("", []),
    ],
)
def test_codes(text, types):
    found = find_paris_codes(text)
    assert [code for _, _, code in found] == types
    assert all(0 <= start < end <= len(text) for start, end, _ in found)


@pytest.mark.parametrize(
    ("text", "paris"),
    [
        ("A pedunculated polyp in the rectum.", "0-Ip"),
        ("A semi-pedunculated polyp in the rectum.", "0-Isp"),
        ("A sessile polyp in the rectum.", "0-Is"),
        ("A flat elevated lesion in the rectum.", "0-IIa"),
        ("A pedunculted polyp in the rectum.", "0-Ip"),
        ("A sessile polyp (Paris 0-IIa) in the rectum.", "0-IIa"),
        ("A Yamada III polyp in the rectum.", "0-Isp"),
        ("A polyp on a thick stalk in the rectum.", "0-Ip"),
        ("A non-pedunculated polyp in the rectum.", None),
        ("直肠见一枚亚蒂息肉。", "0-Isp"),
        ("直肠见一枚无蒂息肉。", "0-Is"),
        ("直肠见一枚长蒂息肉。", "0-Ip"),
        ("直肠见一枚山田Ⅲ型息肉。", "0-Isp"),
    ],
)
def test_types_of_findings(text, paris):
    [finding] = parse_report(text).findings
    assert (finding.paris.value if finding.paris else None) == paris
