"""From drafts over normalised text to findings over the text as it was given."""

from typing import TypeVar

from endoalign.reports.draft import Draft
from endoalign.reports.normalise import Normalised
from endoalign.reports.records import Finding, Span, Value

T = TypeVar("T")


def publish(text: str, norm: Normalised, draft: Draft) -> Finding:
    """Turn a draft into a finding whose spans point into ``text``."""
    start, end = _positions(norm, draft.start, draft.end)
    denial = draft.denial
    cue = _positions(norm, denial.start, denial.end) if denial else (start, start)
    return Finding(
        start=start,
        end=end,
        kind=draft.kind,
        concept=draft.concept,
        negated=Value(denial is not None, *cue),
        status=int(draft.present),
        site=_site(text, norm, draft),
        region=draft.regions[0] if draft.regions else None,
        regions=draft.regions,
        count=_back(norm, draft.count),
        size_cm=_back(norm, draft.size),
        paris=_back(norm, draft.paris),
        descriptors=tuple(v for d in draft.descriptors if (v := _back(norm, d)) is not None),
    )


def publish_spans(norm: Normalised, spans: list[Span]) -> tuple[Span, ...]:
    """Map sentences back to the text as it was given."""
    if norm.is_plain:
        return tuple(spans)
    return tuple(Span(norm.original(start), norm.original(end)) for start, end in spans)


def _positions(norm: Normalised, start: int, end: int) -> tuple[int, int]:
    return (start, end) if norm.is_plain else (norm.original(start), norm.original(end))


def _back(norm: Normalised, value: Value[T] | None) -> Value[T] | None:
    if value is None or norm.is_plain:
        return value
    return Value(value.value, *_positions(norm, value.start, value.end))


def _site(text: str, norm: Normalised, draft: Draft) -> Value[str] | None:
    if draft.place is None:
        return None
    start, end = _positions(norm, draft.place.start, draft.place.end)
    return Value(text[start:end], start, end)
