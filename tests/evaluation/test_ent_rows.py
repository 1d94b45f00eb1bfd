"""Rows of the ENT tracks, with chance and paired differences."""

import numpy as np
import pytest

from endoalign.evaluation.comparison import difference
from endoalign.evaluation.ent_rows import ent_rows
from endoalign.evaluation.ent_tracks import classification_figures

LABELS = np.arange(70) % 7
GROUPS = [f"g{k // 2}" for k in range(70)]


def figures(wrong):
    """Of a system that calls every picture after ``wrong`` right."""
    predicted = np.where(np.arange(70) < wrong, (LABELS + 1) % 7, LABELS)
    return classification_figures(LABELS, predicted, GROUPS, 7, resamples=200, seed=0)


SYSTEMS = {"ENT-baseline": figures(30), "ENT-CLIP": figures(7)}


def test_rows():
    rows = list(
        ent_rows(
            "ent_classification",
            SYSTEMS,
            n=70,
            pairs=[("ENT-CLIP", "ENT-baseline")],
            chance={"accuracy": 1 / 7},
            note="seed 3",
        )
    )
    by = {(row["system"], row["metric"]): row for row in rows}
    assert by["ENT-CLIP", "accuracy"]["value"] == pytest.approx(0.9)
    assert by["ENT-CLIP", "accuracy"]["interval"] == SYSTEMS["ENT-CLIP"]["accuracy"].interval
    assert by["ENT-CLIP", "macro_f1"]["note"] == "seed 3"
    assert by["chance", "accuracy"]["value"] == 1 / 7
    assert by["chance", "accuracy"]["interval"] is None
    delta = by["ENT-CLIP − ENT-baseline", "delta:accuracy"]
    expected = difference(SYSTEMS["ENT-CLIP"]["accuracy"], SYSTEMS["ENT-baseline"]["accuracy"])
    assert delta["value"] == pytest.approx(23 / 70)
    assert delta["interval"] == expected.estimate.interval
    assert delta["interval"][0] > 0
    assert delta["note"].startswith(f"p={expected.p:.4g}") and delta["note"].endswith("; seed 3")
    assert {row["task"] for row in rows} == {"ent_classification"}
    assert {row["protocol"] for row in rows} == {"test"}
    assert {row["n"] for row in rows} == {70}
    assert len(rows) == 2 * 4 + 1 + 2


def test_no_system_and_an_unknown_one():
    with pytest.raises(ValueError, match="no system"):
        list(ent_rows("ent_i2i", {}, n=1))
    with pytest.raises(KeyError, match="ENT\\+LoRA"):
        list(ent_rows("ent_classification", SYSTEMS, n=70, pairs=[("ENT+LoRA", "ENT-CLIP")]))


def test_systems_that_share_no_resamples():
    other = classification_figures(LABELS, LABELS, GROUPS, 7, resamples=100, seed=0)
    systems = {"a": SYSTEMS["ENT-CLIP"], "b": other}
    with pytest.raises(ValueError, match="share their resamples"):
        list(ent_rows("ent_classification", systems, n=70, pairs=[("a", "b")]))
