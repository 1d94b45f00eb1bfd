"""Every settings file is right, without running anything; and papermill's traps are refused."""

import pytest

from endoalign.config.files import read_settings
from endoalign.config.registry import MODELS, parameters_of
from endoalign.paths import project_root
from endoalign.run.graph import UPSTREAM

FILES = sorted((project_root() / "params").glob("*/*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_settings_file_passes_its_model(path, monkeypatch):
    monkeypatch.setenv("ENDOALIGN_REAL_DATA", "/data")
    values = read_settings(path)
    model = parameters_of(path.stem).check(values, origin=path.name, files=False)
    assert model.profile == path.parent.name


def test_each_notebook_has_settings_in_each_profile():
    """No public data set pairs whole examinations with their reports: ``real`` has no 05."""
    profiles = {"smoke", "demo", "real", "paper"}
    wanted = {(q, n) for q in profiles for n in MODELS} - {("real", "05_endovlm_pretraining")}
    found = {(p.parent.name, p.stem) for p in FILES if p.parent.name in profiles}
    assert found == wanted  # profiles of one's own may have what they like


def test_models_and_graph_know_the_same_notebooks():
    assert list(MODELS) == list(UPSTREAM)
