"""A rectangle of pixels, half-open like a slice."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Pixel = TypeVar("Pixel", bound=np.generic)


@dataclass(frozen=True)
class Box:
    """Columns ``left`` to ``right`` - 1 and rows ``top`` to ``bottom`` - 1, in pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> int:
        """Pixels inside; 0 where the box is empty."""
        return max(0, self.right - self.left) * max(0, self.bottom - self.top)

    def crop(self, image: NDArray[Pixel]) -> NDArray[Pixel]:
        """Return the view of ``image`` (h, w, …) inside the box."""
        return image[self.top : self.bottom, self.left : self.right]

    def iou(self, other: "Box") -> float:
        """Return intersection over union with another box, 0 where both are empty."""
        shared = Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        ).area
        union = self.area + other.area - shared
        return shared / union if union else 0.0

    def rescaled(self, old: tuple[int, int], new: tuple[int, int]) -> "Box":
        """Return the box on the same picture at another size; sizes are (width, height)."""
        across, down = new[0] / old[0], new[1] / old[1]
        return Box(
            round(self.left * across),
            round(self.top * down),
            round(self.right * across),
            round(self.bottom * down),
        )


def box_of_mask(mask: NDArray[np.bool_]) -> Box | None:
    """Return the smallest box around the true pixels of a mask (h, w), `None` where all false."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    return Box(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
