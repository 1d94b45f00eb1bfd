"""Parameters of notebook 00: a world or the user's own archive, and the half-real corpus."""

from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationInfo, model_validator

from endoalign.config.base import NAME, Parameters, part
from endoalign.corpus.ingest import IngestSettings
from endoalign.corpus.sources import FoldersSource, IngestSource, Source
from endoalign.half_real.settings import DATASET, HalfRealSettings
from endoalign.paths import artifact, expand
from endoalign.world.settings import WorldSettings


class CorpusParameters(Parameters, WorldSettings, IngestSettings):
    """What notebook 00 takes: the user's ``sources``, or (where there are none) a world."""

    corpus: str = Field(
        "corpus", pattern=NAME, description="name of the corpus's folder in the artifacts"
    )
    dataset: str = Field("world-colonoscopy", description="name of the corpus in results")
    sources: list[IngestSource] = Field(
        default_factory=list, description="reports and frames to take; none: make the world"
    )
    second_language_cases: int = Field(
        0, ge=0, description="cases of a second world of Chinese reports alone (half normal)"
    )
    half_real: HalfRealSettings | None = Field(
        None, description="real frames to make the half-real corpus of, beside the other; or none"
    )
    processes: int = Field(2, ge=1, description="worker processes")
    sheet_frames: int = Field(48, ge=1, le=400, description="frames on a contact sheet")
    gallery_height: int = Field(
        160, ge=32, le=512, description="height of a frame of the world's gallery, pixels"
    )

    @model_validator(mode="after")
    def _paths_exist(self, info: ValidationInfo) -> Self:
        if (info.context or {}).get("files", True):
            for source in map(resolved, self.sources):
                for key, path in _paths(source).items():
                    if not path.exists():
                        raise ValueError(f"sources, {source.name!r}: {key}: nothing at {path}")
            for key, path in self._half_real_paths().items():
                if not path.exists():
                    raise ValueError(f"half_real: {key}: nothing at {path}")
        return self

    def _half_real_paths(self) -> dict[str, Path]:
        if self.half_real is None:
            return {}
        return {key: expand(getattr(self.half_real, key)) for key in ("polyps", "normals")}

    @property
    def corpus_folder(self) -> Path:
        """Folder of the corpus."""
        return artifact(self.corpus, self.profile)

    @property
    def world(self) -> WorldSettings | None:
        """Settings of the world to make; ``None`` where there are sources."""
        return None if self.sources else part(self, WorldSettings)

    @property
    def ingest(self) -> IngestSettings:
        """How frames are measured."""
        return part(self, IngestSettings)

    @property
    def second_folder(self) -> Path:
        """Folder of the corpus of Chinese reports alone."""
        return artifact(f"{self.corpus}_zh", self.profile)

    @property
    def second_world(self) -> WorldSettings:
        """Settings of the world of Chinese reports alone."""
        positive = self.second_language_cases // 2
        normal = self.second_language_cases - positive
        return WorldSettings(
            positive_cases=positive, normal_cases=normal, frames_per_case=0, language="zh"
        )

    @property
    def half_real_folder(self) -> Path:
        """Folder of the half-real corpus."""
        return artifact("half_real", self.profile)

    @property
    def half_real_ingest(self) -> IngestSettings:
        """How frames of the half-real corpus are measured: cases share parts of real frames."""
        return self.ingest.model_copy(update={"duplicate_scope": "case"})

    def all_sources(self) -> list[Source]:
        """The sources to ingest, paths absolute; a world is a folder source like any other."""
        if self.sources:
            return [resolved(source) for source in self.sources]
        return [world_source(self.corpus_folder, frames=self.frames_per_case > 0)]


def world_source(folder: Path, *, frames: bool) -> FoldersSource:
    """The source that reads a world back from ``folder``, as an archive, without its truth."""
    raw = folder / "raw"
    found = raw / "frames" if frames else None
    return FoldersSource(name="world", frames=found, reports=raw / "reports.jsonl")


def half_real_source(folder: Path) -> FoldersSource:
    """The source that reads the half-real corpus back from ``folder``, without its truth."""
    raw = folder / "raw"
    return FoldersSource(name=DATASET, frames=raw / "frames", reports=raw / "reports.jsonl")


def resolved(source: Source) -> Source:
    """The source with its paths expanded and absolute (see `endoalign.paths.expand`)."""
    changed: dict[str, Any] = {key: expand(path) for key, path in _paths(source).items()}
    return source.model_copy(update=changed)


def _paths(source: Source) -> dict[str, Path]:
    """Name and value of each path that the source names."""
    return {key: value for key, value in source if isinstance(value, Path)}
