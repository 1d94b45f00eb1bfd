"""Figures and tables of ENT-CLIP: confusions, maps, heat sheets, the paper's tables."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from endoalign.plots.confusion import confusion
from endoalign.plots.embedding_map import embedding_map
from endoalign.plots.heat_sheet import heat_sheet
from endoalign.plots.paper_ent import ent_paper_figures, ent_paper_table

mpl.use("Agg")
COLUMNS = ["system", "task", "metric", "value", "ci_low", "ci_high"]


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def test_confusion_writes_counts_and_leaves_zeros_out():
    matrix = np.array([[3, 1], [0, 0]])
    axes = confusion(matrix, ["left", "right"]).axes[0]
    assert {(t.get_position(), t.get_text()) for t in axes.texts} == {((0, 0), "3"), ((1, 0), "1")}
    np.testing.assert_allclose(axes.images[0].get_array(), [[0.75, 0.25], [0, 0]])


@pytest.mark.parametrize("matrix", [np.zeros((2, 3), int), np.array([[1, -1], [0, 1]])])
def test_confusion_refuses_what_is_none(matrix):
    with pytest.raises(ValueError, match="confusion matrix"):
        confusion(matrix, ["a", "b"])


def test_map_has_a_panel_a_system_and_every_point_of_its_class():
    places = np.arange(8.0).reshape(4, 2)
    sides = embedding_map(
        {"a": places}, ["nose-left", "nose-right"] * 2, classes=["nose-left", "nose-right"]
    )
    left, right = sides.axes[0].collections
    assert left.get_edgecolor().tolist() == right.get_edgecolor().tolist()
    assert not np.array_equal(left.get_paths()[0].vertices, right.get_paths()[0].vertices)
    figure = embedding_map({"a": places, "b": -places}, list("xyxy"), classes=["x", "y"])
    first, second = figure.axes
    np.testing.assert_allclose(first.collections[0].get_offsets(), places[::2])
    np.testing.assert_allclose(second.collections[1].get_offsets(), -places[1::2])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["x", "y"]


def test_map_refuses_unknown_labels_and_wrong_shapes():
    with pytest.raises(ValueError, match="'z'"):
        embedding_map({"a": np.zeros((1, 2))}, ["z"], classes=["x"])
    with pytest.raises(ValueError, match=r"\(3, 2\)"):
        embedding_map({"a": np.zeros((3, 2))}, ["x"], classes=["x"])
    with pytest.raises(ValueError, match="at least one"):
        embedding_map({}, [], classes=["x"])


def test_heat_sheet_lays_each_map_over_its_picture():
    pictures = [np.full((4, 4, 3), 10 * k, np.uint8) for k in (1, 2)]
    maps = {"class score": np.linspace(0, 1, 32).reshape(2, 4, 4)}
    axes = heat_sheet(pictures, maps, ["a", "b"]).axes
    assert [len(one.images) for one in axes] == [1, 1, 2, 2]
    np.testing.assert_allclose(axes[3].images[1].get_array(), maps["class score"][1])
    with pytest.raises(ValueError, match="captions"):
        heat_sheet(pictures, maps, ["a"])
    with pytest.raises(ValueError, match="maps"):
        heat_sheet(pictures, {"x": np.zeros((1, 4, 4))}, ["a", "b"])


def test_paper_s_ablation_as_printed():
    table = ent_paper_figures().query("table == 4")
    printed = table.pivot_table(index="system", columns="task", values="value", sort=False)
    assert printed.loc["ENT-CLIP"].tolist() == [0.95, 0.93, 0.92]
    assert printed.loc["ENT-baseline"].tolist() == [0.84, 0.85, 0.84]
    assert len(ent_paper_figures()) == 46


def test_paper_beside_ours():
    ours = pd.DataFrame(
        [
            ("ENT-CLIP", "ent_classification", "accuracy", 0.5, 0.4, 0.6),
            ("lite0-tiny", "ent_classification", "accuracy", 0.25, np.nan, np.nan),
        ],
        columns=COLUMNS,
    )
    one = ent_paper_table(ours, 1, why="smaller")
    row = one.loc[("ENT-CLIP", "classification accuracy")]
    expected = ["0.95", "0.91", "0.500 (0.400–0.600)", "", "smaller"]
    assert row.tolist() == expected
    assert one.loc[("ENT-CLIP", "classification macro_f1"), "here"] == "–"
    assert ("lite0-tiny", "classification accuracy") not in one.index
    five = ent_paper_table(ours, 5)
    assert five.loc[("lite0-tiny", "classification accuracy")].tolist() == ["–", "0.250", ""]


def test_paper_s_table_refuses():
    empty = pd.DataFrame([], columns=COLUMNS)
    with pytest.raises(ValueError, match="table 6"):
        ent_paper_table(empty, 6)
    twice = pd.DataFrame([("a", "t", "m", 1.0, 1.0, 1.0)] * 2, columns=COLUMNS)
    with pytest.raises(ValueError, match="twice"):
        ent_paper_table(twice, 1)
