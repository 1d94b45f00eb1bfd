"""One patient's shape of each upper region, drawn from the ranges of textbook anatomy."""

from typing import Any, Final

import numpy as np

from endoalign.world.renderer.upper_form import UPPER_DTYPE

SCOPE_RADIUS: Final = 0.46
"""Radius of a gastroscope's shaft, cm."""


def _esophagus(form: Any, rng: np.random.Generator) -> None:
    form["end"], form["depth"] = 5.0, rng.uniform(0.8, 1.1)
    form["squash"] = rng.uniform(0.02, 0.1)
    form["folds"], form["fold_height"] = rng.integers(4, 7), rng.uniform(0.14, 0.24)
    form["hole"] = rng.uniform(0.3, 0.5)
    form["z_line"], form["z_tongue"] = rng.uniform(4.0, 4.4), rng.uniform(0.1, 0.3)
    form["varix_height"] = rng.uniform(0.24, 0.36)


def _cardia(form: Any, rng: np.random.Generator) -> None:
    form["depth"], form["squash"] = rng.uniform(3.0, 3.6), rng.uniform(0.0, 0.15)
    form["folds"], form["fold_height"] = rng.integers(9, 14), rng.uniform(0.1, 0.3)
    form["fold_wind"], form["fold_one_sided"] = rng.uniform(0.5, 1.5), rng.uniform(0.5, 0.9)
    form["hole_x"], form["hole_y"] = rng.uniform(-0.4, 0.4, 2)
    form["end"] = form["depth"] - 0.05
    form["hole"], form["lip"] = SCOPE_RADIUS, rng.uniform(0.34, 0.5)
    form["pleats"], form["pleat_height"] = rng.integers(4, 8), rng.uniform(0.02, 0.06)
    form["areae"] = rng.uniform(0.1, 0.25)


def _fundus(form: Any, rng: np.random.Generator) -> None:
    form["depth"], form["squash"] = rng.uniform(3.6, 4.4), rng.uniform(0.0, 0.2)
    form["folds"], form["fold_height"] = rng.integers(12, 18), rng.uniform(0.3, 0.45)
    form["fold_wind"], form["fold_one_sided"] = rng.uniform(3.0, 5.0), rng.uniform(0.3, 0.7)
    form["hole_x"], form["hole_y"] = rng.uniform(-1.2, 1.2, 2)
    form["areae"] = rng.uniform(0.1, 0.25)


def _body(form: Any, rng: np.random.Generator) -> None:
    form["end"], form["squash"] = rng.uniform(11.0, 14.0), rng.uniform(0.05, 0.15)
    form["folds"], form["fold_height"] = rng.integers(11, 16), rng.uniform(0.45, 0.7)
    form["fold_wind"], form["fold_one_sided"] = rng.uniform(0.8, 1.6), rng.uniform(0.6, 0.95)
    form["areae"] = rng.uniform(0.1, 0.2)


def _angularis(form: Any, rng: np.random.Generator) -> None:
    form["end"] = rng.uniform(9.0, 11.0)
    form["folds"], form["fold_height"] = rng.integers(10, 14), rng.uniform(0.1, 0.3)
    form["fold_wind"] = rng.uniform(0.5, 1.0)
    form["ridge"], form["ridge_bow"] = rng.uniform(0.3, 0.45), rng.uniform(0.16, 0.3)
    form["ridge_z"], form["hole_y"] = rng.uniform(3.4, 4.2), rng.uniform(-0.2, 0.5)
    form["areae"] = rng.uniform(0.05, 0.15)


def _antrum(form: Any, rng: np.random.Generator) -> None:
    form["end"], form["squash"] = 6.0, rng.uniform(0.0, 0.08)
    form["hole_x"], form["hole_y"] = rng.uniform(-0.5, 0.5, 2)
    form["hole"], form["lip"] = rng.uniform(0.28, 0.5), rng.uniform(0.22, 0.34)
    form["pleats"], form["pleat_height"] = rng.integers(4, 8), rng.uniform(0.0, 0.01)
    form["ridge"] = rng.uniform(0.3, 0.6) if rng.random() < 0.4 else rng.uniform(0.0, 0.1)
    form["ridge_z"] = rng.uniform(2.4, 3.2)
    form["areae"] = rng.uniform(0.05, 0.15)


def _duodenum(form: Any, rng: np.random.Generator) -> None:
    form["end"] = 99.0


_SHAPES: Final = {
    "esophagus": _esophagus,
    "cardia": _cardia,
    "fundus": _fundus,
    "body": _body,
    "angularis": _angularis,
    "antrum": _antrum,
    "pylorus": _antrum,
    "duodenum": _duodenum,
}


def build_form(region: str, rng: np.random.Generator) -> Any:
    """The record of `UPPER_DTYPE` of one patient's region, an array of length 1."""
    array = np.zeros(1, UPPER_DTYPE)
    form = array[0]
    for name in ("squash_turn", "fold_phase", "fold_side", "varix_phase"):
        form[name] = rng.uniform(0, 2 * np.pi)
    _SHAPES[region](form, rng)
    return array
