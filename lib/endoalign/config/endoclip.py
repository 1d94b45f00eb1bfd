"""What the notebooks of EndoCLIP share: the corpus, the encoder and how it is trained."""

from pathlib import Path

from pydantic import Field

from endoalign.config.base import NAME, Parameters
from endoalign.paths import artifact
from endoalign.training.job import TrainingJob, TrainingSettings

FOLDER = "endoclip"


class EndoclipParameters(Parameters, TrainingSettings):
    """Corpus, encoder, training settings; the notebooks 02, 03 and 04 add their own."""

    corpus: str = Field(
        "corpus", pattern=NAME, description="name of the corpus's folder in the artifacts"
    )
    dataset: str = Field("world-colonoscopy", description="name of the corpus in results")
    encoder: str = Field("tiny-vit", description="name in the registry of encoders")
    weights: str | None = Field(
        "pretrained", description="pretrained, random, an OpenCLIP tag, a hub id or a folder"
    )
    cache_pixels: bool = Field(
        True, description="keep small pictures of all frames in one file; off for large archives"
    )
    crop_content: bool = Field(True, description="crop frames to their content area")
    score_batch: int = Field(256, ge=1, description="frames a forward pass when scoring")
    resamples: int = Field(2000, ge=100, description="bootstrap resamples of cases")
    examples: int = Field(4, ge=1, le=20, description="sentences or cases to show")

    @property
    def corpus_folder(self) -> Path:
        """Folder of the corpus."""
        return artifact(self.corpus, self.profile)

    @property
    def folder(self) -> Path:
        """Folder of pairs, scores and checkpoints."""
        return endoclip_folder(self.corpus, self.profile)

    @property
    def cache(self) -> Path | None:
        """File of the small pictures that the encoder sees; None where none are kept."""
        return self.folder / f"pixels_{self.encoder}.npy" if self.cache_pixels else None

    def job(
        self,
        system: str,
        pairs: Path,
        *,
        validation: Path | None = None,
        **changes: object,
    ) -> TrainingJob:
        """The training of ``system`` on ``pairs``; ``changes`` replace training settings."""
        settings = {name: getattr(self, name) for name in TrainingSettings.model_fields}
        place = {
            "encoder": self.encoder,
            "weights": self.weights,
            "corpus": self.corpus_folder,
            "pairs": pairs,
            "validation_pairs": validation,
            "output": self.folder / system,
            "cache": self.cache,
            "crop_content": self.crop_content,
            "seed": self.seed,
        }
        return TrainingJob.model_validate({**settings, **place, **changes})


def endoclip_folder(corpus: str, profile: str) -> Path:
    """Folder of EndoCLIP's pairs, scores and checkpoints for a corpus."""
    return artifact(f"{corpus}_{FOLDER}", profile)
