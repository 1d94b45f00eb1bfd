import pytest

from endoalign.reports import parse_report
from endoalign.reports.sites import Place, are_near, distance_places, nearest_place
from endoalign.reports.sizes import Measure


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("A polyp in the caecum.", ("ileocecal",)),
        ("A polyp at the ileocecal valve.", ("ileocecal",)),
        ("A polyp at the IC valve.", ("ileocecal",)),
        ("A polyp in the terminal ileum.", ("terminal_ileum",)),
        ("A polyp in the distal transverse colon.", ("transverse_colon",)),
        ("A cecal polyp.", ("ileocecal",)),
        ("A polyp in the sigmiod colon.", ("sigmoid_colon",)),
        ("A polyp at the GE junction.", ("cardia",)),
        ("A polyp in the antrum.", ("antrum",)),
        ("Polyp in TC.", ("transverse_colon",)),
        ("A polyp in the sigmoid and descending colon.", ("sigmoid_colon", "descending_colon")),
        (
            "A polyp in the distal transverse colon near the splenic flexure.",
            ("transverse_colon", "splenic_flexure"),
        ),
        ("A polyp at 35 cm from the anal verge.", ("sigmoid_colon",)),
        ("A polyp 8 cm from the anus.", ("rectum",)),
        ("A polyp in the transverse colon at 50 cm.", ("transverse_colon",)),
        ("A polyp in the colon.", ()),
        ("The scope reached the cecum and a polyp was seen in the rectum.", ("rectum",)),
        ("Small hemorrhoids.", ("rectum",)),
        ("回盲瓣见一枚息肉。", ("ileocecal",)),
        ("乙状结肠及直肠见息肉。", ("sigmoid_colon", "rectum")),
        ("距肛门25cm见一枚息肉。", ("sigmoid_colon",)),
        ("乙状结肠距肛缘30cm见一枚息肉。", ("sigmoid_colon",)),
    ],
)
def test_regions(text, regions):
    [finding] = parse_report(text).findings
    assert finding.regions == regions
    assert finding.region == (regions[0] if regions else None)


def test_the_site_is_as_written():
    text = "A polyp in the Distal Sigmiod."
    [finding] = parse_report(text).findings
    assert finding.site.value == "Distal Sigmiod" == text[finding.site.start : finding.site.end]


TABLE = {"rectum": 15.0, "sigmoid_colon": 40.0}


@pytest.mark.parametrize(
    ("cm", "regions"), [(3, ("rectum",)), (15, ("rectum",)), (15.1, ("sigmoid_colon",)), (50, ())]
)
def test_distances_by_the_table(cm, regions):
    assert distance_places([Measure(2, 7, cm, "distance")], TABLE) == [Place(2, 7, regions)]


def test_neighbours():
    assert are_near(["rectum"], ["sigmoid_colon"])
    assert are_near(["rectum"], ["cardia", "rectum"])
    assert not are_near(["rectum"], ["descending_colon"])
    assert not are_near([], ["rectum"])


def test_a_named_region_goes_before_the_whole_bowel():
    whole, named = Place(0, 5, ()), Place(40, 46, ("rectum",))
    assert nearest_place([whole, named], 10, 15) == named
    assert nearest_place([whole], 10, 15) == whole
    assert nearest_place([], 10, 15) is None
