import copy

import pytest
import yaml

from endoalign.reports import ReportParser
from endoalign.reports.lexicon import LEXICON_DIRECTORY, load_lexicon
from endoalign.reports.roles import term_roles
from endoalign.vocabulary import COLON_REGIONS, DESCRIPTORS, LANGUAGES, PARIS_TYPES, REGIONS


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_names_the_whole_vocabulary(language):
    lexicon = load_lexicon(language)
    assert set(lexicon.sites) == set(REGIONS)
    assert set(lexicon.descriptors) == set(DESCRIPTORS)
    assert set(lexicon.paris) == set(PARIS_TYPES)
    assert set(lexicon.distances.upto_cm) <= set(COLON_REGIONS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_distances_grow_along_the_colon(language):
    table = load_lexicon(language).distances.upto_cm
    order = [region for region in reversed(COLON_REGIONS) if region in table]
    assert list(table) == order
    assert list(table.values()) == sorted(table.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_phrase_has_two_values_in_one_category(language):
    for phrase, roles in term_roles(load_lexicon(language)).items():
        categories = [role.category for role in roles]
        assert len(set(categories)) == len(categories), phrase


@pytest.fixture
def english():
    return yaml.safe_load((LEXICON_DIRECTORY / "en.yaml").read_text(encoding="utf-8"))


def refuse(tmp_path, data):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    with pytest.raises(ValueError, match=r"mine\.yaml") as refused:
        ReportParser.from_lexicon(path)
    return str(refused.value)


def test_a_lexicon_of_ones_own_is_used(tmp_path, english):
    data = copy.deepcopy(english)
    data["lesions"].append("gribble(s|)")
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    report = ReportParser.from_lexicon(path).parse("A 4 mm gribble in the rectum.")
    assert [(f.kind, f.region) for f in report.findings] == [("lesion", "rectum")]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d.update(colour=["red"]), "colour"),
        (lambda d: d.pop("lesions"), "lesions"),
        (lambda d: d["sites"].update(cecum=["cecum"]), "unknown region cecum"),
        (lambda d: d["paris"].update({"0-IV": ["x"]}), "unknown Paris type 0-IV"),
        (lambda d: d["descriptors"].update(shiny=["shiny"]), "unknown descriptor shiny"),
        (lambda d: d.update(language="fr"), "unknown language fr; known are en, zh"),
        (lambda d: d["sizes"]["units"].update(mm="small"), "sizes.units.mm"),
        (lambda d: d["spelling"].update(confusions={"ab": "abc"}), "the same length"),
        (lambda d: d.update(lesions=[False]), "lesions.0"),
    ],
)
def test_errors_name_the_file_and_the_key(tmp_path, english, change, says):
    data = copy.deepcopy(english)
    change(data)
    assert says in refuse(tmp_path, data)


def test_no_yaml_and_no_file(tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_text("language: [en", encoding="utf-8")
    with pytest.raises(ValueError, match=r"broken\.yaml, line 1: not sound YAML"):
        load_lexicon(path)
    with pytest.raises(FileNotFoundError, match="one of en, zh"):
        load_lexicon("fr")
