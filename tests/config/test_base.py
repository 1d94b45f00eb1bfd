from typing import Literal

import pytest
from pydantic import Field

from endoalign.config.base import ExistingPath, ParameterError, Parameters, StrictModel


class Retain(StrictModel):
    rule: Literal["quantile", "threshold"] = "quantile"
    value: float = 0.5


class Toy(Parameters):
    learning_rate: float = 1e-4
    epochs: int = 3
    retain: Retain = Retain()
    many: list[Retain] = Field(default_factory=list)
    source: ExistingPath | None = None


def faults(**values):
    with pytest.raises(ParameterError) as caught:
        Toy.check({"profile": "smoke", **values}, origin="params/smoke/toy.yaml")
    return str(caught.value)


def test_right_values_pass_unchanged():
    toy = Toy.check({"profile": "smoke", "epochs": 5, "retain": {"value": 0.3}}, origin="x")
    assert (toy.epochs, toy.retain.value, toy.seed) == (5, 0.3, 42)


def test_unknown_key_names_the_nearest():
    message = faults(learning_rat=0.1)
    assert "params/smoke/toy.yaml" in message
    assert "learning_rat: unknown key; did you mean 'learning_rate'?" in message


def test_unknown_key_inside_a_group_names_the_group_s_keys():
    assert "retain.vale: unknown key; did you mean 'value'?" in faults(retain={"vale": 1.0})
    assert "many.0.rul: unknown key; did you mean 'rule'?" in faults(many=[{"rul": "quantile"}])


def test_exponent_without_a_dot_is_told_apart_from_other_text():
    assert "write 0.0001 with a dot" in faults(learning_rate="1e-4")
    assert "with a dot" not in faults(learning_rate="fast")


@pytest.mark.parametrize("wrong", ["3", 3.5, True, None])
def test_no_silent_conversion_to_a_whole_number(wrong):
    assert "epochs:" in faults(epochs=wrong)


def test_every_fault_is_in_one_message():
    message = faults(epochs="3", retain={"rule": "best"}, nonsense=1)
    assert all(key in message for key in ("epochs:", "retain.rule:", "nonsense:"))


def test_missing_file_is_an_error_only_where_files_are_checked(tmp_path):
    absent = str(tmp_path / "absent.csv")
    assert "source: Value error, no such file or folder" in faults(source=absent)
    assert (
        Toy.check({"profile": "smoke", "source": absent}, origin="x", files=False).source == absent
    )


def test_unset_environment_variable_is_named(monkeypatch):
    monkeypatch.delenv("ENDOALIGN_NOWHERE", raising=False)
    assert "ENDOALIGN_NOWHERE is not set" in faults(source="$ENDOALIGN_NOWHERE/reports.csv")


def test_digest_changes_with_the_values_alone():
    first = Toy.check({"profile": "smoke"}, origin="x")
    assert first.digest() == Toy.check({"profile": "smoke", "epochs": 3}, origin="y").digest()
    assert first.digest() != Toy.check({"profile": "smoke", "epochs": 4}, origin="x").digest()
