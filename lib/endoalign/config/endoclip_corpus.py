"""What every notebook of EndoCLIP takes: the corpus, and where its pairs and checkpoints lie."""

from pathlib import Path

from pydantic import Field

from endoalign.config.base import NAME, Parameters
from endoalign.paths import artifact
from endoalign.recovery.texts import LesionText


class EndoclipCorpus(Parameters):
    """The corpus, how its frames are seen, and how figures are shown."""

    corpus: str = Field(
        "corpus", pattern=NAME, description="name of the corpus's folder in the artifacts"
    )
    dataset: str = Field("world-colonoscopy", description="name of the corpus in results")
    lesion_text: LesionText = Field(
        "sentence", description="text of a lesion: its sentence, or its own statement with the site"
    )
    crop_content: bool = Field(True, description="crop frames to their content area")
    score_batch: int = Field(256, ge=1, description="frames a forward pass when scoring")
    resamples: int = Field(2000, ge=100, description="bootstrap resamples of cases")
    examples: int = Field(4, ge=1, le=20, description="sentences, frames or queries to show")

    @property
    def corpus_folder(self) -> Path:
        """Folder of the corpus."""
        return artifact(self.corpus, self.profile)

    @property
    def folder(self) -> Path:
        """Folder of the pairs, scores and checkpoints made of the corpus."""
        return artifact(f"{self.corpus}_endoclip", self.profile)
