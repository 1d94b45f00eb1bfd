"""Rendered ENT pictures with all that is true of them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from endoalign.world.ent.examinations import PlannedPicture, plan_examinations
from endoalign.world.ent.picture import render_ent
from endoalign.world.ent.settings import EntSettings
from endoalign.world.ent.words import describe
from endoalign.world.layouts.pictures import LabelledPicture


@dataclass(frozen=True)
class EntPicture:
    """One picture and its truth.

    Attributes:
        picture_id: unique in a set; begins with the examination.
        patient_id: of the patient.
        exam_id: of the examination.
        split: train, validation or test, by patient.
        ent_class: one of `vocabulary.ENT_CLASSES`.
        findings: names of `classes.FINDINGS`, none for a healthy organ.
        description: in Vietnamese.
        description_en: the same in English.
        phrases_en: the phrase of each finding on its own.
        pixels: uint8 (H, W, 3).
    """

    picture_id: str
    patient_id: str
    exam_id: str
    split: str
    ent_class: str
    findings: tuple[str, ...]
    description: str
    description_en: str
    phrases_en: tuple[str, ...]
    pixels: npt.NDArray[np.uint8]

    def labelled(self) -> LabelledPicture:
        """The picture as the writers of public layouts take it (`layouts.entrep`)."""
        return LabelledPicture(
            self.pixels,
            labels={
                "class": self.ent_class,
                "type": "abnormal" if self.findings else "normal",
                "findings": "; ".join(self.findings),
                "phrases": "; ".join(self.phrases_en or ("normal",)),
                "split": self.split,
            },
            case_id=self.exam_id,
            texts={"vi": self.description, "en": self.description_en},
        )


def ent_pictures(settings: EntSettings, *, seed: int) -> Iterator[EntPicture]:
    """Render a set of pictures one by one; settings and seed give the same bytes again."""
    for planned in plan_examinations(settings, seed=seed):
        yield render_planned(planned, settings.frame_height)


def render_planned(planned: PlannedPicture, height: int) -> EntPicture:
    """Render one planned picture, ``height`` pixels high, and describe it."""
    view = planned.view
    rng = np.random.default_rng([planned.words_seed & 0xFFFFFFFF, 0x30D5])
    words = describe(view.ent_class, view.findings, view.severity, rng)
    return EntPicture(
        planned.picture_id,
        planned.patient_id,
        planned.exam_id,
        planned.split,
        view.ent_class,
        view.findings,
        words.vi,
        words.en,
        words.phrases_en,
        render_ent(view, height),
    )
