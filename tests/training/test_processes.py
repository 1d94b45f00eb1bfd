"""Two gloo processes against one: weights after a step, and the ways to start them."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from safetensors.torch import load_file

from endoalign.training import launch
from endoalign.training.__main__ import main
from endoalign.training.fit import fit

MICRO = Path(__file__).parent / "micro.py"
STEP = {"epochs": 1, "learning_rate": 0.001, "warmup_steps": 1, "batch_size": 20}
CASES = {
    "plain": STEP,
    "local": STEP | {"local_loss": True},
    "same_text": STEP | {"targets": "same_text"},
    "local_same_text": STEP | {"targets": "same_text", "local_loss": True},
    "passes": STEP | {"accumulation": 2, "batch_size": 10},
    "local_passes": STEP | {"accumulation": 2, "batch_size": 10, "local_loss": True},
    "bags": STEP | {"objective": "mil_nce", "bag_size": 2},
    "validated": STEP | {"epochs": 3, "batch_size": 4},
}


def run(*arguments):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def prepared(job, use, pairs_table, tmp_path):
    """Jobs by case, with one process and with two; bags of three and of one frame."""
    use("vit")
    number = np.arange(20)
    pairs_table["finding_id"] = [f"f{n // 3 if n < 9 else n}" for n in number]
    pairs_table.loc[:8, "text"] = [f"a polyp of {n // 3} cm" for n in number[:9]]
    pairs_table.to_parquet(job().pairs)
    pairs_table.head(11).to_parquet(tmp_path / "held_out.parquet")
    jobs = {}
    for name, case in CASES.items():
        held_out = {"validation_pairs": tmp_path / "held_out.parquet"}
        settings = case | held_out if name == "validated" else case
        halved = settings | {"batch_size": settings["batch_size"] // 2, "num_processes": 2}
        jobs[name] = (
            job(**settings, output=tmp_path / name / "one"),
            job(**halved, output=tmp_path / name / "two"),
        )
    return jobs


def test_two_processes_equal_one(prepared, micro):
    """One start of Python for all cases; each forks its two processes, as in a notebook."""
    ran = run(MICRO, "vit", *(two.model_dump_json() for _, two in prepared.values()))
    assert ran.returncode == 0, ran.stderr
    for name, (one, two) in prepared.items():
        alone, together = fit(one), fit(two)
        assert len(together.history) == len(alone.history), name
        for column in ("loss", "validation_loss", "repeated_share", "logit_scale"):
            np.testing.assert_allclose(
                together.history[column], alone.history[column], atol=1e-5, err_msg=name
            )
        assert together.best_epoch == alone.best_epoch
        if one.epochs > 1:  # differences in the last digit grow
            continue
        first, second = (load_file(each.output / "model.safetensors") for each in (one, two))
        for tensor, value in first.items():
            worst = micro.comparable(tensor, second[tensor] - value).abs().max()
            assert worst < 1e-6, f"{name}: {tensor}"


def test_an_error_of_a_process_is_told_in_the_parents(job):
    broken = job(num_processes=2, learning_rate=1e30, warmup_steps=0)
    ran = run(MICRO, "vit", broken.model_dump_json())
    assert ran.returncode != 0
    last = ran.stderr.strip().splitlines()[-1]
    assert last.startswith("RuntimeError: training in 2 processes failed: FloatingPointError: ")
    assert "is not finite: lower learning_rate" in last


def settings_file(job, folder):
    file = folder / "settings.yaml"
    values = {key: value for key, value in job.model_dump(mode="json").items() if value is not None}
    file.write_text(yaml.safe_dump(values))
    return file


def test_accelerate_launch_trains_where_nothing_may_be_forked(job, monkeypatch):
    """As on a machine with a GPU: the settings file goes to ``accelerate launch``."""
    monkeypatch.setattr(launch, "may_fork", lambda: False)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    calls = []
    result = fit(
        job(epochs=1, batch_size=5, num_processes=2), progress=lambda *done: calls.append(done)
    )
    assert len(result.history) == 2
    assert calls[-1] == (2, 2)


def test_the_command_runs_on_one_process(job, use, tmp_path, capsys):
    use("vit")
    chosen = job(epochs=1, batch_size=10)
    assert main([str(settings_file(chosen, tmp_path))]) == 0
    assert f"{chosen.output}: 2 steps in" in capsys.readouterr().out
    assert len(fit(chosen).history) == 2


def test_the_number_of_processes_must_be_the_one_asked_for(job, use, monkeypatch):
    use("vit")
    monkeypatch.setenv("WORLD_SIZE", "3")
    with pytest.raises(ValueError, match=r"3 processes were launched, .* num_processes: 2"):
        fit(job(num_processes=2))


def test_the_command_refuses_wrong_settings_and_pairs(job, tmp_path, capsys):
    file = settings_file(job(), tmp_path)
    sound = file.read_text()
    for line, told in (
        ("learning_rates: 1.0e-4", "learning_rates: unknown key; did you mean 'learning_rate'?"),
        ("eps: 1e-4", "eps: Input should be a valid number"),
        ("cache: pixels.bin", "its name must end in .npy"),
    ):
        kept = [row for row in sound.splitlines() if not row.startswith(line.split(":")[0] + ":")]
        file.write_text("\n".join([*kept, line]))
        assert main([str(file)]) == 1
        assert told in capsys.readouterr().err
    file.write_text(sound)
    job().pairs.unlink()
    assert main([str(file)]) == 1
    assert "is missing" in capsys.readouterr().err
