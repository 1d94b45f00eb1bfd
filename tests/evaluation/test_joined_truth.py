import pandas as pd
import pytest

from endoalign.corpus.truth import load_truth, mask_path
from endoalign.evaluation.joined_truth import join_truths
from endoalign.world.build import build_world
from endoalign.world.settings import WorldSettings


def test_two_worlds_become_one_truth_whose_masks_are_found(tmp_path):
    parts = []
    for name, exam in (("upper", "gastroscopy"), ("colon", "colonoscopy")):
        settings = WorldSettings(
            exam_type=exam,
            whole_examinations=True,
            positive_cases=2,
            normal_cases=0,
            frames_per_case=4,
            frame_height=32,
        )
        build_world(settings, tmp_path / name, seed=1)
        parts.append(tmp_path / name)
    joined = join_truths(parts, tmp_path)
    assert len(joined.cases) == 4
    stored = load_truth(tmp_path)
    pd.testing.assert_frame_equal(stored.links, joined.links)
    masks = stored.frame_labels["mask_path"].dropna()
    assert len(masks) and all(mask_path(tmp_path, path).exists() for path in masks)


def test_no_part_is_told(tmp_path):
    with pytest.raises(ValueError, match="no corpus"):
        join_truths([], tmp_path)
