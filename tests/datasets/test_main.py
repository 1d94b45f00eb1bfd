import pytest

from endoalign.datasets.__main__ import main
from endoalign.world.layouts import cvc_12k, kvasir_seg


def test_list_shows_every_data_set(capsys):
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert "kvasir-seg       Kvasir-SEG" in out
    assert "1,000 frames, 1,000 masks" in out
    assert "https://datasets.simula.no/kvasir-seg/" in out


def test_check_prints_what_is_there(tmp_path, make_pictures, capsys):
    kvasir_seg.write(make_pictures(4), tmp_path, seed=0)
    (tmp_path / "val.txt").unlink()
    assert main(["check", "kvasir-seg", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "4 of   1,000  996 missing" in out
    assert "Missing: 1\n  val.txt: the list of validation frames" in out
    assert "Expected layout:\n  images/ID.jpg" in out


def test_many_problems_are_counted(tmp_path, make_pictures, capsys):
    kvasir_seg.write(make_pictures(20), tmp_path, seed=0)
    for path in (tmp_path / "masks").iterdir():
        path.unlink()
    assert main(["check", "kvasir-seg", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "Missing: 20" in out
    assert "… and 8 more" in out


@pytest.mark.parametrize("arguments", [["kvasir-seg", "nowhere"], ["kvasir", "."]])
def test_a_wrong_call_is_one_line_on_stderr(arguments, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["check", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err


def test_options_come_from_a_yaml_file(tmp_path, make_pictures, capsys):
    sequences = {1: 25}
    cvc_12k.write(make_pictures(25), tmp_path, sequences=sequences, train=[1], test=[])
    options = tmp_path / "options.yaml"
    call = ["check", "cvc-12k", str(tmp_path), "--options", str(options)]
    options.write_text("protocol: published\n")
    assert main(call) == 1
    options.write_text("protocol: none\n")
    assert main(call) == 2
    options.write_text("- a list\n")
    assert main(call) == 2
    assert "options.yaml: not a mapping" in capsys.readouterr().err
    options.write_text("no: such\n")  # YAML reads the key as False
    assert main(call) == 2
    assert "options.yaml: not a mapping" in capsys.readouterr().err
    options.write_text("protocol: [\n")
    assert main(call) == 2
    assert "not sound YAML" in capsys.readouterr().err
    options.write_text("split: published\n")
    assert main(call) == 2
    assert "cvc-12k: unknown option 'split'" in capsys.readouterr().err
