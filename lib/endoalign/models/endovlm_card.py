"""The model card of an EndoVLM checkpoint."""

import json
from collections.abc import Mapping
from typing import Any, Final

from endoalign.models.endovlm_encoder import EndovlmEncoder
from endoalign.models.model_card import WARNING

HEAD: Final = """---
tags: [vision-language, endoscopy, research]
---
"""
_LOADING: Final = """```python
from pathlib import Path
from endoalign.models.endovlm_checkpoint import load_endovlm
from endoalign.models.endovlm_encoder import encode_frames, encode_propositions
encoder = load_endovlm(Path("FOLDER"))
```"""


def endovlm_card(encoder: EndovlmEncoder, facts: Mapping[str, Any]) -> str:
    """Markdown text of the card.

    Args:
        facts: the provenance, as written to ``provenance.json``.
    """
    parameters = sum(value.numel() for value in encoder.model.parameters())
    settings = encoder.settings
    parts = [
        f"{HEAD}# {encoder.name}",
        "An EndoVLM model of EndoAlign: sets of endoscopy frames and reports aligned as wholes and "
        f"finding by finding, with a masked autoencoder. Image tower {settings.image_tower}, "
        f"features of length {settings.embed_dim}, {parameters:,} parameters, frames of "
        f"{settings.image_size} x {settings.image_size} pixels (cropped to their content, "
        "squashed).",
        WARNING,
        "## Where the weights come from",
        f"Started from: {encoder.started_from}.",
        f"```json\n{json.dumps(dict(facts), indent=1, ensure_ascii=False)}\n```",
        "## How to load it",
        _LOADING,
    ]
    return "\n\n".join(parts) + "\n"
