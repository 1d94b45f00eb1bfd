from collections import Counter

import numpy as np
import pytest
from pydantic import ValidationError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from endoalign.vocabulary import ENT_CLASSES
from endoalign.world.ent.classes import ENTREP_COUNTS, check_findings, site_of
from endoalign.world.ent.examinations import plan_examinations
from endoalign.world.ent.labelled import render_planned
from endoalign.world.ent.settings import EntSettings


@pytest.fixture(scope="module")
def plan():
    return list(plan_examinations(EntSettings(patients=300), seed=4))


def test_ids_are_unique_and_nest(plan):
    assert len({p.picture_id for p in plan}) == len(plan)
    for p in plan:
        assert p.picture_id.startswith(f"{p.exam_id}_Image")
        assert p.exam_id.startswith(f"{p.patient_id}_e")


def test_patients_are_in_one_split_and_the_shares_are_kept(plan):
    splits = {}
    for p in plan:
        splits.setdefault(p.patient_id, set()).add(p.split)
    assert all(len(found) == 1 for found in splits.values())
    assert Counter(next(iter(found)) for found in splits.values()) == {
        "train": 195,
        "validation": 45,
        "test": 60,
    }


def test_classes_are_as_frequent_as_in_the_challenge(plan):
    count = Counter(p.view.ent_class for p in plan)
    for name, published in ENTREP_COUNTS.items():
        assert abs(count[name] / len(plan) - published / 1291) < 0.03, name


def test_equal_classes():
    settings = EntSettings(patients=300, balance="equal")
    count = Counter(p.view.ent_class for p in plan_examinations(settings, seed=4))
    assert max(count.values()) < 1.25 * min(count.values())


def test_pictures_of_one_organ_agree(plan):
    organs = {}
    for p in plan:
        v = p.view
        site = "vc" if site_of(v.ent_class) == "vc" else v.ent_class
        facts = (v.findings, v.severity, v.anatomy_seed)
        assert organs.setdefault((p.patient_id, site), facts) == facts
        check_findings(v.ent_class, v.findings)
    assert len({p.view.view_seed for p in plan}) == len(plan)


def test_sides_and_findings_do_not_go_together(plan):
    for site in ("ear", "nose"):
        share = [
            sum(bool(p.view.findings) for p in plan if p.view.ent_class == f"{site}-{side}")
            / sum(p.view.ent_class == f"{site}-{side}" for p in plan)
            for side in ("right", "left")
        ]
        assert abs(share[0] - share[1]) < 0.12
    devices = {
        side: Counter(p.view.device for p in plan if p.view.ent_class.endswith(side))
        for side in ("right", "left")
    }
    assert set(devices["right"]) == set(devices["left"])


def test_seeds_decide(plan):
    again = list(plan_examinations(EntSettings(patients=300), seed=4))
    assert again == plan
    assert list(plan_examinations(EntSettings(patients=300), seed=5)) != plan


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_all_or_none_healthy(share):
    settings = EntSettings(patients=20, healthy_share=share)
    ill = [bool(p.view.findings) for p in plan_examinations(settings, seed=0)]
    assert set(ill) == {share == 0.0}


def test_one_patient_and_one_picture():
    settings = EntSettings(patients=1, pictures_per_examination=1, test_share=0.0)
    plan = list(plan_examinations(settings, seed=0))
    assert 1 <= len(plan) <= 4
    assert {p.split for p in plan} == {"train"}
    assert {p.view.ent_class for p in plan} <= set(ENT_CLASSES)


@pytest.mark.parametrize(
    "wrong", [{"patients": 0}, {"frame_height": 16}, {"balance": "even"}, {"patient": 3}]
)
def test_settings_are_strict(wrong):
    with pytest.raises(ValidationError):
        EntSettings(**wrong)


@pytest.mark.parametrize(("site", "least"), [("nose", 0.85), ("ear", 0.85)])
def test_a_linear_model_tells_sides_of_unseen_patients_unless_pictures_are_flipped(site, least):
    settings = EntSettings(patients=120)
    plan = [p for p in plan_examinations(settings, seed=9) if p.view.ent_class.startswith(site)]
    # Columns 1 to 41 of 43: symmetric, or the crop itself would tell which pictures are flipped.
    pixels = np.stack([render_planned(p, 32).pixels[::2, 1:42:2] / 255.0 for p in plan])
    right = np.array([p.view.ent_class.endswith("right") for p in plan])
    test = np.array([p.split == "test" for p in plan])

    def accuracy(x, mirror_too):
        train, y = x[~test], right[~test]
        if mirror_too:  # a mirrored picture shows the other side
            train, y = np.concatenate([train, train[:, :, ::-1]]), np.concatenate([y, ~y])
        model = make_pipeline(StandardScaler(), LogisticRegression(C=0.003, max_iter=500))
        model.fit(train.reshape(len(train), -1), y)
        return model.score(x[test].reshape(test.sum(), -1), right[test])

    assert accuracy(pixels, mirror_too=True) >= least
    flipped = np.random.default_rng(0).random(len(pixels)) < 0.5
    shuffled = np.where(flipped[:, None, None, None], pixels[:, :, ::-1], pixels)
    assert 0.35 <= accuracy(shuffled, mirror_too=False) <= 0.65
