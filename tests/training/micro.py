"""A dual encoder small enough for tests, in this process and, as a script, in others.

python micro.py KIND JSON…   trains the jobs in JSON with it, one after another.
"""

import json
import sys

import torch

from endoalign.models.architecture import build_model
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.entries import preprocessing
from endoalign.models.tokens import build_tokenizer
from endoalign.training import loop
from endoalign.training.fit import fit
from endoalign.training.job import TrainingJob

SIDE = 32
TOWERS = {
    "vit": {"image_size": SIDE, "patch_size": 8, "width": 16, "head_width": 8, "layers": 2},
    "conv": {  # batch normalisation and dropout
        "image_size": SIDE,
        "timm_model_name": "test_resnet",
        "timm_pool": "avg",
        "timm_proj": "linear",
        "timm_drop": 0.2,
    },
}


def micro_encoder(kind, seed=0):
    text = {"context_length": 16, "vocab_size": 49408, "width": 16, "heads": 2, "layers": 1}
    tower = TOWERS[kind]
    cfg = {"embed_dim": 8, "custom_text": True, "vision_cfg": tower, "text_cfg": text}
    pixels = preprocessing(SIDE, (0.5, 0.4, 0.3), (0.2, 0.3, 0.25))
    model = build_model(cfg, seed=seed)
    config = {"model_cfg": cfg, "preprocess_cfg": pixels}
    return DualEncoder(f"micro-{kind}", model, config, build_tokenizer(cfg), f"random, seed {seed}")


def comparable(name, value):
    """A tensor without the biases of attention's keys, whose gradient is 0: theirs is noise."""
    return torch.cat(value.chunk(3)[::2]) if name.endswith("in_proj_bias") else value


def use(kind):
    loop.build_encoder = lambda name, *, weights, seed: micro_encoder(kind, seed)


if __name__ == "__main__":
    use(sys.argv[1])
    for job in sys.argv[2:]:
        fit(TrainingJob.model_validate(json.loads(job)))
