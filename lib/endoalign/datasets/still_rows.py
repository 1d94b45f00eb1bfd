"""Rows of the tables for pictures that show a polyp and have a mask."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from endoalign.datasets.pairs import Pair


@dataclass(frozen=True)
class StillRows:
    """Rows of the tables ``frames``, ``masks`` and ``labels``; all pictures show a polyp."""

    frames: list[dict[str, object]]
    masks: list[dict[str, object]]
    labels: list[dict[str, object]]

    def case_ids(self) -> list[str]:
        """Return the ids of the cases, in the order of their first frames."""
        return list(dict.fromkeys(str(row["case_id"]) for row in self.frames))


def still_rows(pairs: Sequence[Pair], name: str) -> StillRows:
    """Return the rows of pictures of unknown patients, each a case of its own.

    Ids are ``NAME/STEM``, so that those of several data sets never meet.
    """
    return case_rows(pairs, name, lambda stem: (f"{name}/{stem}", 0))


def case_rows(
    pairs: Sequence[Pair], name: str, place_of: Callable[[str], tuple[str, int]]
) -> StillRows:
    """Return the rows of pictures whose case and place in it are told by their stem.

    Args:
        pairs: pictures and masks.
        name: first part of the frames' ids, ``NAME/STEM``.
        place_of: from a stem to a case_id and the index in the case, from 0.
    """
    rows = StillRows([], [], [])
    for pair in pairs:
        frame_id, (case_id, index) = f"{name}/{pair.stem}", place_of(pair.stem)
        rows.frames.append(
            {"frame_id": frame_id, "case_id": case_id, "path": pair.image, "index": index}
        )
        rows.labels.append({"frame_id": frame_id, "task": "class", "label": "polyp"})
        if pair.mask is not None:
            rows.masks.append({"frame_id": frame_id, "mask_path": pair.mask})
    return rows
