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
# # 00 · The corpus: reports and frames, and what they look like
#
# *EndoCLIP, sections 4.2 and 4.3; Fig. 1.* Every later notebook reads the tables written here: one row for each
# examination (`cases`), one for each still frame (`frames`), and one for each file that could not be read (`rejected`).
#
# The reports and frames come from one of two places, chosen by the parameters alone:
#
# - **the embedded world**: colonoscopies that a small renderer draws and a report writer describes, so that anyone can
#   run everything, and so that the truth about which frame shows which lesion is known;
# - **your own archive**: a folder of frames for each case with a file of reports, EndoVLM's JSONL, or a pair of tables.
#
# Beside either, a **half-real** corpus can be made of public frames: real pictures, sentences written by code.
#
# *Cost:* about two and a half minutes for 6,000 rendered frames on two processor cores. Nothing here is a medical
# device: the world is for measuring methods, never for judging a patient.

# %% tags=["parameters"]
profile = "smoke"  # name of the settings; results go to outputs/PROFILE
seed = 42  # seed of the world
corpus = "corpus"  # folder of the corpus inside the profile's artifacts
dataset = "world-colonoscopy"  # name of the corpus in tables of results
sources = []  # your reports and frames, see docs/your_data.md; none: make the world
positive_cases = 8  # cases of the world with at least one polyp
normal_cases = 6  # cases of the world without one
frames_per_case = 6  # stills of one examination
normal_frames_per_case = None  # stills of an examination without a polyp; None: as many
frame_height = 64  # pixels
language = "en"  # of the reports: en, zh or mixed
visible_share = 0.003  # share of the picture from which a polyp counts as seen
second_language_cases = 8  # cases of a second world, Chinese reports without frames; 0: none
max_pixels = 50_000_000  # larger frames are left out
duplicate_distance = 4  # bits of the perceptual hash in which near duplicates may differ
duplicate_scope = "case"  # where near duplicates are sought: case or corpus
half_real = None  # real frames for a second, half-real corpus, see docs/half_real.md; None: without
processes = 2  # worker processes
sheet_frames = 24  # frames on a contact sheet
gallery_height = 64  # pixels of a frame of the world's gallery

# %% [markdown]
# ## What was asked for
#
# All parameters pass a strict model before anything heavy runs: an unknown name, a wrong type or a missing file stops
# here with one message that says what would be right.

# %%
from endoalign.config.corpus import CorpusParameters
from endoalign.config.notebook import from_notebook

settings = from_notebook(CorpusParameters)
settings.show()

# %%
from endoalign.environment import start_run
from endoalign.plots.style import save_figure, use_style

start_run(settings.seed)
use_style()

# %% [markdown]
# ## Make the world, or take what is there
#
# A frame of the world is ray-traced. The bowel is a signed-distance scene: a bent tube with folds, in nine segments that
# differ as the colon's do. Lesions grow out of its wall with the shape that their Paris type names, and with a surface
# for each of nineteen descriptors. Light comes from the tip of the scope, falls off with the square of the distance and
# glints on the wet mucosa. A lens, a sensor and the processor of one of ten simulated centres turn that into pixels.
# Because the scene is geometry, the mask of every lesion, its depth and its true size in centimetres come for nothing.
#
# The same settings and seed give the same bytes; a world that is already there is not made again.

# %%
from endoalign.progress import Progress
from endoalign.world.build import build_world, remove_world

if settings.world:
    made = build_world(
        settings.world, settings.corpus_folder, seed=settings.seed,
        processes=settings.processes, progress=Progress("cases of the world"),
    )  # fmt: skip
    print("made" if made else "already there", settings.corpus_folder.name)
else:
    remove_world(settings.corpus_folder)  # of an earlier run: its truth is not this corpus's

# %%
if settings.world and settings.second_language_cases:
    build_world(settings.second_world, settings.second_folder, seed=settings.seed)
else:
    remove_world(settings.second_folder)

# %% [markdown]
# ## Read the archive
#
# The world is read back exactly as a hospital's archive would be: files and reports, without any of the truth. Each
# frame is decoded once (whatever its colour model or orientation), and measured:
#
# - the **content area**, because processors put the round or octagonal picture on a black surround;
# - a **quality** score between 0 and 1, the geometric mean of sharpness, exposure and colour inside the content;
# - a **SHA-256** and a 64-bit **perceptual hash**, by which exact and near repetitions are marked.
#
# A file that is empty, truncated, enormous or no picture at all becomes a row of `rejected` with the reason. A second
# run measures only what is new, also when the first was interrupted.

# %%
from endoalign.corpus.ingest import ingest

summary = ingest(
    settings.all_sources(), settings.corpus_folder, settings=settings.ingest,
    processes=settings.processes, progress=Progress("frames measured"),
)  # fmt: skip
summary

# %%
from endoalign.config.corpus import world_source

if settings.world and settings.second_language_cases:
    ingest([world_source(settings.second_folder, frames=False)], settings.second_folder)

# %% [markdown]
# ## The tables

# %%
from endoalign.corpus.tables import load_corpus

tables = load_corpus(settings.corpus_folder)
tables.cases.head(3)

# %%
tables.frames.drop(columns=["sha256", "phash", "retained"]).head(3)

# %% [markdown]
# Which source and which part each case belongs to. In the world, some centres appear in the test part only, so that
# transfer to a processor and a style of reporting that was never seen can be measured.

# %%
tables.cases.groupby(["source", "split"]).size().unstack(fill_value=0)

# %% [markdown]
# ## A first look
#
# Frames drawn at random, as they are: most show no lesion, and many are blurred, too near the wall, or covered by fluid.
# That is the material from which finding-to-frame correspondence has to be recovered.

# %%
from endoalign.plots.frame_sheet import frame_sheet

shown = tables.frames.sample(
    min(settings.sheet_frames, len(tables.frames)), random_state=settings.seed
)
if len(shown):
    save_figure(frame_sheet(settings.corpus_folder, shown), "00_frames_at_random", settings.profile)

# %% [markdown]
# ## Is the content area found?
#
# The box (in green) must hold all of the picture and none of the black surround, whatever the processor's shape.

# %%
one_each = (
    tables.frames.merge(tables.cases[["case_id", "source"]])
    .sort_values("source")
    .groupby("source")
    .head(1)
    .head(12)
)
if len(one_each):
    names = one_each["source"].str.replace("_", " ").tolist()
    sheet = frame_sheet(settings.corpus_folder, one_each, names, outline_content=True, columns=6)
    save_figure(sheet, "00_content_area", settings.profile)

# %% [markdown]
# ## Are the frames usable?
#
# Quality is a measure, not a verdict: curation (notebook 01) decides with a threshold that you set. The lowest and the
# highest scoring frames show what the score sees.

# %%
import matplotlib.pyplot as plt
import pandas as pd

from endoalign.plots.distribution import distribution

if len(tables.frames):
    figure, axes = plt.subplots(1, 4, figsize=(9, 2.4))
    for panel, name in zip(axes, ["quality", "sharpness", "exposure", "colour"], strict=True):
        distribution(tables.frames[name], panel, xlabel=name)
    save_figure(figure, "00_quality", settings.profile)

# %%
ranked = tables.frames.sort_values("quality")
extremes = pd.concat([ranked.head(8), ranked.iloc[8:].tail(8)])
if len(extremes):
    scores = [f"quality {value:.2f}" for value in extremes["quality"]]
    save_figure(
        frame_sheet(settings.corpus_folder, extremes, scores),
        "00_quality_extremes",
        settings.profile,
    )

# %% [markdown]
# ## What was left out, and what repeats
#
# Nothing is dropped in silence: each file that could not be used is counted by its reason.

# %%
pd.Series(summary.reasons, name="files or rows left out", dtype=int).to_frame()

# %%
repeated = tables.frames["duplicate_of"].notna()
print(f"{repeated.sum()} of {len(repeated)} frames repeat another, exactly or nearly")

# %% [markdown]
# ## The truth, where there is one
#
# The world knows what each frame shows. That truth lies apart, in `truth/`, and nothing that trains, parses or curates
# may open it: it is there to measure with, and to look at here. The outline is the lesion's true mask.

# %%
from endoalign.corpus.truth import load_truth, mask_path, representatives

truth = load_truth(settings.corpus_folder) if settings.world else None
if truth is not None:
    seen = tables.frames.merge(truth.frame_labels, on="frame_id")
    print(f"{seen['polyp_present'].mean():.1%} of the frames show a lesion")

# %%
if truth is not None:
    best = representatives(truth).dropna(subset=["paris", "size_cm"])
    best = best.merge(tables.frames[["frame_id", "path"]])
    best = best.sort_values(["paris", "frame_id"]).groupby("paris").head(8)
    captions = [
        f"{paris}, {size:g} cm" for paris, size in zip(best["paris"], best["size_cm"], strict=True)
    ]
    outlines = [mask_path(settings.corpus_folder, path) for path in best["mask_path"]]
    save_figure(
        frame_sheet(settings.corpus_folder, best, captions, masks=outlines),
        "00_lesions",
        settings.profile,
    )

# %% [markdown]
# What the world can show, each in a clear view: the nineteen descriptors of the vocabulary, the nine segments of the
# colon (villi in the ileum, the orifice in the caecum, the triangular transverse colon, vessels in the rectum; they look
# alike, as they do in life), and what spoils a frame.

# %%
from endoalign.plots.contact_sheet import contact_sheet
from endoalign.world import gallery

if settings.world:
    for kind, columns in {"descriptor": 7, "segment": 5, "distractor": 5}.items():
        draw = getattr(gallery, f"{kind}_pictures")
        names, pictures = zip(*draw(settings.gallery_height, seed=settings.seed), strict=True)
        captions = [name.replace("_", " ") for name in names]
        sheet = contact_sheet(pictures, captions, columns=columns)
        save_figure(sheet, f"00_gallery_{kind}s", settings.profile)

# %% [markdown]
# ## A half-real corpus, where real frames are at hand
#
# No public data set pairs reports with frames. To try the method on real pixels all the same, code puts real polyp frames
# (Kvasir-SEG) and real frames without polyps (GastroVision, and windows beside the polyps) into made-up cases, and writes
# their sentences from the mask and the pixels: size in the view, outline, place, colour and brightness against the
# surroundings, margin, number. No clinician wrote a word of it, no examination stands behind a case, and nothing is said
# that a still cannot show, such as centimetres or a region of the bowel. **Every figure from it is called half-real.**
#
# Each real frame, and any that shows the same scene a moment apart, belongs to one split; frames of the official
# validation list are never trained on. `half_real.json` names the origin, licence and citation of every frame.

# %%
from endoalign.config.corpus import half_real_source
from endoalign.half_real.build import build_half_real, remove_half_real

half_real_folder = settings.half_real_folder
if settings.half_real:
    steps = Progress("half-real: frames read, then written")
    build_half_real(settings.half_real, half_real_folder, seed=settings.seed, progress=steps)
    half_real_summary = ingest(
        [half_real_source(half_real_folder)], half_real_folder,
        settings=settings.half_real_ingest, processes=settings.processes,
        progress=Progress("half-real: frames measured"),
    )  # fmt: skip
    print(half_real_summary)
else:
    remove_half_real(half_real_folder)  # of an earlier run

# %%
import textwrap

from endoalign.corpus.manifest import frame_path
from endoalign.frames.decode import decode

if settings.half_real:
    described = representatives(load_truth(half_real_folder))
    half = load_corpus(half_real_folder)
    some = described.sample(min(12, len(described)), random_state=settings.seed)
    some = some.merge(half.cases[["case_id", "report_text"]]).merge(
        half.frames[["frame_id", "path"]]
    )
    spans = zip(some["report_text"], some["start"], some["end"], strict=True)
    said = [textwrap.fill(text[start:end], 40) for text, start, end in spans]
    pictures = [decode(frame_path(half_real_folder, path)) for path in some["path"]]
    masks = [decode(mask_path(half_real_folder, p)).max(axis=2) for p in some["mask_path"]]
    sheet = contact_sheet(pictures, said, masks=masks, columns=4)
    sheet.set_size_inches(9, 7.5)
    save_figure(sheet, "00_half_real", settings.profile)

# %%
from IPython.display import display

if settings.half_real:
    counts_by_split = half.cases.groupby("split").size().rename("cases").to_frame()
    shown_in = described.merge(half.cases[["case_id", "split"]]).groupby("split")
    counts_by_split["polyp frames"] = shown_in["frame_id"].nunique()
    counts_by_split["with polyps"] = shown_in["case_id"].nunique()
    display(counts_by_split)

# %% [markdown]
# ## One whole examination
#
# All frames of one case with several lesions, and its report. The report describes the examination, not the frames:
# which sentence belongs to which frame is not said anywhere.

# %%
counts = tables.frames["case_id"] if truth is None else truth.lesions["case_id"]
richest = counts[counts.isin(tables.frames["case_id"])].value_counts(sort=True)
if len(richest):
    example = tables.cases.set_index("case_id").loc[richest.index[0]]
    of_example = tables.frames[tables.frames["case_id"] == richest.index[0]].head(24)
    sheet = frame_sheet(settings.corpus_folder, of_example, columns=6)
    save_figure(sheet, "00_one_case", settings.profile)

# %%
if len(richest):
    print(textwrap.fill(example["report_text"], 110, replace_whitespace=False))

# %% [markdown]
# ## Paper and here
#
# What the paper says of its corpus needs the findings: notebook 01 shows it beside this corpus. In numbers of cases and
# frames, this corpus is small on purpose; `params/paper` reads an archive of any size by the same code.

# %%
from endoalign.plots.tables import paper_and_here

per_case = tables.frames.groupby("case_id").size().median()
why = "a world made to be measured" if settings.world else "the reports and frames at hand"
paper_and_here(
    [
        ("reports", "280,476", f"{(tables.cases['report_text'] != '').sum():,}", why),
        ("frames a case, median", "65", f"{per_case:g}", why),
    ]
)

# %% [markdown]
# ## Save the counts

# %%
from endoalign.results import Results

results = Results("00_corpus", settings)
counts = {"cases": summary.cases, "frames": summary.frames, "rejected": summary.rejected}
results.count("ingest", counts, dataset=settings.dataset, system="ingest")
if settings.half_real:
    counts = {name: getattr(half_real_summary, name) for name in counts}
    results.count("ingest", counts, dataset="half-real", system="ingest")
results.save(corpus=settings.corpus_folder)

# %% [markdown]
# ## Gate
#
# The run stops here if the tables do not add up.

# %%
assert summary.cases + summary.frames > 0, "the corpus is empty"
assert summary.frames == len(tables.frames) == tables.frames["frame_id"].nunique()
assert tables.frames["case_id"].isin(tables.cases["case_id"]).all()
if truth is not None:
    assert set(truth.frame_labels["frame_id"]) == set(tables.frames["frame_id"]), (
        "truth and frames differ"
    )
    assert truth.links["frame_id"].isin(truth.frame_labels.query("polyp_present")["frame_id"]).all()
if settings.half_real:
    assert half_real_summary.frames == len(half.frames), "half-real frames went missing"
    assert set(described["case_id"]) <= set(half.cases["case_id"])
