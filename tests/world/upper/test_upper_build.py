"""Gastroscopies on disk: the layout and tables of the colonoscopies, links of every finding."""

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from endoalign.corpus.truth import load_truth
from endoalign.vocabulary import COLON_REGIONS, UPPER_REGIONS
from endoalign.world.build import build_world
from endoalign.world.settings import WorldSettings

SETTINGS = WorldSettings(
    exam_type="gastroscopy", positive_cases=10, normal_cases=2, frames_per_case=10, frame_height=32
)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("upper")
    assert build_world(SETTINGS, folder, seed=5)
    return folder


def test_reports_and_frames_are_those_of_gastroscopies(world):
    reports = pd.read_json(world / "raw/reports.jsonl", lines=True)
    assert set(reports["exam_type"]) == {"gastroscopy"}
    assert len(reports) == 12
    labels = load_truth(world).frame_labels
    frames = sorted(p.relative_to(world / "raw/frames") for p in world.rglob("raw/frames/*/*.jpg"))
    assert [str(p.with_suffix("")) for p in frames] == labels["frame_id"].tolist()
    assert set(labels["region"]) == set(UPPER_REGIONS)


def test_links_lead_to_frames_of_the_finding_s_region_and_one_represents(world):
    truth = load_truth(world)
    joined = truth.links.merge(truth.findings, on="finding_id").merge(
        truth.frame_labels, on="frame_id", suffixes=("", "_shown")
    )
    assert len(joined) == len(truth.links)
    assert (joined["region"] == joined["region_shown"]).all()
    assert (joined["status"] == 1).all()
    assert (truth.links.groupby("finding_id")["representative"].sum() == 1).all()
    abnormal = truth.findings.query("status == 1")
    assert abnormal["finding_id"].isin(truth.links["finding_id"]).mean() > 0.9


def test_lesions_and_masks_are_polyps_alone(world):
    truth = load_truth(world)
    assert set(truth.lesions["lesion_id"]) == {x for row in truth.findings.lesion_ids for x in row}
    polyps = truth.findings.query("kind == 'lesion'")
    assert len(polyps) == len(truth.lesions) > 0
    shown = truth.links[truth.links["finding_id"].isin(polyps["finding_id"])]
    present = truth.frame_labels.query("polyp_present")
    assert set(present["frame_id"]) == set(shown["frame_id"])
    for row in present.itertuples():
        mask = np.asarray(Image.open(world / "truth" / row.mask_path))
        assert 0 < mask.max() <= 3
    assert truth.frame_labels.query("not polyp_present")["mask_path"].isna().all()


def test_whole_colonoscopies_are_built_with_all_nine_regions(tmp_path):
    settings = WorldSettings(
        whole_examinations=True,
        positive_cases=2,
        normal_cases=1,
        frames_per_case=9,
        frame_height=32,
    )
    build_world(settings, tmp_path, seed=2)
    findings = load_truth(tmp_path).findings
    told = findings[~findings["negated"]].groupby("case_id")["region"].agg(set)
    assert all(set(COLON_REGIONS) <= regions for regions in told)


def test_reports_alone_and_no_cases_at_all(tmp_path):
    alone = SETTINGS.model_copy(update={"frames_per_case": 0})
    build_world(alone, tmp_path / "alone", seed=1)
    assert not list((tmp_path / "alone").rglob("*.jpg"))
    assert load_truth(tmp_path / "alone").links.empty
    none = SETTINGS.model_copy(update={"positive_cases": 0, "normal_cases": 0})
    build_world(none, tmp_path / "none", seed=1)
    assert (tmp_path / "none/raw/reports.jsonl").read_text() == ""
