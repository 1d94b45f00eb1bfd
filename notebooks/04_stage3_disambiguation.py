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
# # 04 · Stage III: which sentence belongs to which frame
#
# *EndoCLIP, sections 4.4.2 and 2.2; Fig. 2.* A report of several lesions has several sentences, and its frames show now
# this lesion, now that. **EndoCLIP-III**, which has read the anchors' descriptions, compares each sentence with each
# retained frame of its case and keeps the best one where it is sure enough. Anchors and matches together are the pairs
# that train **EndoCLIP**.
#
# Two controls stand beside it: **naive** pairs one random frame with one random sentence of each case, as
# the paper does; the **oracle**, which only a corpus with known links allows, pairs each sentence with a frame that truly
# shows its lesion. Beyond the paper, three options are measured: one frame for one sentence (*one_to_one*), a second
# round of matching with the finished model (*second_round*), and soft targets over several frames (*mil_nce*).
#
# *Cost:* three to four minutes on two processor cores with the demo settings.

# %% tags=["parameters"]
profile = "smoke"  # name of the settings; results go to outputs/PROFILE
seed = 42  # seed of the drawing of frames, of the initial weights and of the bootstrap
corpus = "corpus"  # folder of the corpus inside the profile's artifacts
dataset = "world-colonoscopy"  # name of the corpus in tables of results
lesion_text = "sentence"  # as in the paper; statement: its own part of the sentence, with the site
encoder = "tiny-vit"  # name in the registry of encoders
epochs = 2  # passes over the pairs
batch_size = 16  # pairs a step and process
learning_rate = 5.0e-4  # highest learning rate
weight_decay = 0.1  # of AdamW
warmup_steps = 2  # steps of linear rise, then cosine to 0
targets = "identity"  # identity, as in the paper; same_text: equal sentences are no negatives
lock_text = False  # train only the projection of a pretrained text tower
flip = False  # mirror half of the pictures
min_crop = 0.9  # smallest share of the picture in a random crop
precision = "fp32"  # fp32, bf16 or fp16
num_processes = 1  # processes, one a GPU
cache_pixels = True  # keep small pictures of all frames in one file; off for large archives
threshold = "select_on_validation"  # matches must score above it; 0.28 in the paper
assignment = "argmax"  # argmax: each sentence its best frame; one_to_one: one frame a sentence
links = None  # CSV of known links of validation cases, where the corpus has no truth
options = ["one_to_one", "second_round", "mil_nce"]  # beyond the paper
bag_top = 3  # frames a bag of mil_nce
resamples = 200  # bootstrap resamples of cases
examples = 3  # sentences to show

# %% [markdown]
# ## What was asked for

# %%
from endoalign.config.notebook import from_notebook
from endoalign.config.stage_three import StageThreeParameters

settings = from_notebook(StageThreeParameters)
settings.show()

# %%
from endoalign.environment import start_run
from endoalign.plots.style import save_figure, use_style

start_run(settings.seed)
use_style()

# %%
from endoalign.corpus.files import read_parquet
from endoalign.corpus.tables import load_cases, load_findings, load_frames
from endoalign.evaluation.known_links import find_links
from endoalign.paths import expand
from endoalign.recovery.cases import group_cases

folder = settings.corpus_folder
cases, frames, findings = load_cases(folder), load_frames(folder), load_findings(folder)
retained = settings.folder / "retained.parquet"
kept = read_parquet(retained, "notebook 02_stage1_localisation makes it")
train, held_out = (
    group_cases(cases, findings, frames, splits=[split], lesion_text=settings.lesion_text)
    for split in ("train", "validation")
)
told = find_links(folder, findings, expand(settings.links) if settings.links else None)
multi, unseen = train.sentences_of("multi"), held_out.sentences_of("multi")
known = told and told.among(multi["finding_id"])  # None where links of training cases are not known
print(
    f"{len(multi):,} sentences of {len(train.multi):,} multi-lesion cases; {len(held_out.multi):,} for validation"
)

# %% [markdown]
# ## Match
#
# For each sentence $t_j$ of a multi-lesion case, the retained frame that fits best, kept above a threshold $\theta$:
#
# $$x^\star_j = \arg\max_{x \in \tilde X_c} s(x, t_j), \qquad s(x^\star_j, t_j) > \theta$$

# %%
import pandas as pd

from endoalign.progress import Progress
from endoalign.recovery.checkpoint_scores import CheckpointScorer
from endoalign.recovery.queries import sentence_queries

score = CheckpointScorer(
    settings.folder, folder, frames, settings.cache, settings.crop_content, settings.score_batch
)
asked = sentence_queries(pd.concat([train.sentences, held_out.sentences]))
scores = score("EndoCLIP-III", asked, "sentences", Progress("scores of EndoCLIP-III"))

# %% [markdown]
# ## The threshold
#
# The paper takes 0.28, chosen on held-out multi-lesion cases. The number belongs to that model's scores; here it is
# chosen in the same way, on validation cases with known links: the value with the best F1 of right matches among
# the kept ones and among all sentences.

# %%
from endoalign.evaluation.threshold_choice import choose_threshold, sweep_thresholds
from endoalign.plots.sweep import sweep
from endoalign.recovery.disambiguation import match_sentences

threshold = settings.threshold
chosen_on = told and told.among(unseen["finding_id"])
if chosen_on is not None:
    tried = match_sentences(scores, kept, unseen, settings.matching(None))
    table = sweep_thresholds(tried, chosen_on)
    threshold = choose_threshold(table) if threshold == "select_on_validation" else threshold
    save_figure(sweep(table, chosen=threshold), "04_threshold", settings.profile)
assert threshold != "select_on_validation", (
    "threshold: give a value, or known links of validation cases"
)

# %%
from endoalign.recovery.disambiguation import match_pairs
from endoalign.recovery.pairs import combine, load_pairs

matches = match_sentences(scores, kept, multi, settings.matching(threshold))
anchors = load_pairs(settings.folder / "pairs" / "III.parquet")
pairs = {"EndoCLIP": combine(anchors, match_pairs(matches, seed=settings.seed))}
print(
    f"threshold {threshold if threshold is None else round(threshold, 3)}: {matches['kept'].sum():,} of {len(matches):,} sentences kept; {len(pairs['EndoCLIP']):,} pairs with the anchors"
)

# %% [markdown]
# ## The frames that were chosen
#
# Whole cases: each sentence with the retained frames of its case, the best score first. A tick marks frames that do show the
# lesion of that sentence, where it is known; a frame may be right for one sentence and wrong for its neighbour. Two
# sentences may have taken the same frame, which the paper allows.

# %%
from endoalign.plots.match_examples import match_examples
from endoalign.recovery.candidates import candidates

shown_cases = (
    multi["case_id"]
    .drop_duplicates()
    .sample(1 + settings.examples // 2, random_state=settings.seed)
)
ranked = candidates(scores, kept, multi[multi["case_id"].isin(shown_cases)])
right = None if known is None else known.right(ranked)
chosen = matches[matches["kept"]].set_index("finding_id")["frame_id"].to_dict()
save_figure(match_examples(folder, frames, ranked, chosen, right), "04_matches", settings.profile)

# %% [markdown]
# ## Does the score know when it is right?
#
# Accuracy of the matches of training cases by score: the curve should rise, and the threshold cut where it is low.

# %%
from endoalign.evaluation.reliability import reliability as reliability_table
from endoalign.plots.reliability import reliability

if known is not None:
    curve = reliability_table(matches, known, bins=8)
    save_figure(
        reliability({"EndoCLIP-III": curve}, threshold=threshold),
        "04_reliability",
        settings.profile,
    )

# %% [markdown]
# ## Controls
#
# Naive pairs, and the oracle where links are known. The naive control says what a report and its frames are worth without
# any recovery: as many pairs as there are cases, most of them wrong. The oracle says what perfect recovery would be worth on
# this very corpus, with this encoder: no method that only chooses pairs can be expected to do much better. The way between
# the two is what the three stages can win, and notebook 07 measures how much of it they do.

# %%
from endoalign.evaluation.oracle_pairs import oracle_pairs
from endoalign.recovery.sampling import naive_pairs

pairs["naive"] = naive_pairs(train, seed=settings.seed)
if known is not None:
    pairs["oracle"] = oracle_pairs(train.sentences, train.frames, known, seed=settings.seed)
pd.Series({name: len(table) for name, table in pairs.items()}).to_frame("pairs")

# %% [markdown]
# ## Train EndoCLIP and the controls
#
# All start from the same weights, with the same settings and seed; only the pairs differ. A training that is already there, of
# the same pairs and settings, is not repeated, and one that was killed goes on where it stopped.

# %%
from endoalign.recovery.pairs import write_pairs
from endoalign.training.fit import fit


def train_on(system, table, **changes):
    """Write a table of pairs and train a system on it."""
    path = write_pairs(table, settings.folder / "pairs", system, frames, folder)
    return fit(settings.job(system, path, **changes), progress=Progress(system))


runs = {system: train_on(system, table) for system, table in pairs.items()}

# %%
from endoalign.plots.training_curve import training_curve

curves = {name: run.history for name, run in runs.items()}
save_figure(training_curve(curves, batch_size=settings.batch_size), "04_training", settings.profile)

# %% [markdown]
# ## Beyond the paper
#
# *one_to_one* assigns the frames of a case so that the sum of the scores is greatest and no frame serves two sentences.
# *second_round* matches all sentences again, those of single-lesion cases too, with the finished EndoCLIP. *mil_nce*
# does not choose: each sentence is trained against the best few frames of its case at once.

# %%
from endoalign.recovery.bags import bag_pairs

beyond = {}
if "one_to_one" in settings.options:
    assigned = match_sentences(scores, kept, multi, settings.matching(threshold, "one_to_one"))
    beyond["EndoCLIP+one_to_one"] = combine(
        anchors, match_pairs(assigned, seed=settings.seed, stage="IV-one_to_one")
    )
if "second_round" in settings.options:
    rescored = score("EndoCLIP", sentence_queries(train.sentences), "second_round")
    again = match_sentences(rescored, kept, train.sentences, settings.matching(None))
    beyond["EndoCLIP+second_round"] = match_pairs(
        again, seed=settings.seed, stage="IV-second_round"
    )
if "mil_nce" in settings.options:
    beyond["EndoCLIP+mil_nce"] = bag_pairs(
        scores, kept, train.sentences, top=settings.bag_top, seed=settings.seed
    )

# %%
for system, table in beyond.items():
    changes = {}
    if system.endswith("mil_nce"):  # as many frames as the others see, so fewer passes
        size = settings.bag_top or settings.bag_size
        passes = max(1, settings.epochs // size)
        changes = {"objective": "mil_nce", "bag_size": size, "epochs": passes}
    train_on(system, table, **changes)

# %% [markdown]
# ## Is it right?
#
# The truth enters here, after all pairs were made, and in the threshold of the validation cases; nothing that was trained
# above has seen a link of a training or test case, but for the oracle.
#
# Accuracy: the share of kept matches whose frame shows the lesion. *overall*: the same over all pairs that a system is trained on.

# %%
from endoalign.evaluation.audit import Audit
from endoalign.evaluation.audit_rows import audit_rows
from endoalign.results import Results

results = Results("04_stage3_disambiguation", settings)
if known is not None:
    audit = Audit(settings.resamples, settings.seed)
    found = audit.matches(matches, known)
    results.extend(audit_rows(found, system="EndoCLIP-III", note="train"), dataset=settings.dataset)
    for system, table in (pairs | beyond).items():
        overall = [audit.pairs(table, known, protocol="overall")]
        results.extend(audit_rows(overall, system=system, note="train"), dataset=settings.dataset)

# %% [markdown]
# Which option matches better than the paper's rule? The same sentences of multi-lesion cases, the same resamples.

# %%
from endoalign.evaluation.comparison import difference_rows
from endoalign.evaluation.match_accuracy import match_accuracies

if known is not None:
    rule = match_pairs(matches, seed=settings.seed)
    tried = {"EndoCLIP": rule} | {
        system: table[table["finding_id"].isin(multi["finding_id"])]
        for system, table in beyond.items()
        if not system.endswith("mil_nce")  # bags choose no frame
    }
    found = match_accuracies(tried, known, resamples=settings.resamples, seed=settings.seed)
    options = [(system, "EndoCLIP") for system in tried if system != "EndoCLIP"]
    key = ("matching", "accuracy")
    figures = {system: {key: estimate} for system, estimate in found.items()}
    rows = difference_rows(figures, options, [key], task="recovery", n={key[0]: len(rule)})
    results.extend(rows, dataset=settings.dataset)

# %%
from endoalign.plots.tables import with_intervals

with_intervals(
    results.table(), index=["protocol", "system"]
) if results.rows else "no known links: no audit"

# %% [markdown]
# ## The whole way, in numbers
#
# From examinations to pairs, here and (below each count) in the paper.

# %%
from endoalign.plots.pair_flow import FlowStage, FlowStep, pair_flow
from endoalign.plots.paper_values import paper_counts

paper = paper_counts()
counts = {
    name: len(load_pairs(settings.folder / "pairs" / f"{name}.parquet")) for name in ("I", "II")
}
one = (FlowStep("cases", len(train.positive) + len(train.normal)), FlowStep("pairs I", counts["I"]))
two = (FlowStep("retained and normal frames: pairs II", counts["II"]),)
three = (
    FlowStep("single-lesion cases", len(train.single), paper["single_lesion_cases"]),
    FlowStep("anchors: pairs III", len(anchors), paper["anchors"]),
)
four = (
    FlowStep("sentences of multi-lesion cases", len(multi)),
    FlowStep("matches kept", int(matches["kept"].sum()), paper["matches"], share=True),
    FlowStep("all pairs", len(pairs["EndoCLIP"]), paper["combined_pairs"]),
)
# %%
lanes = {
    "Stage I": (one, "EndoCLIP-I"),
    "Retention": (two, "EndoCLIP-II"),
    "Stage II": (three, "EndoCLIP-III"),
    "Stage III": (four, "EndoCLIP"),
}
stages = [FlowStage(title, steps, trains) for title, (steps, trains) in lanes.items()]
save_figure(pair_flow(stages), "04_flow", settings.profile)

# %% [markdown]
# ## Paper and here

# %%
from endoalign.plots.tables import paper_and_here

paper_and_here(
    [
        ("multi-lesion cases", "54.2k", f"{len(train.multi):,}", "size of the corpus"),
        (
            "pairs IV",
            "56.2k",
            f"{int(matches['kept'].sum()):,}",
            "size of the corpus; threshold by F1",
        ),
        ("combined pairs", "125.8k", f"{len(pairs['EndoCLIP']):,}", "size of the corpus"),
        (
            "threshold",
            "0.28",
            f"{threshold:.2f}" if threshold is not None else "none",
            "scores of another model",
        ),
    ]
)

# %% [markdown]
# ## Save

# %%
results.count(
    "pairs",
    {name: len(table) for name, table in (pairs | beyond).items()},
    dataset=settings.dataset,
    system="EndoCLIP",
)
results.save(corpus=folder)

# %% [markdown]
# ## Gate

# %%
assert matches["finding_id"].is_unique
assert len(pairs["EndoCLIP"]) == len(anchors) + matches["kept"].sum()
assert all(run.history["loss"].notna().all() for run in runs.values())
