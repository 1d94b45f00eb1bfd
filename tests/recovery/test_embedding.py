import numpy as np
import pytest
import torch

from endoalign.models.encode import encode_pixels
from endoalign.recovery.embedding import embed_frames
from endoalign.recovery.read_ahead import read_ahead, split_rows


def test_features_of_the_rows_asked_in_their_order(encoder, memory_pixels):
    pixels, seen = memory_pixels(9), []
    rows = [8, 0, 3, 3, 5]
    found = embed_frames(encoder, pixels, rows, 2, progress=lambda *done: seen.append(done))
    expected = encode_pixels(encoder, torch.from_numpy(pixels.array[rows])).numpy()
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)
    assert found.dtype == np.float32 and seen == [(2, 5), (4, 5), (5, 5)]


def test_no_rows_and_broken_weights(encoder, memory_pixels):
    assert embed_frames(encoder, memory_pixels(3), [], 2).shape == (0, encoder.feature_size)
    with torch.no_grad():
        encoder.model.image_tower.weight[:] = float("nan")
    with pytest.raises(ValueError, match="not finite for row 2"):
        embed_frames(encoder, memory_pixels(3), [2], 2)


def test_batches_come_in_order_and_an_error_in_its_turn(memory_pixels):
    pixels = memory_pixels(10)
    batches = split_rows(np.arange(10), 3)
    assert [len(b) for b in read_ahead(pixels, batches)] == [3, 3, 3, 1]
    pixels.fail_at = 7
    got = []
    with pytest.raises(RuntimeError, match="disk"):
        for batch in read_ahead(pixels, batches):
            got.append(len(batch))
    assert got == [3, 3]
    with pytest.raises(ValueError, match="not 0"):
        split_rows(np.arange(3), 0)
