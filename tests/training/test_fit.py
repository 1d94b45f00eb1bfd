"""Whole trainings of a micro encoder."""

import json

import numpy as np
import open_clip
import pytest
import torch
from safetensors.torch import load_file

from endoalign.corpus.pixels import DiskPixels
from endoalign.corpus.tables import load_frames
from endoalign.corpus.validation import CorpusError
from endoalign.models.checkpoint import load_encoder
from endoalign.models.encode import encode_pixels, encode_texts
from endoalign.training import loop
from endoalign.training.fit import fit


def weights(folder):
    return load_file(folder / "model.safetensors")


def same(one, other):
    return set(one) == set(other) and all(torch.equal(one[name], other[name]) for name in one)


def test_trains_and_tells_its_curve(job, use, pairs_table):
    use("conv")
    pairs_table["text"] = [f"a polyp of {number} mm" for number in range(20)]
    pairs_table.to_parquet(job().pairs)
    calls = []
    settings = {"epochs": 20, "batch_size": 12, "learning_rate": 0.003}
    result = fit(job(**settings), progress=lambda done, total: calls.append((done, total)))
    history = result.history
    assert calls == [(step, 40) for step in range(1, 41)]
    assert history["step"].tolist() == list(range(40))
    assert history["epoch"].tolist() == sorted([*range(20)] * 2)
    by_epoch = history.groupby("epoch")["loss"].mean()
    assert by_epoch.iloc[-1] < 0.85 * (np.log(12) + np.log(8)) / 2  # chance
    assert history["validation_loss"].isna().all()
    assert result.best_epoch is None
    assert not (result.folder / "train_state").exists()
    assert history["logit_scale"].iloc[0] == pytest.approx(1 / 0.07, rel=0.1)
    assert history["learning_rate"].iloc[:3].tolist() == pytest.approx([0.0015, 0.003, 0.003])


def test_repeated_texts_are_counted(job, use, pairs_table, tmp_path):
    use("vit")
    pairs_table["text"] = ["polyp present"] * 19 + ["no finding"]
    pairs_table.to_parquet(tmp_path / "prompts.parquet")
    settings = {"pairs": tmp_path / "prompts.parquet", "epochs": 1, "targets": "same_text"}
    history = fit(job(**settings, batch_size=20)).history
    assert history["repeated_share"].tolist() == [19 / 20]


def test_openclip_and_this_library_load_the_checkpoint(job, use, corpus):
    use("vit")
    folder = fit(job(epochs=1)).folder
    model, _, _ = open_clip.create_model_and_transforms(f"local-dir:{folder}")
    stored = weights(folder)
    assert same(model.state_dict(), stored)
    assert same(load_encoder(folder).model.state_dict(), stored)
    facts = json.loads((folder / "provenance.json").read_text())
    assert facts["settings"]["epochs"] == 1
    names = {"corpus": corpus.name, "pairs": "pairs.parquet", "validation_pairs": None}
    assert facts["data"] == names


def test_disk_cache_and_threads_give_the_same_weights(job, use, tmp_path):
    use("conv")
    disk = fit(job(output=tmp_path / "a", workers=1))
    cache = tmp_path / "pixels.npy"
    cached = fit(job(output=tmp_path / "b", workers=3, cache=cache))
    assert cache.is_file()
    assert same(weights(disk.folder), weights(cached.folder))


def test_best_checkpoint_has_the_lowest_validation_loss(job, use, pairs_table, corpus, tmp_path):
    use("conv")
    held_out = tmp_path / "validation.parquet"
    pairs_table.head(10).to_parquet(held_out)
    settings = {"epochs": 6, "learning_rate": 0.02, "batch_size": 20, "save_every": 9}
    result = fit(job(**settings, validation_pairs=held_out))
    losses = result.history["validation_loss"].to_numpy()
    assert result.best_epoch == int(np.argmin(losses))
    frames = load_frames(corpus)
    for folder, expected in (("best", losses.min()), (".", losses[-1])):
        encoder = load_encoder(result.folder / folder)
        pixels = DiskPixels(corpus, frames, encoder.image_size).read(range(10))
        images = encode_pixels(encoder, pixels)
        texts = encode_texts(encoder, pairs_table["text"].head(10).tolist())
        logits = encoder.model.logit_scale.exp().item() * images @ texts.T
        diagonal = torch.arange(10)
        both = [torch.nn.functional.cross_entropy(x, diagonal) for x in (logits, logits.T)]
        assert (sum(both) / 2).item() == pytest.approx(expected, abs=2e-5)


def test_a_finished_training_is_not_repeated(job, use, monkeypatch):
    use("vit")
    first = fit(job())
    monkeypatch.setattr(loop, "build_encoder", None)
    again = fit(job(workers=1, save_every=2))
    assert again.history.equals(first.history)
    assert again.seconds == pytest.approx(first.seconds, abs=0.1)


def test_other_settings_or_data_start_anew_and_say_so(job, use, pairs_table, capsys):
    use("vit")
    folder = fit(job()).folder
    old = weights(folder)
    fit(job(learning_rate=0.02))
    assert "other settings (learning_rate); training anew" in capsys.readouterr().out
    assert not same(weights(folder), old)
    fit(job())
    assert same(weights(folder), old)
    capsys.readouterr()
    pairs_table["text"] = pairs_table["text"].iloc[::-1].to_list()
    pairs_table.to_parquet(job().pairs)
    fit(job())
    assert "other data" in capsys.readouterr().out


def test_a_failed_training_leaves_the_old_result(job, use, monkeypatch):
    use("vit")
    folder = fit(job()).folder
    old = weights(folder)
    monkeypatch.setattr(loop, "store_result", None)
    with pytest.raises(TypeError):
        fit(job(learning_rate=0.02))
    assert same(weights(folder), old)
    assert (folder / "training.json").is_file()


def test_bags_train(job, use, pairs_table, tmp_path):
    use("conv")
    pairs_table["finding_id"] = [f"f{number // 3}" for number in range(20)]
    pairs_table["text"] = [f"a polyp of {number // 3} mm" for number in range(20)]
    pairs_table.to_parquet(tmp_path / "bags.parquet")
    settings = {"pairs": tmp_path / "bags.parquet", "objective": "mil_nce", "bag_size": 2}
    history = fit(job(**settings, epochs=15, batch_size=4)).history
    assert len(history) == 15 * 2  # seven bags
    by_epoch = history.groupby("epoch")["loss"].mean()
    assert by_epoch.iloc[-1] < 0.7 * by_epoch.iloc[0]


def test_bf16_trains_and_stores_float32(job, use):
    use("vit")
    result = fit(job(precision="bf16"))
    exact = fit(job(output=result.folder.with_name("exact")))
    stored = weights(result.folder)
    assert {value.dtype for value in stored.values()} == {torch.float32}
    assert not same(stored, weights(exact.folder))
    np.testing.assert_allclose(
        result.history["loss"].to_numpy(), exact.history["loss"].to_numpy(), atol=0.1
    )


def test_fewer_pairs_than_a_batch_make_one_smaller_batch(job, use, tmp_path):
    use("vit")
    for last in ("keep", "drop"):
        result = fit(job(batch_size=64, last_batch=last, epochs=3, output=tmp_path / last))
        assert result.history["epoch"].tolist() == [0, 1, 2]


def test_pairs_that_cannot_be_used_are_told(job, pairs_table):
    path = job().pairs
    pairs_table.head(0).to_parquet(path)
    with pytest.raises(CorpusError, match=r"pairs\.parquet holds no pair"):
        fit(job())
    pairs_table.assign(frame_id="c99/0").to_parquet(path)
    with pytest.raises(CorpusError, match=r"row 0: 'c99/0' is no frame of the corpus"):
        fit(job())
    pairs_table.assign(text=" ").to_parquet(path)
    with pytest.raises(CorpusError, match="column 'text'"):
        fit(job())
    pairs_table.drop(columns="text").to_parquet(path)
    with pytest.raises(CorpusError, match="column 'text' is missing"):
        fit(job())
    path.unlink()
    with pytest.raises(CorpusError, match="is missing"):
        fit(job())
    assert not job().output.exists()


def test_settings_that_do_not_fit_the_machine_are_told(job, use):
    use("vit")
    with pytest.raises(ModuleNotFoundError, match="pip install wandb"):
        fit(job(tracker="wandb"))
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match="fp16 needs a CUDA GPU"):
            fit(job(precision="fp16"))


def test_tensorboard_gets_the_curve(job, use):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    use("vit")
    result = fit(job(tracker="tensorboard"))
    events = EventAccumulator(str(result.folder / "logs"))
    events.Reload()
    told = [event.value for event in events.Scalars("train/loss")]
    np.testing.assert_allclose(told, result.history["loss"], rtol=1e-6)


def test_a_loss_that_is_no_number_stops_the_training(job, use):
    use("vit")
    with pytest.raises(FloatingPointError, match=r"step \d+ \(epoch \d+\) is not finite"):
        fit(job(learning_rate=1e30, warmup_steps=0))


def test_the_random_state_of_the_caller_is_left_alone(job, use):
    use("conv")
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    fit(job(epochs=1))
    assert torch.equal(torch.rand(3), expected)
