import numpy as np
import pytest

from endoalign.world.colitis.patients import sample_patients
from endoalign.world.colitis.pictures import LEAST_SEEN, patient_pictures
from endoalign.world.colitis.settings import ColitisSettings
from endoalign.world.renderer.colitis_signs import SIGN_CODES
from endoalign.world.renderer.content_area import content_area
from endoalign.world.renderer.processors import PROCESSORS

WORDS = {
    0: ("normal", "none", "none"),
    1: ("decreased", "mild", "mild"),
    2: ("absent", "marked", "present"),
    3: ("absent", "marked", "present"),
}


@pytest.fixture(scope="module")
def patients():
    even = {f"mayo_{grade}": 0.25 for grade in range(4)}
    settings = ColitisSettings(patients=16, frames_per_patient=2, source="centre_a", **even)
    return sample_patients(settings, seed=5)


@pytest.fixture(scope="module")
def pictures(patients):
    return [picture for patient in patients for picture in patient_pictures(patient, 48)]


def test_pictures_are_those_planned(patients, pictures):
    planned = [(f.frame_id, f.mayo, f.view.region, p.split) for p in patients for f in p.frames]
    assert [(x.frame_id, x.mayo, x.region, x.split) for x in pictures] == planned
    assert {x.mayo for x in pictures} == {0, 1, 2, 3}
    for x in pictures:
        assert x.rgb.shape == (48, 55, 3)
        assert x.rgb.dtype == x.signs.dtype == np.uint8
        assert (x.vascular_pattern, x.erythema, x.friability) == WORDS[x.mayo]


def test_seen_is_the_share_of_the_content(pictures):
    total = int(content_area(PROCESSORS["centre_a"], 48).sum())
    for x in pictures:
        for name, code in SIGN_CODES.items():
            count = sum(1 for value in x.signs.ravel().tolist() if value == code)
            assert x.seen[name] == pytest.approx(count / total)


def test_every_picture_shows_what_its_grade_rests_on(pictures):
    for x in pictures:
        names, least = LEAST_SEEN[x.mayo]
        assert sum(x.seen[name] for name in names) >= least
        if x.mayo < 3:
            assert x.seen["ulcer"] == x.seen["bleeding"] == 0
        if x.mayo < 2:
            assert x.seen["erosion"] == 0
        if x.mayo == 0:
            assert not x.signs.any()


def test_the_same_patient_gives_the_same_bytes(patients, pictures):
    ill = next(p for p in patients if p.mayo == 3)
    again = list(patient_pictures(ill, 48))
    first = [x for x in pictures if x.patient_id == ill.patient_id]
    assert all((a.rgb == b.rgb).all() for a, b in zip(again, first, strict=True))


def test_size_is_checked(patients):
    with pytest.raises(ValueError, match="size 8 px"):
        next(patient_pictures(patients[0], 8))
