"""Reports of the world's cases: free text with the truth of every statement it makes."""

import random
from dataclasses import replace
from typing import Final

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.centres import CENTRES
from endoalign.world.truth import CaseTruth, WrittenReport
from endoalign.world.writer.en import write_english
from endoalign.world.writer.en_words import american
from endoalign.world.writer.habits import habits_of
from endoalign.world.writer.markup import Passage, to_report
from endoalign.world.writer.phrase_bank import phrases
from endoalign.world.writer.plan import plan_report
from endoalign.world.writer.typo import TYPO_SHARE, mistype
from endoalign.world.writer.zh import write_chinese

_WHOLE_STYLE: Final = "segments"
"""The style that tells of one region after the other."""


def write_report(case: CaseTruth, *, whole: bool = False) -> WrittenReport:
    """Write the report of ``case``: the style of its centre, in its language, fixed by its seed.

    A ``whole`` report tells of each region that was seen, a line each, by its polyps or as normal;
    it tells of nothing else, so that frames show all that it calls abnormal.

    The text states some of the true attributes of each lesion; ``findings`` hold what is stated,
    with character offsets, in order. Raises ``ValueError`` naming the known ones where the centre
    or the language is unknown.
    """
    if case.source not in CENTRES:
        raise ValueError(f"unknown centre {case.source!r}; known centres: {', '.join(CENTRES)}")
    phrases(case.language)  # refuses an unknown language before anything is drawn
    centre = CENTRES[case.source]
    rng = random.Random(case.seed)
    style = _WHOLE_STYLE if whole else centre.report_style
    habits = habits_of(style, case.language)
    if whole:
        every = len(COLON_REGIONS)
        habits = replace(habits, normal_regions=(every, every), site=1.0, other=0.0)
    plan = plan_report(case, habits, rng)
    write = write_chinese if case.language == "zh" else write_english
    passage = write(plan, style, rng)
    text = passage.text
    if case.language == "en" and centre.american:
        text = american(text)
    if rng.random() < TYPO_SHARE:
        text = mistype(text, case.language, rng)
    return to_report(Passage(text, passage.findings))
