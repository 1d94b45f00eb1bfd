"""Figures and tables made from the tables of a corpus."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from endoalign.corpus.ingest import ingest
from endoalign.corpus.sources import FoldersSource
from endoalign.corpus.summary import CorpusSummary
from endoalign.corpus.tables import load_corpus
from endoalign.plots.corpus_panels import corpus_panels, count_words
from endoalign.plots.corpus_table import corpus_beside_paper
from endoalign.plots.curation_table import curation_table
from endoalign.plots.frame_sheet import frame_sheet
from endoalign.plots.report_marks import show_report
from endoalign.results import COLUMNS

mpl.use("Agg")


@pytest.fixture
def corpus(tmp_path):
    for case in ("a", "b"):
        (tmp_path / "raw" / case).mkdir(parents=True)
        pixels = np.random.default_rng(ord(case)).integers(0, 255, (40, 50, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(tmp_path / "raw" / case / "0.png")
    ingest([FoldersSource(name="toy", frames=tmp_path / "raw")], tmp_path)
    yield tmp_path
    plt.close("all")


def test_frame_sheet_shows_the_frames_of_the_table_in_order(corpus):
    frames = load_corpus(corpus).frames
    Image.fromarray(np.eye(40, 50, dtype=np.uint8) * 255).save(corpus / "mask.png")
    figure = frame_sheet(corpus, frames, ["one", "two"], masks=[corpus / "mask.png"] * 2)
    assert [axes.texts[0].get_text() for axes in figure.axes] == ["one", "two"]
    assert all(len(axes.collections) == 1 for axes in figure.axes)


def test_corpus_panels_draw_every_panel_and_survive_an_empty_corpus(corpus):
    tables = load_corpus(corpus)
    columns = ["case_id", "sentence", "kind", "negated", "region", "size_cm", "descriptors"]
    rows = [("a", "A 4 mm polyp.", "lesion", False, "rectum", 0.4, ["smooth", "flat"])]
    panels = corpus_panels(tables.cases, tables.frames, pd.DataFrame(rows, columns=columns), {"a"})
    assert [len(axes.patches) > 0 for axes in panels.axes] == [True] * 5
    empty = pd.DataFrame(rows, columns=columns).iloc[:0]
    panels = corpus_panels(tables.cases, tables.frames.iloc[:0], empty, set())
    assert [axes.texts[0].get_text() for axes in panels.axes] == ["none in this corpus"] * 5


@pytest.mark.parametrize(
    ("text", "words"), [("A 4 mm polyp.", 4), ("乙状结肠见息肉", 7), ("见 Is 型息肉", 5), ("", 0)]
)
def test_words_are_counted_in_both_languages(text, words):
    assert count_words(text) == words


def test_table_beside_the_paper_has_a_dash_where_nothing_is_known():
    nan = float("nan")
    here = CorpusSummary(10, nan, 0.5, nan, 0.93, (nan, nan, nan), 0.25)
    shown = corpus_beside_paper(here, "toy")["here"]
    assert shown["polyp-positive, of the reports"] == "50.0 %"
    assert shown["frames a case, median"] == shown["size, median (quartiles), cm"] == "–"


def row(system, metric, value, protocol="en"):
    values = ("01", system, "curation", "toy", protocol, metric, value, 0.8, 1.0, 1, 5, "size")
    return dict(zip(COLUMNS, values, strict=True))


def test_curation_table_sets_chance_beside_the_rules():
    rows = [
        row("rules", "precision", 0.9),
        row("rules", "f1", 0.95),
        row("chance", "f1", 0.1),
        row("rules", "f1", 0.7, protocol="real/dev"),  # no chance row: shown elsewhere
    ]
    table = curation_table(pd.DataFrame(rows))
    assert table.index.tolist() == [("en", "size")]
    assert table.loc[("en", "size"), "f1"] == "0.950 (0.800–1.000)"
    assert table.loc[("en", "size"), "f1 by chance"].startswith("0.100")
    assert curation_table(pd.DataFrame(columns=list(COLUMNS))).empty


def test_a_marked_report_shows_finding_values_and_denial():
    shown = show_report("A 4 mm polyp was found in the rectum. No masses were seen.")
    assert ">0.4 cm</sub>" in shown
    assert 'title="lesion: rectum"' in shown
    assert 'title="negated: ' in shown
