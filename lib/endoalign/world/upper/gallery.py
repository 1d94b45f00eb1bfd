"""One clear picture of each upper region and of each kind of finding."""

from collections.abc import Iterator
from typing import Final

from endoalign.vocabulary import UPPER_REGIONS
from endoalign.world.gallery import PLAIN, Picture
from endoalign.world.renderer.upper_frame import render_upper_frame
from endoalign.world.renderer.upper_view import UpperView
from endoalign.world.upper.cases import sample_upper_cases
from endoalign.world.upper.truth import UPPER_KINDS

CASES_SEARCHED: Final = 300


def region_pictures(size: int, *, seed: int) -> Iterator[Picture]:
    """For each upper region its name and a frame (size, size, 3) without a finding."""
    for index, region in enumerate(UPPER_REGIONS):
        view = UpperView(region, (), "none", None, seed + index, seed)
        yield region, render_upper_frame(view, PLAIN, size).rgb


def upper_finding_pictures(size: int, *, seed: int) -> Iterator[Picture]:
    """For each kind of finding its name and a frame (size, size, 3) that shows one clearly.

    Findings are those of the world's own cases; a kind that none of them has is left out.
    """
    cases = sample_upper_cases(CASES_SEARCHED, 0, seed=seed, language="en")
    findings = [finding for case in cases for finding in case.findings]
    for kind in UPPER_KINDS:
        finding = next((one for one in findings if one.kind == kind), None)
        if finding is not None:
            framing = "none" if finding.spread else "clear"
            view = UpperView(finding.region, (finding,), framing, None, finding.seed, seed)
            yield kind, render_upper_frame(view, PLAIN, size).rgb
