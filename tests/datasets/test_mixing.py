import numpy as np
import pandas as pd
import pytest

from endoalign.datasets.__main__ import main
from endoalign.datasets.mixing import mixing_warnings, summary, warning_of
from endoalign.datasets.near_duplicates import COLUMNS, KINDS
from endoalign.datasets.registry import load
from endoalign.world.layouts import cvc_clinicdb, kvasir_seg, pair_folders


def report(*rows):
    return pd.DataFrame(rows, columns=list(COLUMNS))


FOUND = report(
    ("a/1", "b/1", "file", 0.0, "train", "test"),
    ("a/1", "b/2", "file", 0.0, "train", "train"),
    ("a/2", "b/2", "perceptual", 3.0, "test", "test"),
    ("a/3", "b/2", "embedding", 0.01, "validation", "train"),
)


def test_summary_counts_frames_and_leaks():
    assert summary(FOUND).to_numpy().tolist() == [
        ["file", 2, 1, 2, 1],
        ["pixels", 0, 0, 0, 0],
        ["perceptual", 1, 1, 1, 0],
        ["embedding", 1, 1, 1, 1],
    ]
    empty = summary(report())
    assert empty["kind"].tolist() == list(KINDS)
    assert empty.drop(columns="kind").to_numpy().sum() == 0


def test_the_warning_says_all_that_counts():
    assert warning_of(FOUND, "a", "b") == (
        "Near duplicates: 3 frames of a are in b as 2 frames (2 pairs the same file, 1 pair nearly "
        "the same picture, 1 pair very close in the embedding). In 2 of them one frame is for "
        "training and the other is not: leave those out of the training set."
    )
    assert "training" not in warning_of(FOUND.iloc[[2]], "a", "b")
    assert warning_of(report(), "a", "b") == ""


@pytest.fixture
def folders(tmp_path, make_pictures):
    """ClinicDB; ETIS with two of its stills; Kvasir-SEG of other pictures, at exact PNG."""
    pictures = make_pictures(6, shape=(40, 44))
    cvc_clinicdb.write(pictures, tmp_path / "clinicdb")
    pair_folders.write(pictures[1:3], tmp_path / "etis", name="etis", release="repack")
    kvasir_seg.write(make_pictures(3, seed=9), tmp_path / "kvasir", seed=0)
    return tmp_path


def test_whoever_mixes_sets_gets_told(folders):
    sets = [
        load("cvc-clinicdb", folders / "clinicdb"),
        load("etis", folders / "etis"),
        load("kvasir-seg", folders / "kvasir"),
    ]
    warnings = mixing_warnings(sets)
    assert len(warnings) == 1
    assert "2 frames of cvc-clinicdb are in etis as 2 frames" in warnings[0]
    assert "2 pairs the same pixels" in warnings[0]
    assert mixing_warnings([sets[0], sets[2]]) == []
    assert mixing_warnings(sets[:1]) == []
    near = {"cvc-clinicdb": np.eye(6, 4) + 0.1, "kvasir-seg": np.eye(3, 4) + 0.1}
    with_features = mixing_warnings(sets, features=near)
    assert len(with_features) == 2
    assert "3 pairs very close in the embedding" in with_features[1]


def test_frames_that_were_not_compared_are_told(folders):
    (folders / "etis/images/1.png").write_bytes(b"broken")
    sets = [load("kvasir-seg", folders / "kvasir"), load("etis", folders / "etis")]
    assert mixing_warnings(sets) == []  # the adapter has left it out already
    sets[1].frames.loc[0, "path"] = "video.mp4"
    assert mixing_warnings(sets) == [
        "etis: 1 of 1 frames were not compared (inside a video, without a file, or not to be read)."
    ]


def test_the_command_prints_and_writes_the_table(folders, capsys):
    a, b = ["cvc-clinicdb", str(folders / "clinicdb")], ["etis", str(folders / "etis")]
    out = folders / "pairs.csv"
    assert main(["near-duplicates", *a, *b, "--table", str(out)]) == 1
    assert "2 pairs the same pixels" in capsys.readouterr().out
    pairs = pd.read_csv(out)
    assert pairs["frame_a"].tolist() == ["cvc-clinicdb/2", "cvc-clinicdb/3"]
    assert pairs["frame_b"].tolist() == ["etis/1", "etis/2"]
    c = ["kvasir-seg", str(folders / "kvasir")]
    assert main(["near-duplicates", *a, *c]) == 0
    assert "cvc-clinicdb and kvasir-seg share no frame." in capsys.readouterr().out
    assert main(["near-duplicates", *a, *c, "--max-distance", "99"]) == 2
    assert "max_distance is 99" in capsys.readouterr().err
