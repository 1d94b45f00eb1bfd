# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 01 · Curation: from routine reports to findings, from all frames to usable ones
#
# *EndoCLIP, section 4.3; Fig. 1 b–g.* A routine report says in free text what was seen: one polyp or several, where, how
# large, what it looked like, and often what was *not* there. This notebook reads those statements out of every report,
# decides which examinations and frames may be used, and measures itself against known findings where there are any.
#
# You will see one report with everything that was understood marked in its text, the curation funnel, the panels of the
# paper's Fig. 1 on the corpus at hand, and a table of precision, recall and F1 with confidence intervals.
#
# *Cost:* seconds for a thousand reports. The parser is a set of rules over a lexicon that a clinician can read and
# extend (`lib/endoalign/reports/lexicons`), in English and Chinese; it needs no model and sends nothing anywhere.

# %% tags=["parameters"]
profile = "smoke"  # name of the settings; results go to outputs/PROFILE
seed = 42  # seed of the bootstrap and of the examples
corpus = "corpus"  # folder of the corpus inside the profile's artifacts, as notebook 00 wrote it
dataset = "world-colonoscopy"  # name of the corpus in tables of results
min_quality = 0.3  # frames of lower quality (0 to 1) are left out
drop_duplicates = True  # leave out frames that repeat another
min_frames = 1  # usable frames that a case needs
also = []  # further corpora in the artifacts to curate and write, such as half_real
labels = []  # files of hand-made labels (JSON) to measure on
processes = 2  # worker processes
examples = 2  # example reports to show
resamples = 500  # bootstrap resamples of cases

# %% [markdown]
# ## What was asked for

# %%
from endoalign.config.curation import CurationParameters
from endoalign.config.notebook import from_notebook

settings = from_notebook(CurationParameters)
settings.show()

# %%
from endoalign.environment import start_run
from endoalign.plots.style import save_figure, use_style

start_run(settings.seed)
use_style()

# %%
from endoalign.corpus.tables import load_corpus

raw = load_corpus(settings.corpus_folder)
print(
    f"{len(raw.cases):,} cases, {len(raw.frames):,} frames, {len(raw.rejected):,} files or rows left out"
)

# %% [markdown]
# ## How a statement is read
#
# A report is split into sections and sentences. Indications, histories and plans are passed over: *history of polyps* is
# no polyp today. In what remains, each clause that names an abnormality or a normal region becomes a **finding**, with
# its site (one of 17 regions, by name, abbreviation or distance from the anal verge), its size in centimetres, count,
# Paris type and descriptors (a vocabulary of nineteen). A denial, *no ulceration*, reverses only what lies in its scope.
#
# Every value keeps the characters it was read from, so that it can be checked by eye: each stretch below is a finding,
# each underlined word a value, with what was understood beside it.

# %%
from endoalign.corpus.curate import curate
from endoalign.progress import Progress

curated = curate(
    raw.cases, raw.frames, settings.curation,
    processes=settings.processes, progress=Progress("reports parsed"),
)  # fmt: skip
print(f"{len(curated.findings):,} findings in {(raw.cases['report_text'] != '').sum():,} reports")

# %%
from IPython.display import HTML, display

from endoalign.plots.highlighted_report import legend
from endoalign.plots.report_marks import show_report

richest = curated.findings[curated.findings["kind"] == "lesion"].groupby("case_id").size()
chosen = richest.sort_values(ascending=False, kind="stable").index[: settings.examples]
texts = raw.cases.set_index("case_id").loc[chosen, "report_text"]
display(HTML(legend() + "".join(map(show_report, texts))))

# %% [markdown]
# ## The funnel
#
# Which reports document a polyp, which of those may be used (a complete examination of unoperated bowel), and which have
# at least one usable frame.

# %%
import matplotlib.pyplot as plt

from endoalign.corpus.curate import frame_funnel, report_funnel
from endoalign.plots.funnel import funnel

steps = report_funnel(curated)
figure, axes = plt.subplots(2, 1, figsize=(9, 4.4))
funnel(steps, unit="reports", axes=axes[0])
frame_steps = frame_funnel(curated, settings.curation, len(raw.rejected))
funnel(frame_steps, unit="frames", axes=axes[1])
save_figure(figure, "01_funnel", settings.profile)

# %% [markdown]
# Why cases are not eligible; nothing is dropped in silence.

# %%
curated.cases["reason"].fillna("eligible").value_counts().to_frame("cases")

# %% [markdown]
# ## What the corpus holds (Fig. 1 c–g)
#
# Sites and descriptors as shares of the polyp-positive reports, sizes as stated, lengths of reports and of sentences,
# and frames a case. Red lines mark the percentiles P25, P50, P75, P90 and P99.

# %%
from endoalign.corpus.curate import polyp_positive
from endoalign.plots.corpus_panels import corpus_panels

positive = polyp_positive(curated.findings)
panels = corpus_panels(curated.cases, curated.frames, curated.findings, positive)
save_figure(panels, "01_corpus_panels", settings.profile)

# %% [markdown]
# ## Which frames are kept
#
# The best and the worst of what is retained, and what is left out. The threshold is a parameter (`min_quality`), low by
# default: a blurred view of a polyp may be the only one there is, and the later stages of the recovery learn to pass over
# views that show nothing. Repetitions are left out because a frame that is stored twice would weigh twice.

# %%
import pandas as pd

from endoalign.plots.frame_sheet import frame_sheet

ranked = curated.frames.sort_values("quality")
kept, left_out = ranked[ranked["retained"]], ranked[~ranked["retained"]]
shown = pd.concat([left_out.tail(8), kept.head(8), kept.iloc[8:].tail(8)])
if len(shown):
    verdicts = shown["retained"].map({True: "kept", False: "left out"}) + shown["quality"].map(
        " {:.2f}".format
    )
    save_figure(
        frame_sheet(settings.corpus_folder, shown, verdicts.tolist()),
        "01_retained",
        settings.profile,
    )

# %% [markdown]
# ## Is it right? Against the truth of the world
#
# The world's writer knows what each statement means. Predicted and true findings of a report are matched one to one by
# kind and overlapping span; then each field is counted over matched and unmatched findings alike:
#
# $$P = \frac{TP}{TP + FP}, \qquad R = \frac{TP}{TP + FN}, \qquad F_1 = \frac{2\,TP}{2\,TP + FP + FN}$$
#
# Whole reports are resampled for the intervals. The **chance** row gives each report the findings of another one. The
# writer's phrases and the parser's lexicon were made apart: neither reads the other. High figures here say that the rules
# understand a careful writer of reports; how they fare with hurried ones is the question of the next section.

# %%
from endoalign.corpus.truth import has_truth
from endoalign.evaluation.curation_rows import curation_rows
from endoalign.results import Results

results = Results("01_curation", settings)
bootstrap = {"resamples": settings.resamples, "seed": settings.seed}
if has_truth(settings.corpus_folder):
    read = (settings.corpus_folder, curated.findings, curated.excluded)
    rows = curation_rows(*read, protocol="en", **bootstrap)
    results.extend(rows, dataset=settings.dataset)

# %%
from endoalign.corpus.parse_cases import parse_cases

if has_truth(settings.second_folder):
    chinese = parse_cases(load_corpus(settings.second_folder).cases, processes=settings.processes)
    read = (settings.second_folder, chinese.findings, chinese.excluded)
    rows = curation_rows(*read, protocol="zh", **bootstrap)
    results.extend(rows, dataset=settings.dataset)

# %% [markdown]
# Further corpora are curated in the same way and written at once. Of a **half-real** one (real frames in cases that code
# put together, sentences that code wrote) these figures only show that the parser reads those sentences as they were
# meant. No examination stands behind its cases, so that none is left out as incomplete.

# %%
from endoalign.corpus.tables import write_table
from endoalign.half_real.stills import is_half_real, without_landmarks

for name, folder in settings.also_folders.items():
    tables = load_corpus(folder)
    further = curate(tables.cases, tables.frames, settings.curation, processes=settings.processes)
    if is_half_real(folder):
        further = without_landmarks(further, settings.curation)
    if has_truth(folder):
        read = (folder, further.findings, further.excluded)
        results.extend(curation_rows(*read, protocol=name, **bootstrap), dataset=name)
    for table in ("findings", "cases", "frames"):
        write_table(table, getattr(further, table), folder)
    counted = dict(report_funnel(further))
    results.count("funnel", counted, dataset=name, system="rules")
    print(name, counted, dict(frame_funnel(further, settings.curation, len(tables.rejected))))

# %%
from endoalign.plots.curation_table import curation_table

curation_table(results.table())

# %% [markdown]
# ## Is it right? On real notes, against labels made by hand
#
# Real procedure notes were labelled by hand, apart from the parser: which stretch of text states which finding. The
# parser was written with some of the notes in sight (`dev`); those that were kept from it (`heldout`) are what counts.
# A finding that only repeats another counts neither as missed nor as false.

# %%
from endoalign.corpus.labels import load_labels
from endoalign.evaluation.curation_rows import note_rows
from endoalign.paths import expand
from endoalign.plots.tables import with_intervals

if settings.labels:
    paths = map(expand, settings.labels)
    labelled = {path.stem.removesuffix("_findings"): load_labels(path) for path in paths}
    results.extend(note_rows(labelled, curated.findings, **bootstrap), dataset=settings.dataset)
    real = results.table().query("protocol.str.startswith('real')")
    display(with_intervals(real, index=["protocol", "note"]))

# %% [markdown]
# ## Paper and here

# %%
from endoalign.corpus.summary import summarise
from endoalign.plots.corpus_table import corpus_beside_paper

here = summarise(curated.cases, curated.frames, curated.findings)
corpus_beside_paper(
    here,
    "drawn from the paper's figures" if has_truth(settings.corpus_folder) else "another archive",
)

# %% [markdown]
# ## Save
#
# The findings become a table of the corpus; cases and frames get their verdicts. Notebook 02 starts from these.

# %%
write_table("findings", curated.findings, settings.corpus_folder)
write_table("cases", curated.cases, settings.corpus_folder)
write_table("frames", curated.frames, settings.corpus_folder)
results.count("funnel", dict(steps), dataset=settings.dataset, system="rules")
results.save(corpus=settings.corpus_folder)

# %% [markdown]
# ## Gate

# %%
lengths = curated.findings["case_id"].map(raw.cases.set_index("case_id")["report_text"].str.len())
assert (curated.findings["end"] <= lengths).all(), "a finding lies outside its report"
assert curated.cases["eligible"].eq(curated.cases["reason"].isna()).all()
assert [count for _, count in steps] == sorted((count for _, count in steps), reverse=True)
positive_rows = results.table().query(
    "metric == 'f1' and system == 'rules' and note == 'polyp_positive'"
)
assert positive_rows["value"].gt(0.9).all(), "polyp-positive reports are not recognised"
