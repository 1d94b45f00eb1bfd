"""The curve of an EndoVLM training: that of every training, and the parts of equation 6."""

from typing import Final

import pandas as pd

from endoalign.training.history import COLUMNS, History

ENDOVLM_COLUMNS: Final = {
    **{name: kind for name, kind in COLUMNS.items() if name != "validation_loss"},
    "global_loss": "float64",
    "fine_grained_loss": "float64",
    "mae_loss": "float64",
    "fine_logit_scale": "float64",
    "frames": "int64",
    "reconstructed": "int64",
}
"""``logit_scale`` is the global one; ``frames`` and ``reconstructed`` are those of all processes
in a step."""


class EndovlmHistory(History):
    """A `History` whose table keeps what only this training has."""

    def table(self) -> pd.DataFrame:
        """All rows brought over so far, columns as in `ENDOVLM_COLUMNS`."""
        return pd.DataFrame(self._rows, columns=list(ENDOVLM_COLUMNS)).astype(ENDOVLM_COLUMNS)
