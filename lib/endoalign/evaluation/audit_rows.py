"""Rows of results for the audits of recovery (task ``recovery``)."""

from collections.abc import Iterable, Iterator
from typing import Any

from endoalign.evaluation.audit import AuditFigure

Row = dict[str, Any]


def audit_rows(figures: Iterable[AuditFigure], *, system: str, note: str = "") -> Iterator[Row]:
    """Yield rows for `endoalign.results.Results.add`, one a figure.

    Args:
        figures: from `audit.Audit`.
        system: the encoder that scored, such as ``EndoCLIP-II``, or a control.
        note: what tells this audit from others of the same system, such as the split or the rule.
    """
    for figure in figures:
        yield {
            "system": system,
            "task": "recovery",
            "protocol": figure.protocol,
            "metric": figure.metric,
            "value": figure.value,
            "interval": figure.interval,
            "n": figure.n,
            "note": note if figure.n else f"{note}; nothing to judge".lstrip("; "),
        }
