"""OpenCLIP's own trainer takes our checkpoint and our CSV of pairs."""

import subprocess
import sys

import pandas as pd
import torch
from safetensors.torch import load_file

from endoalign.corpus.tables import load_frames
from endoalign.models.checkpoint import save_encoder
from endoalign.recovery.pairs import make_pairs, write_pairs


def test_two_steps_of_openclips_trainer(corpus, micro, tmp_path):
    save_encoder(micro.micro_encoder("vit"), tmp_path / "start", provenance={})
    frames = load_frames(corpus)
    rows = frames[["frame_id", "case_id"]].head(8)
    rows = rows.assign(text=[f"a polyp of {n} mm" for n in range(8)], finding_id=rows["case_id"])
    write_pairs(make_pairs(rows, stage="III", seed=0), tmp_path, "III", frames, corpus)
    options = {
        "model": f"local-dir:{tmp_path / 'start'}",
        "train-data": tmp_path / "III.csv",
        "dataset-type": "csv",
        "batch-size": 4,
        "epochs": 1,
        "workers": 0,
        "warmup": 1,
        "lr": 0.01,
        "logs": tmp_path / "logs",
        "name": "run",
    }
    given = [part for key, value in options.items() for part in (f"--{key}", str(value))]
    command = [sys.executable, "-m", "open_clip_train.main", *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    path = tmp_path / "logs" / "run" / "checkpoints" / "epoch_1.pt"
    trained = torch.load(path, map_location="cpu", weights_only=True)
    steps = {int(state["step"]) for state in trained["optimizer"]["state"].values()}
    assert steps == {2}
    before = load_file(tmp_path / "start" / "model.safetensors")
    after = trained["state_dict"]
    assert before.keys() == after.keys()
    assert any(not torch.equal(before[name], after[name]) for name in before)


def test_the_csv_names_the_frames_of_the_pairs(corpus, tmp_path):
    frames = load_frames(corpus)
    rows = frames[["frame_id", "case_id"]].head(2).assign(text="no finding")
    write_pairs(make_pairs(rows, stage="I", seed=0), tmp_path, "I", frames, corpus)
    table = pd.read_csv(tmp_path / "I.csv", sep="\t")
    assert [path.split("/")[-1] for path in table["filepath"]] == ["0.png", "1.png"]
