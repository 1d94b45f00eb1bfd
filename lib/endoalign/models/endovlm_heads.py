"""From a tower's output to features of the two alignments."""

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize


class ProjectionHeads(nn.Module):
    """Linear heads of the global and the fine-grained space.

    Args:
        width: of the tower.
        embed_dim: length d of features.
        parts: vectors of the tower that are joined and brought to ``width`` first; one is taken
            as it is.
        separate: one head for each alignment, or one for both.
    """

    def __init__(self, width: int, embed_dim: int, *, parts: int, separate: bool) -> None:
        super().__init__()
        self.mix = nn.Linear(parts * width, width) if parts > 1 else None
        self.to_global = nn.Linear(width, embed_dim)
        self.to_fine = nn.Linear(width, embed_dim) if separate else None

    def trunk(self, *parts: Tensor) -> Tensor:
        """(n, width) from the tower's vectors, each (n, width)."""
        joined = torch.cat(parts, dim=1)
        mixed: Tensor = joined if self.mix is None else self.mix(joined)
        return mixed

    def globally(self, trunk: Tensor) -> Tensor:
        """Unit-norm features (n, d) of the global space."""
        return normalize(self.to_global(trunk).float(), dim=1)

    def finely(self, trunk: Tensor) -> Tensor:
        """Unit-norm features (n, d) of the fine-grained space."""
        head = self.to_global if self.to_fine is None else self.to_fine
        return normalize(head(trunk).float(), dim=1)
