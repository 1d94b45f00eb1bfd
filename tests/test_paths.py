import pytest

from endoalign.paths import expand, given, project_root


def test_expanded_paths_start_from_the_project_and_know_the_environment(monkeypatch):
    monkeypatch.setenv("ARCHIVE", "/archive")
    assert str(expand("$ARCHIVE/a")) == "/archive/a"
    assert expand("params/demo") == project_root() / "params" / "demo"
    with pytest.raises(ValueError, match=r"\$NOWHERE_AT_ALL/a: the environment variable"):
        expand("$NOWHERE_AT_ALL/a")


def test_a_given_path_is_taken_as_it_stands_where_it_exists(monkeypatch, tmp_path):
    (tmp_path / "params").mkdir()
    monkeypatch.chdir(tmp_path)
    assert not given("params").is_absolute()
    monkeypatch.chdir("/")
    assert given("params") == project_root() / "params"
    monkeypatch.setenv("ARCHIVE", str(tmp_path))
    assert given("$ARCHIVE/params") == tmp_path / "params"
    assert given("no/such") == project_root() / "no" / "such"
