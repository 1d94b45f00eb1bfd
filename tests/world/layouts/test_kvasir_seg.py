import json

import numpy as np
import pytest

from endoalign.world.layouts import kvasir_seg
from endoalign.world.layouts.pictures import LabelledPicture


def pictures(count):
    mask = np.zeros((20, 30), bool)
    mask[4:9, 6:20] = True
    return [LabelledPicture(np.full((20, 30, 3), 9, np.uint8), mask)] * count


def tree(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_same_seed_writes_the_same_bytes(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        kvasir_seg.write(pictures(8), tmp_path / name, seed=seed)
    assert tree(tmp_path / "a") == tree(tmp_path / "b")
    assert set(tree(tmp_path / "a")) != set(tree(tmp_path / "c"))


def test_the_files_are_the_published_ones(tmp_path):
    ids = kvasir_seg.write(pictures(50), tmp_path, seed=0)
    assert set(tree(tmp_path)) == {
        *(f"{part}/{name}.jpg" for part in ("images", "masks") for name in ids),
        *("kavsir_bboxes.json", "train.txt", "val.txt"),
    }
    assert all(len(name) == 25 and name.startswith("cju") for name in ids)
    assert len((tmp_path / "val.txt").read_text().split()) == 6
    boxes = json.loads((tmp_path / "kavsir_bboxes.json").read_text())
    assert boxes[ids[0]] == {
        "height": 20,
        "width": 30,
        "bbox": [{"label": "polyp", "xmin": 6, "ymin": 4, "xmax": 19, "ymax": 8}],
    }


@pytest.mark.parametrize("count", [0, 1])
def test_few_pictures(tmp_path, count):
    assert len(kvasir_seg.write(pictures(count), tmp_path, seed=0)) == count
    assert len((tmp_path / "train.txt").read_text().split()) == count
