"""Validation loss: InfoNCE of held-out pairs, without augmentation, in fixed batches."""

import torch
from accelerate import Accelerator

from endoalign.corpus.pixels import PixelSource
from endoalign.losses.info_nce import info_nce, same_text_targets
from endoalign.models.encode import evaluating
from endoalign.training.batches import Loader
from endoalign.training.forward import Forward
from endoalign.training.job import TrainingJob
from endoalign.training.pairs import TrainingPairs


class Validation:
    """Computes the loss that chooses the best epoch; processes share the work.

    Batches have the size of a training step (pairs that fill no batch form a smaller one), hold
    the same pairs each time, and count by their pairs. Bags are taken pair by pair.
    """

    def __init__(
        self,
        pairs: TrainingPairs,
        pixels: PixelSource,
        job: TrainingJob,
        forward: Forward,
        accelerator: Accelerator,
    ) -> None:
        whole = {"batch_size": job.batch_size * job.accumulation * job.num_processes}
        alone = {"accumulation": 1, "num_processes": 1, "objective": "info_nce"}
        settings = job.model_copy(update=whole | alone | {"last_batch": "keep"})
        self._loader = Loader(pairs, pixels, settings, process=0)
        self._forward, self._accelerator = forward, accelerator
        self._same_text = job.targets == "same_text"

    def loss(self, model: torch.nn.Module) -> float:
        """Mean loss over the pairs, equal on every process."""
        accelerator = self._accelerator
        sums = torch.zeros(2, dtype=torch.float64, device=accelerator.device)
        with evaluating(model):
            for number, step in enumerate(self._loader.epoch(0)):
                if number % accelerator.num_processes != accelerator.process_index:
                    continue
                (batch,) = step.passes
                found = self._forward(batch, None, seed=0, epoch=0)
                ids = torch.from_numpy(batch.text_ids).to(accelerator.device)
                targets = same_text_targets(ids) if self._same_text else None
                loss = info_nce(found.images, found.texts, found.scale, targets=targets)
                sums += torch.stack([loss.double() * len(ids), loss.new_tensor(len(ids)).double()])
        total, count = accelerator.reduce(sums, reduction="sum").tolist()
        return float(total / count)
