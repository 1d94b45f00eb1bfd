"""A locked trunk says of a text what the whole tower says, and only the projection learns."""

import pytest
import torch

from endoalign.models.encode import encode_texts
from endoalign.models.locked_text import text_trunk_locked
from endoalign.models.registry import build_encoder

TEXTS = ["A red polyp.", "A pale, flat polyp in the rectum, 4 mm.", "no finding"]


@pytest.fixture(scope="module")
def encoder():
    return build_encoder("lite0-levels-minilm", seed=3)


def test_rows_give_the_features_of_the_texts(encoder):
    free = encode_texts(encoder, TEXTS)
    with text_trunk_locked(encoder, [*TEXTS, *TEXTS], batch_size=2) as locked:
        assert locked.texts == tuple(TEXTS)
        rows = locked.rows(["no finding", "A red polyp."])
        found = encoder.model(text=rows)["text_features"]
    torch.testing.assert_close(found, free[[2, 0]], atol=1e-5, rtol=0)


def test_only_the_projection_gets_a_gradient(encoder):
    with text_trunk_locked(encoder, TEXTS) as locked:
        encoder.model(text=locked.rows(TEXTS))["text_features"].sum().backward()
        tower = encoder.model.text
        assert all(p.grad is not None for p in tower.proj.parameters())
        assert all(p.grad is None for p in tower.transformer.parameters())
    encoder.model.zero_grad()


def test_the_tower_is_free_again_outside(encoder):
    before = encode_texts(encoder, TEXTS)
    with pytest.raises(KeyError), text_trunk_locked(encoder, TEXTS) as locked:
        locked.rows(["unknown"])
    assert all(p.requires_grad for p in encoder.model.text.transformer.parameters())
    torch.testing.assert_close(encode_texts(encoder, TEXTS), before, atol=0, rtol=0)


def test_a_tower_from_scratch_is_refused():
    encoder = build_encoder("tiny-vit")
    with (
        pytest.raises(ValueError, match=r"lock_text.*tiny-vit"),
        text_trunk_locked(encoder, TEXTS),
    ):
        pass
