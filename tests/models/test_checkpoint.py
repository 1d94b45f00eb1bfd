import json
import os
import subprocess
import sys

import open_clip
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from endoalign.models import checkpoint_files
from endoalign.models.checkpoint import load_encoder, save_encoder
from endoalign.models.encode import encode_pixels, encode_texts
from endoalign.models.registry import build_encoder
from endoalign.models.weights import WeightsError

TEXTS = ["a flat polyp of 3 mm in the caecum", "normal mucosa"]
PROVENANCE = {"corpus": "world-colonoscopy", "settings": {"epochs": 2, "rates": [0.1, 0.2]}}


def pixels_for(encoder):
    side = encoder.image_size
    generator = torch.Generator().manual_seed(0)
    return torch.randint(0, 256, (2, 3, side, side), dtype=torch.uint8, generator=generator)


def save_and_move(name, tmp_path_factory):
    """An encoder, some steps away from its start, and its checkpoint, moved after saving."""
    encoder = build_encoder(name, seed=3)
    with torch.no_grad():
        encoder.model.logit_scale.add_(0.5)
    made = tmp_path_factory.mktemp("made") / "encoder"
    save_encoder(encoder, made, provenance=PROVENANCE)
    moved = tmp_path_factory.mktemp("elsewhere") / "moved checkpoint"
    made.rename(moved)
    return encoder, moved


@pytest.fixture(scope="module")
def with_minilm(tmp_path_factory):
    return save_and_move("lite0-minilm", tmp_path_factory)


@pytest.fixture(scope="module", params=["tiny-vit", "tiny-conv", "lite0-minilm"])
def saved(request, tmp_path_factory):
    if request.param == "lite0-minilm":
        return request.getfixturevalue("with_minilm")
    return save_and_move(request.param, tmp_path_factory)


@pytest.fixture
def tiny(tmp_path):
    encoder = build_encoder("tiny-conv", seed=3)
    save_encoder(encoder, tmp_path / "tiny", provenance=PROVENANCE)
    return tmp_path / "tiny"


def test_a_moved_checkpoint_gives_equal_features(saved):
    encoder, folder = saved
    loaded = load_encoder(folder)
    assert loaded.name == "moved checkpoint"
    assert loaded.started_from == "folder moved checkpoint"
    assert loaded.config == encoder.config
    assert torch.equal(loaded.model.logit_scale, encoder.model.logit_scale)
    assert torch.equal(loaded.tokenize(TEXTS), encoder.tokenize(TEXTS))
    pixels = pixels_for(encoder)
    assert torch.equal(encode_pixels(loaded, pixels), encode_pixels(encoder, pixels))
    assert torch.equal(encode_texts(loaded, TEXTS), encode_texts(encoder, TEXTS))


def test_openclip_loads_a_moved_checkpoint_offline(saved, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    encoder, folder = saved
    place = f"local-dir:{folder}"
    model, _, preprocess = open_clip.create_model_and_transforms(place)
    tokens = open_clip.get_tokenizer(place)(TEXTS)
    assert torch.equal(tokens, encoder.tokenize(TEXTS))
    theirs, ours = model.eval(), encoder.model.eval()
    images = torch.rand(2, 3, encoder.image_size, encoder.image_size)
    with torch.inference_mode():
        assert torch.equal(theirs.encode_image(images), ours.encode_image(images))
        assert torch.equal(theirs.encode_text(tokens), ours.encode_text(tokens))
    assert tuple(preprocess.transforms[0].size) == (encoder.image_size, encoder.image_size)
    assert tuple(preprocess.transforms[-1].mean) == pytest.approx(encoder.mean)
    assert tuple(preprocess.transforms[-1].std) == pytest.approx(encoder.std)


def test_openclip_alone_loads_a_text_tower_from_inside_the_folder(with_minilm):
    """Without this library in the process, OpenCLIP finds the tower relative to the folder."""
    encoder, folder = with_minilm
    program = (
        "import open_clip, torch; model = open_clip.create_model('local-dir:.').eval();"
        f"tokens = open_clip.get_tokenizer('local-dir:.')({TEXTS!r});"
        "print(model.encode_text(tokens).double().sum().item())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": str(torch.get_num_threads())},
        capture_output=True,
        text=True,
        check=True,
    )
    with torch.inference_mode():
        ours = encoder.model.eval().encode_text(encoder.tokenize(TEXTS)).double().sum().item()
    assert float(done.stdout.split()[-1]) == pytest.approx(ours, abs=1e-9)


def test_the_folder_tells_what_it_is_and_names_no_path(saved):
    encoder, folder = saved
    config = json.loads((folder / "open_clip_config.json").read_text())
    assert config == encoder.config
    assert config["preprocess_cfg"]["resize_mode"] == "squash"
    assert config["preprocess_cfg"]["size"] == encoder.image_size
    provenance = json.loads((folder / "provenance.json").read_text())
    assert provenance["corpus"] == "world-colonoscopy"
    assert provenance["activation"] == "GELU"
    assert provenance["started_from"] == encoder.started_from
    assert provenance["versions"]["torch"] == torch.__version__
    card = (folder / "README.md").read_text()
    for part in ("never a medical device", "local-dir:", "`settings.epochs` | 2", encoder.name):
        assert part in card
    for path in folder.rglob("*"):
        if path.suffix in {".json", ".md"}:
            text = path.read_text()
            assert "site-packages" not in text
            assert str(folder) not in text
    leftovers = [path.name for path in folder.parent.iterdir() if path != folder]
    assert leftovers == []


def test_another_save_takes_the_place_of_the_first_and_leaves_other_files(tiny):
    (tiny / "train_state").mkdir()
    (tiny / "train_state" / "state.json").write_text("{}")
    other = build_encoder("tiny-conv", seed=4)
    save_encoder(other, tiny, provenance={"epoch": 2})
    assert (tiny / "train_state" / "state.json").read_text() == "{}"
    loaded = load_encoder(tiny).model.state_dict()
    assert all(torch.equal(value, loaded[key]) for key, value in other.model.state_dict().items())
    assert json.loads((tiny / "provenance.json").read_text())["epoch"] == 2
    assert [path.name for path in tiny.parent.iterdir()] == ["tiny"]


def test_a_save_that_fails_leaves_the_first_as_it_was(tiny, monkeypatch):
    before = {path.name: path.read_bytes() for path in tiny.iterdir()}
    other = build_encoder("tiny-conv", seed=4)
    with pytest.raises(TypeError, match=r"provenance.json, key 'device': .*device"):
        save_encoder(other, tiny, provenance={"device": torch.device("cpu")})

    def full(*args, **options):
        raise OSError("no space left on device")

    monkeypatch.setattr("endoalign.models.checkpoint.save_file", full)
    with pytest.raises(OSError, match="no space left"):
        save_encoder(other, tiny, provenance={})
    with pytest.raises(OSError, match="no space left"):
        save_encoder(other, tiny.parent / "new", provenance={})
    assert {path.name: path.read_bytes() for path in tiny.iterdir()} == before
    assert [path.name for path in tiny.parent.iterdir()] == ["tiny"]


def test_the_weights_are_put_in_place_last(tiny, monkeypatch):
    names = []
    replace = type(tiny).replace

    def noting(path, target):
        names.append(path.name)
        return replace(path, target)

    monkeypatch.setattr(type(tiny), "replace", noting)
    save_encoder(build_encoder("tiny-conv", seed=4), tiny, provenance={})
    assert names[-1] == "model.safetensors"
    assert sorted(names[:-1]) == ["README.md", "open_clip_config.json", "provenance.json"]


def test_saving_twice_writes_equal_files(tiny):
    save_encoder(build_encoder("tiny-conv", seed=3), tiny.parent / "again", provenance=PROVENANCE)
    for path in tiny.iterdir():
        again = tiny.parent / "again" / path.name
        if path.suffix != ".safetensors":  # whose metadata have no order
            assert path.read_bytes() == again.read_bytes()
            continue
        first, second = load_file(path), load_file(again)
        assert first.keys() == second.keys()
        assert all(torch.equal(first[name], second[name]) for name in first)


def tamper_with_config(folder, **changes):
    path = folder / "open_clip_config.json"
    config = json.loads(path.read_text())
    config["model_cfg"] |= changes
    path.write_text(json.dumps(config))


def test_another_activation_than_the_stored_one_is_refused(tiny):
    with safe_open(tiny / "model.safetensors", framework="pt") as tensors:
        assert tensors.metadata()["activation"] == "GELU"
    tamper_with_config(tiny, quick_gelu=True)
    refusal = r"{} says .* trained with GELU, .*asks for QuickGELU: .*quick_gelu must be false"
    with pytest.raises(WeightsError, match=refusal.format("model.safetensors")):
        load_encoder(tiny)
    save_file(load_file(tiny / "model.safetensors"), tiny / "model.safetensors")
    with pytest.raises(WeightsError, match=refusal.format("provenance.json")):
        load_encoder(tiny)
    (tiny / "provenance.json").unlink()
    assert load_encoder(tiny).config["model_cfg"]["quick_gelu"]
    with pytest.raises(WeightsError, match="another architecture: activation is QuickGELU, not"):
        build_encoder("tiny-conv", weights=str(tiny))


def test_quick_gelu_is_stored(tmp_path):
    encoder = build_encoder("tiny-vit", seed=1)
    encoder.config["model_cfg"]["quick_gelu"] = True
    save_encoder(encoder, tmp_path / "quick", provenance={"activation": "GELU"})
    provenance = json.loads((tmp_path / "quick" / "provenance.json").read_text())
    assert provenance["activation"] == "QuickGELU"
    assert "QuickGELU" in repr(load_encoder(tmp_path / "quick").model)
    assert "quick_gelu" not in build_encoder("tiny-vit", seed=1).config["model_cfg"]


def test_a_checkpoint_is_the_weights_of_a_named_encoder(tiny, tmp_path):
    for weights in (str(tiny), f"local-dir:{tiny}"):
        encoder = build_encoder("tiny-conv", weights=weights, seed=8)
        assert (encoder.name, encoder.started_from) == ("tiny-conv", "folder tiny")
        loaded = load_encoder(tiny).model.state_dict()
        assert all(
            torch.equal(value, loaded[key]) for key, value in encoder.model.state_dict().items()
        )
    with pytest.raises(WeightsError, match=r"tiny-vit: .*tiny holds another architecture: vision"):
        build_encoder("tiny-vit", weights=str(tiny))
    assert build_encoder("PMC-CLIP", weights=str(tiny)).name == "PMC-CLIP"


def test_damaged_folders_are_one_error_that_names_the_file(tiny, tmp_path):
    with pytest.raises(WeightsError, match=r"open_clip_config.json is missing: .*nowhere"):
        load_encoder(tmp_path / "nowhere")
    config, weights = tiny / "open_clip_config.json", tiny / "model.safetensors"
    sound = config.read_text(), weights.read_bytes()
    for text, message in [
        ("{", "no sound JSON"),
        ("[]", "no JSON object"),
        ("{}", "no configuration of a dual encoder: KeyError"),
        ('{"model_cfg": {"vision_cfg": {"image_size": [64, 32]}}}', "must be square"),
    ]:
        config.write_text(text)
        with pytest.raises(WeightsError, match=f"open_clip_config.json .*{message}"):
            load_encoder(tiny)
    config.write_text(sound[0])
    weights.write_bytes(sound[1][:1000])
    with pytest.raises(WeightsError, match=r"model.safetensors is no sound safetensors file"):
        load_encoder(tiny)
    save_file({"some": torch.zeros(1)}, weights)
    with pytest.raises(WeightsError, match=r"model.safetensors does not fit open_clip_config"):
        load_encoder(tiny)
    weights.unlink()
    for content in (b"", b"nothing", b"\x80\x02}q"):
        (tiny / "open_clip_pytorch_model.bin").write_bytes(content)
        with pytest.raises(WeightsError, match=r"open_clip_pytorch_model.bin does not fit"):
            load_encoder(tiny)
    (tiny / "open_clip_pytorch_model.bin").unlink()
    with pytest.raises(WeightsError, match=r"tiny has no weights: none of model.safetensors"):
        load_encoder(tiny)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(NotADirectoryError, match="file is a file, not the folder"):
        save_encoder(build_encoder("tiny-conv"), tmp_path / "file", provenance={})
    assert (tmp_path / "file").read_text() == "mine"


def test_a_tower_that_is_nowhere_is_one_error(with_minilm, tmp_path, monkeypatch):
    encoder, folder = with_minilm
    monkeypatch.setattr("endoalign.models.hub.hub_answers", lambda: False)
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("open_clip_config.json", "model.safetensors"):
        (bare / name).symlink_to(folder / name)
    assert load_encoder(bare).name == "bare"  # MiniLM's own package stands in
    text_cfg = {**encoder.config["model_cfg"]["text_cfg"], "hf_model_name": "nobody/tower"}
    (bare / "open_clip_config.json").unlink()
    config = {**encoder.config, "model_cfg": {**encoder.config["model_cfg"], "text_cfg": text_cfg}}
    checkpoint_files.write_json(config, bare / "open_clip_config.json")
    with pytest.raises(WeightsError, match=r"lacks config.json or tokenizer of nobody/tower"):
        load_encoder(bare)
    tower = next(folder.rglob("config.json"))
    (bare / "config.json").symlink_to(tower)
    for path in folder.glob("*token*"):
        (bare / path.name).symlink_to(path)
    assert torch.equal(encode_texts(load_encoder(bare), TEXTS), encode_texts(encoder, TEXTS))
