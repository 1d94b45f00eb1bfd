"""The curve of a training: one row a step, kept on the device until it is worth a transfer."""

from collections.abc import Hashable
from typing import Any, Final

import pandas as pd
import torch
from accelerate import Accelerator
from torch import Tensor

COLUMNS: Final = {
    "step": "int64",
    "epoch": "int64",
    "loss": "float64",
    "learning_rate": "float64",
    "logit_scale": "float64",
    "repeated_share": "float64",
    "validation_loss": "float64",
}
EVERY: Final = 50
"""Steps between transfers: reading a loss makes a GPU wait."""


class History:
    """Collects rows, sends them to the trackers, and stops a training whose loss is no number."""

    def __init__(self, accelerator: Accelerator, earlier: pd.DataFrame | None = None) -> None:
        self._accelerator = accelerator
        self._rows: list[dict[Hashable, Any]] = (
            [] if earlier is None else earlier.to_dict("records")
        )
        self._waiting: list[tuple[dict[Hashable, Any], Tensor]] = []

    def add(self, facts: dict[Hashable, Any], loss: Tensor, logit_scale: Tensor) -> None:
        """Add a step; ``loss`` is this process's, and the mean over processes is kept."""
        self._waiting.append((facts, torch.stack([loss.float(), logit_scale.float()])))
        if len(self._waiting) >= EVERY:
            self.flush()

    def flush(self, **of_last: float) -> None:
        """Bring the waiting rows over; ``of_last`` is added to the last row.

        Raises:
            FloatingPointError: a loss is infinite or no number; names the step.
        """
        if not self._waiting:
            return
        values = torch.stack([pair for _, pair in self._waiting])
        for (facts, _), (loss, scale) in zip(
            self._waiting, self._accelerator.reduce(values, reduction="mean").tolist(), strict=True
        ):
            self._rows.append({**facts, "loss": loss, "logit_scale": scale})
        self._rows[-1].update(of_last)
        broken = values.isfinite().all(dim=1).logical_not().nonzero().flatten().tolist()
        if broken:
            facts = self._waiting[broken[0]][0]
            raise FloatingPointError(
                f"the loss of step {facts['step']} (epoch {facts['epoch']}) is not finite: lower "
                "learning_rate, set max_grad_norm, or train in fp32"
            )
        for row in self._rows[-len(self._waiting) :]:
            self._accelerator.log(
                {f"train/{name}": value for name, value in row.items() if name != "step"},
                step=int(row["step"]),
            )
        self._waiting.clear()

    def table(self) -> pd.DataFrame:
        """All rows brought over so far, columns as in `TrainingResult`."""
        return pd.DataFrame(self._rows, columns=list(COLUMNS)).astype(COLUMNS)
