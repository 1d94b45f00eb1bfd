import hashlib

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from endoalign.frames.hashing import DEGENERATE, hamming, phash, phash_text, sha256_of


def _picture(seed, height=120, width=150):
    noise = np.random.default_rng(seed).random((height, width, 3))
    smooth = ndimage.gaussian_filter(noise, (9, 9, 0))
    return (255 * (smooth - smooth.min()) / np.ptp(smooth)).astype(np.uint8)


def _naive_phash(rgb):
    """Oracle: the transform by its definition, bit by bit."""
    grey = Image.fromarray(rgb).convert("L").resize((32, 32), Image.Resampling.BOX)
    pixels = np.asarray(grey, dtype=float)
    n = np.arange(32)
    basis = np.cos(np.pi * (2 * n[None, :] + 1) * n[:, None] / 64) * np.sqrt(2 / 32)
    basis[0] /= np.sqrt(2)
    spectrum = basis @ pixels @ basis.T
    places = [(r, c) for total in range(32) for r in range(total + 1) if (c := total - r) < 32]
    low = [spectrum[place] for place in places[1:65]]
    middle = (sorted(low)[31] + sorted(low)[32]) / 2
    return sum(1 << (63 - k) for k, value in enumerate(low) if value >= middle)


@pytest.mark.parametrize("seed", range(8))
def test_phash_equals_its_definition(seed):
    rgb = _picture(seed)
    assert phash(rgb) == _naive_phash(rgb)


def test_phash_survives_coding_scaling_and_light_but_tells_pictures_apart():
    rgb = _picture(0)
    small = np.asarray(Image.fromarray(rgb).resize((75, 60)))
    dim = (rgb * 0.8).astype(np.uint8)
    noisy = np.clip(rgb + np.random.default_rng(1).normal(0, 4, rgb.shape), 0, 255)
    for variant in (small, dim, noisy.astype(np.uint8)):
        assert hamming(phash(rgb), phash(variant)) <= 4
    others = [hamming(phash(rgb), phash(_picture(seed))) for seed in range(1, 20)]
    assert min(others) > 12


@pytest.mark.parametrize("level", [0, 77, 255])
def test_flat_frames_are_degenerate_and_no_other_is(level):
    rgb = np.full((50, 60, 3), level, dtype=np.uint8)
    assert phash(rgb) == DEGENERATE
    rgb[10:40, 10:40] = 255 - level if level != 77 else 200
    assert phash(rgb) != DEGENERATE


def test_the_surround_has_no_say():
    rgb, mask = _picture(3), np.zeros((120, 150), dtype=bool)
    mask[20:100, 30:120] = True
    black, white = rgb.copy(), rgb.copy()
    black[~mask], white[~mask] = 0, 255
    assert phash(black, mask) == phash(white, mask)
    assert phash(black) != phash(white)


def test_phash_text_keeps_leading_zeros():
    assert phash_text(0xAB) == "00000000000000ab"
    assert int(phash_text(2**64 - 1), 16) == 2**64 - 1


def test_hamming_counts_bits():
    assert hamming(0b1011, 0b0010) == 2
    assert hamming(0, 2**64 - 1) == 64
    assert hamming(5, 5) == 0


def test_sha256_of_bytes_and_of_a_file(tmp_path):
    data = b"frame" * 100_000
    path = tmp_path / "frame"
    path.write_bytes(data)
    assert sha256_of(data) == sha256_of(path) == hashlib.sha256(data).hexdigest()
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert sha256_of(b"") == empty
