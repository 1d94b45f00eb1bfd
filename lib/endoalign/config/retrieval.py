"""Parameters of notebook 07: lesion retrieval."""

from typing import Literal

from pydantic import Field

from endoalign.config.base import ExistingPath
from endoalign.config.encoder import EncoderName
from endoalign.config.endoclip_corpus import EndoclipCorpus


class RetrievalParameters(EndoclipCorpus):
    """What notebook 07 takes."""

    split: Literal["validation", "test"] = Field("test", description="cases to retrieve from")
    links: ExistingPath | None = Field(
        None, description="CSV of known links: finding_id, frame_id, representative"
    )
    baselines: dict[EncoderName, str] = Field(
        default_factory=dict, description="untrained encoders: name in the registry -> weights"
    )
