"""Parameters of the notebooks of ENT-CLIP."""

import pytest

from endoalign.config.base import ParameterError
from endoalign.config.ent_lora import EntLoraParameters
from endoalign.config.eval_ent import EvalEntParameters

VALUES = {"profile": "smoke", "systems": ["ENT-baseline", "ENT-CLIP"]}


def check(**changes):
    return EntLoraParameters.check({**VALUES, **changes}, origin="here")


def test_without_a_root_the_world_is_taken():
    settings = check()
    assert settings.needs_world and settings.picture_folder == settings.world_folder / "earlier"
    assert settings.challenge_folder == settings.world_folder / "challenge"


def test_with_a_root_the_world_is_made_only_to_pretrain_on(tmp_path):
    settings = check(root=str(tmp_path))
    assert not settings.needs_world and settings.challenge_folder is None
    assert check(root=str(tmp_path), pretrain_epochs=1).needs_world


def test_trainings_in_order_and_some_with_the_first_seed_alone():
    settings = check(seeds=[3, 4], once=["ENT-full"])
    assert settings.trainings() == [
        ("ENT-baseline", 3),
        ("ENT-CLIP", 3),
        ("ENT-baseline", 4),
        ("ENT-CLIP", 4),
        ("ENT-full", 3),
    ]


def test_unknown_systems_and_keys_are_told():
    with pytest.raises(ParameterError, match="ENT-baseline, ENT\\+LoRA"):
        check(systems=["LoRA"])
    with pytest.raises(ParameterError, match="did you mean 'lora_rank'"):
        check(lora_rnak=2)
    with pytest.raises(ParameterError, match="backbones"):
        EvalEntParameters.check({"profile": "smoke", "backbones": ["resnet50"]}, origin="here")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"group_pattern": "("}, "group_pattern.*is no regular expression"),
        ({"group_pattern": "(p)"}, r"group_pattern.*needs a group named examination"),
        ({"encoder": "ViT-B-61"}, "encoder.*the nearest known name is"),
        ({"classes": "entrap"}, "classes: 'entrap' is neither.*nearest is 'entrep'"),
        ({"systems": []}, "systems.*at least 1"),
        ({"systems": ["ENT-CLIP", "ENT-CLIP"]}, "systems: 'ENT-CLIP' stands twice"),
        ({"once": ["ENT-CLIP"]}, "systems: 'ENT-CLIP' stands twice there or in once"),
        ({"seeds": [1, 2, 1]}, "seeds: 1 stands twice"),
        ({"seeds": [2**32]}, "seeds.0.*less than"),
        ({"source": "own-classes"}, "own-classes needs a root, and challenge: null"),
        ({"protocols": ["official", "official"]}, "protocols: each can stand once"),
    ],
)
def test_faults_are_told_before_anything_is_made(change, told):
    with pytest.raises(ParameterError, match=told):
        check(**change)


@pytest.mark.parametrize("key", ["baseline", "method"])
def test_systems_to_measure_are_known(key):
    with pytest.raises(ParameterError, match=rf"{key}.*nearest: 'ENT-baseline'"):
        EvalEntParameters.check({"profile": "smoke", key: "ENT-base-line"}, origin="here")


def test_training_settings_are_those_of_the_paper_by_default():
    training = check().training
    assert (training.lora_rank, training.lora_alpha, training.lora_dropout) == (4, 8.0, 0.1)
    assert (training.mu1, training.mu2, training.learning_rate) == (1.0, 0.5, 5e-4)


def test_a_tower_trained_whole_has_a_learning_rate_of_its_own():
    settings = check(learning_rate=5e-3, full_rate=1e-3, temperature=0.02)
    adapted, whole = settings.training_of("ENT-CLIP"), settings.training_of("ENT-full")
    assert (adapted.tower, adapted.learning_rate) == ("lora", 5e-3)
    assert (whole.tower, whole.learning_rate) == ("full", 1e-3)
    assert adapted.temperature == whole.temperature == 0.02
