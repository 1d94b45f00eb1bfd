import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from endoalign.frames.box import Box, box_of_mask
from endoalign.frames.content_area import content_area, content_box


def _tissue(height, width, seed=0):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width] / max(height, width)
    light = 0.5 + 0.25 * np.sin(20 * x) * np.cos(14 * y) + rng.normal(0, 0.04, (height, width))
    return (np.clip(light[..., None] * (0.95, 0.55, 0.45) + 0.05, 0, 1) * 255).astype(np.uint8)


def _shape(kind, height, width, box):
    left, top, right, bottom = box
    y, x = np.mgrid[0:height, 0:width]
    across, down = np.minimum(x - left, right - 1 - x), np.minimum(y - top, bottom - 1 - y)
    inside = (across >= 0) & (down >= 0)
    if kind == "octagon":
        return inside & (across + down >= (bottom - top) // 4)
    if kind == "round":
        half_w, half_h = (right - left) / 2, (bottom - top) / 2
        across, down = (x + 0.5 - left - half_w) / half_w, (y + 0.5 - top - half_h) / half_h
        return inside & (across**2 + down**2 <= 1)
    return inside


def _framed(mask, colour=(0, 0, 0), noise=0.0, picture=None):
    rng = np.random.default_rng(3)
    picture = _tissue(*mask.shape) if picture is None else picture
    surround = np.clip(np.array(colour) + rng.normal(0, noise, picture.shape), 0, 255)
    return np.where(mask[..., None], picture, surround).astype(np.uint8)


def _jpeg(rgb):
    # Halved colour planes smear a frame's outline by a pixel: too much of a frame of 64 pixels.
    subsampling = 0 if min(rgb.shape[:2]) < 128 else 2
    stream = io.BytesIO()
    Image.fromarray(rgb).save(stream, "JPEG", quality=88, subsampling=subsampling)
    return np.asarray(Image.open(stream))


@pytest.mark.parametrize("kind", ["rectangle", "octagon", "round"])
@pytest.mark.parametrize("colour", [(0, 0, 0), (18, 18, 20), (60, 70, 160), (120, 120, 120)])
@pytest.mark.parametrize(("height", "width"), [(64, 80), (300, 360), (720, 1000)])
def test_finds_the_picture_on_a_plain_surround(kind, colour, height, width):
    box = (width // 8, height // 20, width - width // 16, height - height // 30)
    mask = _shape(kind, height, width, box)
    area = content_area(_jpeg(_framed(mask, colour, noise=1.5)))
    assert area.box.iou(box_of_mask(mask)) >= 0.98
    assert (area.mask & mask).sum() / (area.mask | mask).sum() >= 0.97
    assert area.mask.shape == mask.shape
    assert box_of_mask(area.mask) == area.box


def test_burnt_in_text_is_not_content():
    mask = _shape("octagon", 480, 600, (150, 10, 590, 470))
    image = Image.fromarray(_framed(mask))
    pen = ImageDraw.Draw(image)
    for line in range(14):
        pen.text((8, 30 + 30 * line), "12/03/2015  CVP:4  Gr:N", fill=(235, 235, 235))
    assert content_box(_jpeg(np.asarray(image))).iou(Box(150, 10, 590, 470)) >= 0.98


@pytest.mark.parametrize("colour", [(20, 160, 130), (20, 50, 110)])
def test_a_corner_inset_is_left_out(colour):
    mask = _shape("octagon", 480, 640, (60, 10, 630, 470))
    rgb = _framed(mask)
    rgb[330:480, 20:180] = colour
    area = content_area(_jpeg(rgb))
    assert area.box.iou(Box(60, 10, 630, 470)) >= 0.98
    assert not area.mask[340:470, 70:170].any()


def test_a_dark_lumen_is_not_cut_away():
    mask = _shape("octagon", 400, 500, (40, 10, 490, 390))
    picture = _tissue(400, 500)
    y, x = np.mgrid[0:400, 0:500]
    picture[(x - 60) ** 2 + (y - 60) ** 2 < 110**2] = 2  # over the upper left of the outline
    picture[(x - 300) ** 2 + (y - 200) ** 2 < 70**2] = 0
    area = content_area(_framed(mask, picture=picture))
    assert area.box.iou(Box(40, 10, 490, 390)) >= 0.98
    assert area.mask[200, 300]


def test_a_dark_fold_does_not_split_the_picture():
    mask = _shape("octagon", 400, 500, (40, 10, 490, 390))
    picture = _tissue(400, 500)
    picture[:, 150:156] = 14  # far darker than the tissue beside it, yet no surround
    assert content_box(_framed(mask, picture=picture)).iou(Box(40, 10, 490, 390)) >= 0.98


def test_black_bars_above_and_below():
    rgb = _tissue(300, 400)
    rgb[:40] = 0
    rgb[-40:] = 0
    assert content_box(rgb) == Box(0, 40, 400, 260)


@pytest.mark.parametrize("size", [(1, 1), (2, 7), (16, 16), (300, 200)])
@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_frame_of_one_colour_is_kept_whole(size, level):
    rgb = np.full((*size, 3), level, dtype=np.uint8)
    area = content_area(rgb)
    assert area.box == Box(0, 0, size[1], size[0])
    assert area.mask.all()


def test_frames_without_surround_are_kept_whole():
    tissue = _tissue(240, 320)
    assert content_box(tissue) == Box(0, 0, 320, 240)
    pink = np.full((240, 320, 3), (220, 120, 110), dtype=np.uint8)
    pink[80:160, 100:200] = (90, 20, 20)
    assert content_box(pink) == Box(0, 0, 320, 240)
    glare = np.full((240, 320, 3), 255, dtype=np.uint8)
    glare[60:180, 80:240] = tissue[60:180, 80:240]
    assert content_box(glare) == Box(0, 0, 320, 240)
    noise = np.random.default_rng(0).integers(0, 256, (240, 320, 3), dtype=np.uint8)
    assert content_box(noise) == Box(0, 0, 320, 240)


@pytest.mark.parametrize("shape", [(4, 4), (4, 4, 4), (0, 4, 3)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match="shape"):
        content_area(np.zeros(shape, dtype=np.uint8))


def test_the_world_s_truth_is_met():
    frames = pytest.importorskip("endoalign.world.renderer.frame")
    views = pytest.importorskip("endoalign.world.renderer.view")
    processors = pytest.importorskip("endoalign.world.renderer.processors")
    found = []
    for seed, processor in enumerate(processors.PROCESSORS.values()):
        view = views.View("sigmoid_colon", (), "none", None, seed=seed)
        frame = frames.render_frame(view, processor, 96)
        found.append(content_box(frame.rgb).iou(box_of_mask(frame.content)))
    assert np.mean(found) >= 0.99
    assert np.mean(np.array(found) >= 0.98) >= 0.9


@pytest.mark.real
@pytest.mark.skipif("ENDOALIGN_REAL_DATA" not in os.environ, reason="ENDOALIGN_REAL_DATA unset")
def test_real_frames_keep_their_lesions():
    folder = Path(os.environ["ENDOALIGN_REAL_DATA"]) / "kvasir-seg"
    for path in sorted((folder / "images").glob("*.jpg"))[:40]:
        rgb = np.asarray(Image.open(path).convert("RGB"))
        lesion = np.asarray(Image.open(folder / "masks" / path.name).convert("L")) > 127
        area = content_area(rgb)
        assert area.mask[lesion].mean() > 0.97, path.name
        assert area.box.area > 0.5 * lesion.size, path.name
