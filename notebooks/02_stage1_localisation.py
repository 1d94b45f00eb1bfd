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
# # 02 · Stage I: which frames show a polyp at all
#
# *EndoCLIP, sections 2.1 and 4.4.2; Fig. 2.* A report says that a polyp was seen, not in which of the frames. Stage I asks
# the coarsest question first. From every examination **one random frame** is taken and paired with one of two prompts:
# *"polyp present"* where the report documents a polyp, *"no finding"* where the examination was normal. Many of the
# positive pairs are wrong, because most frames of an examination show plain mucosa. But the errors are alike
# in all cases, the polyps are not: a contrastive model trained on these pairs, **EndoCLIP-I**, ranks frames with a polyp above
# the rest. The best-scoring frames are retained, and training on them alone gives **EndoCLIP-II**.
#
# You will see the pairs, both trainings, how the scores of frames part, the sweep of the retention rule, and (where the
# truth is known) an audit: how many retained frames do show a polyp, and the AUROC on frames of unseen examinations.
#
# *Cost:* two to three minutes on two processor cores with the demo settings.

# %% tags=["parameters"]
profile = "smoke"  # name of the settings; results go to outputs/PROFILE
seed = 42  # seed of the drawing of frames, of the initial weights and of the bootstrap
corpus = "corpus"  # folder of the corpus inside the profile's artifacts
dataset = "world-colonoscopy"  # name of the corpus in tables of results
encoder = "tiny-vit"  # name in the registry of encoders
epochs = 2  # passes over the pairs of EndoCLIP-I
epochs_two = 2  # passes over the pairs of EndoCLIP-II
batch_size = 16  # pairs a step and process
learning_rate = 5.0e-4  # highest learning rate
weight_decay = 0.1  # of AdamW
warmup_steps = 2  # steps of linear rise, then cosine to 0
targets = "same_text"  # identity: equal prompts count as negatives, as in the paper; same_text: they do not
lock_text = False  # train only the projection of a pretrained text tower
flip = False  # mirror half of the pictures
min_crop = 0.9  # smallest share of the picture in a random crop
colour_jitter = 0.0  # largest change of brightness, contrast and saturation
num_processes = 1  # processes, one a GPU
cache_pixels = True  # keep small pictures of all frames in one file; off for large archives
retain_rule = "quantile"  # share of all frames; or threshold, or top_per_case
retain_value = "select_on_validation"  # of the rule: a number, or chosen on labelled frames
retain_score = "margin"  # similarity to "polyp present", or that minus the one to "no finding"
per_normal_case = 1  # frames a normal case in the pairs of EndoCLIP-II
resamples = 200  # bootstrap resamples of cases
examples = 8  # frames to show

# %% [markdown]
# ## What was asked for

# %%
from endoalign.config.notebook import from_notebook
from endoalign.config.stage_one import StageOneParameters

settings = from_notebook(StageOneParameters)
settings.show()

# %%
from endoalign.environment import start_run
from endoalign.plots.style import save_figure, use_style

start_run(settings.seed)
use_style()

# %% [markdown]
# ## The examinations
#
# Eligible cases of the training split, grouped by what their reports state. A statement that names several polyps at
# once makes its case positive but belongs to no single frame, so it is no sentence of the later stages.

# %%
import pandas as pd

from endoalign.corpus.splits import need_cases
from endoalign.corpus.tables import load_cases, load_findings, load_frames
from endoalign.recovery.cases import group_cases, usable_frames

folder = settings.corpus_folder
cases, frames, findings = load_cases(folder), load_frames(folder), load_findings(folder)
need_cases(cases, "train", "test")
train = group_cases(cases, findings, frames, splits=["train"])
pd.Series(train.counts()).to_frame("train")

# %% [markdown]
# ## Pairs I: one random frame a case
#
# Frames of positive cases above, of normal cases below. Not every frame under *polyp present* shows one: that is the
# noise this stage has to learn through.

# %%
from endoalign.recovery.pairs import PROMPTS, write_pairs
from endoalign.recovery.sampling import stage_one_pairs

pairs_one = stage_one_pairs(train, seed=settings.seed)
path_one = write_pairs(pairs_one, settings.folder / "pairs", "I", frames, folder)
pairs_one["text"].value_counts().to_frame("pairs")

# %%
from endoalign.plots.frame_sheet import frame_sheet

shown = pairs_one.groupby("text").head(settings.examples).sort_values("text", ascending=False)
sheet = frame_sheet(folder, shown.merge(frames, on="frame_id"), shown["text"].tolist())
save_figure(sheet, "02_pairs", settings.profile)

# %% [markdown]
# ## Train EndoCLIP-I
#
# Image encoder $f$ and text encoder $g$ map into one space; $s(x, t) = \langle f(x), g(t)\rangle$. With $S_{kl}$ the similarity of
# frame $k$ and text $l$ of a batch and temperature $\tau$ (eq. 1):
#
# $$\mathcal{L} = -\frac{1}{2N}\sum_k\left[\log\frac{e^{S_{kk}/\tau}}{\sum_l e^{S_{kl}/\tau}} + \log\frac{e^{S_{kk}/\tau}}{\sum_l e^{S_{lk}/\tau}}\right]$$
#
# There are only two texts here, so that about half of a batch has the text of any given pair. With `targets: identity`, as the
# paper writes the loss, these count as negatives of one another; `same_text` shares the target among them.

# %%
from endoalign.progress import Progress
from endoalign.training.fit import fit

one = fit(settings.job("EndoCLIP-I", path_one), progress=Progress("EndoCLIP-I"))
print(
    f"{len(one.history):,} steps; repeated texts a batch: {one.history['repeated_share'].mean():.0%}"
)

# %% [markdown]
# ## Score every frame
#
# One streaming pass over the table of frames: the scores go to disk block by block, a killed pass goes on where it
# stopped, and several processes can share it.

# %%
from endoalign.recovery.checkpoint_scores import CheckpointScorer
from endoalign.recovery.queries import prompt_queries

score = CheckpointScorer(
    settings.folder, folder, frames, settings.cache, settings.crop_content, settings.score_batch
)
usable = usable_frames(cases, frames, ["train", "validation", "test"])
prompts = prompt_queries(usable["case_id"].unique())
scores_one = score("EndoCLIP-I", prompts, "prompts", Progress("scores of EndoCLIP-I"))

# %% [markdown]
# ## Retain by rule
#
# The paper keeps fewer frames than there are cases, so its cut goes over all frames of positive cases at once. It does not
# give the rule; here it is a parameter, and its value is either given or chosen on labelled frames of validation cases (the
# test cases are not touched). Every case keeps at least one frame, or its sentences could be matched to none.

# %%
import numpy as np

from endoalign.evaluation.known_links import find_labels
from endoalign.evaluation.threshold_choice import choose_retention, sweep_retention
from endoalign.recovery.frame_score import frame_scores
from endoalign.recovery.retention import kept_histogram, retain

labels = find_labels(folder)
held_out = group_cases(cases, findings, frames, splits=["validation"])


def positive_scores(groups):
    """One score for each usable frame of the positive cases."""
    return frame_scores(scores_one, groups.frames_of(groups.positive), settings.retain_score)


# %%
value = settings.retain_value
sweep_table = None
if labels is not None and settings.retain_rule == "quantile":
    scored = positive_scores(held_out)
    sweep_table = sweep_retention(
        np.linspace(0.05, 1.0, 20),
        lambda v: retain(scored, settings.retention(v))["frame_id"],
        scored,
        labels,
    )
    value = choose_retention(sweep_table) if value == "select_on_validation" else value
assert value != "select_on_validation", (
    "retain_value: give a value, this corpus has no labelled validation frames"
)
print(f"{settings.retain_rule} {value:g}")

# %%
from endoalign.plots.sweep import sweep

if sweep_table is not None:
    figure = sweep(sweep_table, chosen=value, x="value", xlabel="share of frames kept")
    save_figure(figure, "02_retention_sweep", settings.profile)

# %%
kept = pd.concat(
    [retain(positive_scores(group), settings.retention(value)) for group in (train, held_out)]
)
kept_train = kept[kept["case_id"].isin(train.positive)]
kept_histogram(kept_train, positive_scores(train)).set_index("frames_kept").T

# %% [markdown]
# ## Train EndoCLIP-II on what was retained
#
# Two errors pull against each other: a strict cut loses views of real polyps, a loose one lets plain mucosa pass as polyp.
# The sweep above shows both, as recall and precision, with their harmonic mean F1. Training starts anew from the same weights.

# %%
from endoalign.recovery.sampling import stage_two_pairs

pairs_two = stage_two_pairs(
    train,
    kept_train,
    per_positive_case=settings.per_positive_case,
    per_normal_case=settings.per_normal_case,
    seed=settings.seed,
)
path_two = write_pairs(pairs_two, settings.folder / "pairs", "II", frames, folder)
two = fit(
    settings.job("EndoCLIP-II", path_two, epochs=settings.epochs_two),
    progress=Progress("EndoCLIP-II"),
)
pairs_two["text"].value_counts().to_frame("pairs")

# %%
from endoalign.plots.training_curve import training_curve

curves = training_curve(
    {"EndoCLIP-I": one.history, "EndoCLIP-II": two.history}, batch_size=settings.batch_size
)
save_figure(curves, "02_training", settings.profile)

# %% [markdown]
# ## How the scores part
#
# Frames of test cases, which no training has seen.

# %%
from endoalign.plots.score_histogram import score_histogram

scores_two = score("EndoCLIP-II", prompts, "prompts", Progress("scores of EndoCLIP-II"))
test = usable_frames(cases, frames, ["test"])
systems = {"EndoCLIP-I": scores_one, "EndoCLIP-II": scores_two}
tested = {name: frame_scores(found, test, settings.retain_score) for name, found in systems.items()}
known = (
    None if labels is None else test.merge(labels, on="frame_id")["polyp_present"].to_numpy(bool)
)
if known is not None:
    groups = {
        name: {
            "polyp in view": t["score"].to_numpy()[known],
            "no polyp in view": t["score"].to_numpy()[~known],
        }
        for name, t in tested.items()
    }
    save_figure(
        score_histogram(groups, xlabel=settings.retain_score), "02_scores", settings.profile
    )

# %% [markdown]
# ## Is it right?
#
# Retained frames of the training cases against the truth, and the AUROC of *polyp present* on frames of the test cases,
# with intervals over resampled cases. Chance is 0.5. The **difference** is paired: both systems on the same resamples.

# %%
from endoalign.evaluation.audit import Audit
from endoalign.evaluation.audit_rows import audit_rows
from endoalign.evaluation.frame_scores import frame_rows
from endoalign.results import Results

results = Results("02_stage1_localisation", settings)
if known is not None:
    audit = Audit(settings.resamples, settings.seed)
    figures = audit.retention(kept_train["frame_id"], train.frames_of(train.positive), labels)
    results.extend(audit_rows(figures, system="EndoCLIP-I", note="train"), dataset=settings.dataset)
    by_frame = {name: table["score"].to_numpy() for name, table in tested.items()}
    rows = frame_rows(
        by_frame,
        known,
        test["case_id"],
        pairs=[("EndoCLIP-II", "EndoCLIP-I")],
        resamples=settings.resamples,
        seed=settings.seed,
    )
    results.extend(rows, dataset=settings.dataset)

# %%
from endoalign.plots.tables import with_intervals

with_intervals(results.table(), index=["task", "system"]) if results.rows else "no truth: no audit"

# %% [markdown]
# ## The frames that EndoCLIP-II is most and least sure of
#
# Test cases; the upper rows score highest for *polyp present*, the lower ones lowest.

# %%
ranked = tested["EndoCLIP-II"].sort_values("score", ascending=False)
ends = pd.concat([ranked.head(settings.examples), ranked.tail(settings.examples)])
captions = ends["score"].map("{:.2f}".format).tolist()
save_figure(
    frame_sheet(folder, ends[["frame_id", "score"]].merge(frames, on="frame_id"), captions),
    "02_ends",
    settings.profile,
)

# %% [markdown]
# ## Paper and here

# %%
from endoalign.plots.retrieval_table import retrieval_table

why = "another corpus and a smaller encoder; the paper's frames are labelled by endoscopists"
retrieval_table(
    results.table(), figures=[("frames", "auroc")], why=why
) if known is not None else None

# %% [markdown]
# ## Save
#
# Retained frames of training and validation cases go to notebooks 03 and 04.

# %%
from endoalign.corpus.files import write_parquet

write_parquet(kept.reset_index(drop=True), settings.folder / "retained.parquet")
results.count(
    "pairs",
    {"I": len(pairs_one), "II": len(pairs_two)},
    dataset=settings.dataset,
    system="EndoCLIP",
)
results.save(corpus=folder)

# %% [markdown]
# ## Gate

# %%
assert set(pairs_one["text"]) <= set(PROMPTS.values())
assert pairs_one["case_id"].is_unique, "stage I takes one frame a case"
assert set(kept["case_id"]) == set(train.positive) | set(held_out.positive)
assert np.isfinite(two.history["loss"]).all()
