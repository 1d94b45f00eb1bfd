"""What the notebooks that train EndoCLIP share: the encoder, and its training."""

from pathlib import Path

from pydantic import Field

from endoalign.config.encoder import EncoderName
from endoalign.config.endoclip_corpus import EndoclipCorpus
from endoalign.training.job import TrainingJob, TrainingSettings


class EndoclipParameters(EndoclipCorpus, TrainingSettings):
    """Encoder and training settings; the notebooks 02, 03 and 04 add their own."""

    encoder: EncoderName = Field("tiny-vit", description="name in the registry of encoders")
    weights: str | None = Field(
        "pretrained", description="pretrained, random, an OpenCLIP tag, a hub id or a folder"
    )
    cache_pixels: bool = Field(
        True, description="keep small pictures of all frames in one file; off for large archives"
    )

    @property
    def cache(self) -> Path | None:
        """File of what the encoder takes of each frame; None where none is kept."""
        return self.folder / f"pixels_{self.encoder}.npy" if self.cache_pixels else None

    def job(
        self, system: str, pairs: Path, *, validation: Path | None = None, **changes: object
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
