import math

import pandas as pd
import pytest

from endoalign.corpus.summary import summarise


def tables(findings, cases=4, eligible=(True, True, False, True)):
    case_table = pd.DataFrame(
        {
            "case_id": [f"c{i}" for i in range(cases)],
            "report_text": ["text"] * cases,
            "eligible": list(eligible)[:cases],
        }
    )
    frames = pd.DataFrame({"case_id": ["c0", "c0", "c0", "c1"]})
    columns = ["case_id", "kind", "negated", "count", "size_cm"]
    return case_table, frames, pd.DataFrame(findings, columns=columns)


def test_shares_by_hand():
    here = summarise(
        *tables(
            [
                ("c0", "lesion", False, 1, 0.4),
                ("c1", "lesion", False, 2, 0.8),  # two at once
                ("c2", "lesion", False, 1, None),
                ("c3", "lesion", True, None, None),  # denied
                ("c3", "normal", False, None, None),
            ]
        )
    )
    assert here.reports == 4
    assert here.positive_share == pytest.approx(3 / 4)
    assert here.single_share == pytest.approx(2 / 3)
    assert here.sized_share == pytest.approx(2 / 3)
    assert here.size_quartiles == pytest.approx((0.5, 0.6, 0.7))
    assert here.curated_share == pytest.approx(2 / 4)
    assert here.frames_per_case == 2.0


def test_an_unstated_number_means_several():
    here = summarise(*tables([("c0", "lesion", False, None, 0.3)]))
    assert here.single_share == 0.0


def test_a_corpus_without_reports_has_no_shares():
    cases, frames, findings = tables([])
    here = summarise(cases.assign(report_text=""), frames.iloc[:0], findings)
    assert here.reports == 0
    assert all(
        math.isnan(v) for v in (here.positive_share, here.single_share, here.frames_per_case)
    )
