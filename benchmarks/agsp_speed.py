"""Sparse pooling and fine-grained alignment of EndoVLM beside loops over cases.

96 cases of 60 frames and 9 propositions, features of length 512: a batch of the paper. Forward and
backward, float32. Two loops, both equal to ours in value and gradient (checked here):

- ``case by case``: each case's similarities, top-K, softmax and pooled frames; then the rows of
  its units in both directions, with their targets, against all units.
- ``unit by unit``: the same for one proposition at a time, as the equations are written.

Process time of one core, the best of several passes in turns, and the most memory at once beyond
the features and the frames' gradient, by torch's own profiler. The similarity blocks that have to
be held are those of propositions and frames of a case, of units with texts, of texts with texts,
and the gradient of units with texts::

    OMP_NUM_THREADS=1 python benchmarks/agsp_speed.py
"""

import argparse
import time
from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, normalize
from torch.profiler import ProfilerActivity, profile

from endoalign.losses.psaa import fine_grained_loss, soft_targets
from endoalign.models.agsp import sparse_pooling
from endoalign.models.ragged import Ragged

CASES, FRAMES, PROPOSITIONS, D = 96, 60, 9, 512
TOP_K, TEMPERATURE = 3, 0.07
FRAME_GRADIENT = 4 * CASES * FRAMES * D  # bytes

Loss = Callable[[Tensor, Tensor], Tensor]


def make_data() -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Texts, frames, regions, abnormal flags and the logit scale; a case has the 9 segments."""
    torch.manual_seed(42)
    texts = normalize(torch.randn(CASES * PROPOSITIONS, D), dim=1).requires_grad_()
    frames = normalize(torch.randn(CASES * FRAMES, D), dim=1).requires_grad_()
    regions = torch.arange(PROPOSITIONS).repeat(CASES)
    abnormal = torch.rand(CASES * PROPOSITIONS) < 0.2
    return texts, frames, regions, abnormal, torch.tensor(14.0)


def ours(regions: Tensor, abnormal: Tensor, scale: Tensor) -> Loss:
    propositions = Ragged.of_counts([PROPOSITIONS] * CASES)
    sets = Ragged.of_counts([FRAMES] * CASES)

    def loss(texts: Tensor, frames: Tensor) -> Tensor:
        pooled = sparse_pooling(
            texts, frames, propositions, sets, top_k=TOP_K, temperature=TEMPERATURE
        )
        targets = soft_targets(texts, regions, abnormal)
        return fine_grained_loss(pooled.features, texts, targets, scale)

    return loss


def loop(regions: Tensor, abnormal: Tensor, scale: Tensor, size: int) -> Loss:
    """Groups of ``size`` propositions of one case at a time."""
    starts = range(0, CASES * PROPOSITIONS, size)

    def pool(texts: Tensor, frames: Tensor, start: int) -> Tensor:
        case = start // PROPOSITIONS
        own = frames[case * FRAMES : (case + 1) * FRAMES]
        best = (texts[start : start + size] @ own.T).topk(TOP_K, dim=1)
        weights = (best.values / TEMPERATURE).softmax(dim=1)
        return normalize((weights[:, :, None] * own[best.indices]).sum(dim=1), dim=1)

    def targets(texts: Tensor, start: int) -> Tensor:
        rows = slice(start, start + size)
        with torch.no_grad():
            alike = (texts[rows] @ texts.T).clamp(0, 1)
            healthy = ~abnormal[rows, None] & ~abnormal
            mass = torch.where(healthy, torch.ones(()), alike)
            mass = mass * (regions[rows, None] == regions)
            for row in range(size):
                mass[row, start + row] = 1
            return mass / mass.sum(dim=1, keepdim=True)

    def loss(texts: Tensor, frames: Tensor) -> Tensor:
        visual = torch.cat([pool(texts, frames, start) for start in starts])
        total = torch.zeros(())
        for start in starts:
            wanted, rows = targets(texts, start), slice(start, start + size)
            for queries, candidates in ((visual, texts), (texts, visual)):
                logits = scale * queries[rows] @ candidates.T
                total = total + cross_entropy(logits, wanted, reduction="sum")
        return total / (2 * len(texts))

    return loss


def step(loss: Loss, texts: Tensor, frames: Tensor) -> tuple[Tensor, Sequence[Tensor]]:
    value = loss(texts, frames)
    return value.detach(), torch.autograd.grad(value, (texts, frames))


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def peak_bytes(work: Callable[[], object]) -> int:
    """Most memory held at once during ``work``, the gradient of the frames apart.

    That one tensor is output, larger than all blocks, and the only one of its size.
    """
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as found:
        work()
    events = [e for e in found.profiler.kineto_results.events() if e.name() == "[memory]"]
    held = most = 0
    for event in sorted(events, key=lambda e: e.start_ns()):
        if abs(event.nbytes()) != FRAME_GRADIENT:
            held += event.nbytes()
            most = max(most, held)
    return most


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--passes", type=int, default=7)
    passes = arguments.parse_args().passes
    texts, frames, *rest = make_data()
    losses = {
        "ours": ours(*rest),
        "case by case": loop(*rest, size=PROPOSITIONS),
        "unit by unit": loop(*rest, size=1),
    }
    results = {name: step(loss, texts, frames) for name, loss in losses.items()}
    times: dict[str, list[float]] = {name: [] for name in losses}
    for _ in range(passes):
        for name, loss in losses.items():
            times[name].append(seconds(lambda loss=loss: step(loss, texts, frames)))
    units = CASES * PROPOSITIONS
    blocks = 4 * (units * FRAMES + 3 * units * units)
    fast = min(times["ours"])
    print(f"similarity blocks {blocks / 2**20:.1f} MiB")
    for name, loss in losses.items():
        taken = min(times[name])
        memory = peak_bytes(lambda loss=loss: step(loss, texts, frames))
        value, found = results[name]
        errors = [float((value - results["ours"][0]).abs())]
        errors += [
            float((x - y).abs().max()) for x, y in zip(found, results["ours"][1], strict=True)
        ]
        print(
            f"{name:13s} {1000 * taken:8.1f} ms, {taken / fast:5.1f} x ours; "
            f"{memory / 2**20:6.1f} MiB, {memory / blocks:.2f} x the blocks; "
            f"largest difference {max(errors):.1e}"
        )


if __name__ == "__main__":
    main()
