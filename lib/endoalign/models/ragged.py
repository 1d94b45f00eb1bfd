"""Sets of unequal size laid end to end: flat rows, and the offsets at which each set begins.

An examination has any number of frames and of propositions. A batch holds all of them in one
tensor each, without padding, and a `Ragged` says which rows belong to which case.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad


@dataclass(frozen=True)
class Ragged:
    """How the rows of a flat tensor divide into cases.

    Attributes:
        offsets: (B + 1,) int64, from 0 up: case i has the rows ``offsets[i]`` to
            ``offsets[i + 1] - 1``.
    """

    offsets: Tensor

    @classmethod
    def of_counts(
        cls, counts: Sequence[int] | Tensor, device: torch.device | None = None
    ) -> "Ragged":
        """The division of rows into cases of these sizes, each 0 or more.

        Raises:
            ValueError: there is no case, or a count is negative; names the case.
        """
        sizes = torch.as_tensor(counts, dtype=torch.int64, device=device)
        if sizes.ndim != 1 or len(sizes) == 0:
            raise ValueError(f"counts {tuple(sizes.shape)} must be (B,) with at least one case")
        negative = (sizes < 0).nonzero().flatten().tolist()
        if negative:
            raise ValueError(f"cases {negative} have negative counts; a count is 0 or more")
        return cls(pad(sizes.cumsum(0), (1, 0)))

    def __len__(self) -> int:
        """Number of cases B."""
        return len(self.offsets) - 1

    @property
    def counts(self) -> Tensor:
        """(B,) int64, the rows of each case."""
        return self.offsets.diff()

    @property
    def total(self) -> int:
        """Rows of all cases."""
        return int(self.offsets[-1])

    @property
    def owner(self) -> Tensor:
        """(rows,) int64, the case of each row."""
        cases = torch.arange(len(self), device=self.offsets.device)
        return cases.repeat_interleave(self.counts, output_size=self.total)

    def to(self, device: torch.device) -> "Ragged":
        """The same division on another device."""
        return Ragged(self.offsets.to(device, non_blocking=True))

    def check_rows(self, rows: Tensor, name: str) -> None:
        """Raise a ValueError that names the shape unless ``rows`` is (total, d)."""
        if rows.ndim != 2 or len(rows) != self.total:
            raise ValueError(
                f"{name} {tuple(rows.shape)} must be (n, d) with n = {self.total}, the rows of "
                f"{len(self)} cases"
            )

    def mean(self, rows: Tensor) -> Tensor:
        """Mean of each case's rows: (total, d) -> (B, d).

        Raises:
            ValueError: shapes do not fit, or a case has no row; names it.
        """
        self.check_rows(rows, "rows")
        counts = self.counts
        empty = (counts == 0).nonzero().flatten().tolist()
        if empty:
            raise ValueError(f"cases {empty} are empty; a mean needs at least one row")
        sums = rows.new_zeros(len(self), rows.shape[1]).index_add(0, self.owner, rows)
        return sums / counts[:, None]
