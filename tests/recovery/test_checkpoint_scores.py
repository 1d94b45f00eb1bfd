"""Scores by checkpoint equal features by hand, and lie where they are looked for again."""

import hashlib

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from endoalign.corpus.manifest import Manifest
from endoalign.corpus.pixels import open_pixels
from endoalign.models.checkpoint import save_encoder
from endoalign.models.encode import encode_pixels, encode_texts
from endoalign.models.registry import build_encoder
from endoalign.models.weights import WeightsError
from endoalign.recovery.checkpoint_scores import CheckpointScorer
from endoalign.recovery.pairs import PROMPTS
from endoalign.recovery.queries import prompt_queries


@pytest.fixture
def frames(tmp_path):
    rows = []
    for number, pixels in enumerate(np.random.default_rng(0).integers(0, 256, (3, 40, 50, 3))):
        path = tmp_path / "raw" / f"{number}.png"
        path.parent.mkdir(exist_ok=True)
        Image.fromarray(pixels.astype(np.uint8)).save(path)
        edges = {"box_left": 2, "box_top": 1, "box_right": 48, "box_bottom": 39}
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        ids = {"frame_id": f"c/{number}", "case_id": "c", "path": path.name, "sha256": digest}
        rows.append({**ids, "width": 50, "height": 40, **edges})
    Manifest(roots={"here": "raw"}, settings="0" * 64, counts={}).write(tmp_path)
    return pd.DataFrame(rows)


def test_scores_are_those_of_the_checkpoint(frames, tmp_path):
    encoder = build_encoder("tiny-conv", seed=2)
    save_encoder(encoder, tmp_path / "systems" / "one", provenance={})
    scorer = CheckpointScorer(tmp_path / "systems", tmp_path, frames, crop_content=False)
    found = scorer("one", prompt_queries(), "prompts")
    pixels = open_pixels(tmp_path, frames, encoder.image_size, crop_content=False).read([0, 1, 2])
    texts = encode_texts(encoder, list(PROMPTS.values()))
    expected = (encode_pixels(encoder, pixels) @ texts.T).numpy()
    table = found.pivot_table(index="frame_id", columns="query", values="score")
    np.testing.assert_allclose(table[list(PROMPTS)].to_numpy(), expected, atol=1e-5)
    assert list((tmp_path / "systems" / "scores" / "one_prompts").glob("part-*.parquet"))


def test_a_system_without_a_checkpoint_is_named(frames, tmp_path):
    scorer = CheckpointScorer(tmp_path / "systems", tmp_path, frames)
    with pytest.raises(WeightsError, match="nobody"):
        scorer("nobody", prompt_queries(), "prompts")
