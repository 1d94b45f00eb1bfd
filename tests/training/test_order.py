"""Every pair once an epoch, whoever takes part."""

import numpy as np
import pytest

from endoalign.training.job import TrainingSettings
from endoalign.training.order import EpochOrder, draw_from_bags, repeated_share
from endoalign.training.pairs import TrainingPairs


def pairs_of(bags):
    bags = np.array(bags)
    return TrainingPairs(np.arange(len(bags)), bags, [f"text {b}" for b in set(bags)], bags)


@pytest.mark.parametrize(("units", "size"), [(1, 1), (1, 8), (7, 3), (8, 4), (9, 100), (100, 7)])
def test_covers_every_pair_once_an_epoch(units, size):
    order = EpochOrder(units, size)
    for epoch in range(3):
        batches = order.batches(5, epoch)
        assert len(batches) == order.steps
        assert sorted(np.concatenate(batches).tolist()) == list(range(units))
        assert {len(batch) for batch in batches[:-1]} <= {size}


def test_order_depends_on_seed_and_epoch():
    order = EpochOrder(50, 50)
    found = {tuple(order.batches(seed, epoch)[0]) for seed in range(4) for epoch in range(4)}
    assert len(found) == 16
    assert np.array_equal(order.batches(3, 1)[0], EpochOrder(50, 50).batches(3, 1)[0])


def test_dropping_the_last_batch():
    order = EpochOrder(10, 4, keep_last=False)
    assert [len(batch) for batch in order.batches(0, 0)] == [4, 4]
    assert order.steps == 2
    settings = TrainingSettings(batch_size=64, last_batch="drop")
    assert EpochOrder.of(pairs_of(range(10)), settings).steps == 1


@pytest.mark.parametrize("units", [2, 3, 12, 13, 17, 24, 25])
def test_processes_share_each_batch_equally(units):
    order = EpochOrder(units, 12, processes=2)
    together = EpochOrder(units, 12)
    left_out = set(range(units))
    batches = order.batches(1, 0)
    assert len(batches) == order.steps
    for batch, whole in zip(batches, together.batches(1, 0), strict=False):
        parts = [order.part(batch, process) for process in range(2)]
        assert len(parts[0]) == len(parts[1]) > 0
        joined = np.concatenate(parts)
        assert np.array_equal(joined, whole[: len(joined)])
        left_out -= set(joined.tolist())
    assert len(left_out) == units % 2


def test_fewer_pairs_than_processes():
    with pytest.raises(ValueError, match="1 pairs for 2 processes"):
        EpochOrder.of(pairs_of([0]), TrainingSettings(num_processes=2))
    with pytest.raises(ValueError, match="1 bags for 2 processes"):
        EpochOrder.of(pairs_of([0, 0, 0]), TrainingSettings(num_processes=2, objective="mil_nce"))


def test_bags_are_drawn_anew_each_epoch():
    pairs = pairs_of([0, 2, 0, 1, 0, 0, 2])
    drawn = [draw_from_bags(pairs, 2, seed=0, epoch=epoch) for epoch in range(200)]
    for bags in drawn:
        assert [len(bag) for bag in bags] == [2, 1, 2]
        for number, bag in enumerate(bags):
            assert (pairs.bags[bag] == number).all()
            assert len(set(bag.tolist())) == len(bag)
    first = np.concatenate([bags[0] for bags in drawn])
    shares = np.bincount(first, minlength=7)[[0, 2, 4, 5]] / 400
    np.testing.assert_allclose(shares, 0.25, atol=0.06)


def test_bags_larger_than_any_are_whole():
    pairs = pairs_of([1, 0, 1])
    bags = draw_from_bags(pairs, 99, seed=0, epoch=0)
    assert [sorted(bag.tolist()) for bag in bags] == [[1], [0, 2]]


@pytest.mark.parametrize(
    ("texts", "share"), [([1], 0), ([1, 1], 1), ([0, 1, 0, 2], 0.5), ([3, 2, 1], 0)]
)
def test_repeated_share(texts, share):
    assert repeated_share(np.array(texts)) == share
