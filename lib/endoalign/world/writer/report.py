"""Reports of the world's cases: free text with the truth of every statement it makes."""

import random

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


def write_report(case: CaseTruth) -> WrittenReport:
    """Write the report of ``case``: the style of its centre, in its language, fixed by its seed.

    The text states some of the true attributes of each lesion; ``findings`` hold what is stated,
    with character offsets, in order. Raises ``ValueError`` naming the known ones where the centre
    or the language is unknown.
    """
    if case.source not in CENTRES:
        raise ValueError(f"unknown centre {case.source!r}; known centres: {', '.join(CENTRES)}")
    phrases(case.language)  # refuses an unknown language before anything is drawn
    centre = CENTRES[case.source]
    rng = random.Random(case.seed)
    plan = plan_report(case, habits_of(centre.report_style, case.language), rng)
    write = write_chinese if case.language == "zh" else write_english
    passage = write(plan, centre.report_style, rng)
    text = passage.text
    if case.language == "en" and centre.american:
        text = american(text)
    if rng.random() < TYPO_SHARE:
        text = mistype(text, case.language, rng)
    return to_report(Passage(text, passage.findings))
