"""Every ENT system by name: the paper's ablation, and what it is held against."""

from typing import Final

from endoalign.models.ent_settings import ABLATION

SYSTEMS: Final[dict[str, dict[str, object]]] = {
    **ABLATION,
    "ENT-full": {"tower": "full", "fusion": False, "slerp": False},
    "ENT-CLIP-flips": {**ABLATION["ENT-CLIP"], "horizontal_flip": "every"},
}
"""System -> what it changes in the settings of the full method.

``ENT-full`` fine-tunes the whole image tower; ``ENT-CLIP-flips`` ignores the flip table, to show
the harm of it.
"""

START: Final[dict[str, object]] = {
    "tower": "full",
    "fusion": False,
    "slerp": False,
    "prompt": "picture",
    "targets": "identity",
    "mu1": 0.0,
    "mu2": 1.0,
}
"""Contrastive pretraining of an image tower on the descriptions of pictures."""

CLASSIFIER_ONLY: Final[dict[str, object]] = {"fusion": False, "slerp": False, "mu2": 0.0}
"""A backbone and a linear classifier: no text takes part (Table 5)."""
