"""The frozen stem of EndoVLM's image tower: patches by themselves, fixed weights, known tokens."""

import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image

from endoalign.corpus.manifest import Manifest
from endoalign.corpus.pixels import open_pixels
from endoalign.models.endovlm_encoder import build_endovlm, encode_frames
from endoalign.models.endovlm_image import build_image_tower
from endoalign.models.endovlm_input import StemTokens, open_endovlm_input, stem_tokens
from endoalign.models.endovlm_settings import EndovlmImageSettings, EndovlmModelSettings
from endoalign.models.lite0 import build_lite0
from endoalign.models.patch_stem import Lite0Patches, patch_stem

TOWER = {
    "image_tower": "vit_tiny_patch16_224",
    "image_weights": "random",
    "patch_stem": "lite0",
    "image_size": 64,
    "patch_size": 32,
    "image_width": 24,
    "image_depth": 1,
    "image_heads": 2,
}
SMALL = {
    **TOWER,
    "text_tower": "tiny",
    "text_width": 16,
    "text_layers": 1,
    "embed_dim": 8,
    "decoder_width": 16,
    "decoder_depth": 1,
    "decoder_heads": 2,
}
TEXTS = ["fundus: normal", "antrum: an ulcer of 8 mm"]


@pytest.fixture(scope="module")
def stem():
    found = Lite0Patches(64, 32, embed_dim=24)
    found.fill()
    return found.eval()


@pytest.fixture
def encoder():
    return build_endovlm(EndovlmModelSettings(**SMALL), TEXTS, seed=1)


def pictures(count, seed=0):
    return torch.randn(count, 3, 64, 64, generator=torch.Generator().manual_seed(seed))


def close(found, wanted):
    """Equal but for the rounding of convolutions, which depends on the size of a batch."""
    torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-3)


def test_tokens_are_those_of_each_patch_alone(stem):
    images = pictures(2)
    found = stem.tokens(images)
    whole = build_lite0().eval()
    for row in range(2):
        for place in range(4):
            down, across = divmod(place, 2)
            patch = images[row : row + 1, :, 32 * down :, 32 * across :][:, :, :32, :32]
            with torch.no_grad():
                maps, levels = whole.bn1(whole.conv_stem(patch)), []
                for number in range(5):
                    maps = whole.blocks[number](maps)
                    if number >= 2:
                        levels += [maps.mean((2, 3)), maps.amax((2, 3))]
            alone = torch.cat(levels, 1)[0]
            close(found[row, place], alone)


def test_a_patch_knows_nothing_of_its_neighbours(stem):
    images = pictures(1)
    other = images.clone()
    other[:, :, :32, :32] += 1
    before, after = stem.tokens(images), stem.tokens(other)
    close(before[:, 1:], after[:, 1:])
    assert (before[:, 0] - after[:, 0]).abs().max() > 0.1


def test_standardised_channels_have_mean_0_and_deviation_1():
    stem = Lite0Patches(64, 32, embed_dim=24)
    tokens = 5 + 3 * torch.rand(50, 4, stem.channels, generator=torch.Generator().manual_seed(2))
    stem.standardise_by(tokens)
    flat = ((tokens - stem.centre) / stem.spread).flatten(0, 1)
    torch.testing.assert_close(flat.mean(0), torch.zeros(stem.channels), atol=1e-4, rtol=0)
    torch.testing.assert_close(
        flat.std(0, correction=0), torch.ones(stem.channels), atol=1e-3, rtol=0
    )


def test_only_the_projection_learns(stem):
    learnt = {name for name, value in stem.named_parameters() if value.requires_grad}
    assert learnt == {"proj.weight", "proj.bias"}
    stem.train()
    assert not any(part.training for part in (stem.bn1, *stem.blocks.modules()))
    stem.eval()


def test_a_channel_is_dropped_in_all_patches_of_a_frame():
    stem = Lite0Patches(64, 32, embed_dim=464, dropout=0.25)
    torch.nn.init.eye_(stem.proj.weight)
    torch.nn.init.zeros_(stem.proj.bias)
    tokens = 1 + torch.rand(40, 4, stem.channels, generator=torch.Generator().manual_seed(8))
    torch.manual_seed(9)
    found = stem.train()(tokens) / tokens
    assert ((found - found[:, :1]).abs() < 1e-5).all()  # the same in every patch
    kept = found[:, 0] != 0
    torch.testing.assert_close(found[:, 0][kept], torch.full((int(kept.sum()),), 4 / 3))
    assert kept.float().mean().item() == pytest.approx(0.75, abs=0.02)
    assert (kept.float().mean(dim=0) < 1).all()  # another choice in another frame


def test_hidden_tokens_are_not_embedded_and_visible_ones_are_as_in_the_picture(encoder):
    draw = torch.Generator().manual_seed(4)
    pixels = torch.randint(0, 256, (3, 3, 64, 64), dtype=torch.uint8, generator=draw)
    model, chances = encoder.model.eval(), torch.rand(3, 4, generator=draw)
    images, tokens = encoder.normalise(pixels), stem_tokens(encoder, pixels).clone()
    with torch.no_grad():
        of_tokens = model.reconstruct(images, chances, tokens)
        of_pictures = model.reconstruct(images, chances)
        tokens[of_tokens.is_masked] = torch.nan
        again = model.reconstruct(images, chances, tokens)
    close(of_tokens.predicted, of_pictures.predicted)
    torch.testing.assert_close(again.predicted, of_tokens.predicted, atol=0, rtol=0)


def test_tokens_in_the_place_of_pictures_give_the_same_features(encoder):
    draw = torch.Generator().manual_seed(4)
    pixels = torch.randint(0, 256, (3, 3, 64, 64), dtype=torch.uint8, generator=draw)
    tokens = stem_tokens(encoder, pixels)
    assert tokens.shape == (3, 4, 464)
    torch.testing.assert_close(encode_frames(encoder, tokens), encode_frames(encoder, pixels))


def test_source_reads_its_file_as_it_computes(encoder, tmp_path):
    draw = np.random.default_rng(5)
    rows = []
    for number in range(5):
        name = f"{number}.png"
        Image.fromarray(draw.integers(0, 255, (64, 64, 3), dtype=np.uint8)).save(tmp_path / name)
        box = {"box_left": 0, "box_top": 0, "box_right": 64, "box_bottom": 64}
        rows.append(
            {
                "frame_id": name,
                "path": name,
                "sha256": str(number),
                "width": 64,
                "height": 64,
                **box,
            }
        )
    frames = pd.DataFrame(rows)
    Manifest(roots={"here": "."}, settings="0" * 64, counts={}).write(tmp_path)
    cache = tmp_path / "pixels.npy"
    pixels = open_pixels(tmp_path, frames, 64)
    kept = open_endovlm_input(encoder, pixels, frames, cache=cache)
    anew = open_endovlm_input(encoder, pixels, frames)
    assert isinstance(kept, StemTokens)
    assert (tmp_path / "pixels_tokens.npy").exists()
    order = np.array([4, 0, 0])
    close(kept.read(order), anew.read(order))
    close(kept.read(order), stem_tokens(encoder, pixels.read(order)))


def test_a_linear_stem_reads_pictures():
    plain = build_endovlm(EndovlmModelSettings(**{**SMALL, "patch_stem": "linear"}), TEXTS, seed=1)
    assert patch_stem(plain.model.image_tower) is None
    with pytest.raises(ValueError, match="no frozen stem"):
        stem_tokens(plain, torch.zeros(1, 3, 64, 64, dtype=torch.uint8))


def test_sizes_and_weights_that_do_not_fit():
    with pytest.raises(ValueError, match="multiple of patch_size"):
        Lite0Patches(64, 24)
    with pytest.raises(ValueError, match="goes with image_weights: random"):
        build_image_tower(EndovlmImageSettings(**{**TOWER, "image_weights": "pretrained"}), seed=0)
