from urllib.parse import urlparse

import pytest

from endoalign.datasets.contents import count_of, make_contents
from endoalign.datasets.registry import adapter, load, names

MINE = (
    *("cvc-12k", "cvc-300", "cvc-clinicdb", "cvc-colondb"),
    *("etis", "kvasir-seg", "polyp-pvt", "polypgen"),
)


def test_all_adapters_are_listed():
    assert set(MINE) <= set(names())
    assert names() == sorted(set(names()))


@pytest.mark.parametrize("name", names())
def test_a_card_is_complete(name, tmp_path):
    card = adapter(name).card
    assert card.name == name
    for text in (card.title, card.page, card.licence, card.citation, card.layout, card.how_to_get):
        assert text.strip()
    contents = make_contents(card, tmp_path, counted=dict.fromkeys(card.expected, 0))
    assert set(contents.counts()) == set(card.expected)


@pytest.mark.parametrize("name", MINE)
def test_everything_expected_is_counted_by_the_adapter(name, tmp_path):
    card = adapter(name).card
    assert urlparse(card.page).scheme in ("http", "https")
    counted = [key for key in card.expected if " " in key or key == "boxes"]
    empty = make_contents(card, tmp_path, counted=dict.fromkeys(counted, 0))
    assert all(count_of(empty, key) == 0 for key in card.expected)


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("kvasir_seg", "kvasir-seg"), ("Kvasir-SEG", "kvasir-seg"), ("polygen", "polypgen")],
)
def test_an_unknown_name_gives_the_nearest(wrong, nearest, tmp_path):
    with pytest.raises(ValueError, match=rf"unknown data set '{wrong}' \(nearest: '{nearest}'\)"):
        load(wrong, tmp_path)


@pytest.mark.parametrize("wrong", ["contents", "card", "", "nothing like it"])
def test_modules_that_are_no_adapters_are_no_data_sets(wrong):
    with pytest.raises(ValueError, match=r"unknown data set.*known: cvc-12k"):
        adapter(wrong)


@pytest.mark.parametrize("name", names())
def test_a_missing_folder_is_one_clear_error(name, tmp_path):
    with pytest.raises(ValueError, match="no such folder"):
        load(name, tmp_path / "nowhere")


def test_an_unknown_option_gives_the_nearest(tmp_path):
    with pytest.raises(ValueError, match=r"cvc-12k: unknown option 'protocoll' \(nearest: 'protoc"):
        load("cvc-12k", tmp_path, protocoll="published")
    with pytest.raises(ValueError, match="kvasir-seg: unknown option 'fold'; options: none"):
        load("kvasir-seg", tmp_path, fold=3)
