import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from endoalign.evaluation.extraction import (
    FIELDS,
    Counts,
    FindingRecord,
    add_counts,
    count_report,
    match_findings,
    overlap,
)

KINDS = ("lesion", "normal", "other")


@st.composite
def findings(draw):
    start = draw(st.integers(0, 30))
    return FindingRecord(
        start=start,
        end=start + draw(st.integers(1, 12)),
        kind=draw(st.sampled_from(KINDS)),
        regions=draw(st.sampled_from([(), ("rectum",), ("cecum", "rectum")])),
        size_cm=draw(st.sampled_from([None, 0.3, 0.5])),
        paris=draw(st.sampled_from([None, "0-Is", "0-Ip"])),
        descriptors=frozenset(draw(st.sets(st.sampled_from(["smooth", "flat", "rough"])))),
        negated=draw(st.booleans()),
    )


def claim(finding):
    return "normal" if finding.kind == "other" and finding.negated else finding.kind


def best_by_trying_all(predicted, true):
    """Number of pairs and shared characters of the best matching, by trying every one."""
    best = (0, 0)
    slots = list(range(len(true))) + [None] * len(predicted)
    for choice in set(permutations(slots, len(predicted))):
        pairs = [(p, true[j]) for p, j in zip(predicted, choice, strict=True) if j is not None]
        pairs = [(p, t) for p, t in pairs if claim(p) == claim(t) and overlap(p, t) > 0]
        best = max(best, (len(pairs), sum(overlap(p, t) for p, t in pairs)))
    return best


def naive_counts(predicted, true, pairs):
    """Every field counted in the plainest loops over a given matching."""
    partner = dict(pairs)
    right = {name: [0, 0, 0] for name in FIELDS}
    for i, p in enumerate(predicted):
        t = true[partner[i]] if i in partner else None
        right["finding"][0 if t else 1] += 1
        for name, stated, wanted in (
            ("site", p.regions[:1], t.regions if t else ()),
            ("size", p.size_cm, t.size_cm if t else None),
            ("paris", p.paris, t.paris if t else None),
            ("negation", p.negated, t.negated if t else False),
        ):
            same = stated[0] in wanted if name == "site" and stated else stated == wanted
            if stated and wanted and same:
                right[name][0] += 1
            else:
                right[name][1] += bool(stated)
                right[name][2] += bool(wanted)
        for descriptor in p.descriptors | (t.descriptors if t else frozenset()):
            if descriptor not in p.descriptors:
                right["descriptors"][2] += 1
            else:
                right["descriptors"][0 if t and descriptor in t.descriptors else 1] += 1
    for j, t in enumerate(true):
        if j not in partner.values():
            right["finding"][2] += 1
            right["site"][2] += bool(t.regions)
            right["size"][2] += t.size_cm is not None
            right["paris"][2] += t.paris is not None
            right["negation"][2] += t.negated
            right["descriptors"][2] += len(t.descriptors)
    says, is_so = (
        any(f.kind == "lesion" and not f.negated for f in fs) for fs in (predicted, true)
    )
    right["polyp_positive"] = [int(says and is_so), int(says > is_so), int(is_so > says)]
    return {name: Counts(*values) for name, values in right.items()}


@given(st.lists(findings(), max_size=4), st.lists(findings(), max_size=4))
def test_matching_is_the_best_of_all(predicted, true):
    pairs = match_findings(predicted, true)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    shared = sum(overlap(predicted[i], true[j]) for i, j in pairs)
    assert (len(pairs), shared) == best_by_trying_all(predicted, true)


@given(st.lists(findings(), max_size=6), st.lists(findings(), max_size=6))
def test_counts_equal_the_naive_loop(predicted, true):
    pairs = match_findings(predicted, true)
    assert count_report(predicted, true) == naive_counts(predicted, true, pairs)


@given(st.lists(findings(), max_size=5))
def test_a_report_matches_itself(true):
    counts = count_report(true, true)
    assert all(c.fp == 0 for name, c in counts.items() if name == "finding")
    assert counts["finding"] == Counts(len(true), 0, 0)


def test_counts_add_up_over_reports():
    one = FindingRecord(0, 5, "lesion", ("rectum",), 0.3)
    other = FindingRecord(0, 5, "lesion", ("rectum",), 0.4)
    total = add_counts([count_report([one], [one]), count_report([one], [other])])
    assert total["size"] == Counts(1, 1, 1)
    assert total["finding"] == Counts(2, 0, 0)
    assert add_counts([])["site"] == Counts()


def test_ratios_and_their_undefined_cases():
    counts = Counts(tp=3, fp=1, fn=2)
    assert counts.precision == 3 / 4
    assert counts.recall == 3 / 5
    assert counts.f1 == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))
    assert math.isnan(Counts().f1)
    assert math.isnan(Counts(fn=1).precision)
    assert math.isnan(Counts(fp=1).recall)


def test_spans_that_only_touch_do_not_match():
    assert match_findings([FindingRecord(0, 5, "lesion")], [FindingRecord(5, 9, "lesion")]) == []


def test_normal_and_a_denied_abnormality_are_one_claim():
    normal = FindingRecord(0, 5, "normal")
    assert match_findings([normal], [FindingRecord(0, 5, "other", negated=True)]) == [(0, 0)]
    assert match_findings([normal], [FindingRecord(0, 5, "other")]) == []
    assert match_findings([normal], [FindingRecord(0, 5, "lesion", negated=True)]) == []


def test_any_acceptable_region_is_right():
    true = FindingRecord(0, 5, "lesion", ("antrum", "pylorus"))
    assert count_report([FindingRecord(0, 5, "lesion", ("pylorus",))], [true])["site"].tp == 1
    assert count_report([FindingRecord(0, 5, "lesion", ("fundus",))], [true])["site"] == Counts(
        0, 1, 1
    )
    assert count_report([FindingRecord(0, 5, "lesion")], [true])["site"] == Counts(0, 0, 1)
