import io
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from endoalign.frames.decode import FrameError, decode, decode_frame, read_bytes


def _gradient(height=24, width=40):
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([x * 5, y * 9, (x + y) * 3], axis=2).astype(np.uint8)


def _encoded(image, kind="PNG", **options):
    stream = io.BytesIO()
    image = image if isinstance(image, Image.Image) else Image.fromarray(image)
    image.save(stream, kind, **options)
    return stream.getvalue()


def _jpeg_with_orientation(rgb, orientation, kind="JPEG"):
    exif = Image.Exif()
    exif[0x0112] = orientation
    return _encoded(rgb, kind, exif=exif, **({"quality": 98} if kind == "JPEG" else {}))


def test_lossless_rgb_comes_back_exactly_from_bytes_and_from_a_path(tmp_path):
    rgb = _gradient()
    path = tmp_path / "a.png"
    path.write_bytes(_encoded(rgb))
    for source in (path, path.read_bytes()):
        decoded = decode(source)
        assert decoded.dtype == np.uint8
        assert decoded.flags.writeable
        np.testing.assert_array_equal(decoded, rgb)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "TIFF", "PNG", "WEBP"])
def test_orientation_is_applied_as_pillow_does(orientation, kind):
    data = _jpeg_with_orientation(_gradient(), orientation, kind)
    with Image.open(io.BytesIO(data)) as image:
        expected = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    frame = decode_frame(data)
    np.testing.assert_array_equal(frame.rgb, expected)
    assert (frame.height, frame.width) == expected.shape[:2]


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
def test_damaged_exif_leaves_the_pixels():
    data = _encoded(_gradient(), "JPEG", exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xff")
    assert decode(data).shape == (24, 40, 3)


def test_grey_palette_and_bilevel_become_rgb():
    grey = Image.fromarray(_gradient()[..., 0])
    three = np.repeat(np.asarray(grey)[..., None], 3, axis=2)
    np.testing.assert_array_equal(decode(_encoded(grey)), three)
    np.testing.assert_array_equal(decode(_encoded(grey.convert("P"), "GIF")), three)
    black_and_white = grey.point(lambda value: 255 * (value > 90)).convert("1")
    expected = np.repeat((np.asarray(grey) > 90)[..., None], 3, axis=2) * 255
    np.testing.assert_array_equal(decode(_encoded(black_and_white)), expected)


def test_16_bit_grey_is_scaled_not_clipped():
    values = np.array([[0, 257, 128 * 257, 65535]], dtype=np.uint16)
    for kind in ("PNG", "TIFF"):
        decoded = decode(_encoded(Image.fromarray(values), kind))
        np.testing.assert_array_equal(decoded[0, :, 0], [0, 1, 128, 255])
        np.testing.assert_array_equal(decoded[..., 0], decoded[..., 2])


def _png_16_bit_rgb(values):
    """Write a 16-bit RGB PNG by hand, as Pillow cannot."""

    def chunk(kind, content):
        body = kind + content
        return len(content).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")

    height, width, _ = values.shape
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([16, 2, 0, 0, 0])
    lines = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    parts = [chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(lines)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def test_16_bit_rgb_is_scaled():
    values = np.array([[[0, 32896, 65535], [65535, 0, 257]]])
    expected = [[[0, 128, 255], [255, 0, 1]]]
    np.testing.assert_array_equal(decode(_png_16_bit_rgb(values)), expected)


def test_cmyk_jpeg_has_the_colours_of_its_rgb():
    rgb = np.full((16, 16, 3), (200, 90, 60), dtype=np.uint8)
    data = _encoded(Image.fromarray(rgb).convert("CMYK"), "JPEG", quality=98)
    assert np.abs(decode(data).astype(int) - rgb).max() <= 4


def test_transparent_pixels_lie_on_black():
    rgba = np.zeros((2, 2, 4), dtype=np.uint8)
    rgba[...] = (200, 100, 50, 0)
    rgba[0, 0, 3], rgba[0, 1, 3] = 255, 128
    decoded = decode(_encoded(rgba))
    np.testing.assert_array_equal(decoded[0, 0], (200, 100, 50))
    assert np.abs(decoded[0, 1].astype(int) - (100, 50, 25)).max() <= 1
    np.testing.assert_array_equal(decoded[1, 1], (0, 0, 0))


def test_min_side_reduces_but_keeps_the_full_size_and_the_picture():
    big = np.asarray(Image.fromarray(_gradient(30, 50)).resize((800, 480)))
    for kind, options in (("JPEG", {"quality": 95}), ("PNG", {})):
        frame = decode_frame(_encoded(big, kind, **options), min_side=100)
        assert (frame.width, frame.height) == (800, 480)
        assert 100 <= min(frame.rgb.shape[:2]) < 200
        shape = frame.rgb.shape[:2]
        small = np.asarray(Image.fromarray(big).resize(shape[::-1], Image.Resampling.BOX))
        assert np.abs(frame.rgb.astype(int) - small).mean() < 3


def test_min_side_never_enlarges():
    assert decode(_encoded(_gradient()), min_side=500).shape == (24, 40, 3)


def test_first_picture_of_an_animation():
    first, second = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    data = _encoded(first, "GIF", save_all=True, append_images=[second])
    np.testing.assert_array_equal(decode(data)[0, 0], (255, 0, 0))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty file"),
        (b"not an image at all", "not an image"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not an image"),
        (_encoded(_gradient(200, 200), "JPEG")[:1500], "corrupt or truncated"),
        (_encoded(_gradient(200, 200))[:300], "corrupt or truncated"),
        (_encoded(Image.fromarray(np.zeros((4, 4), np.float32)), "TIFF"), "floating-point"),
    ],
)
def test_bad_bytes_give_a_frame_error_with_the_reason(data, reason):
    with pytest.raises(FrameError, match=reason):
        decode(data)


def test_pixels_above_the_limit_are_refused_before_they_are_decoded():
    header = _png_16_bit_rgb(np.zeros((1, 1, 3)))
    enormous = header[:16] + (60_000).to_bytes(4, "big") + (60_000).to_bytes(4, "big") + header[24:]
    body = enormous[12:29]
    enormous = enormous[:29] + zlib.crc32(body).to_bytes(4, "big") + enormous[33:]
    with pytest.raises(FrameError):
        decode(enormous)
    with pytest.raises(FrameError, match="40 x 24 pixels exceed the limit of 900"):
        decode(_encoded(_gradient()), max_pixels=900)
    assert decode(_encoded(_gradient()), max_pixels=960).shape == (24, 40, 3)


def test_files_that_are_missing_folders_or_too_long(tmp_path):
    with pytest.raises(FrameError, match="cannot read file: No such file"):
        decode(tmp_path / "missing.jpg")
    with pytest.raises(FrameError, match="cannot read file"):
        decode(tmp_path)
    long = tmp_path / "long.bin"
    long.write_bytes(b"12345")
    with pytest.raises(FrameError, match="5 bytes exceeds the limit of 4"):
        read_bytes(long, max_bytes=4)
    assert read_bytes(Path(long), max_bytes=5) == b"12345"


_SEEDS = [
    _encoded(_gradient(), "JPEG"),
    _encoded(_gradient(), "PNG"),
    _encoded(_gradient(), "GIF"),
    _encoded(_gradient(), "BMP"),
    _encoded(_gradient(), "TIFF"),
    _encoded(_gradient(), "TIFF", compression="tiff_lzw"),
    _encoded(_gradient(), "WEBP"),
    _encoded(_gradient(), "PPM"),
    _encoded(_gradient(), "JPEG2000"),
]


def _decodes_or_says_why(data):
    try:
        rgb = decode(data, max_pixels=200_000)
    except FrameError as error:
        assert 0 < len(str(error)) < 200
    else:
        assert rgb.dtype == np.uint8
        assert rgb.ndim == 3
        assert rgb.shape[2] == 3


@pytest.mark.filterwarnings("ignore::UserWarning")  # Pillow's about damaged tags
@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.binary(max_size=400))
@example(b"\xff\xd8\xff")
@example(b"\x89PNG\r\n\x1a\n")
@example(b"II*\x00\x08\x00\x00\x00\x00\x00")
def test_any_bytes_raise_nothing_but_frame_error(data):
    _decodes_or_says_why(data)


@pytest.mark.filterwarnings("ignore::UserWarning")  # Pillow's about damaged tags
@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.sampled_from(_SEEDS), st.data())
def test_damaged_files_raise_nothing_but_frame_error(seed, data):
    damaged = bytearray(seed)
    places = st.integers(0, len(seed) - 1)
    changes = data.draw(st.lists(st.tuples(places, st.integers(0, 255)), max_size=12))
    for place, value in changes:
        damaged[place] = value
    cut = data.draw(st.integers(0, len(seed)))
    _decodes_or_says_why(bytes(damaged))
    _decodes_or_says_why(bytes(damaged[:cut]))


def test_a_picture_beyond_pillow_s_own_limit_is_told_as_too_large():
    stream = io.BytesIO()
    Image.new("1", (30_000, 30_000)).save(stream, "PNG")
    with pytest.raises(FrameError, match="pixels exceed the limit of 1000"):
        decode(stream.getvalue(), max_pixels=1000)
