"""The curve of an ENT-CLIP training: that of every training, and its two losses apart."""

from typing import Final

import pandas as pd

from endoalign.training.history import COLUMNS, History

ENT_COLUMNS: Final = {
    **COLUMNS,
    "classification_loss": "float64",
    "contrastive_loss": "float64",
    "validation_accuracy": "float64",
}


class EntHistory(History):
    """A `History` whose table keeps what only this training has."""

    def table(self) -> pd.DataFrame:
        """All rows brought over so far, columns as in `ENT_COLUMNS`."""
        return pd.DataFrame(self._rows, columns=list(ENT_COLUMNS)).astype(ENT_COLUMNS)
