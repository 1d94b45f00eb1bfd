"""Random draws that depend on ids and a seed alone: row order and other rows change nothing."""

import hashlib

import numpy as np
import pandas as pd
from numpy.typing import NDArray


def order_keys(ids: pd.Series, purpose: str, seed: int) -> NDArray[np.uint64]:
    """Return a pseudo-random number for each id: keyed SipHash of the id.

    Args:
        ids: (n,) texts.
        purpose: what is drawn, so that two draws with one seed are independent.
    """
    key = hashlib.blake2b(f"{purpose}|{seed}".encode(), digest_size=8).hexdigest()
    texts = ids.to_numpy(dtype=object)
    return pd.util.hash_array(texts, hash_key=key, categorize=False)


def draw_per_case(
    table: pd.DataFrame, column: str, n: int | None, *, purpose: str, seed: int
) -> pd.DataFrame:
    """Draw ``n`` rows a case without replacement, all of a case that has fewer, all for ``None``.

    Args:
        table: rows with ``case_id`` and unique ids in ``column``.
        purpose: what is drawn, see `order_keys`.

    Returns:
        The drawn rows, sorted by case and id.

    Raises:
        ValueError: ``n`` is below 1.
    """
    if n is not None and n < 1:
        raise ValueError(f"cannot draw {n} rows a case for {purpose}: give 1 or more, or None")
    drawn = table
    if n is not None:
        keyed = table.assign(_key=order_keys(table[column], purpose, seed))
        keyed = keyed.sort_values(["case_id", "_key", column], kind="stable")
        drawn = keyed.groupby("case_id", sort=False).head(n).drop(columns="_key")
    return drawn.sort_values(["case_id", column], kind="stable").reset_index(drop=True)
