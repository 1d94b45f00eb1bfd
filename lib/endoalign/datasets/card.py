"""What is published about a data set: source, licence, citation, layout and counts."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Card:
    """The facts of one public data set.

    Attributes:
        name: as commands and the results table have it, such as ``kvasir-seg``; the module of the
            adapter has the same name with underscores.
        title: as its authors call it.
        page: address of the page where it is published; ``none: …`` for a layout of one's own.
        licence: under which it may be used, in the words of its page.
        citation: the paper to cite.
        layout: folders and files expected under the root, one to a line, for messages.
        expected: counts as published; `contents.count_of` explains the names.
        how_to_get: what to do to hold the files in that layout.
        notes: what whoever uses the data set has to know, one sentence each.
        lossy_masks: whether masks are published with values between 0 and 255.
        label_maps: whether masks hold class numbers and are not 0 and 255.
    """

    name: str
    title: str
    page: str
    licence: str
    citation: str
    layout: str
    expected: Mapping[str, int]
    how_to_get: str
    notes: tuple[str, ...] = ()
    lossy_masks: bool = False
    label_maps: bool = False
