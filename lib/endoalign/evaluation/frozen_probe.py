"""What a frozen image tower knows: linear probes of its features on unseen examinations.

Two questions of every frame, as stand-ins for the paper's downstream tasks (EndoVLM, Table 2):
which region it shows, and whether it shows anything abnormal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from endoalign.evaluation.bootstrap import Estimate, weighted_means, whole_and_resamples
from endoalign.evaluation.comparison import Row, derived, difference_rows
from endoalign.evaluation.frame_scores import weighted_auroc

TASK: Final = "frozen_probe"
REGION: Final = ("region", "accuracy")
ABNORMAL: Final = ("abnormal", "auroc")
MEAN: Final = ("mean", "score")
_STRENGTH: Final = 0.1  # of LogisticRegression's C: the features are many for the frames
_STEPS: Final = 300
_SMALL: Final = 10_000_000
"""Numbers in the features up to which BLAS is faster on one thread than on several."""

Features = NDArray[np.floating[Any]]
Figures = dict[tuple[str, str], Estimate]


@dataclass(frozen=True)
class ProbeFrames:
    """What is true of n frames: region names, whether abnormal, and the case of each."""

    regions: Sequence[str]
    abnormal: NDArray[np.bool_]
    case_ids: Sequence[str]


def probe_figures(
    train: Features,
    test: Features,
    known: ProbeFrames,
    asked: ProbeFrames,
    *,
    resamples: int = 2000,
    seed: int,
) -> Figures:
    """Accuracy of the region, AUROC of abnormal frames, and the mean of both.

    Logistic regressions on standardised features; cases of ``asked`` are resampled.

    Args:
        train, test: (n, d) and (m, d) features of the frames of ``known`` and of ``asked``.

    Raises:
        ValueError: numbers of features and frames differ, or a part has frames of one kind only.
    """
    for features, frames, name in ((train, known, "train"), (test, asked, "test")):
        if len(features) != len(frames.regions) or len(features) == 0:
            raise ValueError(f"{name}: {len(features)} features for {len(frames.regions)} frames")
        if frames.abnormal.all() or not frames.abnormal.any():
            raise ValueError(f"{name}: normal and abnormal frames are both needed")
    names, case = np.unique(np.asarray(asked.case_ids), return_inverse=True)
    weights = whole_and_resamples(len(names), resamples=resamples, seed=seed)
    threads = 1 if train.size < _SMALL else None
    with threadpool_limits(threads, user_api="blas"):
        guessed = _probe().fit(train, list(known.regions)).predict(test)
        chances = _probe().fit(train, known.abnormal).predict_proba(test)[:, 1]
    right = (guessed == np.asarray(asked.regions)).astype(np.float64)
    region = Estimate.from_whole(weighted_means(right[:, None], case, weights)[:, 0])
    auroc = Estimate.from_whole(weighted_auroc(chances, asked.abnormal, case, weights))
    return {REGION: region, ABNORMAL: auroc, MEAN: derived(lambda a, b: (a + b) / 2, region, auroc)}


def probe_rows(
    systems: Mapping[str, Figures], *, pairs: Sequence[tuple[str, str]] = (), n: int
) -> Iterator[Row]:
    """Rows of all systems and of paired differences, for `endoalign.results.Results.add`.

    Args:
        systems: name -> `probe_figures`, of the same frames with the same seed.
        pairs: systems (A, B) to compare as A - B.
        n: frames behind the figures.
    """
    for system, figures in systems.items():
        for (protocol, metric), estimate in figures.items():
            yield {
                "system": system,
                "task": TASK,
                "protocol": protocol,
                "metric": metric,
                "value": estimate.value,
                "interval": estimate.interval,
                "n": n,
            }
    keys = [REGION, ABNORMAL, MEAN]
    counts = {protocol: n for protocol, _ in keys}
    yield from difference_rows(systems, pairs, keys, task=TASK, n=counts)


def _probe() -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression(C=_STRENGTH, max_iter=_STEPS))
