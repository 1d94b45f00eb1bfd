"""A locked text tower of EndoVLM: frozen, each text read once and as it would be alone."""

import pytest
import torch

from endoalign.models.endovlm_settings import EndovlmTextSettings
from endoalign.models.endovlm_text import build_text_tower

TEXTS = ["fundus: normal", "an ulcer of the antrum, 8 mm, with a clean base"]
TINY = {"text_tower": "tiny", "text_width": 16, "text_layers": 1}


@pytest.mark.parametrize("pool", ["cls", "mean"])
def test_locked_gives_what_the_open_tower_gives(pool):
    settings = EndovlmTextSettings(**TINY, text_pool=pool)
    tower, tokens = build_text_tower(settings, TEXTS, seed=0)
    locked, _ = build_text_tower(settings.model_copy(update={"text_locked": True}), TEXTS, seed=0)
    given = tokens([*TEXTS, TEXTS[0]])
    torch.testing.assert_close(locked(given), tower.eval()(given))
    torch.testing.assert_close(locked(given), tower(given))  # from memory


def test_locked_has_nothing_to_learn_and_stays_in_evaluation():
    settings = EndovlmTextSettings(**TINY, text_locked=True)
    tower, tokens = build_text_tower(settings, TEXTS, seed=0)
    tower.train()
    assert not any(value.requires_grad for value in tower.parameters())
    assert not tower.transformer.training
    assert not tower(tokens(TEXTS)).requires_grad


def test_each_text_is_read_once(monkeypatch):
    settings = EndovlmTextSettings(**TINY, text_locked=True)
    tower, tokens = build_text_tower(settings, TEXTS, seed=1)  # which no other test reads with
    read = []
    plain = tower._read
    monkeypatch.setattr(tower, "_read", lambda given: read.append(given.shape[0]) or plain(given))
    tower(tokens([TEXTS[0], TEXTS[1], TEXTS[0]]))
    tower(tokens([TEXTS[1]]))
    assert read == [1, 1]


def test_towers_of_one_transformer_share_what_was_read(monkeypatch):
    """A text that was met in evaluation can be trained on; another transformer knows nothing."""
    settings = EndovlmTextSettings(**TINY, text_locked=True)
    first, tokens = build_text_tower(settings, TEXTS, seed=5)
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        met = first(tokens(TEXTS)).float()
    second, _ = build_text_tower(settings, TEXTS, seed=5)
    monkeypatch.setattr(second, "_read", None)
    found = second(tokens(TEXTS))
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, met.clone(), atol=0, rtol=0)
    head = torch.nn.Linear(second.width, 1)
    head(found).sum().backward()
    third, _ = build_text_tower(settings, TEXTS, seed=6)
    assert (third(tokens(TEXTS)) - found).abs().max() > 0.01
