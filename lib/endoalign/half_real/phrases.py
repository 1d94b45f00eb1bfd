"""The words for each attribute: several for each value, so that no value has one sentence.

Each phrase is an adjective before the noun (``adjective``), a place (``place``) or a clause behind
it (``clause``). ``{s}`` stands for the noun that takes up the polyps: ``it`` or ``them``.
"""

from typing import Final, NamedTuple


class Phrase(NamedTuple):
    """Words and the slot of the sentence that takes them."""

    slot: str
    words: str


def _phrases(**slots: list[str]) -> tuple[Phrase, ...]:
    return tuple(Phrase(slot, words) for slot, many in slots.items() for words in many)


NUMBERS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""From two polyps on."""

SIZE: Final = {
    "small": _phrases(
        adjective=["small"],
        clause=["small in the view", "filling less than a twentieth of the view"],
    ),
    "tenth": _phrases(
        clause=["filling about a tenth of the view", "taking up a tenth or so of the picture"]
    ),
    "fifth": _phrases(
        clause=["filling about a fifth of the view", "taking up a fifth or so of the picture"]
    ),
    "third": _phrases(
        clause=["filling about a third of the view", "taking up a third or so of the picture"]
    ),
    "half": _phrases(
        adjective=["large"],
        clause=["filling about half of the view", "taking up half of the picture or so"],
    ),
    "most": _phrases(
        adjective=["very large"],
        clause=["filling most of the view", "taking up most of the picture"],
    ),
}
OUTLINE: Final = {
    "round": _phrases(adjective=["round", "rounded"], clause=["round in outline"]),
    "oval": _phrases(adjective=["oval", "elongated"], clause=["oval in outline"]),
    "irregular": _phrases(clause=["with an irregular outline", "of irregular shape"]),
}
_PLACES: Final = {
    "upper left": ["in the upper left", "at the top left"],
    "upper centre": ["at the top", "in the upper part"],
    "upper right": ["in the upper right", "at the top right"],
    "middle left": ["in the left half", "left of the centre"],
    "middle centre": ["in the centre", "in the middle"],
    "middle right": ["in the right half", "right of the centre"],
    "lower left": ["in the lower left", "at the bottom left"],
    "lower centre": ["at the bottom", "in the lower part"],
    "lower right": ["in the lower right", "at the bottom right"],
}
_WHOLE: Final = ("view", "picture")
POSITION: Final = {
    name: _phrases(place=[f"{words} of the {all_}" for words in many for all_ in _WHOLE])
    for name, many in _PLACES.items()
}
COLOUR: Final = {
    "red": _phrases(
        adjective=["red", "reddish"],
        clause=["redder than the mucosa around {s}", "redder than the surroundings"],
    ),
    "pale": _phrases(
        adjective=["pale"],
        clause=["paler than the mucosa around {s}", "paler than the surroundings"],
    ),
    "yellow": _phrases(
        adjective=["yellowish"],
        clause=["yellower than the mucosa around {s}", "yellower than the surroundings"],
    ),
    "mucosal": _phrases(
        clause=["of the colour of the mucosa around {s}", "of the same hue as the surroundings"]
    ),
}
BRIGHTNESS: Final = {
    "darker": _phrases(
        clause=["darker than the mucosa around {s}", "darker than the surroundings"]
    ),
    "same": _phrases(
        clause=["as bright as the mucosa around {s}", "as bright as the surroundings"]
    ),
    "brighter": _phrases(
        clause=["brighter than the mucosa around {s}", "brighter than the surroundings"]
    ),
    "much brighter": _phrases(
        clause=["much brighter than the mucosa around {s}", "standing out brightly"]
    ),
}
MARGIN: Final = {
    "clear": _phrases(clause=["with a well-defined margin", "with a sharp edge"]),
    "blurred": _phrases(clause=["with an ill-defined margin", "with an indistinct edge"]),
}
DESCRIPTORS: Final = {
    ("outline", "irregular"): "irregular_shape",
    ("margin", "clear"): "well_defined_margin",
    ("margin", "blurred"): "ill_defined_margin",
}
"""Which attribute, once stated, is one of `endoalign.vocabulary.DESCRIPTORS`."""

FRAMES: Final = (
    "{a} {noun}{place}{clauses}.",
    "There {is} {a} {noun}{place}{clauses}.",
    "{a} {noun} {is} seen{place}{clauses}.",
)
"""The sentence around the phrases."""

OTHER_FRAMES: Final = ("No polyp is seen in the other frames.", "The other frames show no polyp.")
NO_POLYP: Final = ("No polyp is seen.", "No polyp is seen in any frame.", "There is no polyp.")
NORMAL: Final = (
    "The mucosa and its vascular pattern are normal.",
    "Normal mucosa with a normal vascular pattern.",
)
"""Said only of cases all of whose frames are labelled so by the data set."""
NOTE: Final = (
    "Half-real: real frames that code put into one case; its sentences are written by code, from "
    "masks and pixels, and no clinician wrote a word."
)
"""The first line of every report."""
