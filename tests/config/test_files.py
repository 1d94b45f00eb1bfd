import pytest

from endoalign.config.base import ParameterError
from endoalign.config.files import read_settings


def test_a_mapping_comes_back(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text("seed: 1\nsources:\n  - {kind: folders, name: é}\n", encoding="utf-8")
    assert read_settings(path) == {"seed": 1, "sources": [{"kind": "folders", "name": "é"}]}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"seed: 1\nprofile: a\nseed: 2\n", r"p\.yaml, line 3: .*key 'seed' stands twice"),
        (b"", "not a mapping"),
        (b"- a\n- b\n", "not a mapping"),
        (b"1: a\n", "not a mapping"),
    ],
)
def test_each_fault_names_the_file_and_the_line(tmp_path, content, told):
    path = tmp_path / "p.yaml"
    path.write_bytes(content)
    with pytest.raises(ParameterError, match=told):
        read_settings(path)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(ParameterError, match=r"absent\.yaml: cannot be read: No such file"):
        read_settings(tmp_path / "absent.yaml")
