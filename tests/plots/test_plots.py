"""Each kind of figure shows what it was given, and copes with nothing to show."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from endoalign.plots.contact_sheet import contact_sheet
from endoalign.plots.distribution import distribution
from endoalign.plots.funnel import funnel
from endoalign.plots.highlighted_report import Mark, highlighted_report
from endoalign.plots.ranked_bars import ranked_bars

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def frame(value=120):
    return np.full((24, 30, 3), value, dtype=np.uint8)


def test_contact_sheet_shows_every_frame_and_outline():
    mask = np.zeros((24, 30), dtype=np.uint8)
    mask[5:15, 5:20] = 1
    figure = contact_sheet(
        [frame()] * 5, list("abcde"), masks=[mask, None, mask * 0, None, mask], columns=3
    )
    shown = [axes for axes in figure.axes if axes.images]
    assert len(figure.axes) == 6
    assert [axes.texts[0].get_text() for axes in shown] == list("abcde")
    assert [len(axes.collections) for axes in shown] == [1, 0, 0, 0, 1]


@pytest.mark.parametrize("kwargs", [{"captions": ["one"]}, {"masks": [None]}])
def test_contact_sheet_refuses_lists_of_other_lengths(kwargs):
    with pytest.raises(ValueError, match=r"1 .* for 2 images"):
        contact_sheet([frame(), frame()], **kwargs)


def test_contact_sheet_of_nothing_is_an_error():
    with pytest.raises(ValueError, match="at least one"):
        contact_sheet([])


def test_funnel_bars_have_the_counts():
    axes = funnel([("reports", 80), ("eligible", 20)], unit="reports").axes[0]
    assert [bar.get_width() for bar in axes.patches] == [80, 20]
    assert [text.get_text().strip() for text in axes.texts] == ["80 (100%)", "20 (25%)"]


def test_funnel_of_an_empty_corpus():
    axes = funnel([("reports", 0)], unit="reports").axes[0]
    assert axes.texts[0].get_text().strip() == "0"


def test_ranked_bars_put_the_most_frequent_on_top():
    _, axes = plt.subplots()
    ranked_bars({"rectum": 2, "sigmoid_colon": 6}, 10, axes, xlabel="%")
    assert [bar.get_width() for bar in axes.patches] == [20, 60]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["rectum", "sigmoid colon"]


def test_distribution_marks_the_median_and_leaves_nan_out():
    _, axes = plt.subplots()
    distribution([1, 2, 3, 4, 100, float("nan")], axes, xlabel="cm")
    assert sum(bar.get_height() for bar in axes.patches) == 5
    assert axes.texts[0].get_text() == "median 3"


@pytest.mark.parametrize(
    "draw",
    [
        lambda axes: distribution([], axes, xlabel="cm"),
        lambda axes: ranked_bars({}, 0, axes, xlabel="%"),
    ],
)
def test_nothing_to_show_is_said(draw):
    _, axes = plt.subplots()
    draw(axes)
    assert axes.texts[0].get_text() == "none in this corpus"


def test_highlights_keep_the_text_and_escape_it():
    text = "A <3 mm polyp & a mass."
    shown = highlighted_report(text, [Mark(0, 13, "lesion", "lesion")], [Mark(2, 7, "0.3", "size")])
    plain = shown.replace("&lt;", "<").replace("&amp;", "&")
    assert "A <u" in plain and "<3 mm</u>" in plain and "0.3</sub>" in plain
    assert plain.index("polyp</span>") < plain.index(" & a mass.")


def test_highlights_outside_the_text_are_an_error():
    with pytest.raises(ValueError, match="outside a text of 3"):
        highlighted_report("abc", [Mark(1, 9, "x", "lesion")], [])
