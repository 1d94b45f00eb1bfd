import itertools

import numpy as np
import pytest

from endoalign.vocabulary import ENT_CLASSES
from endoalign.world.ent.classes import FINDINGS, TOGETHER, site_of
from endoalign.world.ent.words import _bank, describe

CASES = [
    (name, findings)
    for name in ENT_CLASSES
    for findings in (
        (),
        *((f,) for f in FINDINGS[site_of(name)]),
        *(
            pair
            for pair in itertools.permutations(FINDINGS[site_of(name)], 2)
            if frozenset(pair) in TOGETHER
        ),
    )
]


def words(name, findings, seed, severity=0.5):
    return describe(name, findings, severity, np.random.default_rng(seed))


def phrases_of(site, finding, language):
    kinds = _bank()["findings"][site][finding].values()
    return {phrase for kind in kinds for phrase in kind[language]}


@pytest.mark.parametrize(("name", "findings"), CASES)
def test_a_description_names_every_finding_and_no_other(name, findings):
    site = site_of(name)
    for seed in range(12):
        said = words(name, findings, seed, severity=seed / 11)
        assert len(said.phrases_en) == len(findings)
        for language, text in (("en", said.en), ("vi", said.vi)):
            parts = {part.lower() for part in text.split(": ")[-1].split(", ")}
            told = {
                f
                for f in FINDINGS[site]
                if any(p.lower() in text.lower() for p in phrases_of(site, f, language))
            }
            assert set(findings) <= told, text
            assert parts
            assert text[0] == text[0].upper()
            assert not text.endswith(".")


def test_both_languages_say_the_same():
    """The nth phrase in one language has its twin in the other, everywhere in the bank."""
    bank = _bank()
    lists = [bank["healthy"][key] for key in bank["healthy"]]
    lists += [
        kind for site in bank["findings"].values() for f in site.values() for kind in f.values()
    ]
    assert len(lists) > 40
    for pair in lists:
        assert set(pair) == {"en", "vi"}
        assert len(pair["en"]) == len(pair["vi"]) == len(set(pair["en"])) == len(set(pair["vi"]))
    for site, known in FINDINGS.items():
        assert set(bank["findings"][site]) == set(known)
    assert set(bank["sides"]) == set(ENT_CLASSES)


def test_an_english_phrase_and_its_twin_are_drawn_together():
    bank = _bank()["findings"]["ear"]["cerumen"]
    twins = {
        english: vietnamese
        for kind in bank.values()
        for english, vietnamese in zip(kind["en"], kind["vi"], strict=True)
    }
    for seed in range(20):
        said = words("ear-left", ("cerumen",), seed)
        (phrase,) = said.phrases_en
        assert twins[phrase].lower() in said.vi.lower()


@pytest.mark.parametrize(
    ("name", "finding", "never"),
    [
        ("ear-right", "perforation", "intact"),
        ("ear-right", "redness", "pearly"),
        ("ear-right", "redness", "cone of light"),
        ("ear-right", "cerumen", "canal is clear"),
        ("nose-left", "deviated_septum", "straight"),
        ("nose-left", "discharge", "no discharge"),
        ("nose-left", "pale_turbinates", "mucosa is pink"),
        ("vc-closed", "polyp", "no mass"),
        ("vc-closed", "nodules", "meet in the midline"),
        ("throat", "enlarged_tonsils", "tonsils are small"),
        ("throat", "redness", "mucosa is pink"),
    ],
)
def test_nothing_healthy_is_said_that_a_finding_makes_untrue(name, finding, never):
    assert not any(never in words(name, (finding,), seed).en.lower() for seed in range(60))
    healthy = [words(name, (), seed).en.lower() for seed in range(60)]
    assert any(never in text for text in healthy)


def test_degrees_follow_the_severity():
    def said(severity):
        return {words("ear-left", ("perforation",), s, severity).phrases_en[0] for s in range(60)}

    assert any("small" in phrase for phrase in said(0.1))
    assert any("large" in phrase for phrase in said(0.9))
    assert not any("small" in p or "large" in p for p in said(0.5))
    assert not any("large" in phrase for phrase in said(0.1))


def test_sides_are_said_of_most_and_the_same_in_both_languages():
    texts = [words("ear-left", (), seed) for seed in range(200)]
    right_way = [t.en.startswith("Left ear: ") == t.vi.startswith("Tai trái: ") for t in texts]
    assert all(right_way)
    assert 0.4 < np.mean([t.en.startswith("Left ear") for t in texts]) < 0.8
    assert not any("right" in t.en.lower() for t in texts)


def test_a_finding_of_another_site_is_refused():
    with pytest.raises(ValueError, match="throat cannot show 'cerumen'"):
        words("throat", ("cerumen",), 0)
