"""What curation must know of half-real cases: they are stills, not examinations."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from endoalign.corpus.curate import NO_FRAMES, Curated, CurationSettings
from endoalign.half_real.build import MANIFEST

_LANDMARKS: Final = "missing landmarks"
"""How the reason begins of a report that does not say how far the scope went."""


def is_half_real(folder: Path) -> bool:
    """Whether the corpus in ``folder`` is half-real."""
    return (folder / MANIFEST).exists()


def without_landmarks(curated: Curated, settings: CurationSettings) -> Curated:
    """Curated tables in which no case is left out for landmarks that its report does not name.

    No examination stands behind a half-real case, so that it cannot have been incomplete. Every
    other reason stands, that of too few usable frames among them.
    """
    cases = curated.cases
    waived = cases["reason"].fillna("").str.startswith(_LANDMARKS)
    usable = curated.frames.groupby("case_id")["retained"].sum()
    too_few = cases["case_id"].map(usable).fillna(0).astype(int) < settings.min_frames
    reason = cases["reason"].mask(waived, None).mask(waived & too_few, NO_FRAMES)
    return replace(curated, cases=cases.assign(reason=reason, eligible=reason.isna()))
