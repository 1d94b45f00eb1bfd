"""EndoVLM is trained on a corpus of random frames: loss, resume, processes, parts, errors."""

import hashlib
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
import torch
import yaml
from PIL import Image
from safetensors.torch import load_file

from endoalign.corpus.manifest import Manifest
from endoalign.corpus.tables import write_table
from endoalign.corpus.validation import CorpusError
from endoalign.models.endovlm_checkpoint import load_endovlm
from endoalign.models.endovlm_encoder import encode_frames
from endoalign.training.endovlm_command import main
from endoalign.training.endovlm_fit import fit_endovlm
from endoalign.training.endovlm_history import ENDOVLM_COLUMNS
from endoalign.training.endovlm_runs import fit_endovlm_side_by_side
from endoalign.training.endovlm_settings import EndovlmJob
from endoalign.training.state import newest, read_progress

COUNTS = [1, 4, 2, 5, 3, 2, 4, 3]  # frames a case
SIDE = 16
TINY = {
    "image_weights": "random",
    "image_size": SIDE,
    "patch_size": 4,
    "image_width": 16,
    "image_depth": 1,
    "image_heads": 2,
    "text_tower": "tiny",
    "text_width": 8,
    "text_layers": 1,
    "vocabulary_size": 150,
    "context_length": 24,
    "embed_dim": 8,
    "decoder_width": 8,
    "decoder_depth": 1,
    "decoder_heads": 2,
}
STILL = {"zoom": 0.0, "rotation": 0.0, "flip": False, "colour_jitter": 0.0}
FROZEN = {
    "patch_stem": "lite0",
    "image_size": 32,
    "patch_size": 16,
    "text_locked": True,
    "text_pool": "mean",
    "heads": "shared",
    **STILL,
}
"""A stem and a text tower that are not trained, as in the demo."""


def frame_row(case, index, file):
    return {
        "frame_id": f"c{case}/{index}",
        "case_id": f"c{case}",
        "path": file.name,
        "index": index,
        "width": 20,
        "height": 20,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "phash": "0" * 16,
        **dict.fromkeys(("quality", "sharpness", "exposure", "colour"), 0.5),
        "box_left": 2,
        "box_top": 2,
        "box_right": 18,
        "box_bottom": 18,
        "duplicate_of": None,
        "retained": True,
    }


def case_row(case):
    return {
        "case_id": f"c{case}",
        "patient_id": f"p{case}",
        "exam_type": "colonoscopy",
        "split": "train",
        "source": "random",
        "language": "en",
        "report_text": f"Report {case}: a polyp of {case + 2} mm, else normal.",
        "eligible": True,
        "reason": None,
    }


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examinations")
    (folder / "raw").mkdir()
    rng = np.random.default_rng(0)
    rows = []
    for case, count in enumerate(COUNTS):
        for index in range(count):
            file = folder / "raw" / f"{case}_{index}.png"
            coarse = rng.integers(0, 256, (5, 5, 3), dtype=np.uint8)
            Image.fromarray(coarse).resize((20, 20)).save(file)
            rows.append(frame_row(case, index, file))
    write_table("frames", pd.DataFrame(rows), folder)
    write_table("cases", pd.DataFrame([case_row(case) for case in range(len(COUNTS))]), folder)
    Manifest(roots={"here": "raw"}, settings="0" * 64, counts={}).write(folder)
    return folder


def propositions():
    rows = []
    for case in range(len(COUNTS)):
        rows.append((f"c{case}", "The rectum was normal.", "rectum", 0))
        rows += [
            (f"c{case}", f"A polyp of {case + place} mm.", "sigmoid_colon", 1)
            for place in range(case % 3)
        ]
    return pd.DataFrame(rows, columns=["case_id", "proposition", "region", "status"])


@pytest.fixture
def job(corpus, tmp_path):
    """Makes jobs: ``job(epochs=3)``; propositions and output lie in the test's own folder."""
    file = tmp_path / "propositions.parquet"
    propositions().assign(triplet_id="extra").to_parquet(file)
    given = {
        **TINY,
        "corpus": corpus,
        "propositions": file,
        "output": tmp_path / "EndoVLM",
        "epochs": 2,
        "batch_size": 4,
        "learning_rate": 0.01,
        "lr_rule": "absolute",
        "warmup_epochs": 0.5,
        "frame_chunk": 5,
        "seed": 7,
    }
    return lambda **changes: EndovlmJob(**{**given, **changes})


def settings_file(job, file):
    values = {key: value for key, value in job.model_dump(mode="json").items() if value is not None}
    file.write_text(yaml.safe_dump(values))
    return file


COMMAND = [sys.executable, "-m", "endoalign.training.endovlm_command"]


def run(file):
    threads = {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}
    return subprocess.run(
        [*COMMAND, str(file)],
        env={**os.environ, **threads},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def same_tensors(one, other):
    first, second = (load_file(each / "model.safetensors") for each in (one, other))
    return first.keys() == second.keys() and all(torch.equal(first[k], second[k]) for k in first)


def test_training_learns_and_leaves_a_checkpoint(job):
    calls = []
    chosen = job(epochs=40, batch_size=8, **STILL)
    result = fit_endovlm(chosen, progress=lambda *done: calls.append(done))
    history = result.history
    assert list(history) == list(ENDOVLM_COLUMNS)
    assert calls[-1] == (40, 40)
    for part in ("loss", "global_loss", "fine_grained_loss", "mae_loss"):
        assert history[part].iloc[-1] < history[part].iloc[0] - 0.03, part
    parts = history[["global_loss", "fine_grained_loss", "mae_loss"]].sum(axis=1)
    np.testing.assert_allclose(history["loss"], parts, rtol=1e-5)
    assert (history["frames"] == sum(COUNTS)).all()
    assert (history["reconstructed"] <= history["frames"]).all()
    assert history["logit_scale"].between(1, 100).all()
    encoder = load_endovlm(result.folder)
    features = encode_frames(encoder, torch.zeros(1, 3, SIDE, SIDE, dtype=torch.uint8))
    assert features.norm().item() == pytest.approx(1)
    assert sorted(file.name for file in result.folder.iterdir()) == [
        "README.md",
        "endovlm_config.json",
        "history.parquet",
        "model.safetensors",
        "provenance.json",
        "text_tower",
        "training.json",
    ]


def test_a_finished_training_is_not_repeated_and_others_train_anew(job, capsys):
    first = fit_endovlm(job())
    calls = []
    again = fit_endovlm(job(), progress=lambda *done: calls.append(done))
    assert not calls
    pd.testing.assert_frame_equal(again.history, first.history)
    fit_endovlm(job(seed=8), progress=lambda *done: calls.append(done))
    assert len(calls) == 4
    assert "trained with other settings (seed); training anew" in capsys.readouterr().out


@pytest.mark.parametrize("given", [{}, FROZEN], ids=["trained", "frozen"])
def test_stopped_in_an_epoch_and_resumed_it_ends_with_the_same_bits(job, tmp_path, given):
    given = {**given, "cache": tmp_path / "pixels.npy"} if given else {}
    whole = fit_endovlm(job(epochs=6, output=tmp_path / "whole", **given))
    stopped = job(epochs=6, output=tmp_path / "stopped", **given)

    def stop(done, total):
        if done == 7:  # in the fourth epoch of two steps each
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_endovlm(stopped, progress=stop)
    assert read_progress(newest(stopped.output / "train_state")).epoch == 3
    calls = []
    resumed = fit_endovlm(stopped, progress=lambda done, total: calls.append(done))
    assert calls == list(range(7, 13))
    assert same_tensors(resumed.folder, whole.folder)
    pd.testing.assert_frame_equal(resumed.history, whole.history, check_exact=True)


def test_kill_9_in_an_epoch_and_resume(job, tmp_path):
    given = {**FROZEN, "epochs": 40, "cache": tmp_path / "pixels.npy"}
    whole = fit_endovlm(job(output=tmp_path / "whole", **given))
    killed = job(output=tmp_path / "killed", **given)
    file, root = settings_file(killed, tmp_path / "settings.yaml"), killed.output / "train_state"
    # Sums differ in the last bit with the number of threads, so it must be the same everywhere.
    threads = {**os.environ, "OMP_NUM_THREADS": str(torch.get_num_threads())}
    victim = subprocess.Popen([*COMMAND, str(file)], env=threads)
    deadline = time.monotonic() + 120
    while newest(root) is None or read_progress(newest(root)).epoch < 3:
        assert victim.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    os.kill(victim.pid, signal.SIGKILL)
    assert victim.wait() == -signal.SIGKILL
    assert 3 <= read_progress(newest(root)).epoch < 40
    resumed = fit_endovlm(killed)
    assert same_tensors(resumed.folder, whole.folder)
    pd.testing.assert_frame_equal(resumed.history, whole.history, check_exact=True)


def test_two_processes_equal_one(job, tmp_path):
    """Cases are ragged, so that processes hold unequal numbers of frames and propositions."""
    step = {"epochs": 1, "learning_rate": 0.001, "warmup_epochs": 0.0, "eps": 1e-3}
    alone = fit_endovlm(job(**step, batch_size=8, output=tmp_path / "one"))
    both = job(**step, batch_size=4, num_processes=2, output=tmp_path / "two")
    ran = run(settings_file(both, tmp_path / "settings.yaml"))
    assert ran.returncode == 0, ran.stderr
    together = fit_endovlm(both)
    assert len(together.history) == len(alone.history) == 1
    for column in ENDOVLM_COLUMNS:
        if column != "repeated_share":
            found, expected = together.history[column], alone.history[column]
            np.testing.assert_allclose(found, expected, atol=1e-5, err_msg=column)
    first, second = (load_file(one.folder / "model.safetensors") for one in (alone, together))
    for name, value in first.items():
        assert (second[name] - value).abs().max() < 1e-6, name


def test_side_by_side_equals_one_after_the_other(job, tmp_path):
    given = {**FROZEN, "cache": tmp_path / "pixels.npy"}
    both = [job(output=tmp_path / name, **given, **PARTS[name]) for name in ("mae", "global")]
    calls = []
    fit_endovlm_side_by_side(both, at_once=2, progress=lambda *done: calls.append(done))
    assert calls == [(1, 2), (2, 2)]
    assert (tmp_path / "pixels_tokens.npy").exists()
    for one in both:
        alone = fit_endovlm(one.model_copy(update={"output": tmp_path / "alone" / one.output.name}))
        found = fit_endovlm(one, progress=lambda *_: pytest.fail("trained again"))
        np.testing.assert_allclose(found.history["loss"], alone.history["loss"], rtol=1e-4)


def test_one_training_is_left_to_the_caller(job, tmp_path):
    first, second = job(), job(seed=8, output=tmp_path / "second")
    fit_endovlm_side_by_side([first, second], at_once=1)
    assert not first.output.exists()
    fit_endovlm(first)
    fit_endovlm_side_by_side([first, second], at_once=2)  # the first is trained
    assert not second.output.exists()
    with pytest.raises(ValueError, match="at_once 0 must be at least 1"):
        fit_endovlm_side_by_side([first, second], at_once=0)


def test_chunks_and_recomputation_change_nothing(job, tmp_path):
    step = {"epochs": 1, "eps": 1e-3}
    results = [
        fit_endovlm(job(**step, frame_chunk=chunk, recompute=again, output=tmp_path / str(number)))
        for number, (chunk, again) in enumerate([(None, False), (3, False), (3, True)])
    ]
    plain, chunked, again = (load_file(one.folder / "model.safetensors") for one in results)
    for name, value in plain.items():
        assert (chunked[name] - value).abs().max() < 1e-5, name
        assert torch.equal(again[name], chunked[name]), name


PARTS = {
    "global": {"fine_grained_weight": 0.0, "mae_weight": 0.0},
    "global and fine": {"mae_weight": 0.0},
    "mae": {"use_global": False, "fine_grained_weight": 0.0, "mae_frames": "all"},
    "fine and mae": {"use_global": False},
    "bf16": {"precision": "bf16"},
    "shared heads": {"heads": "shared", "fine_grained_weight": 0.0, "mae_weight": 0.0},
    "paper": {
        "image_feature": "cls",
        "global_pool": "after_projection",
        "global_text": "propositions",
        "global_targets": "same_text",
        "norm_pix_loss": False,
        "scale_logits": True,
        "text_pool": "mean",
    },
}


def test_frozen_parts_stay_as_they_came(job, tmp_path):
    cache = tmp_path / "pixels.npy"
    start = fit_endovlm(job(epochs=1, output=tmp_path / "start", **FROZEN, cache=cache))
    later = fit_endovlm(job(epochs=3, output=tmp_path / "later", **FROZEN, cache=cache))
    first, last = (load_endovlm(one.folder).model.state_dict() for one in (start, later))
    frozen = [f"image_tower.patch_embed.{name}." for name in ("conv_stem", "bn1", "blocks")]
    frozen.append("text_tower.transformer.")
    for name, value in first.items():
        same = torch.equal(value, last[name])
        assert same or not name.startswith(tuple(frozen)), name
    assert not torch.equal(
        first["image_tower.patch_embed.proj.weight"], last["image_tower.patch_embed.proj.weight"]
    )
    assert (tmp_path / "pixels_tokens.npy").exists()
    moving = {**FROZEN, "zoom": 0.1, "cache": tmp_path / "other.npy"}
    assert fit_endovlm(job(output=tmp_path / "moving", **moving)).history["loss"].notna().all()


def test_single_findings_that_would_never_begin_are_refused(job):
    with pytest.raises(ValueError, match="fine_grained_after 2 of 2 epochs"):
        job(epochs=2, fine_grained_after=2.0)
    left_out = {"fine_grained_weight": 0.0, "mae_frames": "all"}
    assert not job(epochs=2, fine_grained_after=2.0, **left_out).plan().use_fine


def test_a_status_between_normal_and_abnormal_is_refused(job):
    chosen = job()
    table = pd.read_parquet(chosen.propositions)
    table["status"] = table["status"].astype(float)
    table.loc[2, "status"] = 0.9
    table.to_parquet(chosen.propositions)
    with pytest.raises(CorpusError, match=r"row 2: status is .*0.9.*must be 0"):
        fit_endovlm(chosen)


def test_single_findings_may_begin_later(job):
    shares = [
        job(epochs=9, fine_grained_after=2.0, fine_grained_rise=4.0).fine_grained_share(epochs)
        for epochs in (0.0, 2.0, 3.0, 6.0, 9.0)
    ]
    assert shares == [0.0, 0.0, 0.25, 1.0, 1.0]
    assert [job(fine_grained_after=1.5).fine_grained_share(e) for e in (1.4, 1.5)] == [0.0, 1.0]
    assert job().fine_grained_share(0.0) == 1.0
    history = fit_endovlm(job(epochs=2, fine_grained_after=1.0, mae_weight=0.0)).history
    early = history["epoch"] == 0
    np.testing.assert_allclose(history["loss"][early], history["global_loss"][early], rtol=1e-6)
    both = history["global_loss"] + history["fine_grained_loss"]
    np.testing.assert_allclose(history["loss"][~early], both[~early], rtol=1e-6)


@pytest.mark.parametrize("name", PARTS)
def test_parts_of_the_objective(job, name):
    """Each part alone and the options: what has no part in the loss keeps its weights."""
    chosen = job(epochs=1, weight_decay=0.5, **PARTS[name])
    history = fit_endovlm(chosen).history
    plan = chosen.plan()
    assert (history["global_loss"] > 0).all() == plan.use_global
    assert (history["fine_grained_loss"] > 0).all() == plan.use_fine
    assert (history["mae_loss"] > 0).all() == plan.use_mae
    if plan.mae_frames == "all":
        assert (history["reconstructed"] == history["frames"]).all()
    assert history["loss"].notna().all()
    if name == "mae":
        before = load_endovlm(fit_endovlm(job(epochs=1, **PARTS[name])).folder)
        still = before.model.text_tower.state_dict()
        later = load_endovlm(fit_endovlm(job(epochs=2, **PARTS[name])).folder)
        for key, value in later.model.text_tower.state_dict().items():
            assert torch.equal(value, still[key])


def test_an_examination_that_would_stand_alone_waits_for_the_next_epoch(job):
    history = fit_endovlm(job(batch_size=7, epochs=3)).history
    assert len(history) == 3
    assert (history["global_loss"] > 0).all()


def test_single_findings_of_one_examination_a_step(job):
    history = fit_endovlm(job(batch_size=1, use_global=False, epochs=1)).history
    assert len(history) == 8
    assert history["loss"].notna().all()


def test_the_learning_rate_rule(job):
    assert job(lr_rule="per_256", num_processes=2).highest_rate() == pytest.approx(0.01 * 8 / 256)
    assert job().highest_rate() == 0.01
    result = fit_endovlm(job(lr_rule="per_256", epochs=2, warmup_epochs=1.0))
    assert result.history["learning_rate"].tolist() == pytest.approx(
        [0.01 * 4 / 256 * share for share in (0.5, 1, 1, 0.5)]
    )


def test_frames_are_capped_and_drawn_anew(job):
    history = fit_endovlm(job(frames_per_case=2)).history
    capped = sum(min(count, 2) for count in COUNTS)
    assert history.groupby("epoch")["frames"].sum().tolist() == [capped, capped]


def test_impossible_plans_are_refused(job):
    with pytest.raises(ValueError, match="mae_frames: selected needs the fine-grained alignment"):
        job(fine_grained_weight=0.0)
    with pytest.raises(ValueError, match="no term of equation 6 is left"):
        job(use_global=False, fine_grained_weight=0.0, mae_weight=0.0)
    with pytest.raises(ValueError, match="8 cases for 9 processes"):
        fit_endovlm(job(num_processes=9))
    with pytest.raises(ValueError, match=r"steps of 1 examination of 8: .*raise batch_size"):
        fit_endovlm(job(batch_size=1))
    job().output.parent.joinpath("file").write_text("mine")
    with pytest.raises(ValueError, match="file is a file, not a folder"):
        fit_endovlm(job(output=job().output.parent / "file"))


def test_unfit_propositions_are_named(job):
    table, file = propositions(), job().propositions
    faults = {
        r"column 'region', row 0 .*'colon'; right is: one of": {"region": "colon"},
        r"row 0 \(case_id 'c0'\): must hold: status is 0 or 1": {"status": 2},
        r"case 'x' has propositions but no usable frame .*\(1 such cases of 8\)": {"case_id": "x"},
    }
    for told, change in faults.items():
        broken = table.copy()
        for column, value in change.items():
            broken.loc[0, column] = value
        broken.to_parquet(file)
        with pytest.raises(CorpusError, match=told):
            fit_endovlm(job())
    table.assign(proposition=" ").to_parquet(file)
    with pytest.raises(CorpusError, match="holds no proposition"):
        fit_endovlm(job())


def test_the_command_refuses_wrong_settings(job, tmp_path, capsys):
    file = settings_file(job(), tmp_path / "settings.yaml")
    sound = file.read_text()
    file.write_text(sound + "learning_rates: 1.0e-4\n")
    assert main([str(file)]) == 1
    told = capsys.readouterr().err
    assert "learning_rates: unknown key (nearest: 'learning_rate'); known keys: " in told
    file.write_text(sound)
    assert main([str(file)]) == 0
    assert f"{job().output}: 4 steps in" in capsys.readouterr().out
