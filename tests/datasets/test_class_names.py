import pytest

from endoalign.datasets.class_names import (
    ENDOVLM_REGIONS,
    ENDOVLM_SITES,
    GASTROVISION,
    HYPERKVASIR,
    HYPERKVASIR_LOWER,
    HYPERKVASIR_UPPER,
    KVASIR_V2,
    MAYO,
    ClassNames,
)
from endoalign.vocabulary import REGIONS


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("polyp", "polyps"),
        ("Polyps", "polyps"),
        ("polyps ", "polyps"),
        ("normal-cecum", "cecum"),
        ("NORMAL_Z-LINE", "z-line"),
        ("normal pylorus", "pylorus"),
        ("hemorroids", "hemorrhoids"),
        ("short-segment-barretts", "barretts-short-segment"),
        ("oesophagitis-b-d", "esophagitis-b-d"),
        ("ulcerative-colitis-1-2", "ulcerative-colitis-grade-1-2"),
        ("polypus", None),
        ("", None),
    ],
)
def test_hyperkvasir(written, canonical):
    assert HYPERKVASIR.find(written) == canonical


def test_number_of_classes_as_published():
    assert len(HYPERKVASIR.names) == len(set(HYPERKVASIR.names)) == 23
    assert sum(map(len, HYPERKVASIR_LOWER.values())) == 16
    assert sum(map(len, HYPERKVASIR_UPPER.values())) == 7
    assert len(GASTROVISION.names) == len(set(GASTROVISION.names)) == 27
    assert len(KVASIR_V2.names) == 8
    assert ENDOVLM_REGIONS.names == REGIONS


@pytest.mark.parametrize("table", [HYPERKVASIR, GASTROVISION, KVASIR_V2, MAYO, ENDOVLM_REGIONS])
def test_no_alias_hides_a_name_or_leads_nowhere(table):
    for name in table.names:
        assert table.find(name) == name
    for alias, name in table.aliases.items():
        assert name in table.names
        assert table.find(alias) == name


def test_sites_are_the_regions_in_order():
    assert [ENDOVLM_REGIONS.find(site) for site in ENDOVLM_SITES] == list(REGIONS)
    assert ENDOVLM_REGIONS.find("Angulus") == "angularis"
    assert ENDOVLM_REGIONS.find("insertion") == "terminal_ileum"


@pytest.mark.parametrize("written", ["Mayo 2", "mayo_2", "MAYO-2", "Mayo2", "2"])
def test_mayo(written):
    assert MAYO.find(written) == "Mayo 2"


def test_an_unknown_name_is_told_with_the_nearest():
    words = ClassNames(("polyps", "z-line")).unknown("polips")
    assert words == "unknown class 'polips' (nearest: 'polyps'); known: polyps, z-line"
