import math

import numpy as np
import pandas as pd
import pytest

from endoalign.evaluation.audit import Audit
from endoalign.evaluation.audit_rows import audit_rows
from endoalign.evaluation.bootstrap import resample_weights
from endoalign.evaluation.known_links import KnownLinks

AUDIT = Audit(resamples=300, seed=3)


def world(n_cases=12, n_frames=6, seed=0):
    rng = np.random.default_rng(seed)
    frames = pd.DataFrame(
        [(f"c{i}/{j}", f"c{i}") for i in range(n_cases) for j in range(n_frames)],
        columns=["frame_id", "case_id"],
    )
    present = rng.uniform(size=len(frames)) < 0.4
    labels = pd.DataFrame({"frame_id": frames["frame_id"], "polyp_present": present})
    kept = set(frames.loc[rng.uniform(size=len(frames)) < 0.3 + 0.4 * present, "frame_id"])
    return frames, labels, kept


def naive(cases, seed=3, resamples=300):
    """Ratio and percentile interval by the loop; ``cases``: a (part, whole) each, by case id."""
    draws = resample_weights(len(cases), resamples=resamples, seed=seed)
    values = []
    for weights in draws:
        part = sum(int(w) * p for w, (p, _) in zip(weights, cases, strict=True))
        whole = sum(int(w) * q for w, (_, q) in zip(weights, cases, strict=True))
        if whole:
            values.append(part / whole)
    value = sum(p for p, _ in cases) / sum(q for _, q in cases)
    return value, tuple(np.quantile(values, [0.025, 0.975]))


def test_retention_equals_the_naive_loop():
    frames, labels, kept = world()
    present = dict(zip(labels["frame_id"], labels["polyp_present"], strict=True))
    found = {f.metric: f for f in AUDIT.retention(kept, frames, labels)}
    counts = []
    for _, group in frames.groupby("case_id"):
        ids = group["frame_id"].tolist()
        counts.append(
            (
                sum(f in kept and present[f] for f in ids),
                sum(f in kept for f in ids),
                sum(present[f] for f in ids),
                len(ids),
            )
        )
    for metric, part, whole in (("precision", 0, 1), ("recall", 0, 2), ("kept_share", 1, 3)):
        value, interval = naive([(c[part], c[whole]) for c in counts])
        assert found[metric].value == pytest.approx(value, abs=1e-12)
        assert found[metric].interval == pytest.approx(interval, abs=1e-12)
        assert found[metric].n == sum(c[whole] for c in counts)
        assert found[metric].protocol == "retention"


def test_frames_without_a_label_are_left_out():
    frames, labels, kept = world()
    some = labels.iloc[:20]
    found = AUDIT.retention(kept, frames, some)
    same = AUDIT.retention(kept, frames.iloc[:20], labels)
    assert found == same and found[2].n == 20


def test_nothing_kept_and_nothing_to_judge():
    frames, labels, kept = world()
    nothing = {f.metric: f for f in AUDIT.retention([], frames, labels)}
    assert math.isnan(nothing["precision"].value) and nothing["precision"].n == 0
    assert nothing["recall"].value == 0.0 and nothing["recall"].interval == (0.0, 0.0)
    empty = AUDIT.retention(kept, frames, labels.iloc[:0])
    assert [f.n for f in empty] == [0, 0, 0] and all(math.isnan(f.value) for f in empty)


LINKS = KnownLinks(
    pd.DataFrame(
        [("x0", "a/0", True), ("x1", "a/1", True), ("y0", "b/2", True)],
        columns=["finding_id", "frame_id", "representative"],
    ),
    frozenset({"x0", "x1", "y0", "y1", "z0"}),
)
MATCHES = pd.DataFrame(
    [
        ("x0", "a", "a/0", True),  # right and kept
        ("x1", "a", "a/1", False),  # right, not kept
        ("y0", "b", "b/1", True),  # wrong and kept
        ("y1", "b", None, False),  # unmatched
        ("z0", "c", "c/0", True),  # shown by no frame
        ("w0", "d", "d/0", True),  # not judged
    ],
    columns=["finding_id", "case_id", "frame_id", "kept"],
)


def test_matches_by_hand():
    found = {f.metric: f for f in AUDIT.matches(MATCHES, LINKS)}
    assert {m: (f.value, f.n) for m, f in found.items()} == {
        "accuracy": (pytest.approx(1 / 3), 3),
        "recall": (pytest.approx(1 / 5), 5),
        "kept_share": (pytest.approx(3 / 5), 5),
    }
    for metric, cases in {
        "accuracy": [(1, 1), (0, 1), (0, 1)],
        "recall": [(1, 2), (0, 2), (0, 1)],
        "kept_share": [(1, 2), (1, 2), (1, 1)],
    }.items():
        assert found[metric].interval == pytest.approx(naive(cases)[1], abs=1e-12)


def test_pairs_by_hand():
    kept = MATCHES[MATCHES["kept"]]
    figure = AUDIT.pairs(kept, LINKS)
    assert (figure.protocol, figure.metric, figure.n) == ("anchors", "accuracy", 3)
    assert figure.value == pytest.approx(1 / 3)
    assert AUDIT.pairs(kept, LINKS, protocol="overall").protocol == "overall"
    prompts = kept.assign(finding_id=None)
    assert math.isnan(AUDIT.pairs(prompts, LINKS).value) and AUDIT.pairs(prompts, LINKS).n == 0


def test_one_right_pair_has_an_interval_of_no_width():
    assert AUDIT.pairs(MATCHES.iloc[:1], LINKS).interval == (1.0, 1.0)


def test_rows_are_arguments_of_results():
    figures = [AUDIT.pairs(MATCHES, LINKS), AUDIT.pairs(MATCHES.iloc[:0], LINKS)]
    rows = list(audit_rows(figures, system="EndoCLIP-II", note="train"))
    assert rows[0] == {
        "system": "EndoCLIP-II",
        "task": "recovery",
        "protocol": "anchors",
        "metric": "accuracy",
        "value": pytest.approx(0.4),
        "interval": figures[0].interval,
        "n": 5,
        "note": "train",
    }
    assert rows[1]["note"] == "train; nothing to judge"
    assert next(audit_rows(figures[1:], system="naive"))["note"] == "nothing to judge"
