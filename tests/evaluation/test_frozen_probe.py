import numpy as np
import pytest

from endoalign.evaluation.frozen_probe import (
    ABNORMAL,
    MEAN,
    REGION,
    ProbeFrames,
    probe_figures,
    probe_rows,
)

rng = np.random.default_rng(0)


def frames(n, cases):
    regions = rng.integers(0, 3, n)
    abnormal = rng.random(n) < 0.4
    case_ids = [f"c{i % cases}" for i in range(n)]
    told = np.column_stack([np.eye(3)[regions], abnormal]) + 0.05 * rng.normal(size=(n, 4))
    return told, ProbeFrames([f"r{i}" for i in regions], abnormal, case_ids)


def test_features_that_tell_all_are_read_and_noise_is_not():
    (train, known), (test, asked) = frames(200, 10), frames(120, 6)
    told = probe_figures(train, test, known, asked, resamples=50, seed=1)
    assert told[REGION].value == 1 and told[ABNORMAL].value == 1 and told[MEAN].value == 1
    noise = rng.normal(size=train.shape), rng.normal(size=test.shape)
    blind = probe_figures(*noise, known, asked, resamples=50, seed=1)
    assert blind[REGION].value < 0.55 and 0.3 < blind[ABNORMAL].value < 0.7
    rows = list(probe_rows({"A": told, "B": blind}, pairs=[("A", "B")], n=120))
    assert sum(row["system"] == "A − B" for row in rows) == 3


def test_frames_of_one_kind_and_wrong_numbers_are_told():
    (train, known), (test, asked) = frames(20, 4), frames(20, 4)
    normal = ProbeFrames(asked.regions, np.zeros(20, dtype=bool), asked.case_ids)
    with pytest.raises(ValueError, match="test: normal and abnormal"):
        probe_figures(train, test, known, normal, resamples=50, seed=1)
    with pytest.raises(ValueError, match="train: 19 features for 20 frames"):
        probe_figures(train[1:], test, known, asked, resamples=50, seed=1)
