"""Parameters of notebook 01: what makes a report eligible and a frame usable."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from endoalign.config.base import NAME, ExistingPath, Parameters, part
from endoalign.corpus.curate import CurationSettings
from endoalign.paths import artifact


class CurationParameters(Parameters, CurationSettings):
    """What notebook 01 takes."""

    corpus: str = Field(
        "corpus", pattern=NAME, description="name of the corpus's folder in the artifacts"
    )
    dataset: str = Field("world-colonoscopy", description="name of the corpus in results")
    also: list[Annotated[str, Field(pattern=NAME)]] = Field(
        default_factory=list, description="folders of further corpora in the artifacts"
    )
    labels: list[ExistingPath] = Field(
        default_factory=list, description="hand-made labels of findings (JSON files)"
    )
    processes: int = Field(2, ge=1, description="worker processes")
    examples: int = Field(2, ge=1, le=20, description="example reports to show")
    resamples: int = Field(2000, ge=100, description="bootstrap resamples of cases")

    @property
    def corpus_folder(self) -> Path:
        """Folder of the corpus."""
        return artifact(self.corpus, self.profile)

    @property
    def second_folder(self) -> Path:
        """Folder of the corpus of Chinese reports alone, which may not be there."""
        return artifact(f"{self.corpus}_zh", self.profile)

    @property
    def also_folders(self) -> dict[str, Path]:
        """Folder of each further corpus, by its name in results (``half_real``: half-real)."""
        return {name.replace("_", "-"): artifact(name, self.profile) for name in self.also}

    @property
    def curation(self) -> CurationSettings:
        """What makes a frame and a case usable."""
        return part(self, CurationSettings)
