"""Reports of the world's gastroscopies: each region, normal or not, with the truth of it."""

import random
from typing import Final

from endoalign.world.centres import CENTRES
from endoalign.world.truth import WrittenReport
from endoalign.world.upper.truth import UpperCase
from endoalign.world.writer.markup import Passage, to_report
from endoalign.world.writer.typo import TYPO_SHARE, mistype
from endoalign.world.writer.upper_en import spelt_american, write_upper_english
from endoalign.world.writer.upper_plan import upper_phrases
from endoalign.world.writer.upper_zh import write_upper_chinese

IMPRESSION_SHARE: Final = 0.4


def write_upper_report(case: UpperCase) -> WrittenReport:
    """Write the report of ``case`` in its language and its centre's style, fixed by its seed.

    Each region that the case documents is told, by its findings or as normal. In ``findings``,
    what a statement means is named by its ``lesion_ids``, polyp or not. ``ValueError`` naming the
    known ones where the centre or the language is unknown.
    """
    if case.source not in CENTRES:
        raise ValueError(f"unknown centre {case.source!r}; known centres: {', '.join(CENTRES)}")
    upper_phrases(case.language)  # refuses an unknown language before anything is drawn
    centre = CENTRES[case.source]
    rng = random.Random(f"report/{case.seed}")
    impression = rng.random() < IMPRESSION_SHARE
    write = write_upper_chinese if case.language == "zh" else write_upper_english
    passage = write(case, centre.report_style, impression, rng)
    text = passage.text
    if case.language == "en" and centre.american:
        text = spelt_american(text)
    if rng.random() < TYPO_SHARE:
        text = mistype(text, case.language, rng)
    return to_report(Passage(text, passage.findings))
