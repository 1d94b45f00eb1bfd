import random

import pytest

from endoalign.world.writer.en_words import (
    american,
    feature_items,
    join_and,
    site_phrase,
    size_words,
    tidy,
    with_article,
)
from endoalign.world.writer.size import SizeStatement
from endoalign.world.writer.statements import SiteStatement


@pytest.mark.parametrize(
    ("phrase", "article"),
    [
        ("6 mm polyp", "a"),
        ("8 mm polyp", "an"),
        ("8-10 mm polyp", "an"),
        ("11 mm polyp", "an"),
        ("18 mm polyp", "an"),
        ("1.1 cm polyp", "a"),
        ("0.8 cm polyp", "a"),
        ("80-year-old man", "an"),
        ("eroded polyp", "an"),
        ("ulcerated polyp", "an"),
        ("uniform polyp", "a"),
        ("smooth polyp", "a"),
    ],
)
def test_articles(phrase, article):
    assert with_article(phrase) == f"{article} {phrase}"


def test_lists():
    assert join_and([]) == ""
    assert join_and(["a"]) == "a"
    assert join_and(["a", "b"]) == "a and b"
    assert join_and(["a", "b", "c"]) == "a, b and c"


def test_tidy_takes_loose_ends_out():
    assert tidy("⟦a polyp in the rectum, at 8 cm,⟧") == "⟦a polyp in the rectum, at 8 cm⟧"
    assert tidy("a  polyp , with") == "a polyp, with"
    assert tidy("") == ""


def test_sizes_in_words():
    rng = random.Random(0)
    size = SizeStatement("single", "mm", (6,), words=True)
    assert size_words(size, rng, before_noun=True) == "six-millimetre"
    assert size_words(size, rng) == "six millimetres"
    assert size_words(SizeStatement("single", "mm", (1,), words=True), rng) == "one millimetre"
    assert size_words(SizeStatement("single", "mm", (25,), words=True), rng) == "25 mm"
    assert size_words(SizeStatement("single", "cm", (12,)), rng) == "1.2 cm"


def test_sites_inside_their_own_paragraph_are_not_named_again():
    rng = random.Random(0)
    name = SiteStatement("rectum", "name", "mid", 8)
    assert site_phrase(name, rng) == "in the rectum"
    assert site_phrase(name, rng, inside=True) == ""
    assert site_phrase(None, rng) == ""
    assert site_phrase(SiteStatement("rectum", "third", "mid", 8), rng) == "in the mid rectum"
    flexure = SiteStatement("hepatic_flexure", "name", "", 98)
    assert site_phrase(flexure, rng) == "at the hepatic flexure"


def test_surface_words_share_one_noun():
    items = feature_items(["smooth", "congestion"], random.Random(1))
    assert len(items) == 1
    assert items[0].endswith("surface")
    assert feature_items([], random.Random(1)) == []


def test_american_spelling():
    assert american("Haemorrhoids in the caecum, colour") == "Hemorrhoids in the cecum, color"
    assert american("two millimetres") == "two millimeters"
    assert american("rectum") == "rectum"
