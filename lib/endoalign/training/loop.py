"""The training loop: one for all encoders, objectives, devices and numbers of processes."""

import shutil
import time
from collections.abc import Callable, Hashable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pandas as pd
import torch
from accelerate import Accelerator

from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.frame_input import CachedLevels, open_input
from endoalign.models.locked_text import LockedTexts, text_trunk_locked
from endoalign.models.registry import build_encoder
from endoalign.training.accelerator import accelerated
from endoalign.training.augmentation import Augmentation
from endoalign.training.batches import Loader, Step
from endoalign.training.chance import key
from endoalign.training.forward import Features, Forward
from endoalign.training.gradients import add_gradients
from endoalign.training.history import History
from endoalign.training.job import TrainingJob
from endoalign.training.objective import Objective
from endoalign.training.optimiser import adamw, clamp_logit_scale
from endoalign.training.pairs import TrainingPairs
from endoalign.training.result import store_result
from endoalign.training.schedule import learning_rate
from endoalign.training.state import FOLDER, Progress, load_state, newest, save_state
from endoalign.training.validation import Validation

Report = Callable[[int, int], None]


@dataclass(frozen=True)
class Data:
    """What is trained on: the frames table of the corpus, pairs, held-out pairs, their digest."""

    frames: pd.DataFrame
    pairs: TrainingPairs
    validation: TrainingPairs | None
    digest: str


def train(job: TrainingJob, data: Data, report: Report | None = None) -> None:
    """Train in this process, as one of ``job.num_processes``, from the last state there is.

    The result is in ``job.output`` afterwards (`result.store_result`), the state gone.
    ``report`` gets (steps done, steps in all) on the main process.
    """
    encoder = build_encoder(job.encoder, weights=job.weights, seed=job.seed)
    with accelerated(job) as accelerator:
        encoder.model.to(accelerator.device)
        held_out = [] if data.validation is None else data.validation.texts
        with ExitStack() as stack:
            locked = None
            if job.lock_text:
                texts = [*data.pairs.texts, *held_out]
                locked = stack.enter_context(text_trunk_locked(encoder, texts))
            trainer = Trainer(job, data, encoder, accelerator, report, locked)
            trainer.run()
        trainer.store()


class Trainer:
    """A training in this process."""

    def __init__(
        self,
        job: TrainingJob,
        data: Data,
        encoder: DualEncoder,
        accelerator: Accelerator,
        report: Report | None = None,
        locked: LockedTexts | None = None,
    ) -> None:
        self.job, self.encoder, self.accelerator, self.report = job, encoder, accelerator, report
        with accelerator.main_process_first():  # which makes the cache where it is missing
            pixels = open_input(
                encoder,
                job.corpus,
                data.frames,
                crop_content=job.crop_content,
                cache=job.cache,
                threads=job.workers,
            )
        self.loader = Loader(data.pairs, pixels, job, accelerator.process_index)
        self.total = self.loader.order.steps * job.epochs
        self.model, self.optimizer = accelerator.prepare(encoder.model, adamw(encoder.model, job))
        self.forward = Forward(encoder, self.model, data.pairs.texts, accelerator.device, locked)
        self.objective = Objective.of(job)
        self.augmentation = Augmentation(job.min_crop, job.flip, job.colour_jitter)
        if isinstance(pixels, CachedLevels) and self.augmentation != Augmentation(1.0):
            raise ValueError(
                f"the trunk of {encoder.name} is frozen and its features of each frame are cached, "
                "so that frames cannot be augmented: set min_crop: 1.0, flip: false and "
                "colour_jitter: 0.0, or cache_pixels: false"
            )
        self.validation: Validation | None = None
        if data.validation is not None:
            texts = data.validation.texts
            alone = Forward(encoder, encoder.model, texts, accelerator.device, locked)
            self.validation = Validation(data.validation, pixels, job, alone, accelerator)
        self.progress, self.history = self._resumed(data.digest)

    def run(self) -> None:
        """Train to the end."""
        while self.progress.epoch < self.job.epochs:
            self._epoch()

    def store(self) -> None:
        """Store the result in ``job.output``; the state is not needed any more."""
        self.accelerator.wait_for_everyone()
        if self.accelerator.is_main_process:
            root = self.job.output / FOLDER
            state = newest(root)
            if state is None:
                raise FileNotFoundError(f"{root} vanished during the training; train again")
            store_result(self.job, self.encoder, self.progress, self.history.table(), state)
            shutil.rmtree(root)
        self.accelerator.wait_for_everyone()

    def _epoch(self) -> None:
        start = time.monotonic()
        self.encoder.model.train()
        for step in self.loader.epoch(self.progress.epoch):
            self._step(step)
        of_epoch = {}
        if self.validation is not None:
            of_epoch["validation_loss"] = loss = self.validation.loss(self.encoder.model)
            if self.progress.best_loss is None or loss < self.progress.best_loss:
                self.progress.best_loss, self.progress.best_epoch = loss, self.progress.epoch
        self.history.flush(**of_epoch)
        self.progress.epoch += 1
        self.progress.seconds += time.monotonic() - start
        self._save_at_need()

    def _step(self, step: Step) -> None:
        job, done = self.job, self.progress
        rate = learning_rate(
            done.step, base=job.learning_rate, warmup=job.warmup_steps, total=self.total
        )
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()

        def run(number: int) -> Features:
            """Dropout starts from the same place each time, in a resumed training too."""
            process = self.accelerator.process_index
            torch.manual_seed(key("dropout", job.seed, done.step, process, number))
            batch = step.passes[number]
            return self.forward(batch, self.augmentation, seed=job.seed, epoch=done.epoch)

        loss = add_gradients(run, step.passes, self.objective, self.model, self.accelerator)
        if job.max_grad_norm is not None:
            self.accelerator.clip_grad_norm_(self.model.parameters(), job.max_grad_norm)
        self.optimizer.step()
        scale = clamp_logit_scale(self.encoder.model, job.max_logit_scale)
        facts: dict[Hashable, Any] = {
            "step": done.step,
            "epoch": done.epoch,
            "learning_rate": rate,
            "repeated_share": step.repeated_share,
        }
        self.history.add(facts, loss, scale)
        done.step += 1
        if self.report is not None and self.accelerator.is_main_process:
            self.report(done.step, self.total)

    def _resumed(self, digest: str) -> tuple[Progress, History]:
        """Where to go on: the last state, or the beginning."""
        state = newest(self.job.output / FOLDER)
        if state is None:
            return Progress(digest), History(self.accelerator)
        progress, history = load_state(state, self.encoder.model, self.optimizer)
        if self.accelerator.scaler is not None and progress.scaler:
            self.accelerator.scaler.load_state_dict(progress.scaler)
        return progress, History(self.accelerator, history)

    def _save_at_need(self) -> None:
        done = self.progress
        is_best = done.best_epoch == done.epoch - 1
        if not (is_best or done.epoch % self.job.save_every == 0 or done.epoch == self.job.epochs):
            return
        if self.accelerator.is_main_process:
            if self.accelerator.scaler is not None:
                done.scaler = self.accelerator.scaler.state_dict()
            table = self.history.table()
            save_state(self.job.output / FOLDER, done, self.encoder.model, self.optimizer, table)
        self.accelerator.wait_for_everyone()
