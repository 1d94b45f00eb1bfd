"""Killed at any moment and started again, a training ends with the same weights, bit for bit."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
import torch
from safetensors.torch import load_file

from endoalign.training import state
from endoalign.training.fit import fit
from endoalign.training.groups import parameter_groups
from endoalign.training.state import (
    Progress,
    load_state,
    newest,
    read_progress,
    save_state,
)

MICRO = Path(__file__).parent / "micro.py"


def run(job, kind):
    command = [sys.executable, str(MICRO), kind, job.model_dump_json()]
    # Sums differ in the last bit with the number of threads, so it must be the same everywhere.
    threads = {**os.environ, "OMP_NUM_THREADS": str(torch.get_num_threads())}
    return subprocess.Popen(command, env=threads)


def same_tensors(one, other):
    first, second = load_file(one), load_file(other)
    return first.keys() == second.keys() and all(torch.equal(first[k], second[k]) for k in first)


def test_kill_9_in_an_epoch_and_resume(job, use, pairs_table, tmp_path):
    use("conv")  # dropout, batch normalisation, bags of passes
    held_out = tmp_path / "validation.parquet"
    pairs_table.head(6).to_parquet(held_out)
    settings = {"epochs": 24, "batch_size": 4, "accumulation": 2, "validation_pairs": held_out}
    whole = fit(job(**settings, output=tmp_path / "whole"))

    killed = job(**settings, output=tmp_path / "killed")
    root = killed.output / "train_state"
    victim = run(killed, "conv")
    deadline = time.monotonic() + 60
    while newest(root) is None or read_progress(newest(root)).epoch < 3:
        assert victim.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    os.kill(victim.pid, signal.SIGKILL)
    assert victim.wait() == -signal.SIGKILL
    assert 3 <= read_progress(newest(root)).epoch < 24
    resumed = fit(killed)
    for name in ("model.safetensors", "best/model.safetensors"):
        assert same_tensors(resumed.folder / name, whole.folder / name)
    assert resumed.best_epoch == whole.best_epoch
    pd.testing.assert_frame_equal(resumed.history, whole.history, check_exact=True)
    assert sorted(path.name for path in killed.output.iterdir()) == sorted(
        path.name for path in whole.folder.iterdir()
    )


def stop_after(job, steps):
    """Raises in the middle of a training, after so many steps."""

    def progress(done, total):
        if done == steps:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(job, progress=progress)


def test_a_stopped_training_goes_on_from_its_state(job, use, tmp_path):
    use("vit")
    calls = []
    stop_after(job(epochs=4), 8)  # in the third epoch
    fit(job(epochs=4), progress=lambda done, total: calls.append(done))
    assert calls == list(range(7, 13))


def test_a_state_of_other_settings_is_set_aside(job, use, tmp_path, capsys):
    use("vit")
    stop_after(job(epochs=4), 8)
    calls = []
    fit(job(epochs=5), progress=lambda done, total: calls.append(done))
    assert calls == list(range(1, 16))
    assert "a stopped training of other settings or data, now in train_state.other" in (
        capsys.readouterr().out
    )
    aside = job().output / "train_state.other"
    assert read_progress(newest(aside)).step == 6


def test_a_state_set_aside_comes_back_to_its_training(job, use, capsys):
    use("vit")
    stop_after(job(epochs=4), 8)
    stop_after(job(epochs=5), 5)  # by mistake
    calls = []
    fit(job(epochs=4), progress=lambda done, total: calls.append(done))
    assert calls == list(range(7, 13))
    assert "goes on from train_state.other" in capsys.readouterr().out
    calls.clear()
    fit(job(epochs=5), progress=lambda done, total: calls.append(done))
    assert calls == list(range(4, 16))  # what was stopped by mistake is there too
    assert not list(job().output.glob(".*"))


def test_the_last_of_several_others_is_kept(job, use):
    use("vit")
    for epochs in (4, 5, 6):
        stop_after(job(epochs=epochs), 5)
    root = job().output / "train_state"
    calls = []
    fit(job(epochs=5), progress=lambda done, total: calls.append(done))
    assert calls[0] == 4
    assert read_progress(newest(root.with_name("train_state.other"))).step == 3


def test_a_damaged_state_of_another_training_stops_nobody(job, use):
    use("vit")
    stop_after(job(epochs=4), 5)
    stop_after(job(epochs=5), 5)
    root = job().output / "train_state"
    other = newest(root.with_name("train_state.other"))
    (other / "state.json").write_text("{")
    stop_after(job(epochs=5), 8)
    shutil.rmtree(other)
    (other.parent / "notes").mkdir()
    calls = []
    fit(job(epochs=6), progress=lambda done, total: calls.append(done))
    assert calls[0] == 1
    assert read_progress(newest(other.parent)).step == 6


@pytest.mark.parametrize("kill", [1, 2])
def test_killed_while_states_are_exchanged_none_is_lost(job, use, kill):
    use("vit")
    stop_after(job(epochs=4), 8)
    stop_after(job(epochs=5), 5)
    root = job().output / "train_state"
    aside, moving = root.with_name("train_state.other"), root.with_name(".train_state.moving")
    aside.rename(moving)
    if kill == 2:
        root.rename(aside)
    calls = []
    fit(job(epochs=4), progress=lambda done, total: calls.append(done))
    assert calls[0] == 7
    assert read_progress(newest(aside)).step == 3


def test_a_missing_best_state_is_told(job, use, pairs_table, tmp_path):
    use("vit")
    held_out = tmp_path / "validation.parquet"
    pairs_table.head(6).to_parquet(held_out)
    stop_after(job(epochs=4, validation_pairs=held_out), 8)
    (newest(job().output / "train_state") / "best.safetensors").unlink()
    with pytest.raises(ValueError, match="is damaged"):
        fit(job(epochs=4, validation_pairs=held_out))


@pytest.mark.parametrize(
    "name", ["state.json", "model.safetensors", "optimizer.safetensors", "history.parquet"]
)
@pytest.mark.parametrize("content", [b"", b"{", None])
def test_a_damaged_state_is_told(job, use, name, content):
    use("vit")
    stop_after(job(epochs=4), 8)
    file = newest(job().output / "train_state") / name
    file.write_bytes(file.read_bytes()[:-9] if content is None else content)
    with pytest.raises(ValueError, match=r"step-00000006 is damaged .*remove the folder"):
        fit(job(epochs=4))
    assert file.exists()


def test_notes_beside_the_states_are_passed_over(job, use):
    use("vit")
    stop_after(job(epochs=4), 8)
    notes = job().output / "train_state" / "step-notes"
    notes.mkdir()
    calls = []
    stop_after(job(epochs=4), 10)
    assert notes.exists()
    fit(job(epochs=4), progress=lambda done, total: calls.append(done))
    assert calls[0] == 10


@pytest.mark.parametrize("inside", ["", "deeper/EndoCLIP"])
def test_a_file_in_the_way_of_the_output_is_told_at_once(job, use, tmp_path, inside):
    use("vit")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ValueError, match=r"output .*file is a file, not a folder"):
        fit(job(output=tmp_path / "file" / inside))
    assert (tmp_path / "file").read_text() == "mine"


def test_states_are_kept_each_few_epochs(job, use):
    use("vit")
    stop_after(job(epochs=8, save_every=3), 3 * 5 + 1)
    found = newest(job().output / "train_state")
    assert read_progress(found).epoch == 3
    assert [path.name for path in found.parent.iterdir()] == ["step-00000009"]


@pytest.fixture
def model():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))


def trained(model, steps):
    optimizer = torch.optim.AdamW(parameter_groups(model, 0.1), lr=0.1, fused=True)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(5, 3)).pow(2).sum().backward()
        optimizer.step()
    return optimizer


def test_state_holds_all_of_model_and_optimiser(model, tmp_path):
    optimizer = trained(model, 3)
    history = pd.DataFrame({"step": [0], "loss": [0.1 + 0.2]})
    progress = Progress("d", epoch=1, step=3, seconds=1.5, best_epoch=0, best_loss=0.1)
    save_state(tmp_path, progress, model, optimizer, history)
    other = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    other_optimizer = torch.optim.AdamW(parameter_groups(other, 0.1), lr=0.1, fused=True)
    found, table = load_state(newest(tmp_path), other, other_optimizer)
    assert found == progress
    pd.testing.assert_frame_equal(table, history, check_exact=True)
    for name, value in model.state_dict().items():
        assert torch.equal(other.state_dict()[name], value)
    first, second = (one.state_dict()["state"] for one in (optimizer, other_optimizer))
    assert first.keys() == second.keys() != set()
    for number, values in first.items():
        for name, value in values.items():
            assert torch.equal(second[number][name], value)


def test_best_weights_stay_through_later_states(model, tmp_path):
    history = pd.DataFrame({"step": [0]})
    best = {name: value.clone() for name, value in model.state_dict().items()}
    optimizer = trained(model, 0)
    save_state(
        tmp_path, Progress("d", 1, 3, best_epoch=0, best_loss=1.0), model, optimizer, history
    )
    optimizer = trained(model, 2)
    for epoch in (2, 3):
        progress = Progress("d", epoch, 3 * epoch, best_epoch=0, best_loss=1.0)
        save_state(tmp_path, progress, model, optimizer, history)
    (found,) = tmp_path.iterdir()
    stored = load_file(found / "best.safetensors")
    assert all(torch.equal(stored[name], value) for name, value in best.items())
    assert not torch.equal(load_file(found / "model.safetensors")["0.weight"], best["0.weight"])


def test_a_failed_save_keeps_the_old_state(model, tmp_path, monkeypatch):
    history = pd.DataFrame({"step": [0]})
    optimizer = trained(model, 1)
    save_state(tmp_path, Progress("d", 1, 3), model, optimizer, history)
    with monkeypatch.context() as broken, pytest.raises(AttributeError):
        broken.setattr(state, "json", None)
        save_state(tmp_path, Progress("d", 2, 6), model, optimizer, history)
    assert read_progress(newest(tmp_path)).step == 3
