"""A tiny encoder, pictures in memory and a small set of cases, for the tests of recovery."""

import zlib

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn
from torch.nn.functional import normalize

from endoalign.models.dual_encoder import DualEncoder

SIDE, WIDTH, LENGTH, VOCABULARY = 4, 6, 5, 50


class TinyModel(nn.Module):
    """Linear image tower, mean-of-words text tower, output as OpenCLIP's models give it."""

    def __init__(self):
        super().__init__()
        self.image_tower = nn.Linear(3 * SIDE * SIDE, WIDTH)
        self.words = nn.Embedding(VOCABULARY, WIDTH)

    def forward(self, image=None, text=None):
        out = {"logit_scale": torch.tensor(10.0)}
        if image is not None:
            out["image_features"] = normalize(self.image_tower(image.flatten(1)), dim=-1)
        if text is not None:
            out["text_features"] = normalize(self.words(text).mean(dim=1), dim=-1)
        return out


def tokenize(texts):
    rows = torch.zeros(len(texts), LENGTH, dtype=torch.int64)
    for i, words in enumerate(texts):
        for j, word in enumerate(words.split()[:LENGTH]):
            rows[i, j] = 1 + zlib.crc32(word.encode()) % (VOCABULARY - 1)
    return rows


@pytest.fixture
def encoder():
    torch.manual_seed(0)
    config = {
        "model_cfg": {"embed_dim": WIDTH},
        "preprocess_cfg": {"size": SIDE, "mean": [0.5] * 3, "std": [0.5] * 3},
    }
    return DualEncoder("tiny", TinyModel(), config, tokenize, "random, seed 0")


class MemoryPixels:
    """Pictures in memory that count what is read, and may fail after some reads."""

    def __init__(self, n, seed=0):
        rng = np.random.default_rng(seed)
        self.size = SIDE
        self.array = rng.integers(0, 256, size=(n, 3, SIDE, SIDE), dtype=np.uint8)
        self.read_rows = []
        self.fail_at = None

    def __len__(self):
        return len(self.array)

    def read(self, rows):
        rows = np.asarray(rows)
        if self.fail_at is not None and self.fail_at in rows:
            raise RuntimeError("the disk is gone")
        self.read_rows += rows.tolist()
        return torch.from_numpy(self.array[rows])


@pytest.fixture
def memory_pixels():
    return MemoryPixels


@pytest.fixture
def scored_cases():
    """Frames, sentences and scores of random cases: (kept frames, sentences, scores)."""

    def make(shapes, seed=0, decimals=None):
        """``shapes``: (frames, sentences) of each case; few decimals make ties."""
        rng = np.random.default_rng(seed)
        frames, sentences, scores = [], [], []
        for number, (n_frames, n_sentences) in enumerate(shapes):
            case = f"c{number}"
            ids = [f"{case}/{i:02d}" for i in range(n_frames)]
            frames += [(frame, case) for frame in ids]
            for s in range(n_sentences):
                finding = f"{case}#{s}"
                sentences.append((finding, case, f"polyp {s}"))
                values = rng.uniform(-1, 1, n_frames)
                values = values if decimals is None else values.round(decimals)
                rows = zip(ids, values, strict=True)
                scores += [(frame, case, finding, np.float32(v)) for frame, v in rows]
        kept = pd.DataFrame(frames, columns=["frame_id", "case_id"])
        texts = pd.DataFrame(sentences, columns=["finding_id", "case_id", "text"])
        table = pd.DataFrame(scores, columns=["frame_id", "case_id", "query", "score"])
        return kept, texts, table.sample(frac=1, random_state=seed).astype({"score": "float32"})

    return make
