import numpy as np
import pytest

from endoalign.datasets.masks import read_mask
from endoalign.datasets.registry import load
from endoalign.world.cases import sample_cases
from endoalign.world.layouts import kvasir_seg
from endoalign.world.layouts.rendered import case_pictures
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.views import plan_views


@pytest.fixture(scope="module")
def case():
    cases = sample_cases(1, 1, seed=4, language="en")
    return next(case for case in cases if case.lesions)


@pytest.fixture(scope="module")
def pictures(case):
    return list(case_pictures(case, 6, 48))


def test_pictures_are_the_worlds_own_frames(case, pictures):
    views = plan_views(case, 6)
    assert len(pictures) == len(views) == 6
    for picture, view in zip(pictures, views, strict=True):
        frame = render_frame(view, PROCESSORS[case.source], 48)
        assert np.array_equal(picture.rgb, frame.rgb)
        assert np.array_equal(picture.mask, frame.lesion_mask > 0)
        assert picture.labels["region"] == view.region
        assert picture.labels["class"] == ("polyp" if picture.mask.any() else "normal")
        assert picture.case_id == case.case_id
    assert any(picture.labels["class"] == "polyp" for picture in pictures)


def test_a_rendered_case_reads_as_kvasir_seg(tmp_path, pictures):
    ids = kvasir_seg.write(pictures, tmp_path, seed=0)
    contents = load("kvasir-seg", tmp_path)
    assert contents.problems == ()
    masks = contents.masks.set_index("frame_id")["mask_path"]
    for name, picture in zip(ids, pictures, strict=True):
        assert np.array_equal(read_mask(tmp_path / masks[f"kvasir-seg/{name}"]), picture.mask)
