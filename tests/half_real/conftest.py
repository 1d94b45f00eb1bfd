"""A tiny stand-in for the two data sets: textured frames with discs for polyps."""

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from endoalign.half_real.settings import HalfRealSettings

HEIGHT, WIDTH = 128, 160


def disc(x, y, radius, height=HEIGHT, width=WIDTH):
    rows, columns = np.mgrid[:height, :width]
    return (columns - x) ** 2 + (rows - y) ** 2 <= radius**2


def mucosa(seed):
    """Pink relief, uint8 (HEIGHT, WIDTH, 3), another one for each seed."""
    noise = np.random.default_rng(seed).normal(size=(HEIGHT, WIDTH))
    relief = ndimage.gaussian_filter(noise, 2)
    relief *= 18 / relief.std()
    return np.clip(np.array([180, 110, 90]) + relief[..., None], 1, 254).astype(np.uint8)


def save_jpeg(pixels, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path, quality=90)


def save_mask(mask, path):
    """As Kvasir-SEG has it: three channels, lossy."""
    save_jpeg(np.repeat(mask[..., None] * np.uint8(255), 3, axis=2), path)


@pytest.fixture(scope="session")
def save():
    return save_jpeg


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """Folders ``polyps`` (16 frames, 3 of them on the validation list) and ``normals`` (6)."""
    folder = tmp_path_factory.mktemp("data")
    for k in range(16):
        mask = disc(30 + 5 * k, 35 + 4 * k, 12 + k)
        pixels = mucosa(k)
        pixels[mask] = np.clip(pixels[mask] + np.array([40, 0, 0]), 0, 254)
        save_jpeg(pixels, folder / f"polyps/images/p{k:02d}.jpg")
        save_mask(mask, folder / f"polyps/masks/p{k:02d}.jpg")
    (folder / "polyps/val.txt").write_text("p03\np07\np11\n")
    for k in range(6):
        save_jpeg(mucosa(100 + k), folder / f"normals/n{k}.jpg")
    return folder


@pytest.fixture(scope="session")
def settings(data):
    return HalfRealSettings(polyps=str(data / "polyps"), normals=str(data / "normals"))
