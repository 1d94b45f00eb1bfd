"""A picture with its labels, and how public data sets keep pictures and masks on disk."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

JPEG_QUALITY: Final = 92
"""High enough that a mask above 127 stays what it was; low enough that it is not binary."""

Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class LabelledPicture:
    """One picture, rendered or random.

    Attributes:
        rgb: uint8 (H, W, 3).
        mask: foreground, bool (H, W); `None` where nothing is outlined.
        labels: label by task, such as ``{"class": "polyp"}``.
        case_id: the examination or sequence it belongs to; pictures of one follow each other.
        texts: descriptions by language.
    """

    rgb: Pixels
    mask: NDArray[np.bool_] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    case_id: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shape = self.rgb.shape
        if self.rgb.dtype != np.uint8 or len(shape) != 3 or shape[2] != 3:
            raise ValueError(f"rgb is {self.rgb.dtype} {shape}, not uint8 (H, W, 3)")
        if self.mask is not None and (self.mask.dtype != np.bool_ or self.mask.shape != shape[:2]):
            raise ValueError(
                f"mask is {self.mask.dtype} {self.mask.shape}, not bool {shape[:2]} as its picture"
            )


def mask_of(picture: LabelledPicture) -> NDArray[np.bool_]:
    """Return the mask, bool (H, W); an empty one where the picture has none."""
    if picture.mask is None:
        return np.zeros(picture.rgb.shape[:2], dtype=np.bool_)
    return picture.mask


def write_picture(pixels: Pixels, path: Path) -> None:
    """Write pixels, (H, W) or (H, W, 3), by the ending of ``path``; the file appears whole.

    JPEG is lossy (`JPEG_QUALITY`, colours at full resolution); PNG, TIF and BMP are exact.
    """
    image = Image.fromarray(pixels)
    if path.suffix.lower() in (".jpg", ".jpeg"):
        _whole(path, lambda to: image.save(to, "JPEG", quality=JPEG_QUALITY, subsampling=0))
        return
    kinds = {".png": "PNG", ".tif": "TIFF", ".tiff": "TIFF", ".bmp": "BMP"}
    kind = kinds.get(path.suffix.lower())
    if kind is None:
        raise ValueError(f"{path}: unknown ending; known: .jpg, {', '.join(kinds)}")
    _whole(path, lambda to: image.save(to, kind))


def grey_mask(mask: NDArray[np.bool_]) -> Pixels:
    """Return a mask of 0 and 255, uint8 (H, W)."""
    return np.where(mask, np.uint8(255), np.uint8(0))


def three_channels(mask: NDArray[np.bool_]) -> Pixels:
    """Return a mask of 0 and 255 as uint8 (H, W, 3), as Kvasir-SEG keeps its masks."""
    return np.repeat(grey_mask(mask)[..., None], 3, axis=2)


def soft_mask(mask: NDArray[np.bool_]) -> Pixels:
    """Return a mask with grey at its edges, uint8 (H, W), that thresholds to itself at > 127.

    So are masks that were resized before they were packed again, such as CVC-ClinicDB's as PNG.
    """
    hard = grey_mask(mask)
    blurred = np.asarray(Image.fromarray(hard).filter(ImageFilter.BoxBlur(1)))
    return np.where(mask, np.maximum(blurred, 128), np.minimum(blurred, 127)).astype(np.uint8)


def write_lines(lines: list[str], path: Path, *, end: str = "\n") -> None:
    """Write lines of UTF-8, each closed by ``end``; the file appears whole."""
    content = "".join(line + end for line in lines).encode()
    _whole(path, lambda to: to.write_bytes(content))


def bounding_box(mask: NDArray[np.bool_]) -> tuple[int, int, int, int] | None:
    """Return the smallest box (left, top, right, bottom) of a mask, `None` of an empty one.

    All four are pixels of the mask: the box of a single pixel is (x, y, x, y).
    """
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return None
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


def _whole(path: Path, write: Callable[[Path], object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    write(temporary)
    temporary.replace(path)
