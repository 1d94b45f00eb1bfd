"""The ``llm`` engine: a language model's answers, checked against schema and report."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from endoalign.paths import expand
from endoalign.reports.triplets.answer_cache import AnswerCache, Reply, answer_key
from endoalign.reports.triplets.backends import Backend, load_backend
from endoalign.reports.triplets.grounding import find_ground
from endoalign.reports.triplets.instruct_model import InstructModel, find_model
from endoalign.reports.triplets.prompt import Messages, messages_for
from endoalign.reports.triplets.records import (
    INVALID,
    NO_EXAMINATION,
    NOT_GROUNDED,
    TOO_LONG,
    ReportInput,
    ReportTriplets,
    Triplet,
)
from endoalign.reports.triplets.rules import exam_type_of, parse
from endoalign.reports.triplets.schema import finished_part, json_schema, read_answer
from endoalign.reports.triplets.settings import TripletSettings


class _Question(NamedTuple):
    """What a model is asked of one report, and the key of the answer."""

    exam_type: str
    messages: Messages
    schema: str
    key: str


def read_by_model(
    reports: Sequence[ReportInput], settings: TripletSettings, backend: Backend | None = None
) -> list[ReportTriplets]:
    """Triplets of reports as a language model reads them, in order.

    Answers of earlier runs come from the cache; the model is loaded only where some are missing,
    and every batch is written as soon as it is answered. A report of the same text is answered
    once.

    Args:
        backend: a model at hand, in place of the one that the settings would load.

    Raises:
        ValueError: there is no such model, or a file of the prompt or an answer is damaged.
    """
    folder = expand(settings.cache)
    model = find_model(settings.model, folder)
    store = AnswerCache(folder / "answers", model.identity)
    questions = [_question(report, model, settings) for report in reports]
    replies = {q.key: store.get(q.key) for q in questions if q is not None}
    missing = [q for q in _distinct(questions) if replies[q.key] is None]
    if missing:
        backend = backend or load_backend(model, settings)
        # Alike in length, a batch wastes little on padding.
        missing.sort(key=lambda q: len(q.messages[-1]["content"]))
        for first in range(0, len(missing), settings.batch_size):
            batch = missing[first : first + settings.batch_size]
            answers = backend.reply(
                [q.messages for q in batch], [q.schema for q in batch], settings.max_new_tokens
            )
            for question, reply in zip(batch, answers, strict=True):
                store.put(question.key, reply)
                replies[question.key] = reply
    return [
        _checked(report, question, replies[question.key] if question else None, settings)
        for report, question in zip(reports, questions, strict=True)
    ]


def _question(
    report: ReportInput, model: InstructModel, settings: TripletSettings
) -> _Question | None:
    exam_type = exam_type_of(report, parse(report))
    if exam_type is None:
        return None
    messages, schema = messages_for(report, exam_type, settings), json_schema(exam_type)
    key = answer_key(model.identity, messages, schema, settings.max_new_tokens)
    return _Question(exam_type, messages, schema, key)


def _distinct(questions: Iterable[_Question | None]) -> list[_Question]:
    return list({q.key: q for q in questions if q is not None}.values())


def _checked(
    report: ReportInput, question: _Question | None, reply: Reply | None, settings: TripletSettings
) -> ReportTriplets:
    """What an answer is worth: one ungrounded proposition discredits the whole of it."""
    if question is None:
        note = parse(report).exam.reason
        return ReportTriplets(report.case_id, None, outcome=NO_EXAMINATION, note=note)
    case_id, exam_type = report.case_id, question.exam_type
    if reply is None or reply.text is None:
        note = "prompt and answer exceed what the model holds"
        return ReportTriplets(case_id, exam_type, outcome=TOO_LONG, note=note)
    truncated = not reply.finished
    text = finished_part(reply.text) if truncated else reply.text
    try:
        answer = read_answer(text, exam_type)
    except ValueError as error:
        return ReportTriplets(case_id, exam_type, outcome=INVALID, note=str(error))
    triplets = []
    for finding in answer.findings:
        ground = find_ground(finding.proposition, report.text, settings.grounding)
        if ground is None:
            note = f"not in the report: {finding.proposition}"
            return ReportTriplets(
                case_id, exam_type, outcome=NOT_GROUNDED, note=note, truncated=truncated
            )
        status = int(finding.status == "abnormal")
        triplets.append(Triplet(finding.proposition, finding.region, status, *ground))
    triplets.sort(key=lambda t: (t.start, t.end))
    return ReportTriplets(case_id, exam_type, tuple(triplets), truncated=truncated)
