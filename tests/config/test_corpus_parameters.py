"""What notebooks 00 and 01 take for the half-real corpus."""

import pytest

from endoalign.config.base import ParameterError
from endoalign.config.corpus import CorpusParameters, half_real_source
from endoalign.config.curation import CurationParameters


@pytest.fixture
def folders(tmp_path):
    for name in ("polyps", "normals"):
        (tmp_path / name).mkdir()
    return {name: str(tmp_path / name) for name in ("polyps", "normals")}


def check(**values):
    return CorpusParameters.check({"profile": "smoke", **values}, origin="x")


def test_none_by_default():
    assert check().half_real is None


def test_folders_are_taken_and_near_parts_of_one_frame_kept(folders, monkeypatch, tmp_path):
    monkeypatch.setenv("ENDOALIGN_OUTPUTS", str(tmp_path))
    settings = check(half_real=folders, duplicate_scope="corpus", duplicate_distance=7)
    assert settings.half_real.frames_per_case == 5
    assert settings.half_real_ingest.duplicate_scope == "case"
    assert settings.half_real_ingest.duplicate_distance == 7
    assert settings.half_real_folder == tmp_path / "smoke/artifacts/half_real"
    source = half_real_source(settings.half_real_folder)
    assert source.name == "half-real"
    assert source.reports == settings.half_real_folder / "raw/reports.jsonl"


def test_a_missing_folder_is_named(folders):
    with pytest.raises(ParameterError, match=r"half_real: normals: nothing at .*/absent"):
        check(half_real=folders | {"normals": folders["normals"] + "/absent"})
    values = {"profile": "smoke", "half_real": {"polyps": "/absent", "normals": "/absent"}}
    assert CorpusParameters.check(values, origin="x", files=False).half_real.polyps == "/absent"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"frame_per_case": 5}, "did you mean 'frames_per_case'"),
        ({"frames_per_case": 2}, "half_real.frames_per_case"),
        ({"single_share": "0.5"}, "half_real.single_share"),
        ({"min_window": 0.9}, "min_window 0.9 exceeds max_window 0.8"),
    ],
)
def test_wrong_settings_are_told(folders, wrong, told):
    with pytest.raises(ParameterError, match=told):
        check(half_real=folders | wrong)


def test_further_corpora_have_their_names_in_results(monkeypatch, tmp_path):
    monkeypatch.setenv("ENDOALIGN_OUTPUTS", str(tmp_path))
    values = {"profile": "smoke", "also": ["half_real", "other"]}
    settings = CurationParameters.check(values, origin="x")
    assert settings.also_folders == {
        "half-real": tmp_path / "smoke/artifacts/half_real",
        "other": tmp_path / "smoke/artifacts/other",
    }
    with pytest.raises(ParameterError, match=r"also\.0"):
        CurationParameters.check({"profile": "smoke", "also": ["../up"]}, origin="x")
