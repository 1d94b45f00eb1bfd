"""How metrics are named and written: ``global Recall@1``, ``14.3 % (10.1–18.4)``."""

import math
from typing import Final

_PROTOCOLS: Final = {
    "global": "global",
    "intra_case": "intra-case",
    "case_representative": "case-representative",
    "frames": "frame",
}
_DIRECTIONS: Final = {"i2t": "image to text", "t2i": "text to image"}
_METRICS: Final = {"median_rank": "median rank", "mean_rank": "mean rank"}
_CAPITALS: Final = ("auroc", "mrr", "f1")
_SHARES: Final = ("precision", "recall", "accuracy", "kept_share", "efficiency")

_SMALLEST_PRINTED: Final = 0.01
NOT_KNOWN: Final = "–"


def is_share(metric: str) -> bool:
    """Whether a metric is a share that figures show in per cent (Recall@K, precision, ...)."""
    plain = metric.removeprefix("delta:")
    return plain.startswith("recall@") or plain in _SHARES


def metric_name(metric: str) -> str:
    """``recall@5`` -> ``Recall@5``, ``kept_share`` -> ``kept share``, ``auroc`` -> ``AUROC``."""
    plain = metric.removeprefix("delta:")
    if plain.startswith("recall@"):
        return plain.capitalize()
    return plain.upper() if plain in _CAPITALS else _METRICS.get(plain, plain.replace("_", " "))


def figure_name(protocol: str, metric: str) -> str:
    """``("global/mean", "recall@1")`` -> ``global Recall@1``; a direction follows a comma."""
    base, _, direction = protocol.partition("/")
    name = f"{_PROTOCOLS.get(base, base.replace('_', ' '))} {metric_name(metric)}"
    return f"{name}, {_DIRECTIONS[direction]}" if direction in _DIRECTIONS else name


def value_text(metric: str, value: float) -> str:
    """A value as it is printed: ``14.3`` per cent of shares, ``8.5`` ranks, ``0.843`` the rest.

    Shares below 1 % keep two digits, such as the 0.46 % of chance.
    """
    if math.isnan(value):
        return NOT_KNOWN
    if is_share(metric):
        percent = 100 * value
        small = _SMALLEST_PRINTED <= percent < 1
        return f"{percent:.2g}" if small else f"{percent:.1f}"
    return f"{value:.1f}" if metric.endswith("_rank") else f"{value:.3f}"


def interval_text(metric: str, value: float, low: float, high: float) -> str:
    """``14.3 % (10.1–18.4)``; without an interval where it is NaN, a dash where the value is."""
    if math.isnan(value):
        return NOT_KNOWN
    text = value_text(metric, value) + (" %" if is_share(metric) else "")
    if math.isnan(low) or math.isnan(high):
        return text
    return f"{text} ({value_text(metric, low)}–{value_text(metric, high)})"
