"""The real frames that a half-real corpus is made of, each with where it came from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from endoalign.half_real.settings import HalfRealSettings
from endoalign.paths import expand

POLYPS: Final = "kvasir-seg"
NORMALS: Final = "gastrovision"

LICENCES: Final[dict[str, dict[str, str]]] = {
    POLYPS: {
        "licence": "CC BY 4.0 (as the segmented images of HyperKvasir)",
        "citation": "Jha D. et al. Kvasir-SEG: a segmented polyp dataset. MultiMedia Modeling, "
        "2020; Borgli H. et al. HyperKvasir, a comprehensive multi-class image and video dataset "
        "for gastrointestinal endoscopy. Scientific Data 7, 283, 2020.",
    },
    NORMALS: {
        "licence": "CC BY 4.0",
        "citation": "Jha D. et al. GastroVision: a multi-class endoscopy image dataset for "
        "computer aided gastrointestinal disease detection. Machine Learning for Multimodal "
        "Healthcare Data, 2023.",
    },
}
"""What a frame of each source may be used for, and whom to cite."""


class HalfRealError(ValueError):
    """A source that cannot be used; the message names the file and says what would be right."""


@dataclass(frozen=True)
class SourceImage:
    """One real frame. ``mask`` is ``None`` where the frame is of normal mucosa.

    ``held_out`` frames are on the official validation list and stay out of training.
    """

    source_id: str
    path: Path
    mask: Path | None = None
    held_out: bool = False


def list_sources(settings: HalfRealSettings) -> list[SourceImage]:
    """The polyp frames, then the normal frames, each sorted by name.

    Raises:
        HalfRealError: a folder without frames, a frame without its mask, or no ``val.txt``.
    """
    polyps, normals = expand(settings.polyps), expand(settings.normals)
    held_out = _held_out(polyps / "val.txt")
    found = []
    for path in _frames(polyps / "images"):
        mask = polyps / "masks" / path.name
        if not mask.is_file():
            raise HalfRealError(f"{path}: no mask; it should be at {mask}")
        found.append(SourceImage(f"{POLYPS}/{path.stem}", path, mask, path.stem in held_out))
    found += [SourceImage(f"{NORMALS}/{path.stem}", path) for path in _frames(normals)]
    return found


def fingerprint(sources: list[SourceImage]) -> list[list[Any]]:
    """Name and bytes of every file, by which a corpus made of other files is told."""
    files = [file for s in sources for file in (s.path, s.mask) if file is not None]
    held_out = [s.source_id for s in sources if s.held_out]
    return [*([f"{f.parent.name}/{f.name}", f.stat().st_size] for f in files), held_out]


def _frames(folder: Path) -> list[Path]:
    frames = sorted(folder.glob("*.jpg")) if folder.is_dir() else []
    if not frames:
        raise HalfRealError(f"{folder}: no frames; they should lie there as NAME.jpg")
    return frames


def _held_out(path: Path) -> set[str]:
    if not path.is_file():
        raise HalfRealError(f"{path}: missing; it names the validation frames, one id a line")
    return set(path.read_text(encoding="utf-8").split())
