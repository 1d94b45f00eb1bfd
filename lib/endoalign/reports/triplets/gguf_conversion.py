"""A GGUF file turned into the files that transformers loads everywhere."""

from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig


def convert(source: Path, target: Path) -> None:
    """Write the model of a GGUF file as 16-bit safetensors, with tokenizer and chat template.

    Args:
        source: the GGUF file; its weights are unpacked from their blocks.
        target: an existing folder.
    """
    model = AutoModelForCausalLM.from_pretrained(
        source.parent,
        gguf_file=source.name,
        dtype=torch.float16,
        quantization_config=GgufConfig(dequantize=True),
    )
    model.save_pretrained(target)
    tokenizer = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
    tokenizer.save_pretrained(target)
