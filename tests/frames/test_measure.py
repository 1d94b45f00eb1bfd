import hashlib
import io

import numpy as np
import pytest
from PIL import Image

from endoalign.frames.box import Box
from endoalign.frames.content_area import content_area
from endoalign.frames.decode import FrameError, decode
from endoalign.frames.measure import measure_frame


def _frame(height=600, width=800):
    y, x = np.mgrid[0:height, 0:width]
    light = 130 + 60 * np.sin(x / 31) * np.cos(y / 23)
    rgb = (light[..., None] * (1.0, 0.6, 0.5)).astype(np.uint8)
    rgb[:, :100] = 0
    rgb[:, -60:] = 0
    return rgb


def _jpeg(rgb, **options):
    stream = io.BytesIO()
    Image.fromarray(rgb).save(stream, "JPEG", quality=92, **options)
    return stream.getvalue()


def test_measures_agree_with_those_at_full_size():
    data = _jpeg(_frame())
    measures = measure_frame(data)
    assert (measures.width, measures.height) == (800, 600)
    assert measures.sha256 == hashlib.sha256(data).hexdigest()
    assert measures.box.iou(Box(100, 0, 740, 600)) >= 0.99
    assert measures.box.iou(content_area(decode(data)).box) >= 0.99
    assert len(measures.phash) == 16
    assert 0 < measures.quality.score <= 1


def test_the_box_lies_in_the_upright_frame():
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    measures = measure_frame(_jpeg(_frame(), exif=exif))
    assert (measures.width, measures.height) == (600, 800)
    assert measures.box.iou(Box(0, 100, 600, 740)) >= 0.99


def test_odd_sizes_keep_the_box_inside():
    for height, width in ((513, 1027), (257, 3001), (1, 1), (3, 900)):
        measures = measure_frame(_jpeg(np.full((height, width, 3), 120, dtype=np.uint8)))
        assert measures.box == Box(0, 0, width, height)


def test_bad_bytes_and_limits():
    with pytest.raises(FrameError, match="not an image"):
        measure_frame(b"text")
    with pytest.raises(FrameError, match="exceed the limit"):
        measure_frame(_jpeg(_frame()), max_pixels=1000)
