"""Two gloo processes train ENT-CLIP as one does on the batches of both."""

import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from safetensors.torch import load_file

HERE = Path(__file__).parent
STILL = {"slerp": False, "lora_dropout": 0.0, "fusion_dropout": 0.0}  # chances differ by process


def module(name):
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def train(output, batch_size):
    """A training in this process, one of as many as the environment says."""
    small = module("test_ent_fit")
    settings = small.SMALL.model_copy(update=STILL | {"batch_size": batch_size})
    encoder = module("micro").micro_encoder("vit", seed=0)
    return small.fit_ent(encoder, small.sided_pictures(), settings, output, seed=0)


def start(output, rank, port):
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "GLOO_SOCKET_IFNAME": "lo",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
        "WORLD_SIZE": "2",
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
    }
    command = [sys.executable, str(Path(__file__)), str(output)]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


def test_two_processes_equal_one(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    both = [start(tmp_path / "two", rank, port) for rank in range(2)]
    alone = train(tmp_path / "one", 16)
    for process in both:
        _, errors = process.communicate(timeout=600)
        assert process.returncode == 0, errors
    together = pd.read_parquet(tmp_path / "two" / "history.parquet")
    for column in ("loss", "logit_scale", "repeated_share", "validation_loss"):
        np.testing.assert_allclose(together[column], alone.history[column], rtol=1e-5)
    one, two = (load_file(tmp_path / name / "adapters.safetensors") for name in ("one", "two"))
    assert all(float((one[name] - two[name]).abs().max()) < 1e-5 for name in one)


if __name__ == "__main__":
    train(Path(sys.argv[1]), 8)
