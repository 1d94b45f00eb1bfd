"""The model card of a checkpoint: what it is, what it is not, and how it is loaded."""

from collections.abc import Mapping
from typing import Any, Final

from endoalign.models.architecture import text_tower_name
from endoalign.models.dual_encoder import DualEncoder

HEAD: Final = """---
library_name: open_clip
tags: [clip, endoscopy, research]
---
"""
WARNING: Final = (
    "Research software, **never a medical device**: it must not be used for diagnosis or to guide "
    "an examination. Its scores are similarities, no probabilities of a disease."
)


def model_card(encoder: DualEncoder, facts: Mapping[str, Any]) -> str:
    """Markdown text of the card.

    Args:
        facts: the provenance, as written to ``provenance.json``; one row of a table each.
    """
    parameters = sum(value.numel() for value in encoder.model.parameters())
    parts = [
        f"{HEAD}# {encoder.name}",
        "A dual encoder of EndoAlign: endoscopy frames and sentences of reports in one space, "
        f"features of length {encoder.feature_size}, {parameters:,} parameters, frames of "
        f"{encoder.image_size} x {encoder.image_size} pixels (cropped to their content, squashed).",
        WARNING,
        "## Where the weights come from",
        f"Started from: {facts['started_from']}. What they were trained on and how:",
        _table({key: value for key, value in facts.items() if key != "started_from"}),
        "## How to load it",
        _loading(text_tower_name(encoder.config["model_cfg"])),
    ]
    return "\n\n".join(parts) + "\n"


def _table(facts: Mapping[str, Any]) -> str:
    rows = ["| setting | value |", "|---|---|"]
    for key, value in _flat(facts, ""):
        shown = str(value).replace("|", "\\|").replace("\n", " ")
        rows.append(f"| `{key}` | {shown} |")
    return "\n".join(rows)


def _flat(facts: Mapping[str, Any], prefix: str) -> list[tuple[str, Any]]:
    """Nested mappings as rows ``outer.inner``."""
    rows: list[tuple[str, Any]] = []
    for key, value in facts.items():
        name = f"{prefix}{key}"
        rows += _flat(value, f"{name}.") if isinstance(value, Mapping) else [(name, value)]
    return rows


def _loading(text_tower: str | None) -> str:
    text = (
        "```python\n"
        "from pathlib import Path\n"
        "from endoalign.models.checkpoint import load_encoder\n"
        'encoder = load_encoder(Path("FOLDER"))\n\n'
        "import open_clip\n"
        'model, _, preprocess = open_clip.create_model_and_transforms("local-dir:FOLDER")\n'
        'tokenizer = open_clip.get_tokenizer("local-dir:FOLDER")\n'
        "```"
    )
    if text_tower is None:
        return text
    return (
        f"{text}\n\nThe text tower's architecture is `{text_tower}/config.json` in this folder. "
        "OpenCLIP alone asks the hub for it, or, without a network, finds it when Python runs in "
        "this folder (`local-dir:.`); `load_encoder` needs neither."
    )
