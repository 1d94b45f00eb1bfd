"""The world on disk: the same bytes however it is made, truth in step with the pixels."""

import hashlib

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from endoalign.corpus.truth import load_truth
from endoalign.world.build import MANIFEST, UNFINISHED, build_world, remove_world
from endoalign.world.settings import WorldSettings

SETTINGS = WorldSettings(positive_cases=4, normal_cases=2, frames_per_case=4, frame_height=48)


def digest(folder):
    """Digest of every file's relative path and bytes."""
    total = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        total.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return total.hexdigest()


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    assert build_world(SETTINGS, folder, seed=5)
    return folder


def test_same_seed_same_bytes_in_two_processes(world, tmp_path):
    told = []
    build_world(SETTINGS, tmp_path, seed=5, processes=2, progress=lambda *p: told.append(p))
    assert digest(tmp_path) == digest(world)
    assert told == [(n, 6) for n in range(1, 7)]


def test_another_seed_is_another_world(world, tmp_path):
    build_world(SETTINGS, tmp_path, seed=6)
    assert digest(tmp_path) != digest(world)


def test_a_world_that_is_there_is_not_made_again(world):
    before = digest(world)
    assert not build_world(SETTINGS, world, seed=5)
    assert digest(world) == before


def test_a_stopped_run_is_made_anew(world, tmp_path):
    build_world(SETTINGS, tmp_path, seed=5)
    (tmp_path / MANIFEST).rename(tmp_path / UNFINISHED)
    stray = tmp_path / "raw" / "frames" / "case_of_another_run" / "000.jpg"
    stray.parent.mkdir()
    stray.write_bytes(b"x")
    assert build_world(SETTINGS, tmp_path, seed=5)
    assert digest(tmp_path) == digest(world)


def test_a_user_s_own_files_are_never_removed(tmp_path):
    own = tmp_path / "raw" / "mine.csv"
    own.parent.mkdir()
    own.write_text("x")
    for remove in (remove_world, lambda folder: build_world(SETTINGS, folder, seed=5)):
        with pytest.raises(FileExistsError, match="not made by a world"):
            remove(tmp_path)
    assert own.read_text() == "x"


def test_removing_a_world_leaves_what_is_not_its_own(tmp_path):
    build_world(WorldSettings(positive_cases=0, normal_cases=0), tmp_path, seed=1)
    (tmp_path / "notes.txt").write_text("x")
    remove_world(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_every_frame_has_a_label_and_every_case_a_report(world):
    truth = load_truth(world)
    frames = sorted(p.relative_to(world / "raw/frames") for p in world.rglob("raw/frames/*/*.jpg"))
    assert [str(p.with_suffix("")) for p in frames] == truth.frame_labels["frame_id"].tolist()
    reports = pd.read_json(world / "raw/reports.jsonl", lines=True)
    assert len(reports) == 6
    assert reports["case_id"].is_unique


def test_masks_say_the_same_as_the_labels(world):
    truth = load_truth(world)
    lesions = truth.lesions.groupby("case_id")["lesion_id"].apply(list)
    for row in truth.frame_labels.itertuples():
        if not row.polyp_present:
            assert pd.isna(row.mask_path)
            continue
        mask = np.asarray(Image.open(world / "truth" / row.mask_path))
        with Image.open(world / "raw/frames" / f"{row.frame_id}.jpg") as frame:
            assert mask.shape == (frame.height, frame.width)
        assert 0 < mask.max() <= len(lesions[row.frame_id.split("/")[0]])


def test_links_lead_to_frames_that_show_a_lesion_and_one_represents(world):
    truth = load_truth(world)
    shown = set(truth.frame_labels.query("polyp_present")["frame_id"])
    assert set(truth.links["frame_id"]) <= shown
    assert (truth.links.groupby("finding_id")["representative"].sum() == 1).all()
    stated = truth.findings[truth.findings["lesion_ids"].map(len) > 0]
    assert set(truth.links["finding_id"]) == set(stated["finding_id"])


def test_reports_alone_and_no_cases_at_all(tmp_path):
    only_reports = WorldSettings(positive_cases=2, normal_cases=1, frames_per_case=0, language="zh")
    build_world(only_reports, tmp_path / "reports", seed=1)
    assert not list((tmp_path / "reports").rglob("*.jpg"))
    assert len(load_truth(tmp_path / "reports").lesions) >= 2
    build_world(WorldSettings(positive_cases=0, normal_cases=0), tmp_path / "none", seed=1)
    assert (tmp_path / "none/raw/reports.jsonl").read_text() == ""


def test_normal_cases_may_have_frames_of_their_own_number(tmp_path):
    settings = SETTINGS.model_copy(update={"normal_frames_per_case": 2})
    assert build_world(settings, tmp_path, seed=5)
    labels = pd.read_parquet(tmp_path / "truth" / "frame_labels.parquet")
    per_case = labels.groupby(labels["frame_id"].str.split("/").str[0])["polyp_present"]
    assert {(bool(group.any()), len(group)) for _, group in per_case} == {(True, 4), (False, 2)}
