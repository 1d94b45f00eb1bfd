"""One clear picture of each ENT class and finding, for contact sheets."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from endoalign.vocabulary import ENT_CLASSES
from endoalign.world.ent.classes import FINDINGS, site_of
from endoalign.world.ent.picture import EntView, render_ent

Picture = tuple[str, str, npt.NDArray[np.uint8]]


def ent_gallery(
    height: int, *, seed: int, device: str = "rigid_a", severity: float = 0.7
) -> Iterator[Picture]:
    """For each class a healthy organ and each of its findings: class, finding or ``""``, picture.

    Pictures are (height, 4/3 height, 3) uint8, all by one scope.
    """
    for row, ent_class in enumerate(ENT_CLASSES):
        for column, finding in enumerate(("", *FINDINGS[site_of(ent_class)])):
            findings = (finding,) if finding else ()
            anatomy = seed + 100 * row + column
            view = EntView(ent_class, findings, severity, device, anatomy, anatomy)
            yield ent_class, finding, render_ent(view, height)
