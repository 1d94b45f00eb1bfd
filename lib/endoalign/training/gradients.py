"""Gradients of one step; several forward passes count as one batch, negatives and all."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext

import torch
from accelerate import Accelerator
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from endoalign.training.batches import Batch
from endoalign.training.forward import Features
from endoalign.training.objective import Objective

Pass = Callable[[int], Features]
"""Features of the pass of this number; the same each time it is called."""


def add_gradients(
    run: Pass,
    passes: Sequence[Batch],
    objective: Objective,
    model: nn.Module,
    accelerator: Accelerator,
) -> Tensor:
    """Add the gradients of one optimiser step to the parameters; returns the loss, detached.

    One pass is differentiated directly. Several are run first without a graph; the loss of all
    their features together gives the gradient of each feature, and each pass, run again, carries
    its own part to the parameters (Gao et al. 2021, arXiv 2101.06983). Memory is that of one pass,
    the gradient that of one large batch. Plain accumulation would lose the negatives between
    passes.

    Args:
        run: gives the features of a pass by its number, with the same random choices each time.
        model: the model as Accelerate wrapped it.
    """
    device = accelerator.device
    text_ids, bag = (part.to(device, non_blocking=True) for part in _joined(passes))
    if len(passes) == 1:
        loss = objective(run(0), text_ids, bag)
        accelerator.backward(loss)
        return loss.detach()
    with torch.no_grad(), statistics_kept(model):
        cached = [run(number) for number in range(len(passes))]
    images = torch.cat([one.images for one in cached]).requires_grad_()
    texts = torch.cat([one.texts for one in cached]).requires_grad_()
    scale = cached[0].scale.detach().clone().requires_grad_()
    loss = objective(Features(images, texts, scale), text_ids, bag)
    of_images, of_texts, of_scale = torch.autograd.grad(loss, (images, texts, scale))
    per_image = torch.split(of_images, [len(one.images) for one in cached])
    per_text = torch.split(of_texts, [len(one.texts) for one in cached])
    for number in range(len(passes)):
        last = number == len(passes) - 1
        # Processes exchange gradients once a step, with the last pass.
        with nullcontext() if last else accelerator.no_sync(model):
            live = run(number)
            carried = (live.images * per_image[number]).sum()
            carried = carried + (live.texts * per_text[number]).sum()
            # The scale belongs to the batch, not to a pass: once, or it would count several times.
            accelerator.backward(carried + live.scale * (of_scale if last else 0))
    return loss.detach()


@contextmanager
def statistics_kept(model: nn.Module) -> Iterator[None]:
    """Batch normalisation uses the batch inside, but leaves its running statistics alone."""
    layers = [
        module
        for module in model.modules()
        if isinstance(module, _BatchNorm) and module.track_running_stats
    ]
    for layer in layers:
        layer.track_running_stats = False
    try:
        yield
    finally:
        for layer in layers:
            layer.track_running_stats = True


def _joined(passes: Sequence[Batch]) -> tuple[Tensor, Tensor]:
    """Text ids and bags of all passes; the bags point at the texts of all passes."""
    text_ids = torch.cat([torch.from_numpy(one.text_ids) for one in passes])
    bags, start = [], 0
    for one in passes:
        bags.append(torch.from_numpy(one.bag) + start)
        start += len(one.text_ids)
    return text_ids, torch.cat(bags)
