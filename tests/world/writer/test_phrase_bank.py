import string

import pytest

from endoalign.vocabulary import COLON_REGIONS, DESCRIPTORS, LESION_COLOURS, PARIS_POLYPS
from endoalign.world.cases_extent import OPERATIONS
from endoalign.world.writer.phrase_bank import phrases
from endoalign.world.writer.plan import OTHERS
from endoalign.world.writer.plan_extent import STOP_CAUSES
from endoalign.world.writer.plan_lesion import DENIABLE


def leaves(entry):
    if isinstance(entry, dict):
        return [text for value in entry.values() for text in leaves(value)]
    if isinstance(entry, list):
        return [text for value in entry for text in leaves(value)]
    return [entry]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_banks_have_words_for_everything(language):
    bank = phrases(language)
    assert set(bank["sites"]) == set(COLON_REGIONS)
    assert set(bank["descriptors"]) == set(DESCRIPTORS)
    assert set(bank["paris"]["word"]) == set(PARIS_POLYPS)
    for topic in ("others", "others_inside", "names_of_others"):
        assert set(bank[topic]) == set(OTHERS)
    words = bank["denials"]["words"] if language == "zh" else bank["denials"]
    assert set(words) == set(DENIABLE)
    colours = bank["colours"] if language == "zh" else bank["colour_short"]
    assert set(colours) == set(LESION_COLOURS)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_banks_tell_of_every_stop_and_operation(language):
    bank = phrases(language)
    for topic in ("stop", "plans_stopped"):
        assert set(bank[topic]) == set(STOP_CAUSES)
    for topic in ("operations", "joins"):
        assert set(bank[topic]) == set(OPERATIONS)
    for topic in ("further", "further_short", "all", "all_short"):
        assert bank["denial_limited"][topic]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_stenosis_is_always_bracketed_and_nothing_else_that_stops(language):
    for topic in {"stop", "stop_short"} & set(phrases(language)):
        for cause, frames in phrases(language)[topic].items():
            assert {frame.count("⟦") for frame in frames} == {int(cause == "stenosis")}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_phrase_is_text_with_named_places_and_paired_brackets(language):
    bank = {topic: entry for topic, entry in phrases(language).items() if "scores" not in topic}
    for text in leaves(bank):
        assert isinstance(text, str), text
        assert text == text.strip(" ") or text.startswith((", ", " at", " (")), text
        fields = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
        assert all(name.isidentifier() for name in fields), text
        depth = 0
        for letter in text:
            depth += {"⟦": 1, "⟧": -1}.get(letter, 0)
            assert depth in {0, 1}, text
        assert depth == 0, text


def test_unknown_language_names_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown language 'de'; known languages: en, zh"):
        phrases("de")
