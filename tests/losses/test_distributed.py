"""Two gloo processes against one: value, gradients and errors of the gathered loss."""

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel

from endoalign.losses.distributed import gather_rows, gathered_info_nce
from endoalign.losses.info_nce import info_nce, same_text_targets

N, D, WORLD = 6, 4, 2
TEXT_IDS = [0, 1, 0, 2, 1, 0]
CASES = [(ids, local) for ids in (None, TEXT_IDS) for local in (False, True)]


class Towers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.image = torch.nn.Linear(D, D)
        self.text = torch.nn.Linear(D, D)
        self.log_scale = torch.nn.Parameter(torch.tensor(2.0))

    def forward(self, images, texts):
        towers = ((self.image, images), (self.text, texts))
        both = [torch.nn.functional.normalize(tower(x), dim=-1) for tower, x in towers]
        return *both, self.log_scale.exp()


def data():
    return torch.randn(2, N, D, generator=torch.Generator().manual_seed(5)).unbind()


def gradients(model):
    return {name.removeprefix("module."): p.grad.clone() for name, p in model.named_parameters()}


def step(model):
    torch.optim.AdamW(model.parameters(), lr=0.1).step()
    return {name.removeprefix("module."): p.detach() for name, p in model.named_parameters()}


def work(rank, folder):
    dist.init_process_group(
        "gloo", init_method=f"file://{folder}/init", rank=rank, world_size=WORLD
    )
    images, texts = (x.chunk(WORLD)[rank] for x in data())
    found = {}
    for case, (ids, local) in enumerate(CASES):
        model = DistributedDataParallel(Towers())
        own = None if ids is None else torch.tensor(ids).chunk(WORLD)[rank]
        loss = gathered_info_nce(*model(images, texts), text_ids=own, local_loss=local)
        loss.backward()
        found[case] = loss.item(), gradients(model), step(model)
    found["gathered"] = gather_rows(images).detach()
    shared = torch.tensor(TEXT_IDS).chunk(WORLD)[rank]
    unequal = {
        "pairs": (images[: 2 + rank], texts[: 2 + rank], None),
        "feature sizes": (images[:, : 2 + rank], texts[:, : 2 + rank], None),
        "text ids": (images, texts, shared if rank else None),
    }
    for name, (i, t, ids) in unequal.items():
        try:
            gathered_info_nce(i, t, torch.tensor(1.0), text_ids=ids)
        except ValueError as error:
            found[name] = str(error)
    torch.save(found, f"{folder}/{rank}.pt")
    dist.destroy_process_group()


@pytest.fixture(scope="module")
def ranks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gloo")
    mp.spawn(work, args=(folder,), nprocs=WORLD)
    return [torch.load(folder / f"{rank}.pt", weights_only=True) for rank in range(WORLD)]


def one_process(ids):
    model = Towers()
    targets = None if ids is None else same_text_targets(torch.tensor(ids))
    loss = info_nce(*model(*data()), targets=targets)
    loss.backward()
    return loss.item(), gradients(model), step(model)


@pytest.mark.parametrize("case", range(len(CASES)))
def test_two_processes_equal_one(ranks, case):
    ids, local = CASES[case]
    loss, grads, weights = one_process(ids)
    values = [found[case][0] for found in ranks]
    assert sum(values) / WORLD == pytest.approx(loss, abs=1e-6)
    if not local:
        assert values[0] == values[1]
    for found in ranks:
        _, their_grads, their_weights = found[case]
        torch.testing.assert_close(their_grads, grads, rtol=0, atol=1e-6)
        torch.testing.assert_close(their_weights, weights, rtol=0, atol=1e-6)


def test_rows_come_in_the_order_of_ranks(ranks):
    for found in ranks:
        assert torch.equal(found["gathered"], data()[0])


@pytest.mark.parametrize(
    ("name", "values"),
    [("pairs", [2, 3]), ("feature sizes", [2, 3]), ("text ids", [0, 1])],
)
def test_unequal_processes_all_say_so(ranks, name, values):
    for found in ranks:
        assert name in found[name] and str(values) in found[name]


@pytest.mark.parametrize("local", [False, True])
def test_without_a_process_group_it_is_the_plain_loss(local):
    images, texts, scale = Towers()(*data())
    ids = torch.tensor(TEXT_IDS)
    for given, targets in ((None, None), (ids, same_text_targets(ids))):
        loss = gathered_info_nce(images, texts, scale, text_ids=given, local_loss=local)
        assert torch.equal(loss, info_nce(images, texts, scale, targets=targets))


def test_text_ids_of_another_length_are_named():
    images, texts, scale = Towers()(*data())
    with pytest.raises(ValueError, match=r"text_ids \(2,\).*shape \(6,\)"):
        gathered_info_nce(images, texts, scale, text_ids=torch.tensor([0, 1]))
