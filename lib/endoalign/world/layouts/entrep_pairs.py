"""What the tracks of ENTRep ask and answer: classes, phrases, and pictures that show the same."""

from collections.abc import Sequence

from endoalign.vocabulary import ENT_CLASSES
from endoalign.world.layouts.ids import label_of
from endoalign.world.layouts.pictures import LabelledPicture


def class_answers(pictures: Sequence[LabelledPicture], names: Sequence[str]) -> dict[str, str]:
    """Return the class of each file; ``ValueError`` for a picture with none of the seven."""
    pairs = zip(names, pictures, strict=True)
    return {name: label_of(picture, "class", ENT_CLASSES) for name, picture in pairs}


def phrase_pairs(
    pictures: Sequence[LabelledPicture], names: Sequence[str], chosen: Sequence[int]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return which file shows a phrase, and which file shows the same as another.

    As in the challenge, a phrase has one file, and the first two files of a phrase that are not
    paired yet are each the other's match.

    Args:
        pictures: with the label ``phrases``, separated by ``; ``.
        names: of their files.
        chosen: places of the pictures of one part, in the order to take them.
    """
    showing: dict[str, list[int]] = {}
    for place in chosen:
        for phrase in pictures[place].labels.get("phrases", "").split("; "):
            if phrase:
                showing.setdefault(phrase, []).append(place)
    by_phrase = {phrase: names[places[0]] for phrase, places in showing.items()}
    by_image: dict[str, str] = {}
    for places in showing.values():
        free = _alike([place for place in places if names[place] not in by_image], pictures)
        if free is not None:
            first, second = names[free[0]], names[free[1]]
            by_image |= {first: second, second: first}
    return by_phrase, by_image


def _alike(places: list[int], pictures: Sequence[LabelledPicture]) -> tuple[int, int] | None:
    """Return the first two pictures of one class, `None` where there are no two."""
    first: dict[str, int] = {}
    for place in places:
        label = pictures[place].labels["class"]
        if label in first:
            return first[label], place
        first[label] = place
    return None
