"""Figures and tables of retrieval show the rows of results they were given."""

import math

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from endoalign.plots.by_system import by_system
from endoalign.plots.case_recall import case_recall
from endoalign.plots.differences import differences, p_value
from endoalign.plots.metric_text import figure_name, interval_text, value_text
from endoalign.plots.paper_values import paper_figures
from endoalign.plots.recall_curve import recall_curve
from endoalign.plots.retrieval_table import retrieval_table
from endoalign.plots.stage_progression import stage_progression
from endoalign.plots.systems import CONTROLS, LADDER, system_colours
from endoalign.results import COLUMNS

mpl.use("Agg")
NAN = math.nan


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def row(system, protocol, metric, value, low=NAN, high=NAN, note=""):
    values = ("07", system, "retrieval", "toy", protocol, metric, value, low, high, 1, 9, note)
    return dict(zip(COLUMNS, values, strict=True))


def results(*rows):
    return pd.DataFrame(list(rows), columns=list(COLUMNS))


def texts(axes):
    return [text.get_text() for text in axes.texts]


def curve_rows():
    rows = []
    for direction, shift in (("i2t", 0.0), ("t2i", 0.1)):
        for k in (10, 1, 5):  # any order
            value = k / 20 + shift
            rows.append(row("EndoCLIP", f"global/{direction}", f"recall@{k}", value, value, 0.9))
            rows.append(row("chance", f"global/{direction}", f"recall@{k}", k / 100))
        rows.append(row("EndoCLIP", f"intra_case/{direction}", "recall@1", 1.0))
        rows.append(row("EndoCLIP", f"global/{direction}", "mrr", 0.3))
    return results(*rows)


def test_recall_curves_have_the_values_and_bands():
    figure = recall_curve(curve_rows())
    for axes, shift in zip(figure.axes, (0, 10), strict=True):
        line = {line.get_label(): line for line in axes.lines}
        assert line["EndoCLIP"].get_xdata().tolist() == [1, 5, 10]
        np.testing.assert_allclose(
            line["EndoCLIP"].get_ydata(), [5 + shift, 25 + shift, 50 + shift]
        )
        np.testing.assert_allclose(line["chance"].get_ydata(), [1, 5, 10])
        assert line["chance"].get_linestyle() == "--"
        (band,) = axes.collections
        assert band.get_paths()[0].vertices[:, 1].max() == pytest.approx(90)
        assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "5", "10"]
        assert axes.get_xscale() == "log"
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["EndoCLIP", "chance"]


def test_one_k_and_none():
    figure = recall_curve(curve_rows(), protocol="intra_case")
    assert figure.axes[0].lines[0].get_ydata() == [100]
    figure = recall_curve(results())
    assert texts(figure.axes[0]) == ["no Recall@K"]
    figure.canvas.draw()


def test_recall_curve_errors():
    with pytest.raises(ValueError, match=r"recall@10 of 'EndoCLIP' in 'global/i2t' is given twice"):
        recall_curve(pd.concat([curve_rows()] * 2))
    with pytest.raises(ValueError, match="no Recall@K of 'CLIP' in 'global'"):
        recall_curve(curve_rows(), systems=["CLIP"])
    with pytest.raises(ValueError, match="results lacks the column 'ci_low'"):
        recall_curve(curve_rows().drop(columns="ci_low"))


def cases(values, lesions=None):
    ids = [f"c{i}" for i in range(len(values))]
    return pd.DataFrame({"case_id": ids, "lesions": lesions or [2] * len(ids), "mean": values})


def test_every_case_stands_in_its_group_once():
    lesions = [3, 2, 2, 3]
    figure = case_recall(
        {"naive": cases([0.5, 0.5, 1, 0], lesions), "EndoCLIP": cases([1, 1, 0.75, 0], lesions)}
    )
    axes = figure.axes[0]
    points = [c.get_offsets() for c in axes.collections if len(c.get_offsets()) > 1]
    hollow, filled = np.concatenate(points[::2]), np.concatenate(points[1::2])
    assert sorted(map(tuple, hollow[:, 1:])) == [(0,), (50,), (50,), (100,)]
    np.testing.assert_allclose(filled[:, 1], [75, 100, 0, 100])  # 2 lesions, then 3, by the second
    np.testing.assert_allclose(hollow[:, 1], [100, 50, 0, 50])
    np.testing.assert_array_equal(hollow[:, 0], filled[:, 0])
    assert len(set(filled[:, 0])) == 4
    assert texts(axes)[:8] == ["2", "2", "75", "88", "3", "2", "25", "50"]


def test_an_undefined_case_is_left_out_and_none_is_said():
    two = {"a": cases([0.5, NAN]), "b": cases([0.5, 1.0])}
    assert texts(case_recall(two).axes[0])[1] == "1"
    empty = {name: table.iloc[:0] for name, table in two.items()}
    assert texts(case_recall(empty).axes[0]) == ["no case with several lesions"]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"a": cases([1])}, "compares two systems"),
        ({"a": cases([1]), "b": cases([1, 0])}, "case 'c1' is in only one of"),
        ({"a": pd.concat([cases([1])] * 2), "b": cases([1])}, "case 'c0' of 'a' is there twice"),
        ({"a": cases([1]).drop(columns="mean"), "b": cases([1])}, "cases of 'a' lacks"),
    ],
)
def test_case_recall_errors(tables, message):
    with pytest.raises(ValueError, match=message):
        case_recall(tables)


def ladder():
    rows = [
        row(name, "global/mean", "recall@1", 0.1 * i, 0.1 * i - 0.05, 0.1 * i + 0.07)
        for i, name in enumerate((*LADDER, "naive"), 1)
    ]
    return results(*rows, row("chance", "global/mean", "recall@1", 0.02))


def drawn(axes):
    """Where each marker stands, (x, y), in order of drawing."""
    return [(c[0].get_xdata()[0], c[0].get_ydata()[0]) for c in axes.containers]


def test_progression_shows_ours_and_the_papers():
    figures = [("global/mean", "recall@1")]
    axes = stage_progression(ladder(), paper=paper_figures(), figures=figures).axes[0]
    heights = [round(float(y), 1) for _, y in drawn(axes)]
    assert heights == [10, 1.2, 20, 0.9, 30, 9.2, 40, 14.3, 50, 6.5]
    x = [x for x, _ in drawn(axes)]
    assert x == sorted(x)
    faces = [to_hex(c[0].get_markerfacecolor()) for c in axes.containers]
    assert (np.array(faces) == "#ffffff").tolist() == [False, True] * 5
    bars = axes.containers[0][2][0].get_segments()[0]
    np.testing.assert_allclose(bars[:, 1], [5, 17])
    lines = {line.get_label(): line.get_ydata() for line in axes.lines}
    np.testing.assert_allclose(lines["_ladder"], [10, 20, 30, 40])  # no line to the controls
    assert lines["_chance"][0] == pytest.approx(2)
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels == ["I\n10.0", "II\n20.0", "III\n30.0", "full\n40.0", "naive\n50.0"]


def test_a_progression_of_nothing_and_of_undefined_values():
    table = results(row("EndoCLIP", "frames", "auroc", NAN), row("naive", "frames", "auroc", 0.7))
    first, _, third = stage_progression(table).axes
    assert texts(first) == ["not measured"]
    assert [label.get_text() for label in third.get_xticklabels()] == ["naive\n0.700"]
    assert len(third.containers) == 1


def test_progression_errors():
    with pytest.raises(ValueError, match="at least one figure"):
        stage_progression(ladder(), figures=[])
    with pytest.raises(ValueError, match=r"recall@1 of 'EndoCLIP-I' .* twice"):
        stage_progression(pd.concat([ladder()] * 2))
    with pytest.raises(ValueError, match="lacks the column 'value'"):
        by_system(ladder().drop(columns="value"), "frames", "auroc")


def delta(system, value, low, high, note="", metric="delta:recall@1"):
    return row(system, "global/mean", metric, value, low, high, note)


def test_differences_are_drawn_in_order_with_their_p_values():
    table = results(
        delta("A − B", 0.05, 0.01, 0.09, "p=0.004; p_holm=0.008"),
        delta("A − C", -0.01, -0.03, 0.01, "p=0.4"),
        delta("B − C", NAN, NAN, NAN),
        delta("A − B", 0.02, 0.015, 0.025, "p=0.0002", metric="delta:mrr"),
        row("A", "global/mean", "recall@1", 0.3),
    )
    recall, mrr = differences(table).axes
    points = [line for line in recall.lines if line.get_label() == "_value"]
    np.testing.assert_allclose([p.get_xdata()[0] for p in points], [5, -1, NAN])
    assert [to_hex(p.get_markerfacecolor()) == "#ffffff" for p in points] == [False, True, True]
    spans = [line.get_xdata() for line in recall.lines if line.get_label() == "_interval"]
    np.testing.assert_allclose(spans, [[1, 9], [-3, 1]])
    assert [label.get_text() for label in recall.get_yticklabels()] == ["A − B", "A − C", "B − C"]
    assert texts(recall) == [
        "+5.0 (+1.0 to +9.0)",
        "p (Holm) = 0.008",
        "−1.0 (−3.0 to +1.0)",
        "p = 0.400",
        "not defined",
        "",
    ]
    assert texts(mrr) == ["+0.020 (+0.015 to +0.025)", "p < 0.001"]
    assert recall.get_ylim()[0] > recall.get_ylim()[1]  # the first on top


def test_a_marker_is_filled_by_the_p_value_that_stands_beside_it():
    table = results(
        delta("A − B", 0.03, 0.001, 0.06, "p=0.02; p_holm=0.13"),
        delta("A − C", 0.03, 0.001, 0.06, "p=0.02; p_holm=0.04"),
    )
    points = [line for line in differences(table).axes[0].lines if line.get_label() == "_value"]
    assert [to_hex(p.get_markerfacecolor()) == "#ffffff" for p in points] == [True, False]


def test_forest_text_does_not_overlap():
    rows = [delta("A − B", 0.05, -0.2, 0.255, "p=0.004; p_holm=0.008", f"delta:{m}") for m in "ab"]
    figure = differences(results(*rows))
    figure.canvas.draw()
    for axes in figure.axes:
        left, right = (text.get_window_extent() for text in axes.texts)
        assert left.x1 < right.x0 and right.x1 <= figure.bbox.x1


def test_no_comparison_is_said():
    assert texts(differences(ladder()).axes[0]) == ["no systems were compared"]
    with pytest.raises(ValueError, match="results lacks the column 'note'"):
        differences(ladder().drop(columns="note"))


@pytest.mark.parametrize(
    ("note", "found"),
    [
        ("p=0.02; p_holm=0.04", ("p_holm", 0.04)),
        ("p=4.998e-04", ("p", 4.998e-4)),
        ("p=0.02; p_holm=nan", ("p", 0.02)),
    ],
)
def test_p_values_are_read_out_of_notes(note, found):
    assert p_value(note) == found
    assert math.isnan(p_value("overlap=3")[1])


def test_table_sets_ours_beside_the_papers():
    extra = [
        row("lite0-minilm", "global/mean", "recall@1", 0.03),
        delta("EndoCLIP − naive", 0.1, 0, 0.2),
    ]
    table = retrieval_table(pd.concat([ladder(), results(*extra)]), why="a smaller world")
    one = table.loc["global Recall@1"]
    assert one.loc["EndoCLIP", "paper"] == "14.3 % (10.1–18.4)"
    assert one.loc["EndoCLIP", "here"] == "40.0 % (35.0–47.0)"
    assert one.loc["PMC-CLIP"].tolist()[::2] == ["2.8 % (1.2–4.7)", "–"]
    assert one.loc["chance", ["paper", "here"]].tolist() == ["0.46 %", "2.0 %"]
    assert one.loc["lite0-minilm", "paper"] == "–"
    assert table.loc[("global median rank", "EndoCLIP"), "paper"] == "8–9"
    assert table.loc[("frame AUROC", "EndoCLIP-II"), "paper"] == "0.889"
    assert set(table["why they differ"]) == {"a smaller world"}
    assert not any("−" in system for _, system in table.index)


def test_reasons_may_differ_by_figure_and_be_absent():
    reasons = {("frames", "auroc"): "fewer frames"}
    table = retrieval_table(results(), why=reasons)
    assert set(table.loc["frame AUROC", "why they differ"]) == {"fewer frames"}
    assert set(table.loc["global Recall@1", "why they differ"]) == {""}
    assert list(retrieval_table(results()).columns) == ["paper", "source", "here"]


def test_the_papers_figures_are_whole_and_in_order():
    paper = paper_figures()
    assert not paper.duplicated(["system", "protocol", "metric"]).any()
    assert paper["source"].str.startswith("section ").all()
    known = paper.dropna(subset=["ci_low"])
    assert (known["ci_low"] < known["value"]).all() and (known["value"] < known["ci_high"]).all()
    assert len(known) == 8


@pytest.mark.parametrize(
    ("metric", "value", "text"),
    [
        ("recall@1", 0.143, "14.3"),
        ("recall@1", 1 / 217, "0.46"),
        ("recall@1", 0.0, "0.0"),
        ("median_rank", 8.5, "8.5"),
        ("auroc", 0.8434, "0.843"),
        ("auroc", NAN, "–"),
    ],
)
def test_values_as_they_are_printed(metric, value, text):
    assert value_text(metric, value) == text


def test_names_and_intervals():
    assert figure_name("intra_case/mean", "recall@1") == "intra-case Recall@1"
    assert figure_name("global/i2t", "mrr") == "global MRR, image to text"
    assert figure_name("frames", "delta:auroc") == "frame AUROC"
    assert interval_text("recall@5", NAN, NAN, NAN) == "–"
    assert interval_text("median_rank", 8.5, 7, 9) == "8.5 (7.0–9.0)"


def test_systems_keep_their_colours():
    names = [*LADDER, *CONTROLS, "chance", "random-init", "BiomedCLIP", "PMC-CLIP"]
    colours = system_colours(names)
    assert len(set(colours.values())) == len(names)
    assert system_colours(["EndoCLIP"])["EndoCLIP"] == colours["EndoCLIP"]
    assert len(system_colours(f"system {i}" for i in range(20))) == 20
