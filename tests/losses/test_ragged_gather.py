"""Two gloo processes with unequal numbers of units and frames against one process with all."""

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.functional import normalize
from torch.nn.parallel import DistributedDataParallel

from endoalign.losses.psaa import fine_grained_loss, soft_targets
from endoalign.losses.ragged_gather import (
    gather_ragged_rows,
    gathered_fine_grained_loss,
    mean_of_all,
)

D, WORLD, UNITS, FIRST = 4, 2, 9, 3


class Towers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.image, self.text = (torch.nn.Linear(D, D) for _ in range(2))
        self.log_scale = torch.nn.Parameter(torch.tensor(1.5))

    def forward(self, images, texts):
        both = ((self.image, images), (self.text, texts))
        return *(normalize(tower(x), dim=-1) for tower, x in both), self.log_scale.exp()


def data(rank=None):
    """Units of a process: the first three, or the other six; all of them without a rank."""
    draw = torch.Generator().manual_seed(5)
    images, texts = torch.randn(2, UNITS, D, generator=draw).unbind()
    labels = torch.tensor([0, 1, 0, 1, 1, 0, 2, 0, 1]), torch.arange(UNITS) % 3 == 0
    part = {None: slice(None), 0: slice(0, FIRST), 1: slice(FIRST, None)}[rank]
    return tuple(x[part] for x in (images, texts, *labels))


def losses(model, rank, fine):
    images, texts, *labels = data(rank)
    visual, written, scale = model(images, texts)
    squares = mean_of_all((visual - written).square().sum(dim=1))
    return fine(visual, written, *labels, scale), squares


def whole(visual, texts, regions, abnormal, scale):
    return fine_grained_loss(visual, texts, soft_targets(texts, regions, abnormal), scale)


def gradients(model):
    return {name.removeprefix("module."): p.grad.clone() for name, p in model.named_parameters()}


def work(rank, folder):
    torch.set_num_threads(1)
    init = f"file://{folder}/init"
    dist.init_process_group("gloo", init_method=init, rank=rank, world_size=WORLD)
    model = DistributedDataParallel(Towers())
    values = losses(model, rank, gathered_fine_grained_loss)
    sum(values).backward()
    gathered = gather_ragged_rows(data(rank)[0]).detach()
    found = [value.item() for value in values], gradients(model), gathered
    torch.save(found, f"{folder}/{rank}.pt")
    dist.destroy_process_group()


@pytest.fixture(scope="module")
def ranks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gloo")
    mp.spawn(work, args=(folder,), nprocs=WORLD)
    return [torch.load(folder / f"{rank}.pt", weights_only=True) for rank in range(WORLD)]


def test_two_processes_equal_one(ranks):
    model = Towers()
    values = losses(model, None, whole)
    sum(values).backward()
    expected = gradients(model)
    (fine, _), (same, _) = (found[0] for found in ranks)
    assert fine == same == pytest.approx(values[0].item(), abs=1e-6)
    squares = [found[0][1] for found in ranks]
    assert sum(squares) / WORLD == pytest.approx(values[1].item(), abs=1e-6)
    for _, grads, _ in ranks:
        torch.testing.assert_close(grads, expected, rtol=0, atol=1e-6)
    assert all(gradient.abs().max() > 1e-3 for gradient in expected.values())


def test_rows_come_in_the_order_of_ranks(ranks):
    for _, _, gathered in ranks:
        assert torch.equal(gathered, data()[0])


def test_without_a_process_group_soft_targets_stay():
    visual, texts, scale = Towers()(*data()[:2])
    labels = data()[2:]
    loss = gathered_fine_grained_loss(visual, texts, *labels, scale)
    assert torch.equal(loss, whole(visual, texts, *labels, scale))
    identity = fine_grained_loss(visual, texts, torch.eye(UNITS), scale)
    assert (loss - identity).abs() > 0.01
    assert torch.equal(mean_of_all(visual[:, 0]), visual[:, 0].mean())
