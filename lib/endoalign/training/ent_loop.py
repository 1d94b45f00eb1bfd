"""The training loop of ENT-CLIP on Accelerate (section 4.1)."""

import time
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, Final

import torch
from accelerate import Accelerator
from torch.nn.functional import cross_entropy
from torch.optim import AdamW

from endoalign.models.ent_clip import CHANCES, EntClip
from endoalign.models.ent_encode import encode_pictures
from endoalign.training.chance import key, uniform
from endoalign.training.ent_augmentation import EntAugmentation
from endoalign.training.ent_batches import EntBatch, EntLoader, EntTexts
from endoalign.training.ent_data import EntPictures
from endoalign.training.ent_history import EntHistory
from endoalign.training.ent_objective import EntObjective
from endoalign.training.ent_settings import EntSettings
from endoalign.training.ent_state import trained_part
from endoalign.training.groups import parameter_groups
from endoalign.training.optimiser import clamp_logit_scale
from endoalign.training.schedule import learning_rate
from endoalign.training.state import Progress, load_state, newest, save_state

Report = Callable[[int, int], None]
TRAIN: Final = "train"
VALIDATION: Final = "validation"


class EntTrainer:
    """A training in this process, from the last state there is.

    Args:
        states: folder of the states from which a killed training goes on.
        digest: of the training (`ent_state.ent_digest`).
        report: gets (steps done, steps in all) on the main process.
    """

    def __init__(
        self,
        model: EntClip,
        pictures: EntPictures,
        settings: EntSettings,
        accelerator: Accelerator,
        *,
        seed: int,
        states: Path,
        digest: str,
        report: Report | None = None,
    ) -> None:
        self.plain, self.pictures, self.settings = model, pictures, settings
        self.accelerator, self.seed, self.states, self.report = accelerator, seed, states, report
        has_validation = (pictures.table["split"] == VALIDATION).any()
        self.held_out = pictures.rows(VALIDATION) if has_validation else None
        texts = EntTexts.of(model.encoder, pictures, settings.prompt)
        self.objective = EntObjective(settings, texts.features)
        self.loader = EntLoader(
            pictures,
            pictures.rows(TRAIN),
            texts.ids,
            batch_size=settings.batch_size,
            processes=accelerator.num_processes,
            process=accelerator.process_index,
        )
        self.total = self.loader.order.steps * settings.epochs
        if settings.mu2 == 0:
            model.logit_scale.requires_grad_(False)
        self.model, self.optimizer = accelerator.prepare(model, _adamw(model, settings))
        fill = tuple(255 * value for value in model.encoder.mean)
        mirror = pictures.classes.mirror
        self.augmentation = EntAugmentation(settings, mirror, (fill[0], fill[1], fill[2]))
        self.trained = trained_part(model)
        self.progress, self.history = self._resumed(digest)

    def run(self) -> None:
        """Train to the end."""
        while self.progress.epoch < self.settings.epochs:
            start = time.monotonic()
            self.plain.train()
            for batch in self.loader.epoch(self.seed, self.progress.epoch):
                self._step(batch)
            self.history.flush(**self._validated())
            self.progress.epoch += 1
            self.progress.seconds += time.monotonic() - start
            self._save()
        self.plain.eval()

    def _step(self, batch: EntBatch) -> None:
        given, done, device = self.settings, self.progress, self.accelerator.device
        rate = learning_rate(
            done.step, base=given.learning_rate, warmup=given.warmup_steps, total=self.total
        )
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        pictures = self.augmentation.apply(
            batch.pixels.to(device),
            batch.labels,
            seed=self.seed,
            epoch=done.epoch,
            items=batch.items,
        )
        chances = torch.from_numpy(
            uniform("ent slerp", self.seed, done.epoch, batch.items, CHANCES)
        )
        labels, text_ids = (
            torch.from_numpy(ids).to(device) for ids in (batch.labels, batch.text_ids)
        )
        # Dropout starts from the same place in a resumed training.
        torch.manual_seed(key("ent dropout", self.seed, done.step, self.accelerator.process_index))
        found = self.model(pictures, labels, chances.float().to(device))
        loss = self.objective(found, labels, text_ids, self.plain.logit_scale.exp())
        self.accelerator.backward(loss.total)
        if given.max_grad_norm is not None:
            self.accelerator.clip_grad_norm_(self.model.parameters(), given.max_grad_norm)
        self.optimizer.step()
        scale = clamp_logit_scale(self.plain, given.max_logit_scale)
        facts: dict[Hashable, Any] = {
            "step": done.step,
            "epoch": done.epoch,
            "learning_rate": rate,
            "repeated_share": batch.repeated_share,
            "classification_loss": float(loss.classification.detach()),
            "contrastive_loss": float(loss.contrastive.detach()),
        }
        self.history.add(facts, loss.total.detach(), scale)
        done.step += 1
        if self.report is not None and self.accelerator.is_main_process:
            self.report(done.step, self.total)

    def _validated(self) -> dict[str, float]:
        """Cross-entropy and accuracy of the held-out pictures, without augmentation."""
        if self.held_out is None:
            return {}
        size, rows = self.settings.batch_size, self.held_out
        parts = (rows[start : start + size] for start in range(0, len(rows), size))
        found = encode_pictures(self.plain, (self.pictures.pixels.read(part) for part in parts))
        labels = torch.from_numpy(self.pictures.labels[rows])
        return {
            "validation_loss": float(cross_entropy(found.logits, labels)),
            "validation_accuracy": float((found.predicted == labels).float().mean()),
        }

    def _resumed(self, digest: str) -> tuple[Progress, EntHistory]:
        """Where to go on: the last state, or the beginning."""
        state = newest(self.states)
        if state is None:
            return Progress(digest), EntHistory(self.accelerator)
        progress, history = load_state(state, self.trained, self.optimizer)
        return progress, EntHistory(self.accelerator, history)

    def _save(self) -> None:
        if self.accelerator.is_main_process:
            table = self.history.table()
            save_state(self.states, self.progress, self.trained, self.optimizer, table)
        self.accelerator.wait_for_everyone()


def _adamw(model: EntClip, settings: EntSettings) -> AdamW:
    return AdamW(
        parameter_groups(model, settings.weight_decay),
        lr=settings.learning_rate,
        betas=(settings.beta1, settings.beta2),
        eps=settings.eps,
        fused=True,
    )
