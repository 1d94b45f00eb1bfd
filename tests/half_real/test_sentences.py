"""Each sentence says what is true, and the parser of reports reads it as one finding."""

import itertools

import numpy as np
import pytest

from endoalign.half_real import phrases
from endoalign.half_real.attributes import Attributes
from endoalign.half_real.sentences import write_sentence
from endoalign.reports import parse_report

OPTIONAL = {
    "outline": phrases.OUTLINE,
    "colour": phrases.COLOUR,
    "brightness": phrases.BRIGHTNESS,
    "margin": phrases.MARGIN,
}


def drawn(rng, count):
    """Attributes at random, some unknown."""

    def one(names, unknown=True):
        options = [*names, *([None] if unknown else [])]
        return options[rng.integers(len(options))]

    values = {name: one(table) for name, table in OPTIONAL.items()}
    place = one(phrases.POSITION, unknown=False)
    if count > 1:
        values |= {"outline": None, "margin": None}
        place = None
    return Attributes(count=count, size=one(phrases.SIZE, False), position=place, **values)


def words_of(name, attributes):
    """Every wording of the value of one attribute."""
    table = {**OPTIONAL, "size": phrases.SIZE, "position": phrases.POSITION}[name]
    return [p.words.format(s=s) for p in table[getattr(attributes, name)] for s in ("it", "them")]


@pytest.fixture(scope="module")
def written():
    rng = np.random.default_rng(7)
    counts = itertools.cycle([1, 1, 1, 2, 3, 9, 12])
    return [(a, write_sentence(a, rng)) for a in (drawn(rng, next(counts)) for _ in range(1200))]


def test_the_parser_reads_each_sentence_as_one_lesion(written):
    for attributes, sentence in written:
        report = parse_report(f"{phrases.NOTE}\n{sentence.text}", "en")
        assert [f.kind for f in report.findings] == ["lesion"], sentence.text
        (finding,) = report.findings
        assert finding.status == 1 and not finding.negated.value, sentence.text
        assert (finding.regions, finding.size_cm, finding.paris) == ((), None, None), sentence.text
        assert finding.count is not None and finding.count.value == attributes.count
        assert {d.value for d in finding.descriptors} == set(sentence.descriptors), sentence.text
        assert report.exam.kind == "colonoscopy"
        sentences = [report.text[s.start : s.end].strip() for s in report.sentences]
        assert sentence.text in sentences  # whole, not split


def test_a_sentence_holds_words_for_what_it_states_and_no_others(written):
    for attributes, sentence in written:
        for name in sentence.stated:
            assert any(w in sentence.text for w in words_of(name, attributes)), (name, sentence)
        if attributes.colour == "red" and "colour" not in sentence.stated:
            assert "red" not in sentence.text.lower().replace("centred", "").split()


def test_at_least_three_attributes_where_so_many_are_known(written):
    for attributes, sentence in written:
        known = sum(
            getattr(attributes, name) is not None for name in (*OPTIONAL, "size", "position")
        )
        told = len(sentence.stated) + (attributes.count > 1)
        assert told >= min(3, known + (attributes.count > 1))
    stated = {len(s.stated) for a, s in written if a.count == 1}
    assert {3, 4, 5, 6} <= stated


def test_one_view_has_many_sentences():
    known = Attributes(1, "tenth", "oval", "upper left", "red", "brighter", "clear")
    texts = {write_sentence(known, np.random.default_rng(k)).text for k in range(200)}
    assert len(texts) > 180


def test_the_same_seed_writes_the_same():
    known = Attributes(1, "tenth", "oval", "upper left", "red", "brighter", "clear")
    first, again = (write_sentence(known, np.random.default_rng(3)) for _ in range(2))
    assert first == again


def test_where_little_is_known_little_is_said():
    bare = Attributes(1, "most", None, "middle centre", None, None, None)
    assert set(write_sentence(bare, np.random.default_rng(0)).stated) == {"size", "position"}


@pytest.mark.parametrize("text", phrases.OTHER_FRAMES + phrases.NO_POLYP)
def test_denials_are_read_as_denials(text):
    (finding,) = parse_report(f"{phrases.NOTE}\n{text}", "en").findings
    assert (finding.kind, finding.negated.value, finding.status) == ("lesion", True, 0)


@pytest.mark.parametrize("text", phrases.NORMAL)
def test_normal_is_read_as_normal(text):
    (finding,) = parse_report(f"{phrases.NOTE}\n{text}", "en").findings
    assert (finding.kind, finding.negated.value, finding.status) == ("normal", False, 0)


def test_the_note_states_no_finding():
    assert not parse_report(phrases.NOTE, "en").findings
