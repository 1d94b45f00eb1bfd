import pytest

from endoalign.strict_yaml import read_yaml


def test_what_a_file_holds_comes_back(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text("a: [1, {b: é}]\n", encoding="utf-8")
    assert read_yaml(path) == {"a": [1, {"b": "é"}]}
    path.write_text("")
    assert read_yaml(path) is None


def test_merged_keys_are_no_repeats(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\n")
    assert read_yaml(path)["b"] == {"x": 1, "y": 3}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"seed: 1\n\tprofile: x\n", r"p\.yaml, line 2: not sound YAML: .*'\\t'"),
        (b"seed: 1\nprofile: a\nseed: 2\n", r"p\.yaml, line 3: .*key 'seed' stands twice"),
        (b"sources:\n  - name: a\n    name: b\n", r"line 3: .*key 'name' stands twice"),
        (b"a: 1\nd: 2024-02-30\n", r"p\.yaml, line 2: .*'2024-02-30' is no sound timestamp"),
        (b"a: !!int x\n", r"p\.yaml, line 1: .*'x' is no sound int"),
        (b"a: !!bool x\n", r"p\.yaml, line 1: .*'x' is no sound bool"),
        (b"? [1, 2]\n: a\n", r"p\.yaml.*not sound YAML"),
        (b"a: [1, 2\n", r"p\.yaml, line 2: not sound YAML"),
        (b"a: !!python/object:os.system x\n", r"p\.yaml, line 1: not sound YAML"),
        ("seed: 1 # \u00e9".encode("utf-16"), "not readable as UTF-8"),
    ],
)
def test_each_fault_names_the_file_and_the_line(tmp_path, content, told):
    path = tmp_path / "p.yaml"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=told):
        read_yaml(path)


def test_a_missing_file_and_a_folder_are_told(tmp_path):
    with pytest.raises(ValueError, match=r"absent\.yaml: cannot be read: No such file"):
        read_yaml(tmp_path / "absent.yaml")
    with pytest.raises(ValueError, match="cannot be read: Is a directory"):
        read_yaml(tmp_path)
