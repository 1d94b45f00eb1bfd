import numpy as np
import pytest
import torch

from endoalign.models.encode import (
    encode_pixels,
    encode_texts,
    evaluating,
    normalise_pixels,
)
from endoalign.models.registry import build_encoder

TEXTS = ["a pedunculated polyp of 12 mm in the rectum", "no finding", "polyp", "no finding"]


@pytest.fixture(scope="module", params=["tiny-vit", "tiny-conv"])
def encoder(request):
    return build_encoder(request.param, seed=1)


@pytest.fixture(scope="module")
def minilm():
    return build_encoder("lite0-minilm", seed=1)


def some_pixels(count, side=64, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, 256, (count, 3, side, side), dtype=torch.uint8, generator=generator)


def test_pixels_are_normalised_one_by_one(encoder):
    pixels = some_pixels(2)[:, :, :5, :4]
    found = normalise_pixels(pixels, encoder)
    assert found.dtype == torch.float32
    for place in np.ndindex(*pixels.shape):
        channel = place[1]
        value = (int(pixels[place]) / 255 - encoder.mean[channel]) / encoder.std[channel]
        assert found[place].item() == pytest.approx(value, abs=1e-5)


def test_features_have_unit_norm_and_do_not_depend_on_the_batch(encoder):
    pixels = some_pixels(5)
    whole = encode_pixels(encoder, pixels)
    assert whole.dtype == torch.float32
    assert whole.shape == (5, encoder.feature_size)
    torch.testing.assert_close(whole.norm(dim=1), torch.ones(5))
    single = torch.cat([encode_pixels(encoder, one[None]) for one in pixels])
    torch.testing.assert_close(whole, single, rtol=1e-4, atol=1e-5)
    assert (whole[0] - whole[1]).abs().max() > 1e-3


@pytest.mark.parametrize("batch_size", [1, 3, 4, 100])
def test_texts_have_unit_norm_and_do_not_depend_on_the_batch(encoder, minilm, batch_size):
    for either in (encoder, minilm):
        whole = encode_texts(either, TEXTS, batch_size=batch_size)
        assert whole.dtype == torch.float32
        torch.testing.assert_close(whole.norm(dim=1), torch.ones(4))
        single = torch.cat([encode_texts(either, [text]) for text in TEXTS])
        torch.testing.assert_close(whole, single, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(whole[1], whole[3], rtol=1e-4, atol=1e-5)


def test_features_are_those_of_the_model(encoder):
    pixels = some_pixels(3)
    encoder.model.eval()
    with torch.no_grad():
        expected = encoder.model(
            image=normalise_pixels(pixels, encoder), text=encoder.tokenize(TEXTS)
        )
    torch.testing.assert_close(encode_pixels(encoder, pixels), expected["image_features"])
    torch.testing.assert_close(encode_texts(encoder, TEXTS), expected["text_features"])


def test_nothing_gives_nothing(encoder, minilm):
    for either in (encoder, minilm):
        side = either.image_size
        empty = torch.zeros(0, 3, side, side, dtype=torch.uint8)
        assert encode_pixels(either, empty).shape == (0, either.feature_size)
        assert encode_texts(either, []).shape == (0, either.feature_size)
        assert either.tokenize([]).shape == (0, 64)
        assert either.tokenize([]).dtype == torch.int64


def test_modes_come_back_module_by_module(encoder):
    encoder.model.train()
    frozen = encoder.model.visual
    frozen.eval()
    before = [module.training for module in encoder.model.modules()]
    encode_pixels(encoder, some_pixels(2))
    encode_texts(encoder, TEXTS)
    with pytest.raises(KeyError), evaluating(encoder.model):
        assert not any(module.training for module in encoder.model.modules())
        raise KeyError
    assert [module.training for module in encoder.model.modules()] == before
    encoder.model.train()


def test_scoring_leaves_running_statistics_alone():
    encoder = build_encoder("tiny-conv", seed=1)
    before = {name: value.clone() for name, value in encoder.model.state_dict().items()}
    encode_pixels(encoder, some_pixels(4))
    after = encoder.model.state_dict()
    assert all(torch.equal(value, after[name]) for name, value in before.items())


def test_wrong_pixels_are_refused(encoder):
    with pytest.raises(TypeError, match=r"must be uint8, 0 to 255, not torch.float32"):
        encode_pixels(encoder, some_pixels(1).float())
    with pytest.raises(ValueError, match=r"shape \(n, 3, h, w\), not \(3, 64, 64\)"):
        encode_pixels(encoder, some_pixels(1)[0])
    with pytest.raises(ValueError, match=r"not \(1, 64, 64, 3\)"):
        encode_pixels(encoder, some_pixels(1).permute(0, 2, 3, 1))
    with pytest.raises(ValueError, match=r"takes 64 x 64 pixels, not \(1, 3, 32, 32\)"):
        encode_pixels(encoder, some_pixels(1, side=32))


def test_wrong_texts_are_refused(encoder):
    with pytest.raises(TypeError, match="not one string"):
        encode_texts(encoder, "polyp")
    with pytest.raises(TypeError, match="text 1 is None, not a string"):
        encode_texts(encoder, ["polyp", None])
    with pytest.raises(ValueError, match="batch_size must be at least 1, not 0"):
        encode_texts(encoder, TEXTS, batch_size=0)


def test_long_texts_are_cut(encoder, minilm):
    long = "polyp " * 500
    for either in (encoder, minilm):
        assert either.tokenize([long]).shape == (1, 64)
        assert torch.isfinite(encode_texts(either, [long, ""])).all()
