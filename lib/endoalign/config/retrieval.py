"""Parameters of notebook 07: lesion retrieval."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from endoalign.config.base import NAME, ExistingPath, Parameters
from endoalign.config.endoclip import endoclip_folder
from endoalign.paths import artifact


class RetrievalParameters(Parameters):
    """What notebook 07 takes."""

    corpus: str = Field(
        "corpus", pattern=NAME, description="name of the corpus's folder in the artifacts"
    )
    dataset: str = Field("world-colonoscopy", description="name of the corpus in results")
    split: Literal["validation", "test"] = Field("test", description="cases to retrieve from")
    links: ExistingPath | None = Field(
        None, description="CSV of known links: finding_id, frame_id, representative"
    )
    baselines: dict[str, str] = Field(
        default_factory=dict, description="untrained encoders: name in the registry -> weights"
    )
    crop_content: bool = Field(True, description="crop frames to their content area")
    score_batch: int = Field(256, ge=1, description="frames a forward pass")
    resamples: int = Field(2000, ge=100, description="bootstrap resamples of cases")
    examples: int = Field(4, ge=1, le=20, description="queries to show")

    @property
    def corpus_folder(self) -> Path:
        """Folder of the corpus."""
        return artifact(self.corpus, self.profile)

    @property
    def folder(self) -> Path:
        """Folder of the checkpoints."""
        return endoclip_folder(self.corpus, self.profile)
