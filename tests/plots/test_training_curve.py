"""Training curves show the histories they were given."""

import math

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from endoalign.plots.training_curve import smoothed, training_curve

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def history(steps=100, *, epochs=4, seed=0):
    rng = np.random.default_rng(seed)
    step = np.arange(steps)
    return pd.DataFrame(
        {
            "step": step,
            "epoch": step * epochs // steps,
            "loss": 3 + rng.normal(size=steps),
            "learning_rate": 1e-4 * (1 - step / steps),
            "logit_scale": 14.0 + step,
            "repeated_share": np.where(step < steps // 2, 0.25, 0.5),
        }
    )


def lines(axes):
    return {line.get_label(): line for line in axes.lines}


def panel(figure, title):
    return next(a for a in figure.axes if title in (a.get_title(), a.get_title(loc="left")))


def test_the_loss_is_drawn_raw_and_smooth():
    table = history()
    figure = training_curve({"one": table, "two": history(seed=1)})
    drawn = lines(panel(figure, "loss"))
    naive = [table["loss"][max(0, i - 2) : i + 2].mean() for i in range(len(table))]
    np.testing.assert_allclose(drawn["one"].get_ydata(), naive)
    np.testing.assert_array_equal(drawn["one"].get_xdata(), table["step"])
    raw = [line for line in panel(figure, "loss").lines if line.get_label() == "_raw"]
    np.testing.assert_array_equal(raw[0].get_ydata(), table["loss"])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["one", "two"]


def test_what_else_the_history_holds_has_its_panel():
    table = history()
    figure = training_curve({"one": table})
    np.testing.assert_array_equal(
        panel(figure, "logit scale").lines[0].get_ydata(), table["logit_scale"]
    )
    np.testing.assert_array_equal(
        panel(figure, "learning rate").lines[0].get_ydata(), table["learning_rate"]
    )
    repeated = panel(figure, "repeated texts (%)").lines[0].get_ydata()
    assert repeated[0] == 25.0 and repeated[-1] == 50.0
    assert not figure.legends
    still = training_curve({"one": table.assign(logit_scale=50.0)})
    titles = [axes.get_title() or axes.get_title(loc="left") for axes in still.axes]
    assert titles == ["loss", "learning rate", "repeated texts (%)"]
    assert len(training_curve({"one": table[["step", "loss"]]}).axes) == 1


def test_epochs_are_means_of_their_steps():
    table = history(epochs=4)
    drawn = lines(training_curve({"one": table}, x="epoch").axes[0])["one"]
    assert drawn.get_xdata().tolist() == [0, 1, 2, 3]
    means = [table["loss"][table["epoch"] == e].mean() for e in range(4)]
    np.testing.assert_allclose(drawn.get_ydata(), means)


def test_the_loss_of_chance_is_the_logarithm_of_the_batch():
    axes = training_curve({"one": history()}, batch_size=64).axes[0]
    assert lines(axes)["_chance"].get_ydata()[0] == pytest.approx(math.log(64))
    assert axes.texts[0].get_text() == "chance, ln 64 = 4.16"


def test_a_missing_loss_leaves_a_gap():
    loss = pd.Series([1.0, math.nan, 3.0])
    assert smoothed(loss).isna().tolist() == [False, True, False]
    long = pd.Series(np.ones(200)).where(lambda s: s.index != 50)
    assert smoothed(long).isna().sum() == 1


@pytest.mark.parametrize("rows", [0, 1])
def test_hardly_any_history(rows):
    figure = training_curve({"one": history().iloc[:rows]})
    figure.canvas.draw()
    if rows:
        assert lines(figure.axes[0])["one"].get_ydata() == [history()["loss"][0]]
    else:
        assert figure.axes[0].texts[0].get_text() == "no step was recorded"


@pytest.mark.parametrize(
    ("runs", "keywords", "message"),
    [
        ({}, {}, "at least one run"),
        ({"one": history().drop(columns="loss")}, {}, "history of 'one' lacks the column 'loss'"),
        ({"one": history()}, {"batch_size": 0}, "batch_size must be at least 1, got 0"),
    ],
)
def test_errors(runs, keywords, message):
    with pytest.raises(ValueError, match=message):
        training_curve(runs, **keywords)
