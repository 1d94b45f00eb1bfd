import dataclasses

import pytest
from pydantic import ValidationError

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.clips.plans import sample_clips
from endoalign.world.clips.settings import ClipSettings
from endoalign.world.renderer.camera_path_motion import MOVES


def _plans(seed=0, **changes):
    return sample_clips(ClipSettings(**changes), seed=seed)


def test_deterministic_and_as_many_as_asked():
    few = {"polyp_clips": 5, "normal_clips": 3}
    assert _plans(1, **few) == _plans(1, **few) != _plans(2, **few)
    assert sorted(p.label for p in _plans(**few)) == [0] * 3 + [1] * 5
    assert _plans(polyp_clips=0, normal_clips=0) == ()
    assert len(_plans(polyp_clips=0, normal_clips=4)) == 4  # no polyp to model the spots on


def test_plans_are_sound():
    plans = _plans()
    assert {p.move for p in plans} == set(MOVES)
    assert len({p.clip_id for p in plans}) == len(plans)
    for p in plans:
        assert 2.0 <= p.seconds <= 6.0
        assert p.frames == round(25 * p.seconds)
        assert p.region in COLON_REGIONS
        assert p.label == int(p.lesion is not None)
        assert p.lesion is None or p.region == p.lesion.region
    splits = {}
    for p in plans:
        assert splits.setdefault(p.patient_id, p.split) == p.split


def test_nothing_but_the_polyp_tells_the_classes_apart():
    plans = _plans(polyp_clips=600, normal_clips=600)
    polyp = [p for p in plans if p.label]
    normal = [p for p in plans if not p.label]

    def mean(values):
        values = list(values)
        return sum(values) / len(values)

    assert mean(p.seconds for p in polyp) == pytest.approx(mean(p.seconds for p in normal), abs=0.2)
    assert mean(p.reach_cm for p in polyp) == pytest.approx(
        mean(p.reach_cm for p in normal), abs=0.03
    )
    for move in MOVES:
        assert mean(p.move == move for p in polyp) == pytest.approx(
            mean(p.move == move for p in normal), abs=0.08
        )
    for region in COLON_REGIONS:
        assert mean(p.region == region for p in polyp) == pytest.approx(
            mean(p.region == region for p in normal), abs=0.07
        )


@pytest.mark.parametrize(
    "change, words",
    [
        ({"move": "somersault"}, "'somersault' is unknown; use one of approach"),
        ({"source": "centre_z"}, "'centre_z' is unknown"),
        ({"seconds": 0.01}, "is no frame"),
    ],
)
def test_plans_that_make_no_sense_are_refused(change, words):
    plan = _plans(polyp_clips=1, normal_clips=0)[0]
    with pytest.raises(ValueError, match=words):
        dataclasses.replace(plan, **change)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"seconds_low": 5.0, "seconds_high": 4.0}, "must not exceed"),
        ({"frame_height": 65}, "65 must be even"),
        ({"source": "centre_z"}, "'centre_z' is unknown"),
        ({"fps": 0.0}, "greater than 0"),
        ({"frame_rate": 25.0}, "Extra inputs"),
    ],
)
def test_settings_that_make_no_sense_are_refused(change, words):
    with pytest.raises(ValidationError, match=words):
        ClipSettings(**change)
