import pytest

from endoalign.config.base import ParameterError
from endoalign.config.endovlm import ABLATION, EndovlmParameters
from endoalign.config.files import read_settings
from endoalign.paths import project_root


def check(**changes):
    return EndovlmParameters.check({"profile": "smoke", **changes}, origin="test")


def test_worlds_are_whole_and_have_the_cases_asked_for():
    settings = check(upper_cases=10, colon_cases=0, normal_share=0.3)
    assert list(settings.worlds) == ["upper"]
    world = settings.worlds["upper"]
    assert (world.positive_cases, world.normal_cases) == (7, 3)
    assert world.whole_examinations and world.exam_type == "gastroscopy"


@pytest.mark.parametrize("system", list(ABLATION))
def test_each_row_of_table_2_is_a_training(system):
    job = check().job(system)
    plan = job.plan()
    assert plan.use_global == (system != "EndoVLM-mae")
    assert plan.use_fine == (system in {"EndoVLM", "EndoVLM-global+fg"})
    assert plan.use_mae == (system in {"EndoVLM", "EndoVLM-mae"})
    assert job.output.name == system


def test_paper_settings_give_the_paper_s_rate(monkeypatch):
    path = project_root() / "params" / "paper" / "05_endovlm_pretraining.yaml"
    settings = EndovlmParameters.check(read_settings(path), origin="paper", files=False)
    assert settings.batch_size * settings.num_processes == 96
    assert settings.highest_rate() == pytest.approx(1.5e-4 * 96 / 256)


def test_wrong_settings_are_told():
    with pytest.raises(ParameterError, match="each row of Table 2"):
        check(systems=["EndoVLM", "EndoVLM"])
    with pytest.raises(ParameterError, match=r"EndoVLM-mae.*no term of equation 6"):
        check(mae_weight=0.0)
    with pytest.raises(ParameterError, match=r"image_size 33 must be a multiple of patch_size 8"):
        check(image_size=33, patch_size=8)
    with pytest.raises(ParameterError, match="target_power"):
        check(target_power=float("inf"))
    with pytest.raises(ParameterError, match=r"trainings_at_once 2 and num_processes 4.*must be 1"):
        check(trainings_at_once=2, num_processes=4)
    with pytest.raises(ParameterError, match="epochs"):
        check(epochs=0)
    with pytest.raises(ParameterError, match="did you mean 'colon_cases'"):
        check(colon_case=3)
