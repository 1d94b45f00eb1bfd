"""Figures of the recovery: scores, sweeps, reliability, the flow of pairs, the chosen frames."""

import math
from itertools import pairwise

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import StepPatch

from endoalign.plots.chosen_frames import RIGHT, WRONG, ShownFrame, chosen_frames
from endoalign.plots.pair_flow import FlowStage, FlowStep, pair_flow
from endoalign.plots.paper_values import paper_counts
from endoalign.plots.reliability import reliability
from endoalign.plots.score_histogram import score_histogram
from endoalign.plots.style import MUTED
from endoalign.plots.sweep import sweep

mpl.use("Agg")
NAN = math.nan


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def texts(axes):
    return [text.get_text() for text in axes.texts]


def outlines(axes):
    return [patch for patch in axes.patches if isinstance(patch, StepPatch) and not patch.fill]


def test_histograms_are_shares_of_their_own_group():
    rng = np.random.default_rng(0)
    groups = {"visible": rng.normal(1, 1, 50), "not": np.append(rng.normal(0, 1, 500), NAN)}
    figure = score_histogram({"I": groups, "II": {"not": groups["not"]}}, cuts={"I": 0.5})
    first, second = figure.axes
    for patch, values in zip(outlines(first), groups.values(), strict=True):
        heights, edges, _ = patch.get_data()
        finite = values[np.isfinite(values)]
        counts = [((finite >= a) & (finite < b)).sum() for a, b in pairwise(edges)]
        counts[-1] += (finite == edges[-1]).sum()
        np.testing.assert_allclose(heights, 100 * np.array(counts) / len(finite))
    assert to_hex(outlines(second)[0].get_edgecolor()) == to_hex(outlines(first)[1].get_edgecolor())
    assert not second.lines and not second.texts


def test_the_cut_tells_what_it_keeps():
    groups = {"a": np.array([0.0, 0.2, 0.3, 0.4]), "b": np.array([0.1, 0.2]), "c": np.array([])}
    axes = score_histogram({"I": groups}, cuts={"I": 0.2}).axes[0]
    assert axes.lines[0].get_xdata() == [0.2, 0.2]
    assert texts(axes) == ["cut 0.2", "75.0 % above", "50.0 % above"]


@pytest.mark.parametrize("values", [[], [NAN]])
def test_no_scores_are_said(values):
    figure = score_histogram({"I": {"all": np.array(values)}}, cuts={"I": 0.1})
    assert texts(figure.axes[0]) == ["no scores"]


def test_one_score_is_drawn():
    axes = score_histogram({"I": {"all": np.array([0.3])}}, cuts={"I": 0.9}).axes[0]
    assert outlines(axes)[0].get_data().values.sum() == 100
    assert axes.get_xlim()[1] >= 0.9


@pytest.mark.parametrize(
    ("stages", "cuts", "message"),
    [
        ({}, None, "at least one stage"),
        ({"I": {}}, {"II": 0.1}, "unknown stage 'II'"),
        ({"I": {name: np.zeros(1) for name in "abcde"}}, None, "at most 4 groups"),
    ],
)
def test_histogram_errors(stages, cuts, message):
    with pytest.raises(ValueError, match=message):
        score_histogram(stages, cuts=cuts)


def sweep_table():
    return pd.DataFrame(
        {
            "threshold": [0.4, 0.0, 0.2],  # any order
            "precision": [0.9, 0.5, 0.7],
            "f1": [0.3, 0.6, NAN],
            "kept_share": [0.2, 1.0, 0.6],
        }
    )


def test_a_sweep_is_drawn_in_order_and_read_off_at_the_choice():
    axes = sweep(sweep_table(), chosen=0.3).axes[0]
    lines = {line.get_label(): line for line in axes.lines}
    np.testing.assert_allclose(lines["precision  80.0 %"].get_xdata(), [0, 0.2, 0.4])
    np.testing.assert_allclose(lines["precision  80.0 %"].get_ydata(), [50, 70, 90])
    assert "kept share  40.0 %" in lines
    assert "F1  –" in lines  # beside a gap
    assert texts(axes) == ["chosen 0.3"]
    shown = [text.get_text() for text in axes.get_legend().get_texts()]
    assert shown == ["precision  80.0 %", "F1  –", "kept share  40.0 %"]
    assert axes.get_legend().get_title().get_text() == "at 0.3"


def test_a_sweep_without_a_choice_and_on_given_axes():
    figure, axes = plt.subplots()
    table = sweep_table().rename(columns={"threshold": "kept"})
    assert sweep(table, x="kept", xlabel="kept frames", axes=axes) is figure
    assert axes.get_xlabel() == "kept frames"
    assert [line.get_label() for line in axes.lines] == ["precision", "F1", "kept share"]


def test_a_choice_outside_the_sweep_has_no_figures():
    axes = sweep(sweep_table()[["threshold", "precision"]], chosen=0.9).axes[0]
    assert axes.get_legend().get_texts()[0].get_text() == "precision  –"


@pytest.mark.parametrize("rows", [0, 1])
def test_hardly_any_sweep(rows):
    axes = sweep(sweep_table().iloc[:rows]).axes[0]
    if rows:
        assert axes.lines[0].get_ydata() == [90]
    else:
        assert texts(axes) == ["nothing was swept"]


def test_sweep_errors():
    with pytest.raises(ValueError, match="sweep lacks the column 'cut'"):
        sweep(sweep_table(), x="cut")
    with pytest.raises(ValueError, match="needs one of"):
        sweep(sweep_table()[["threshold"]])


def bins(n=(4, 10, 0), accuracy=(0.5, 0.8, NAN)):
    return pd.DataFrame(
        {
            "score_low": [0.0, 0.1, 0.2],
            "score_high": [0.1, 0.2, 0.2],
            "score_mean": [0.06, 0.16, 0.2],
            "n": n,
            "accuracy": accuracy,
            "ci_low": [0.2, 0.6, NAN],
            "ci_high": [0.8, 0.9, NAN],
        }
    )


def test_reliability_has_points_intervals_and_counts():
    upper, lower = reliability({"paper": bins()}, threshold=0.15).axes
    points, _, (bars,) = upper.containers[0]
    np.testing.assert_allclose(points.get_xdata(), [0.06, 0.16])
    np.testing.assert_allclose(points.get_ydata(), [50, 80])
    np.testing.assert_allclose([s[:, 1] for s in bars.get_segments()], [[20, 80], [60, 90]])
    assert [bar.get_height() for bar in lower.patches] == [4, 10, 0]
    np.testing.assert_allclose([bar.get_x() for bar in lower.patches[:2]], [0, 0.1], atol=1e-12)
    widths = [bar.get_width() for bar in lower.patches]
    assert widths[:2] == pytest.approx([0.1, 0.1]) and 0 < widths[2] < 0.01  # a bin of one score
    assert texts(upper) == ["threshold 0.15"]


def test_several_curves_are_told_apart():
    empty = bins().iloc[:0]
    upper, lower = reliability({"a": bins(), "b": bins(), "none": empty}).axes
    assert [text.get_text() for text in upper.get_legend().get_texts()] == ["a", "b"]
    assert len(lower.patches) == 6
    colours = {to_hex(bar.get_edgecolor()) for bar in lower.patches}
    assert colours == {to_hex(container[0].get_color()) for container in upper.containers}


@pytest.mark.parametrize("table", [bins().iloc[:0], bins(n=(0, 0, 0), accuracy=(NAN,) * 3)])
def test_no_matches_are_said(table):
    assert texts(reliability({"a": table}).axes[0]) == ["no matches"]


def test_reliability_errors():
    with pytest.raises(ValueError, match="at least one curve"):
        reliability({})
    with pytest.raises(ValueError, match="reliability of 'a' lacks the column 'n'"):
        reliability({"a": bins().drop(columns="n")})
    with pytest.raises(ValueError, match="at most 4 curves"):
        reliability(dict.fromkeys("abcde", bins()))


def flow():
    scored = FlowStep("frames", 1000)
    kept = FlowStep("retained", 250, paper_counts()["positive_pairs_ii"], share=True)
    cases = (FlowStep("with a polyp", 60), FlowStep("normal", 40, adds=True))
    return [
        FlowStage("Stage I", cases, "EndoCLIP-I"),
        FlowStage("II", (scored, kept), "EndoCLIP-II"),
    ]


def test_flow_shows_counts_shares_and_the_paper():
    figure = pair_flow(flow())
    shown = texts(figure.axes[0])
    # the last checkpoint scores nothing
    for text in ("1,000", "250", "paper 63.6k", "25 %", "+", "EndoCLIP-I", "scores"):
        assert shown.count(text) == 1


def test_flow_text_lies_inside_the_figure():
    figure = pair_flow(flow())
    figure.canvas.draw()
    inside = figure.bbox
    for text in figure.axes[0].texts:
        box = text.get_window_extent()
        assert inside.x0 <= box.x0 and box.x1 <= inside.x1


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([], "at least one stage"),
        ([FlowStage("I", (), "x")], "stage 'I' has no steps"),
        ([FlowStage("I", (FlowStep("pairs", -1),), "x")], "'pairs' has the count -1"),
    ],
)
def test_flow_errors(stages, message):
    with pytest.raises(ValueError, match=message):
        pair_flow(stages)


def test_a_flow_from_nothing_has_no_share():
    figure = pair_flow([FlowStage("I", (FlowStep("a", 0), FlowStep("b", 0, share=True)), "x")])
    assert not [text for text in texts(figure.axes[0]) if "%" in text]


def frame(value, height=24, width=24):
    return np.full((height, width, 3), value, dtype=np.uint8)


def test_frames_stand_by_score_and_say_right_or_wrong():
    frames = [
        ShownFrame(frame(10), 0.1, False, False),
        (frame(30), 0.3, True, True),
        (frame(20), NAN, None, False),
    ]
    figure = chosen_frames([("A polyp of 4 mm in the rectum.", frames)])
    assert [int(axes.images[0].get_array()[0, 0, 0]) for axes in figure.axes] == [30, 10, 20]
    assert [texts(axes) for axes in figure.axes] == [
        ["✓", "0.30  chosen"],
        ["✗", "0.10"],
        ["no score"],
    ]
    borders = [to_hex(axes.spines["left"].get_edgecolor()) for axes in figure.axes]
    assert borders == [RIGHT, WRONG, MUTED]
    assert (
        figure.axes[0].spines["left"].get_linewidth()
        > figure.axes[1].spines["left"].get_linewidth()
    )
    assert figure.texts[0].get_text().replace("\n", " ") == "A polyp of 4 mm in the rectum."


def test_frames_and_sentences_do_not_overlap():
    long = "A polyp with a smooth, congested surface and mucus attachment was seen. " * 4
    rows = [
        (long, [(frame(9), 0.5, None, True)] * 5),
        ("Short.", [(frame(9, 36), 0.5, True, True)]),
    ]
    figure = chosen_frames([*rows, ("No frame was kept.", [])])
    figure.canvas.draw()
    boxes = [axes.get_window_extent() for axes in figure.axes]
    boxes += [text.get_window_extent() for text in figure.texts]
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])
    assert [t.get_text() for t in figure.texts][3:] == ["✓ shows the lesion", "not known"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "at least one sentence"),
        ([("A polyp.", [(np.zeros((4, 4)), 0.1, None, False)])], r"'A polyp.' has shape \(4, 4\)"),
    ],
)
def test_sheet_errors(rows, message):
    with pytest.raises(ValueError, match=message):
        chosen_frames(rows)
