"""Parameters of notebook 05: whole examinations, their triplets, and the training of EndoVLM."""

from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import Field, ValidationError, ValidationInfo, model_validator

from endoalign.config.base import NAME, Parameters, part
from endoalign.config.corpus import resolved
from endoalign.corpus.curate import CurationSettings
from endoalign.corpus.ingest import IngestSettings
from endoalign.corpus.sources import FoldersSource, IngestSource, Source
from endoalign.paths import artifact
from endoalign.reports.triplets.settings import TripletSettings
from endoalign.training.endovlm_settings import EndovlmJob, EndovlmTrainingSettings
from endoalign.world.settings import WorldSettings

EXAMINATIONS: Final[dict[str, Literal["gastroscopy", "colonoscopy"]]] = {
    "upper": "gastroscopy",
    "colon": "colonoscopy",
}
"""Name of each world of whole examinations -> what its cases are."""

System = Literal["EndoVLM-global", "EndoVLM-global+fg", "EndoVLM-mae", "EndoVLM"]

ABLATION: Final[dict[System, dict[str, Any]]] = {
    "EndoVLM-global": {"fine_grained_weight": 0.0, "mae_weight": 0.0},
    "EndoVLM-global+fg": {"mae_weight": 0.0},
    "EndoVLM-mae": {"use_global": False, "fine_grained_weight": 0.0, "mae_frames": "all"},
    "EndoVLM": {},
}
"""The rows of the paper's Table 2: what each leaves out of equation 6."""

COMPARISONS: Final[tuple[tuple[System, System], ...]] = (
    ("EndoVLM", "EndoVLM-global+fg"),
    ("EndoVLM-global+fg", "EndoVLM-global"),
    ("EndoVLM", "EndoVLM-mae"),
)
"""The order that Table 2 shows: the first of each pair is the better one."""


class EndovlmParameters(Parameters, EndovlmTrainingSettings, IngestSettings, CurationSettings):
    """What notebook 05 takes: the user's ``sources``, or (where there are none) two worlds."""

    corpus: str = Field(
        "corpus_whole", pattern=NAME, description="name of the corpus's folder in the artifacts"
    )
    dataset: str = Field("world-whole", description="name of the corpus in results")
    sources: list[IngestSource] = Field(
        default_factory=list, description="reports and frames to take; none: make the worlds"
    )
    upper_cases: int = Field(40, ge=0, description="gastroscopies of the world")
    colon_cases: int = Field(40, ge=0, description="whole colonoscopies of the world")
    normal_share: float = Field(0.3, ge=0, le=1, description="share of them without a lesion")
    undocumented_share: float = Field(
        0.0, ge=0, lt=1, description="share of the world's regions without a still or a sentence"
    )
    frames_per_examination: int = Field(24, ge=1, description="stills of an examination")
    frame_height: int = Field(64, ge=32, le=1080, description="height of a frame, pixels")
    crop_content: bool = Field(True, description="crop frames to their content area")
    cache_pixels: bool = Field(
        True, description="keep small pictures of all frames in one file; off for large archives"
    )
    landmarks: Literal["all", "reached"] = Field(
        "all",
        description="a report must name all 8 or 9 regions (paper), or one at the far end",
    )
    engine: Literal["rules", "llm"] = Field(
        "rules", description="what reads triplets: the curation's parser, or a language model"
    )
    llm: str = Field(
        "Qwen/Qwen3-8B", min_length=1, description="instruct model by name or local directory"
    )
    llm_backend: Literal["auto", "transformers", "vllm"] = Field(
        "auto", description="what runs the model; auto: vLLM where installed, else transformers"
    )
    llm_batch: int = Field(16, ge=1, description="reports answered at once")
    systems: list[System] = Field(
        default_factory=lambda: list(ABLATION),
        min_length=1,
        description="rows of Table 2 to train",
    )
    trainings_at_once: int = Field(
        1, ge=1, description="trainings side by side, on a processor; 1 for an accelerator"
    )
    test_split: Literal["test", "validation"] = Field(
        "test", description="unseen examinations to measure on"
    )
    score_batch: int = Field(256, ge=1, description="frames a forward pass when scoring")
    resamples: int = Field(2000, ge=100, description="bootstrap resamples of cases")
    processes: int = Field(2, ge=1, description="worker processes that render and read frames")
    examples: int = Field(4, ge=1, le=20, description="frames to reconstruct and to show")
    least_upper: float = Field(
        0.0, ge=0, le=1, description="least region retrieval of upper GI that the gate asks for"
    )
    least_colon: float = Field(
        0.0, ge=0, le=1, description="least region retrieval of the colon that the gate asks for"
    )
    least_finding: float = Field(
        0.0, ge=0, le=1, description="least finding retrieval that the gate asks for"
    )

    @model_validator(mode="after")
    def _sources_exist(self, info: ValidationInfo) -> Self:
        if (info.context or {}).get("files", True):
            for source in map(resolved, self.sources):
                for key, path in source:
                    if isinstance(path, Path) and not path.exists():
                        raise ValueError(f"sources, {source.name!r}: {key}: nothing at {path}")
        return self

    @model_validator(mode="after")
    def _processes_are_used_one_way(self) -> Self:
        if self.trainings_at_once > 1 and self.num_processes > 1:
            raise ValueError(
                f"trainings_at_once {self.trainings_at_once} and num_processes "
                f"{self.num_processes}: several trainings side by side, or several processes for "
                "each; one of the two must be 1"
            )
        return self

    @model_validator(mode="after")
    def _each_system_once(self) -> Self:
        if len(set(self.systems)) < len(self.systems):
            raise ValueError("systems: each row of Table 2 can be trained once")
        for name in self.systems:
            try:
                self.job(name)
            except ValidationError as error:
                raise ValueError(f"systems, {name}: {error.errors()[0]['msg']}") from None
        return self

    @property
    def bars(self) -> dict[tuple[str, str], float]:
        """Least figures of EndoVLM, by task and protocol."""
        return {
            ("region_retrieval", "upper_gi"): self.least_upper,
            ("region_retrieval", "colon"): self.least_colon,
            ("finding_retrieval", "upper_gi"): self.least_finding,
            ("finding_retrieval", "colon"): self.least_finding,
        }

    @property
    def corpus_folder(self) -> Path:
        """Folder of the corpus."""
        return artifact(self.corpus, self.profile)

    @property
    def folder(self) -> Path:
        """Folder of the propositions and checkpoints made of the corpus."""
        return artifact(f"{self.corpus}_endovlm", self.profile)

    @property
    def propositions(self) -> Path:
        """File of the propositions that are trained on."""
        return self.folder / "propositions.parquet"

    @property
    def worlds(self) -> dict[str, WorldSettings]:
        """Settings of each world, by its name; none where there are sources."""
        counts = {"upper": self.upper_cases, "colon": self.colon_cases}
        return (
            {}
            if self.sources
            else {
                name: self._world(exam_type, counts[name])
                for name, exam_type in EXAMINATIONS.items()
                if counts[name]
            }
        )

    def _world(self, exam_type: Literal["gastroscopy", "colonoscopy"], cases: int) -> WorldSettings:
        normal = round(self.normal_share * cases)
        return WorldSettings(
            exam_type=exam_type,
            whole_examinations=True,
            undocumented_share=self.undocumented_share,
            positive_cases=cases - normal,
            normal_cases=normal,
            frames_per_case=self.frames_per_examination,
            frame_height=self.frame_height,
        )

    def world_folder(self, name: str) -> Path:
        """Folder of one world, inside the corpus."""
        return self.corpus_folder / name

    def all_sources(self) -> list[Source]:
        """The sources to ingest, paths absolute; a world is a folder source like any other."""
        if self.sources:
            return [resolved(source) for source in self.sources]
        return [
            FoldersSource(
                name=name,
                exam_type=EXAMINATIONS[name],
                frames=self.world_folder(name) / "raw" / "frames",
                reports=self.world_folder(name) / "raw" / "reports.jsonl",
            )
            for name in self.worlds
        ]

    @property
    def ingest(self) -> IngestSettings:
        """How frames are measured."""
        return part(self, IngestSettings)

    @property
    def curation(self) -> CurationSettings:
        """What makes a frame and a case usable."""
        return part(self, CurationSettings)

    @property
    def triplets(self) -> TripletSettings:
        """How triplets are read out of reports."""
        return TripletSettings(
            engine=self.engine,
            model=self.llm,
            backend=self.llm_backend,
            batch_size=self.llm_batch,
        )

    @property
    def cache(self) -> Path | None:
        """File of the small pictures of all frames; None where none is kept."""
        return self.folder / f"pixels_{self.image_size}.npy" if self.cache_pixels else None

    def job(self, system: System) -> EndovlmJob:
        """The training of one row of Table 2."""
        settings = {name: getattr(self, name) for name in EndovlmTrainingSettings.model_fields}
        place = {
            "corpus": self.corpus_folder,
            "propositions": self.propositions,
            "output": self.folder / system,
            "cache": self.cache,
            "crop_content": self.crop_content,
            "seed": self.seed,
        }
        return EndovlmJob.model_validate({**settings, **ABLATION[system], **place})
