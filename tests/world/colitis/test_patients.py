from collections import Counter

import pytest
from pydantic import ValidationError

from endoalign.world.colitis.patients import (
    CLEAR_CENTRES,
    DISTAL_FIRST,
    EXTENTS,
    grade_counts,
    sample_patients,
)
from endoalign.world.colitis.settings import ColitisSettings


def _patients(seed=0, **changes):
    return sample_patients(ColitisSettings(**changes), seed=seed)


def test_deterministic_and_as_many_as_asked():
    few = {"patients": 9, "frames_per_patient": 3}
    assert _patients(1, **few) == _patients(1, **few) != _patients(2, **few)
    assert [len(p.frames) for p in _patients(**few)] == [3] * 9
    assert [len(p.frames) for p in _patients(patients=1, frames_per_patient=1)] == [1]


def test_disease_starts_at_the_rectum_without_a_gap_and_eases_off():
    for patient in _patients(patients=200, frames_per_patient=1):
        names = [name for name, _ in patient.segments]
        grades = [grade for _, grade in patient.segments]
        assert tuple(names) == DISTAL_FIRST
        assert grades[0] == patient.mayo == max(grades)
        assert grades == sorted(grades, reverse=True)
        length = sum(grade > 0 for grade in grades)
        if patient.mayo == 0:
            assert patient.extent is None
            assert length == 0
        else:
            low, high = EXTENTS[patient.extent]
            assert low <= length <= high


def test_frames_have_the_grade_and_the_signs_of_their_segment():
    for patient in _patients(patients=60, frames_per_patient=8):
        grades = dict(patient.segments)
        signs = {}
        for frame in patient.frames:
            assert frame.mayo == grades[frame.view.region] == frame.view.colitis.mayo
            assert signs.setdefault(frame.view.region, frame.view.colitis) == frame.view.colitis
        assert len({frame.view.patient_seed for frame in patient.frames}) == 1
        assert max(frame.mayo for frame in patient.frames) == patient.mayo
        assert len({frame.frame_id for frame in patient.frames}) == len(patient.frames)


def test_the_default_has_the_shares_of_limuc():
    counts = grade_counts(_patients())
    assert sum(counts.values()) == 564 * 20
    for grade, published in enumerate((6105, 3052, 1254, 865)):
        assert counts[grade] / 11280 == pytest.approx(published / 11276, abs=0.05)


def test_splits_hold_their_shares_in_every_grade():
    patients = _patients(patients=400, frames_per_patient=1)
    for grade in range(4):
        of_grade = [p.split for p in patients if p.mayo == grade]
        shares = {name: number / len(of_grade) for name, number in Counter(of_grade).items()}
        assert shares["test"] == pytest.approx(0.15, abs=0.03)
        assert shares["validation"] == pytest.approx(0.1, abs=0.03)
    alone = _patients(patients=20, frames_per_patient=1, test_share=0.0, validation_share=0.0)
    assert {p.split for p in alone} == {"train"}


def test_sources():
    assert {p.source for p in _patients(patients=60)} <= set(CLEAR_CENTRES)
    assert {p.source for p in _patients(patients=5, source="centre_c")} == {"centre_c"}


@pytest.mark.parametrize(
    "change, words",
    [
        ({"mayo_0": 0.0, "mayo_1": 0.0, "mayo_2": 0.0, "mayo_3": 0.0}, "all 0"),
        ({"test_share": 0.6, "validation_share": 0.4}, "leave nothing to train on"),
        ({"source": "centre_z"}, "'centre_z' is unknown"),
        ({"patients": 0}, "greater than or equal to 1"),
        ({"mayo_0": float("nan")}, "mayo_0"),
        ({"mayo_4": 0.1}, "Extra inputs"),
        ({"frames_per_patient": "20"}, "valid integer"),
    ],
)
def test_settings_that_make_no_sense_are_refused(change, words):
    with pytest.raises(ValidationError, match=words):
        ColitisSettings(**change)


@pytest.mark.parametrize("grade", range(4))
def test_one_grade_alone(grade):
    weights = {f"mayo_{k}": float(k == grade) for k in range(4)}
    patients = _patients(patients=6, frames_per_patient=2, **weights)
    assert {p.mayo for p in patients} == {grade}
