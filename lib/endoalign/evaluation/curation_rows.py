"""Rows of results for curation (task ``curation``): figures against truth and against labels."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from endoalign.corpus.labels import LabelledNotes
from endoalign.corpus.tables import load_cases
from endoalign.corpus.truth import load_truth
from endoalign.evaluation.curation import (
    FieldFigure,
    measure_curation,
    measure_exclusion,
    records_of,
    shuffled_ids,
)
from endoalign.evaluation.labelled_notes import measure_notes

Row = dict[str, Any]


def curation_rows(
    folder: Path,
    findings: pd.DataFrame,
    excluded: set[str],
    *,
    protocol: str,
    resamples: int,
    seed: int,
) -> Iterator[Row]:
    """Figures of what curation read against the truth of the corpus in ``folder``.

    Yields rows for `endoalign.results.Results.add`: system ``rules``, and ``chance`` for what was
    read of another report; the field is in ``note``.

    Args:
        findings: table of findings, as curation writes it.
        excluded: ids of the cases that their report excludes.
        protocol: name of the protocol, such as the language.
    """
    case_ids = load_cases(folder)["case_id"].tolist()
    truth = load_truth(folder)
    true, read = records_of(truth.findings), records_of(findings)
    unfit = set(truth.cases.loc[~truth.cases["complete"], "case_id"])
    other = dict(zip(case_ids, shuffled_ids(case_ids, seed), strict=True))
    systems = {
        "rules": (read, excluded),
        "chance": (
            {case_id: read.get(other[case_id], []) for case_id in case_ids},
            {case_id for case_id in case_ids if other[case_id] in excluded},
        ),
    }
    bootstrap = {"resamples": resamples, "seed": seed}
    for system, (predicted, left_out) in systems.items():
        figures = measure_curation(predicted, true, case_ids, **bootstrap)
        figures += measure_exclusion(left_out, unfit, case_ids, **bootstrap)
        for figure in figures:
            yield _row(figure, system, protocol)


def note_rows(
    labels: Mapping[str, LabelledNotes], findings: pd.DataFrame, *, resamples: int, seed: int
) -> Iterator[Row]:
    """Figures of the findings read against hand-made labels, by set of notes and part of it.

    Args:
        labels: name of a set -> its labelled notes.
        findings: table of findings, as curation writes it.

    Yields rows for `endoalign.results.Results.add`; the protocol is ``real/NAME/PART``.
    """
    read = records_of(findings)
    for name, labelled in labels.items():
        for part in sorted({note.part for note in labelled.notes}):
            notes = [note for note in labelled.notes if note.part == part]
            for figure in measure_notes(read, notes, resamples=resamples, seed=seed):
                yield _row(figure, "rules", f"real/{name}/{part}")


def _row(figure: FieldFigure, system: str, protocol: str) -> Row:
    return {
        "system": system,
        "task": "curation",
        "protocol": protocol,
        "metric": figure.metric,
        "value": figure.value,
        "interval": figure.interval,
        "n": figure.n,
        "note": figure.field,
    }
