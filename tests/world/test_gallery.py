import numpy as np

from endoalign.vocabulary import COLON_REGIONS, DESCRIPTORS
from endoalign.world.gallery import descriptor_pictures, distractor_pictures, segment_pictures
from endoalign.world.renderer.view import DISTRACTORS


def test_everything_has_its_own_picture():
    for draw, names in (
        (descriptor_pictures, DESCRIPTORS),
        (segment_pictures, COLON_REGIONS),
        (distractor_pictures, DISTRACTORS),
    ):
        pictures = dict(draw(32, seed=1))
        assert tuple(pictures) == names
        assert {picture.shape for picture in pictures.values()} == {(32, 32, 3)}
        assert len({picture.tobytes() for picture in pictures.values()}) == len(names)


def test_the_same_seed_gives_the_same_pictures():
    first, second = (dict(segment_pictures(32, seed=5)) for _ in range(2))
    assert all(np.array_equal(first[name], second[name]) for name in COLON_REGIONS)
