"""The table of pictures: what is wrong with it is said once, with its row."""

import numpy as np
import pandas as pd
import pytest
import torch

from endoalign.models.ent_prompts import load_classes
from endoalign.training.ent_batches import EntLoader
from endoalign.training.ent_data import ArrayPixels, EntPictures

CLASSES = load_classes("entrep")


def table(n=6):
    return pd.DataFrame(
        {
            "picture_id": [f"p{row}" for row in range(n)],
            "group": [f"g{row // 2}" for row in range(n)],
            "class": [CLASSES.names[row % 7] for row in range(n)],
            "description": [f"text {row}" for row in range(n)],
            "split": ["train"] * (n - 2) + ["test"] * 2,
            "path": "somewhere",
        }
    )


def pixels(n=6, side=8, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 256, (n, side, side, 3), dtype=np.uint8)


def pictures(**columns):
    return EntPictures.of(table().assign(**columns), ArrayPixels.of(pixels()), CLASSES)


def test_a_sound_table():
    found = pictures()
    assert len(found) == 6
    assert found.labels.tolist() == [0, 1, 2, 3, 4, 5]
    assert found.rows("train").tolist() == [0, 1, 2, 3]
    assert found.texts(None) == [f"text {row}" for row in range(6)]
    assert found.texts(CLASSES.literal)[5] == "A photo of a vc-closed, Image description."


def test_both_layouts_of_pixels_are_read_alike():
    given = pixels()
    last, first = ArrayPixels.of(given), ArrayPixels.of(given.transpose(0, 3, 1, 2))
    assert len(last) == 6 and last.size == 8
    rows = np.array([3, 0, 3])
    assert torch.equal(last.read(rows), first.read(rows))
    assert torch.equal(last.read(rows)[1], torch.from_numpy(given[0].transpose(2, 0, 1)))


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((2, 8, 8, 3), np.float32),
        np.zeros((8, 8, 3), np.uint8),
        np.zeros((2, 8, 8, 1), np.uint8),
        np.zeros((2, 8, 6, 3), np.uint8),
    ],
)
def test_pixels_of_another_kind(wrong):
    with pytest.raises(ValueError, match=r"pixels|square"):
        ArrayPixels.of(wrong)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"picture_id": ["p0", "p1", "p0", "p3", "p4", "p5"]}, "'p0' stands twice"),
        ({"group": ["g", None, "h", "h", "i", "i"]}, "column 'group', row 1 is empty"),
        ({"class": "nose_left"}, "row 0: 'nose_left' is no class .* nearest is 'nose-left'"),
        ({"split": ["train"] * 5 + ["test"]}, "group 'g2' stands in several splits"),
        ({"split": ["", *["train"] * 5]}, "column 'split', row 0 is empty"),
        ({"split": "val"}, "split 'val' is none of train, validation, test"),
    ],
)
def test_what_is_wrong(columns, message):
    with pytest.raises(ValueError, match=message):
        pictures(**columns)


def test_a_missing_column_and_its_nearest():
    given = table().rename(columns={"class": "clas"})
    with pytest.raises(ValueError, match=r"column 'class' is missing \(nearest: 'clas'\)"):
        EntPictures.of(given, ArrayPixels.of(pixels()), CLASSES)


def test_rows_and_pictures_must_be_as_many():
    with pytest.raises(ValueError, match="6 rows for 5 pictures"):
        EntPictures.of(table(), ArrayPixels.of(pixels(5)), CLASSES)


def test_unknown_split_lists_the_known():
    with pytest.raises(
        ValueError, match="no picture of split 'validation'; the table has test, train"
    ):
        pictures().rows("validation")


def test_descriptions_are_asked_for_only_where_they_are_used():
    found = pictures(description=["a", "b", " ", "d", None, "f"])
    assert len(found.texts(CLASSES.literal)) == 6
    with pytest.raises(ValueError, match="'description', row 2 is empty; with prompt: picture"):
        found.texts(None)


def test_digest_sees_pixels_table_and_classes():
    same = pictures().digest()
    assert pictures().digest() == same
    assert pictures(description="other").digest() != same
    assert pictures(path="elsewhere").digest() == same
    other = EntPictures.of(table(), ArrayPixels.of(pixels(seed=1)), CLASSES)
    assert other.digest() != same


def test_batches_hold_every_picture_once_and_are_shared_out():
    found = pictures()
    rows, texts = found.rows("train"), np.array([4, 4, 1, 2, 0, 0])
    parts = []
    for process in range(2):
        loader = EntLoader(found, rows, texts, batch_size=1, processes=2, process=process)
        parts.append(list(loader.epoch(seed=0, epoch=0)))
    assert [len(batches) for batches in parts] == [2, 2]
    items = np.concatenate([batch.items for batches in parts for batch in batches])
    assert sorted(items.tolist()) == [0, 1, 2, 3]
    for one, other in zip(*parts, strict=True):
        together = texts[np.concatenate([one.items, other.items])]
        assert one.repeated_share == other.repeated_share == float(len(set(together)) == 1)
        assert torch.equal(one.pixels, found.pixels.read(rows[one.items]))
        assert one.labels.tolist() == found.labels[one.items].tolist()
        assert one.text_ids.tolist() == texts[one.items].tolist()
    with pytest.raises(ValueError, match="1 pictures for 2 processes"):
        EntLoader(found, rows[:1], texts, batch_size=1, processes=2)


def test_an_error_of_the_pixels_is_raised_in_its_turn():
    class Broken:
        size = 8

        def __len__(self):
            return 6

        def read(self, rows):
            if 3 in rows:
                raise ValueError("picture 3 is damaged")
            return torch.zeros(len(rows), 3, 8, 8, dtype=torch.uint8)

    found = EntPictures.of(table(), Broken(), CLASSES)
    loader = EntLoader(found, np.arange(6), np.zeros(6, dtype=np.int64), batch_size=1)
    seen = 0
    with pytest.raises(ValueError, match="picture 3 is damaged"):
        for batch in loader.epoch(seed=0, epoch=0):
            assert 3 not in batch.items
            seen += 1
    assert seen == [int(b[0]) for b in loader.order.batches(0, 0)].index(3)
