"""Descriptions of ENT pictures that do not name a side of the body."""

import re
from typing import Final

import pandas as pd

_SIDE: Final = re.compile(r"\b(?:right|left)\b\s*", re.IGNORECASE)


def without_sides(pictures: pd.DataFrame) -> pd.DataFrame:
    """The table with *right* and *left* taken out of its English descriptions.

    A model that learns from these texts meets both sides of an organ under one name, as CLIP did:
    captions of the web seldom say which ear or nostril of the patient a picture shows.

    Args:
        pictures: with a column ``description``; missing ones stay missing.
    """
    texts = [
        _SIDE.sub("", text) if isinstance(text, str) else text for text in pictures["description"]
    ]
    return pictures.assign(description=texts)
