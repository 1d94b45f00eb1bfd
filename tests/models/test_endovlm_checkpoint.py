"""A checkpoint of EndoVLM comes back whole, tells where it is from, and says what is broken."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import BertConfig, BertModel

from endoalign.models import endovlm_checkpoint
from endoalign.models.endovlm_checkpoint import load_endovlm, save_endovlm
from endoalign.models.endovlm_encoder import build_endovlm, encode_frames, encode_propositions
from endoalign.models.endovlm_settings import EndovlmModelSettings
from endoalign.models.endovlm_vocabulary import learn_vocabulary
from endoalign.models.weights import WeightsError

TEXTS = ["The rectum was normal.", "A 5 mm polyp in the sigmoid colon.", "直肠未见异常。"]
TINY = {
    "image_weights": "random",
    "image_size": 16,
    "patch_size": 4,
    "image_width": 16,
    "image_depth": 1,
    "image_heads": 2,
    "text_tower": "tiny",
    "text_width": 8,
    "text_layers": 1,
    "vocabulary_size": 150,
    "context_length": 16,
    "embed_dim": 8,
    "decoder_width": 8,
    "decoder_depth": 1,
    "decoder_heads": 2,
}


def encoder(**changes):
    return build_endovlm(EndovlmModelSettings(**{**TINY, **changes}), TEXTS, seed=3)


def same_features(one, other):
    pixels = torch.randint(
        0, 256, (2, 3, 16, 16), dtype=torch.uint8, generator=torch.Generator().manual_seed(0)
    )
    return torch.equal(encode_frames(one, pixels), encode_frames(other, pixels)) and torch.equal(
        encode_propositions(one, TEXTS), encode_propositions(other, TEXTS)
    )


@pytest.mark.parametrize("changes", [{}, {"heads": "shared", "image_feature": "cls"}])
def test_it_comes_back_whole(tmp_path, changes):
    saved = encoder(**changes)
    save_endovlm(saved, tmp_path / "EndoVLM", provenance={"seed": 3})
    loaded = load_endovlm(tmp_path / "EndoVLM")
    assert same_features(saved, loaded)
    assert loaded.settings == saved.settings
    assert (loaded.name, loaded.started_from) == ("EndoVLM", "folder EndoVLM")
    assert (loaded.mean, loaded.std) == (saved.mean, saved.std)
    assert not loaded.model.training and saved.model.training
    facts = json.loads((tmp_path / "EndoVLM" / "provenance.json").read_text())
    assert facts["seed"] == 3 and facts["versions"]["torch"] == torch.__version__
    card = (tmp_path / "EndoVLM" / "README.md").read_text()
    assert "never a medical device" in card and '"seed": 3' in card
    assert not list(tmp_path.glob(".*"))


def test_towers_from_folders_travel_without_their_places(tmp_path):
    """A BERT and a vision transformer from disk; the checkpoint names no place of this machine."""
    bert = tmp_path / "bert"
    tokenizer = learn_vocabulary(TEXTS, 150)
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = BertConfig(vocab_size=len(tokenizer), intermediate_size=16, **sizes)
    source = BertModel(config)
    source.save_pretrained(bert)
    tokenizer.save_pretrained(bert)
    pixels = encoder().model.image_tower.state_dict()
    save_file(pixels, tmp_path / "tower.safetensors")
    changes = {"text_tower": str(bert), "image_weights": str(tmp_path / "tower.safetensors")}
    saved = encoder(**changes)
    word = "embeddings.word_embeddings.weight"
    assert torch.equal(
        saved.model.text_tower.transformer.state_dict()[word], source.state_dict()[word]
    )
    assert all(torch.equal(saved.model.image_tower.state_dict()[k], v) for k, v in pixels.items())
    fresh = encoder(**changes, text_weights="random").model.text_tower.transformer.state_dict()
    assert not torch.equal(fresh[word], source.state_dict()[word])
    folder = tmp_path / "EndoVLM"
    save_endovlm(saved, folder, provenance={})
    assert same_features(saved, load_endovlm(folder))
    for file in folder.rglob("*"):
        if file.suffix in {".json", ".md"}:
            assert str(tmp_path) not in file.read_text(), file


def test_a_failed_save_keeps_what_was_there(tmp_path, monkeypatch):
    folder = tmp_path / "EndoVLM"
    save_endovlm(encoder(), folder, provenance={"seed": 3})
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    with pytest.raises(TypeError, match="key 'when'"):
        save_endovlm(encoder(), folder, provenance={"when": object()})
    with monkeypatch.context() as broken, pytest.raises(OSError):
        broken.setattr(endovlm_checkpoint, "save_file", full_disk)
        save_endovlm(encoder(), folder, provenance={})
    after = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    assert after == before
    assert not list(tmp_path.glob(".*"))
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="is a file"):
        save_endovlm(encoder(), tmp_path / "file", provenance={})


def full_disk(*_, **__):
    raise OSError("no space left")


def test_what_is_missing_or_broken_is_named(tmp_path):
    folder = tmp_path / "EndoVLM"
    with pytest.raises(WeightsError, match=r"endovlm_config.json is missing: .* is no checkpoint"):
        load_endovlm(folder)
    save_endovlm(encoder(), folder, provenance={})
    config = folder / "endovlm_config.json"
    sound = config.read_text()
    for broken, told in (
        ("{", "is no sound JSON"),
        ("{}", "is no configuration of EndoVLM: 'settings'"),
        (sound.replace('"embed_dim": 8', '"embed_dim": 0'), "embed_dim"),
        (sound.replace('"embed_dim": 8', '"embed_dim": 9'), "does not fit endovlm_config.json"),
    ):
        config.write_text(broken)
        with pytest.raises(WeightsError, match=told):
            load_endovlm(folder)
    config.write_text(sound)
    weights = folder / "model.safetensors"
    tensors = load_file(weights)
    tensors.pop("fine_logit_scale")
    save_file(tensors, weights)
    with pytest.raises(WeightsError, match=r"model.safetensors does not fit"):
        load_endovlm(folder)
    weights.write_bytes(b"nothing")
    with pytest.raises(WeightsError, match=r"model.safetensors does not fit"):
        load_endovlm(folder)
    for name, broken in (
        ("config.json", "{"),
        ("config.json", "{}"),
        ("config.json", "[]"),
        ("tokenizer.json", "{"),
        ("tokenizer_config.json", "{"),
    ):
        file = folder / "text_tower" / name
        sound = file.read_text()
        file.write_text(broken)
        with pytest.raises(WeightsError, match=r"text_tower describes no text tower"):
            load_endovlm(folder)
        file.write_text(sound)


def test_word_pieces_are_the_same_whatever_the_order_of_texts():
    many = [f"{site} with {n} polyps" for site in ("caecum", "rectum", "直肠") for n in range(30)]
    one = learn_vocabulary(many, 60).get_vocab()
    other = learn_vocabulary(many[::-1] * 2, 60).get_vocab()
    assert one == other
    assert len(one) == 60
    tokenizer = learn_vocabulary(many, 60)
    assert tokenizer.decode(tokenizer("Rectum with 7 polyps")["input_ids"]) == (
        "[CLS] rectum with 7 polyps [SEP]"
    )
    assert "[UNK]" not in tokenizer.tokenize("polyps 9 直肠")
    with pytest.raises(ValueError, match="hold no word"):
        learn_vocabulary(["  ", ""], 60)


def test_texts_are_cut_and_padded():
    tokenize = encoder().tokenize
    tokens = tokenize(["normal", "polyp " * 40])
    assert tokens.shape == (2, 16)
    assert (tokens[0] == tokenize.padding).any() and not (tokens[1] == tokenize.padding).any()
    assert tokenize([]).shape == (0, 1)
    for wrong in ("one text", ["text", None]):
        with pytest.raises(TypeError, match="sequence of strings"):
            tokenize(wrong)


@pytest.mark.parametrize("pool", ["cls", "mean"])
def test_padding_changes_no_feature(pool):
    found = encoder(text_pool=pool)
    alone = encode_propositions(found, TEXTS[:1])
    together = encode_propositions(found, [TEXTS[0], "polyp " * 40])
    torch.testing.assert_close(alone[0], together[0])


def test_longer_texts_than_the_tower_has_places_for():
    with pytest.raises(ValueError, match=r"context_length 513: .*minilm has places for 512 tokens"):
        encoder(text_tower="minilm", context_length=513)


@pytest.mark.parametrize("content", [b"", b"nothing", b"\x80\x02}q"])
def test_a_corrupt_file_of_image_weights_is_named(tmp_path, content):
    file = tmp_path / "vit.pth"
    file.write_bytes(content)
    tower = {"image_tower": "vit_tiny_patch16_224", "image_weights": str(file)}
    with pytest.raises(WeightsError, match=r"vit_tiny_patch16_224: no weights from .*vit\.pth"):
        build_endovlm(EndovlmModelSettings(**{**TINY, **tower}), TEXTS, seed=3)


def test_minilm_from_its_package():
    """With the mean of its tokens it is the sentence encoder: like sentences are near."""
    saved = encoder(text_tower="minilm", text_pool="mean", context_length=64)
    assert saved.model.text_tower.width == 384
    model = saved.model.eval()
    with torch.no_grad():
        near, far = (
            torch.cosine_similarity(*model.text_tower(saved.tokenize([TEXTS[1], other])), dim=0)
            for other in ("There was a polyp of 5 mm in the sigmoid.", "The bus was late.")
        )
    assert near > 0.7
    assert far < 0.3
