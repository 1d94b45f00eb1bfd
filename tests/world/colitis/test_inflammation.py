import dataclasses

import numpy as np
import pytest

from endoalign.world.renderer.anatomy import build_mucosa, build_wall
from endoalign.world.renderer.colitis import inflamed, sample_inflammation

SIGNS = ("vascular", "erythema", "granular", "petechiae", "erosion", "ulcer", "bleeding", "exudate")


def _many(grade, count=200):
    return [sample_inflammation(grade, np.random.default_rng([grade, i])) for i in range(count)]


def test_signs_follow_the_definition_of_the_subscore():
    for one in _many(0):
        assert one.vascular > 0.9
        assert not (one.petechiae or one.erosion or one.ulcer or one.bleeding or one.exudate)
        assert one.erythema < 0.1
    for one in _many(1):
        assert 0 < one.vascular < 0.6  # decreased, not absent
        assert 0.4 < one.erythema < 0.7
        assert not (one.erosion or one.ulcer or one.bleeding)
    for one in _many(2):
        assert one.vascular == 0
        assert one.erythema > 0.7
        assert one.petechiae > 0.3
        assert one.erosion > 0.3
        assert not (one.ulcer or one.bleeding)
    for one in _many(3):
        assert one.vascular == 0
        assert one.erythema > 0.7
        assert one.ulcer or one.bleeding


def test_mayo_3_comes_with_ulcers_with_blood_and_with_both():
    kinds = [(one.ulcer > 0, one.bleeding > 0) for one in _many(3, 400)]
    shares = {kind: kinds.count(kind) / len(kinds) for kind in set(kinds)}
    assert set(shares) == {(True, False), (False, True), (True, True)}
    assert shares[True, False] == pytest.approx(0.3, abs=0.07)
    assert shares[False, True] == pytest.approx(0.2, abs=0.07)


@pytest.mark.parametrize("grade", [-1, 4, 1.5, None])
def test_unknown_grades_are_refused(grade):
    with pytest.raises(ValueError, match="unknown; use one of 0, 1, 2, 3"):
        sample_inflammation(grade, np.random.default_rng(0))


@pytest.mark.parametrize("value", [-0.1, 1.3, float("nan")])
@pytest.mark.parametrize("sign", SIGNS)
def test_signs_out_of_range_are_refused(sign, value):
    with pytest.raises(ValueError, match=f"{sign} .* must lie in 0 to 1.2"):
        dataclasses.replace(_many(1, 1)[0], **{sign: value})


def test_oedema_flattens_and_thickens_the_folds_and_hides_the_vessels():
    rng = np.random.default_rng(1)
    wall = build_wall("transverse_colon", rng)
    mucosa = build_mucosa("transverse_colon", np.array([0.6, 0.2, 0.1]), wall, rng)
    before = wall.folds.copy()
    made = {}
    for grade in (0, 3):
        signs = sample_inflammation(grade, np.random.default_rng(7))
        made[grade] = inflamed(wall, mucosa, signs, np.random.default_rng(5))
    rest, ill = made[0], made[3]
    assert (wall.folds == before).all()  # the given wall is left as it was
    assert (ill[0].folds[:, 1] < rest[0].folds[:, 1]).all()
    assert (ill[0].folds[:, 2] > rest[0].folds[:, 2]).all()
    assert ill[1].vascular == 0 < rest[1].vascular
    assert rest[1].vessel >= 0.6
    assert (ill[1].red, ill[1].green) == (rest[1].red, rest[1].green)  # erythema is laid over it
