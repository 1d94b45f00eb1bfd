import pytest
import yaml

from endoalign.reports.triplets import aliases
from endoalign.reports.triplets.aliases import exam_named, region_aliases, region_named
from endoalign.vocabulary import REGIONS


@pytest.mark.parametrize(
    ("name", "region"),
    [
        ("Angulus", "angularis"),
        ("Insertion", "terminal_ileum"),
        ("Ileum", "terminal_ileum"),
        ("Ileocecal region", "ileocecal"),
        ("Body", "body"),
        ("hepatic-flexure", "hepatic_flexure"),
        (" SIGMOID_COLON ", "sigmoid_colon"),
        ("Oesophagus", "esophagus"),
        ("胃角", "angularis"),
        ("回肠末端", "terminal_ileum"),
        ("z line", "esophagus"),
    ],
)
def test_names_of_regions(name, region):
    assert region_named(name) == region


def test_every_site_of_endovlm_is_known():
    sites = (
        "Esophagus, Cardia, Fundus, Body, Angularis, Antrum, Pylorus, Duodenum, Ileum, "
        "Ileocecal region, Ascending colon, Hepatic flexure, Transverse colon, Splenic flexure, "
        "Descending colon, Sigmoid colon, Rectum"
    )
    assert tuple(map(region_named, sites.split(", "))) == REGIONS


def test_every_canonical_name_means_itself():
    assert [region_named(region) for region in REGIONS] == list(REGIONS)
    assert set(region_aliases().values()) == set(REGIONS)


@pytest.mark.parametrize("name", ["", "jejunum", "left lung"])
def test_unknown_region_lists_the_known(name):
    with pytest.raises(ValueError, match=r"unknown region.*esophagus, .*rectum"):
        region_named(name)


def test_unknown_region_names_the_nearest():
    with pytest.raises(ValueError, match=r"nearest: 'angulus'"):
        region_named("angulos")


@pytest.mark.parametrize(
    ("name", "exam"),
    [("colonscopy", "colonoscopy"), ("EGD", "gastroscopy"), ("肠镜", "colonoscopy")],
)
def test_names_of_examinations(name, exam):
    assert exam_named(name) == exam


def test_unknown_examination_lists_the_known():
    with pytest.raises(ValueError, match=r"bronchoscopy.*known are gastroscopy, colonoscopy"):
        exam_named("bronchoscopy")


def test_a_name_may_mean_one_region_only(tmp_path, monkeypatch):
    path = tmp_path / "aliases.yaml"
    path.write_text(yaml.safe_dump({"regions": {"cardia": ["top"], "fundus": ["top"]}}))
    monkeypatch.setattr(aliases, "_FILE", path)
    with pytest.raises(ValueError, match=r"regions\.fundus: 'top' already is cardia"):
        aliases._aliases("regions", REGIONS)
