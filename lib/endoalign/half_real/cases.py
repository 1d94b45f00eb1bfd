"""Which real frames make which case.

A positive case takes one to three polyp frames (56 % of the cases one, as in the EndoCLIP paper)
and is filled with frames without polyps; a normal case has only those. Each polyp frame is used
once, those of the training split as often as the settings say. Frames without polyps are few:
frames of normal mucosa, and windows beside the polyps of polyp frames. Both are used several times,
evenly, each time through another window, never twice in one case and never in two splits. Nothing
else is done to the pixels: no flip, no change of colour.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from endoalign.frames.box import Box
from endoalign.half_real.settings import HalfRealSettings
from endoalign.half_real.sources import SourceImage
from endoalign.half_real.survey import Surveyed
from endoalign.half_real.windows import pick_window, windows
from endoalign.vocabulary import SPLITS

THREE: Final = 1 / 3
"""Share of three polyp frames among cases of several; the others have two."""
LABELLED: Final = 0.25
"""Share of normal cases made of frames alone that the data set labels normal."""


@dataclass(frozen=True)
class FramePlan:
    """One frame of a case: a real frame, whole or through ``window`` (pixels), and what it shows.

    ``shows_polyp`` is false of windows beside the polyp of a polyp frame.
    """

    source: SourceImage
    window: Box | None
    shows_polyp: bool


@dataclass(frozen=True)
class CasePlan:
    """A case and its frames in order."""

    case_id: str
    split: str
    frames: tuple[FramePlan, ...]

    @property
    def labelled_normal(self) -> bool:
        """Whether every frame comes from a folder of normal mucosa."""
        return all(frame.source.mask is None for frame in self.frames)


def plan_cases(
    surveyed: list[Surveyed],
    splits: list[str],
    settings: HalfRealSettings,
    rng: np.random.Generator,
) -> list[CasePlan]:
    """Plan every case of every split; frames of a case stand in a random order."""
    cases: list[CasePlan] = []
    for split in SPLITS:
        members = [s for s, own in zip(surveyed, splits, strict=True) if own == split]
        uses = settings.training_uses if split == "train" else 1
        for frames in _split_cases(members, settings, rng, uses):
            order = rng.permutation(len(frames))
            shuffled = tuple(frames[k] for k in order)
            cases.append(CasePlan(f"half-real-{len(cases):04d}", split, shuffled))
    return cases


def _split_cases(
    members: list[Surveyed], settings: HalfRealSettings, rng: np.random.Generator, uses: int
) -> Iterator[list[FramePlan]]:
    once = [s for s in members if s.source.mask is not None]
    polyps = [once[k] for _ in range(uses) for k in rng.permutation(len(once))]
    shown: set[str] = set()
    pool = NormalPool(members, settings, rng)
    positive = singles = 0
    while polyps:
        is_single = singles < settings.single_share * (positive + 1)
        several = 3 if rng.random() < THREE else 2
        chosen = _next_different(polyps, 1 if is_single else several)
        frames = [_polyp_frame(s, settings, rng, again=s.source.source_id in shown) for s in chosen]
        shown |= {s.source.source_id for s in chosen}
        yield frames + pool.draw(
            settings.frames_per_case - len(frames), {s.source.source_id for s in chosen}
        )
        positive += 1
        singles += len(chosen) == 1
    for _ in range(round(positive * settings.normal_ratio)):
        only_labelled = bool(rng.random() < LABELLED)
        frames = pool.draw(settings.frames_per_case, set(), only_labelled=only_labelled)
        if frames:
            yield frames


def _next_different(polyps: list[Surveyed], wanted: int) -> list[Surveyed]:
    """Take up to ``wanted`` different frames from the end of the list."""
    chosen: dict[str, Surveyed] = {}
    while polyps and len(chosen) < wanted and polyps[-1].source.source_id not in chosen:
        taken = polyps.pop()
        chosen[taken.source.source_id] = taken
    return list(chosen.values())


def _polyp_frame(
    surveyed: Surveyed, settings: HalfRealSettings, rng: np.random.Generator, *, again: bool
) -> FramePlan:
    window = None
    if rng.random() < settings.crop_polyps or again:
        shares = (settings.min_window, settings.max_window)
        window = pick_window(surveyed.grid, shares, rng, with_polyp=True)
    return FramePlan(surveyed.source, window, shows_polyp=True)


class NormalPool:
    """Frames without polyps of one split, drawn evenly, no view twice."""

    def __init__(
        self, members: list[Surveyed], settings: HalfRealSettings, rng: np.random.Generator
    ) -> None:
        self._rng = rng
        self._least = settings.min_window
        self._members = [s for s in members if windows(s.grid, self._least, with_polyp=False)]
        self._taken: dict[str, set[Box]] = {s.source.source_id: set() for s in members}
        self._shown_whole: set[str] = set()
        self._uses = np.zeros(len(self._members), dtype=np.int64)

    def draw(
        self, count: int, without: set[str], *, only_labelled: bool = False
    ) -> list[FramePlan]:
        """Draw ``count`` frames of different sources, fewer where no view is left.

        Args:
            without: ids of sources that are in the case already.
            only_labelled: only frames that the data set labels normal.
        """
        drawn: list[FramePlan] = []
        ties = self._rng.random(len(self._members))
        for k in np.lexsort((ties, self._uses)):
            if len(drawn) == count:
                break
            source = self._members[k].source
            unfit = source.source_id in without or (only_labelled and source.mask is not None)
            frame = None if unfit else self._view(self._members[k])
            if frame is not None:
                self._uses[k] += 1
                drawn.append(frame)
        return drawn

    def _view(self, surveyed: Surveyed) -> FramePlan | None:
        """A view that was not used yet: a normal frame whole first, then through windows."""
        source, name = surveyed.source, surveyed.source.source_id
        if source.mask is None and name not in self._shown_whole:
            self._shown_whole.add(name)
            return FramePlan(source, None, shows_polyp=False)
        window = pick_window(
            surveyed.grid, (self._least, 1.0), self._rng, with_polyp=False, taken=self._taken[name]
        )
        if window is None:
            return None
        self._taken[name].add(window)
        return FramePlan(source, window, shows_polyp=False)
