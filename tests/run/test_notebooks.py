"""Every notebook runs headless in the smoke profile, and by plain papermill from anywhere."""

import subprocess
import sys

import nbformat
import pytest

from endoalign.paths import project_root
from endoalign.run import graph
from endoalign.run.__main__ import main

ROOT = project_root()


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("outputs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENDOALIGN_OUTPUTS", str(folder))
        yield folder


@pytest.mark.parametrize("name", graph.profile_notebooks("smoke"))
def test_smoke_profile(name, outputs, capsys):
    assert main([name, "--profile", "smoke"]) == 0, capsys.readouterr().err
    told = capsys.readouterr().out
    assert f"[{name} cell " in told
    executed = outputs / "smoke" / "notebooks" / f"{name}.ipynb"
    cells = nbformat.read(executed, as_version=4).cells
    assert all(cell.execution_count for cell in cells if cell.cell_type == "code")
    assert (outputs / "smoke" / "results" / f"{name}.parquet").exists()


def test_plain_papermill_from_another_folder(outputs, tmp_path):
    settings = ROOT / "params" / "smoke" / "01_curation.yaml"
    command = [
        sys.executable,
        "-m",
        "papermill",
        str(ROOT / "notebooks" / "01_curation.ipynb"),
        "out.ipynb",
    ]
    done = subprocess.run(
        [*command, "-f", str(settings)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert (tmp_path / "out.ipynb").exists()


def test_unknown_parameter_stops_plain_papermill_before_anything_heavy(outputs, tmp_path):
    command = [
        sys.executable,
        "-m",
        "papermill",
        str(ROOT / "notebooks" / "01_curation.ipynb"),
        "out.ipynb",
    ]
    done = subprocess.run(
        [*command, "-p", "resample", "300"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "resample: unknown key; did you mean 'resamples'?" in done.stderr


def test_wrong_settings_are_told_before_a_kernel_starts(outputs, tmp_path, monkeypatch, capsys):
    (tmp_path / "params" / "smoke").mkdir(parents=True)
    (tmp_path / "params" / "smoke" / "01_curation.yaml").write_text(
        "profile: smoke\nresamples: 1e-4\n"
    )
    monkeypatch.setenv("ENDOALIGN_ROOT", str(tmp_path))
    assert main(["01_curation", "--profile", "smoke"]) == 2
    error = capsys.readouterr().err
    assert "params/smoke/01_curation.yaml: wrong parameters" in error
    assert "resamples:" in error and "1.0e-4" in error


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["99_nothing"], "unknown notebook '99_nothing'; known: 00_corpus"),
        (["00_corpus", "--profile", "dmeo"], "unknown profile 'dmeo'; known: demo"),
    ],
)
def test_unknown_names(arguments, told, outputs, capsys):
    assert main(arguments) == 2
    assert told in capsys.readouterr().err


def test_notebooks_keep_to_the_house_s_shape():
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        code = [cell.source for cell in cells if cell.cell_type == "code"]
        tags = [c.metadata.get("tags", []) for c in cells if c.cell_type == "code"]
        method = [source for source, tag in zip(code, tags, strict=True) if "parameters" not in tag]
        words = sum(len(c.source.split()) for c in cells if c.cell_type == "markdown")
        assert 25 <= len(cells) <= 45, path.name
        assert 600 <= words <= 1500, (path.name, words)
        assert not any("\nclass " in f"\n{source}" for source in code), path.name
        assert max(len(source.splitlines()) for source in method) <= 20, path.name


def test_a_profile_that_is_not_its_folder_s_is_refused(outputs, tmp_path, monkeypatch, capsys):
    (tmp_path / "params" / "smoke").mkdir(parents=True)
    (tmp_path / "params" / "smoke" / "01_curation.yaml").write_text("profile: demo\n")
    monkeypatch.setenv("ENDOALIGN_ROOT", str(tmp_path))
    assert main(["01_curation", "--profile", "smoke"]) == 2
    assert "profile is 'demo', its folder 'smoke'" in capsys.readouterr().err
