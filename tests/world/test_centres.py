import re

import pytest

from endoalign.vocabulary import SPLITS
from endoalign.world.centres import CENTRES, REPORT_STYLES, centres_of


def test_ten_centres_keyed_by_their_names_in_order():
    assert len(CENTRES) >= 10
    assert list(CENTRES) == sorted(CENTRES)
    assert all(key == centre.name for key, centre in CENTRES.items())
    assert all(re.fullmatch(r"centre_[a-z]", key) for key in CENTRES)


def test_at_least_two_centres_are_seen_in_the_test_part_only():
    hidden = {name for name, centre in CENTRES.items() if centre.parts == ("test",)}
    assert len(hidden) >= 2
    for split in ("train", "validation"):
        assert hidden.isdisjoint(centre.name for centre in centres_of(split))
    assert hidden <= {centre.name for centre in centres_of("test")}


def test_every_style_is_learnt_from_and_every_value_is_sane():
    assert {centre.report_style for centre in centres_of("train")} == set(REPORT_STYLES)
    for centre in CENTRES.values():
        assert set(centre.parts) <= set(SPLITS)
        assert 0.0 <= centre.chinese_share <= 1.0
        assert centre.weight > 0.0


def test_unknown_split_names_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown split 'dev'.*train, validation, test"):
        centres_of("dev")
