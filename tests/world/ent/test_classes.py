import pytest

from endoalign.datasets.entrep_files import ENTREP
from endoalign.evaluation.ent_format import CLASS_IDS
from endoalign.vocabulary import ENT_CLASSES
from endoalign.world.ent.classes import (
    ENTREP_COUNTS,
    FINDINGS,
    TOGETHER,
    check_findings,
    mirrored_class,
    side_of,
    site_of,
)


def test_all_rooms_know_the_classes_in_the_order_of_the_challenge():
    assert CLASS_IDS == {
        "nose-right": 0,
        "nose-left": 1,
        "ear-right": 2,
        "ear-left": 3,
        "vc-open": 4,
        "vc-closed": 5,
        "throat": 6,
    }
    assert ENTREP.names == ENT_CLASSES == tuple(CLASS_IDS)
    assert tuple(ENTREP_COUNTS) == ENT_CLASSES
    assert sum(ENTREP_COUNTS.values()) == 1291


@pytest.mark.parametrize(
    ("name", "site", "side", "mirrored"),
    [
        ("nose-right", "nose", "right", "nose-left"),
        ("nose-left", "nose", "left", "nose-right"),
        ("ear-right", "ear", "right", "ear-left"),
        ("ear-left", "ear", "left", "ear-right"),
        ("vc-open", "vc", None, "vc-open"),
        ("vc-closed", "vc", None, "vc-closed"),
        ("throat", "throat", None, "throat"),
    ],
)
def test_sites_sides_and_mirrors(name, site, side, mirrored):
    assert site_of(name) == site
    assert side_of(name) == side
    assert mirrored_class(name) == mirrored
    assert mirrored_class(mirrored) == name


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="unknown ENT class 'ear'; known: nose-right"):
        side_of("ear")
    with pytest.raises(ValueError, match="throat cannot show 'polyp'"):
        check_findings("throat", ("polyp",))
    with pytest.raises(ValueError, match="named twice"):
        check_findings("ear-left", ("cerumen", "cerumen"))
    with pytest.raises(ValueError, match="perforation and effusion at once"):
        check_findings("ear-left", ("perforation", "effusion"))


def test_pairs_are_findings_of_one_site():
    for pair in TOGETHER:
        assert any(pair <= set(known) for known in FINDINGS.values()), pair
