"""What the EndoCLIP paper prints, as tables to set beside ours (`paper_endoclip.yaml`)."""

from functools import cache
from pathlib import Path
from typing import Any, Final

import pandas as pd
import yaml

_FILE: Final = Path(__file__).with_name("paper_endoclip.yaml")
_COLUMNS: Final = ("system", "protocol", "metric", "value", "ci_low", "ci_high", "shown", "source")


def paper_figures() -> pd.DataFrame:
    """Figures of retrieval and frame AUROC.

    Returns:
        A row a figure: system, protocol and metric as in `endoalign.results`; value, ci_low and
        ci_high (NaN where the paper gives none); shown (how the paper prints it where that is
        more than the value, else empty); source (section, and the table it cites).
    """
    table = pd.DataFrame(_read()["figures"], columns=list(_COLUMNS))
    return table.assign(shown=table["shown"].fillna(""))


def paper_counts() -> dict[str, str]:
    """Numbers of cases and pairs as the paper prints them: ``anchors`` -> ``69.6k``."""
    return {str(name): str(text) for name, text in _read()["counts"].items()}


@cache
def _read() -> dict[str, Any]:
    return dict(yaml.safe_load(_FILE.read_text(encoding="utf-8")))
