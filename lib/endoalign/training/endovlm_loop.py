"""The training loop of EndoVLM on Accelerate."""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import pandas as pd
import torch
from accelerate import Accelerator

from endoalign.models.endovlm_encoder import EndovlmEncoder, build_endovlm
from endoalign.training.accelerator import accelerated
from endoalign.training.chance import key
from endoalign.training.endovlm_batches import CaseBatch, CaseLoader
from endoalign.training.endovlm_cases import EndovlmCases
from endoalign.training.endovlm_forward import EndovlmForward
from endoalign.training.endovlm_history import EndovlmHistory
from endoalign.training.endovlm_inputs import open_inputs
from endoalign.training.endovlm_parameters import adamw, clamp_logit_scales, freeze_unused
from endoalign.training.endovlm_result import store_endovlm
from endoalign.training.endovlm_settings import EndovlmJob
from endoalign.training.schedule import learning_rate
from endoalign.training.state import FOLDER, Progress, load_state, newest, save_state

Report = Callable[[int, int], None]


@dataclass(frozen=True)
class EndovlmData:
    """What is trained on: the frames table of the corpus, the cases, and the digest of the job."""

    frames: pd.DataFrame
    cases: EndovlmCases
    digest: str


def train_endovlm(job: EndovlmJob, data: EndovlmData, report: Report | None = None) -> None:
    """Train in this process, as one of ``job.num_processes``, from the last state there is.

    The result is in ``job.output`` afterwards, the state gone. ``report`` gets (steps done, steps
    in all) on the main process.
    """
    encoder = build_endovlm(job, data.cases.texts, seed=job.seed, name=job.output.name)
    # It reads tracker, precision and output, which both kinds of jobs have.
    with accelerated(job) as accelerator:  # type: ignore[arg-type]
        encoder.model.to(accelerator.device)
        trainer = EndovlmTrainer(job, data, encoder, accelerator, report)
        trainer.run()
        accelerator.wait_for_everyone()
        if accelerator.is_main_process:
            store_endovlm(job, encoder, trainer.progress, trainer.history.table())
        accelerator.wait_for_everyone()


class EndovlmTrainer:
    """A training in this process."""

    def __init__(
        self,
        job: EndovlmJob,
        data: EndovlmData,
        encoder: EndovlmEncoder,
        accelerator: Accelerator,
        report: Report | None = None,
    ) -> None:
        self.job, self.encoder, self.accelerator, self.report = job, encoder, accelerator, report
        with accelerator.main_process_first():  # which makes the cache where it is missing
            pixels, tokens = open_inputs(job, data.frames, data.cases, encoder)
        process = accelerator.process_index
        self.loader = CaseLoader(
            data.cases, pixels, job, seed=job.seed, process=process, tokens=tokens
        )
        freeze_unused(encoder.model, job.plan())
        self.model, self.optimizer = accelerator.prepare(encoder.model, adamw(encoder.model, job))
        self.forward = EndovlmForward(encoder, self.model, job)
        self.progress, self.history = self._resumed(data.digest)

    def run(self) -> None:
        """Train to the end."""
        while self.progress.epoch < self.job.epochs:
            start = time.monotonic()
            self.encoder.model.train()
            for batch in self.loader.epoch(self.progress.epoch):
                self._step(batch)
            self.history.flush()
            self.progress.epoch += 1
            self.progress.seconds += time.monotonic() - start
            self._save_at_need()

    def _step(self, batch: CaseBatch) -> None:
        job, done, accelerator = self.job, self.progress, self.accelerator
        steps = self.loader.order.steps
        rate = learning_rate(
            done.step,
            base=job.highest_rate(),
            warmup=round(job.warmup_epochs * steps),
            total=job.epochs * steps,
        )
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        # Dropout starts from the same place each time, in a resumed training too.
        torch.manual_seed(key("endovlm dropout", job.seed, done.step, accelerator.process_index))
        found = self.forward(batch, seed=job.seed, epoch=done.epoch)
        share = job.fine_grained_share(done.step / steps)
        losses = self.forward.losses(found, batch, fine_share=share)
        accelerator.backward(losses.total)
        if job.max_grad_norm is not None:
            accelerator.clip_grad_norm_(self.model.parameters(), job.max_grad_norm)
        self.optimizer.step()
        scale, fine_scale = clamp_logit_scales(self.encoder.model, job.max_logit_scale)
        parts = torch.stack([losses.of_cases, losses.fine_grained, losses.reconstruction])
        of_cases, fine, pixels = accelerator.reduce(parts, reduction="mean").tolist()
        rebuilt = 0 if found.errors is None else len(found.errors)
        counts = torch.tensor([len(batch.items), rebuilt], device=accelerator.device)
        frames, reconstructed = accelerator.reduce(counts, reduction="sum").tolist()
        facts: dict[Hashable, Any] = {
            "step": done.step,
            "epoch": done.epoch,
            "learning_rate": rate,
            "repeated_share": batch.repeated_share,
            "global_loss": of_cases,
            "fine_grained_loss": fine,
            "mae_loss": pixels,
            "fine_logit_scale": float(fine_scale),
            "frames": frames,
            "reconstructed": reconstructed,
        }
        self.history.add(facts, losses.total.detach(), scale)
        done.step += 1
        if self.report is not None and accelerator.is_main_process:
            self.report(done.step, job.epochs * steps)

    def _resumed(self, digest: str) -> tuple[Progress, EndovlmHistory]:
        """Where to go on: the last state, or the beginning."""
        state = newest(self.job.output / FOLDER)
        if state is None:
            return Progress(digest), EndovlmHistory(self.accelerator)
        progress, history = load_state(state, self.encoder.model, self.optimizer)
        if self.accelerator.scaler is not None and progress.scaler:
            self.accelerator.scaler.load_state_dict(progress.scaler)
        return progress, EndovlmHistory(self.accelerator, history)

    def _save_at_need(self) -> None:
        done = self.progress
        if done.epoch % self.job.save_every and done.epoch != self.job.epochs:
            return
        if self.accelerator.is_main_process:
            if self.accelerator.scaler is not None:
                done.scaler = self.accelerator.scaler.state_dict()
            table, root = self.history.table(), self.job.output / FOLDER
            save_state(root, done, self.encoder.model, self.optimizer, table)
        self.accelerator.wait_for_everyone()
