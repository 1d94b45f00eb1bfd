"""How many parameters an ENT-CLIP model has, and how many are trained (Table 5)."""

from collections.abc import Iterable

import pandas as pd
from torch import nn

from endoalign.models.ent_clip import EntClip
from endoalign.models.lora_attention import LowRank


def parameter_counts(model: EntClip) -> pd.DataFrame:
    """A row a part and one for the total: ``part``, ``parameters``, ``trained``.

    Table 5 of the paper counts the image side: image tower, adapters, fusion and classifier.
    """
    towers = model.encoder.model
    adapters = [module for module in towers.modules() if isinstance(module, LowRank)]
    of_adapters = [value for module in adapters for value in module.parameters()]
    known = {id(value) for value in of_adapters}
    image = [value for value in towers.visual.parameters() if id(value) not in known]  # type: ignore[union-attr]
    known |= {id(value) for value in image}
    text = [value for value in towers.parameters() if id(value) not in known]
    parts: dict[str, Iterable[nn.Parameter]] = {
        "image tower": image,
        "text tower": text,
        "adapters": of_adapters,
        "fusion": [] if model.fusion is None else model.fusion.parameters(),
        "classifier": model.classifier.parameters(),
        "temperature": [model.logit_scale],
    }
    rows = []
    for part, values in parts.items():
        held = list(values)
        trained = sum(value.numel() for value in held if value.requires_grad)
        rows.append((part, sum(value.numel() for value in held), trained))
    rows.append(("total", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    return pd.DataFrame(rows, columns=["part", "parameters", "trained"])
