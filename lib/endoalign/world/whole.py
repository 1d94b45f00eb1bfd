"""Whole colonoscopies: the terminal ileum is always entered, so that all nine regions are seen."""

from dataclasses import replace

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.cases_sites import is_complete
from endoalign.world.truth import CaseTruth


def as_whole(case: CaseTruth) -> CaseTruth:
    """The same case with the ileum seen too; an incomplete or operated one stays as it is."""
    return replace(case, reach=COLON_REGIONS[0]) if is_complete(case) else case
