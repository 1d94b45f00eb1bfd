import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from endoalign.plots.attention_map import Attended, attention_map
from endoalign.plots.chosen_frames import RIGHT, WRONG
from endoalign.plots.loss_parts import loss_parts
from endoalign.plots.reconstructions import reconstructions
from endoalign.plots.target_matrix import target_matrix

PICTURE = np.zeros((8, 8, 3), dtype=np.uint8)


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def attended(**changes):
    values = {
        "title": "one",
        "labels": ["antrum", "body"],
        "relevance": np.array([[0.1, 0.9, 0.2], [0.8, 0.1, 0.3]]),
        "found": [PICTURE, PICTURE],
        "right": [True, False],
        "shown": np.array([[False, True, False], [False, False, True]]),
    }
    return Attended(**{**values, **changes})


def test_best_frames_are_framed_by_their_verdict():
    figure = attention_map([attended(), attended(title="two", right=None, shown=None)])
    figure.canvas.draw()
    axes = [one for part in figure.subfigs for one in part.axes if one.patches]
    boxes = axes[0].patches
    assert [box.get_xy() for box in boxes] == [(0.5, -0.5), (-0.5, 0.5)]
    colours = [plt.matplotlib.colors.to_hex(box.get_edgecolor()) for box in boxes]
    assert colours == [RIGHT, WRONG]
    assert len(axes[0].collections[0].get_offsets()) == 2 and not axes[1].collections


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"labels": ["antrum"]}, "'one': relevance"),
        ({"found": [PICTURE]}, "one frame and one verdict"),
        ({"shown": np.zeros((2, 2), dtype=bool)}, "shown"),
    ],
)
def test_unfit_examinations_are_named(changes, told):
    with pytest.raises(ValueError, match=told):
        attention_map([attended(**changes)])


def test_nothing_to_draw_is_told():
    with pytest.raises(ValueError, match="at least one examination"):
        attention_map([])
    with pytest.raises(ValueError, match="at least one run"):
        loss_parts({})
    with pytest.raises(ValueError, match="not"):
        reconstructions(PICTURE[None][:0], PICTURE[None][:0], PICTURE[None][:0])
    with pytest.raises(ValueError, match="targets"):
        target_matrix(np.zeros((0, 0)), [], [])


def test_reconstructions_show_three_rows_in_order():
    parts = [np.full((2, 8, 8, 3), value, dtype=np.uint8) for value in (1, 2, 3)]
    figure = reconstructions(*parts, ["a", "b"])
    shown = [int(axes.images[0].get_array()[0, 0, 0]) for axes in figure.axes]
    assert shown == [1, 1, 2, 2, 3, 3]
    with pytest.raises(ValueError, match="1 captions for 2"):
        reconstructions(*parts, ["a"])


def test_targets_are_ordered_by_region_and_status():
    targets = np.diag([1.0, 2.0, 3.0, 4.0])
    figure = target_matrix(
        targets, ["rectum", "fundus", "rectum", "fundus"], [True, False, False, True]
    )
    shown = np.diag(figure.axes[0].images[0].get_array())
    # fundus normal, fundus abnormal, rectum normal, rectum abnormal
    assert shown.tolist() == [2.0, 4.0, 3.0, 1.0]


def test_parts_that_were_left_out_are_not_drawn():
    history = pd.DataFrame(
        {
            "step": range(4),
            "global_loss": 1.0,
            "fine_grained_loss": 0.0,
            "mae_loss": [3.0, 2.0, 1.0, 0.5],
        }
    )
    figure = loss_parts({"EndoVLM-mae": history.assign(global_loss=0.0), "EndoVLM": history})
    lines = [len(axes.lines) for axes in figure.axes]
    assert lines == [2, 0, 4]
    with pytest.raises(ValueError, match="lacks the column 'mae_loss'"):
        loss_parts({"x": history.drop(columns="mae_loss")})
