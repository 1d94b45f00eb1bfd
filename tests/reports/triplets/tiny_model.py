"""A random instruct model of two layers over single bytes, made in a second."""

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

TEMPLATE = (
    "{% for message in messages %}<{{ message.role }}>{{ message.content }}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def tiny_tokenizer():
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: k for k, letter in enumerate([*alphabet, "<end>"])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>")
    fast.chat_template = TEMPLATE
    return fast


def tiny_model(seed, holds=8192):
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=257,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=holds,
        initializer_range=1.0,
    )
    return LlamaForCausalLM(config).eval()


def save_tiny(folder, seed=0, holds=8192):
    tiny_model(seed, holds).save_pretrained(folder)
    tiny_tokenizer().save_pretrained(folder)
    return folder
