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
# # 03 · Stage II: one frame for the sentence of a single lesion
#
# *EndoCLIP, section 4.4.2; Fig. 2.* Where a report documents exactly one lesion, nothing has to be told apart: its finding
# sentence describes the lesion that the retained frames show. **EndoCLIP-II** chooses among them the frame that fits best, and
# frame and sentence become an **anchor**: a pair of low ambiguity. A model trained on the anchors, **EndoCLIP-III**,
# is the first that has read descriptions at all: colour, surface, shape, size.
#
# You will see sentences with the frames that were chosen for them, right and wrong, the training, and (where the truth is
# known) how often an anchor shows its lesion, against choosing any retained frame at random.
#
# *Cost:* about a minute on two processor cores with the demo settings.

# %% tags=["parameters"]
profile = "smoke"  # name of the settings; results go to outputs/PROFILE
seed = 42  # seed of the drawing of frames, of the initial weights and of the bootstrap
corpus = "corpus"  # folder of the corpus inside the profile's artifacts
dataset = "world-colonoscopy"  # name of the corpus in tables of results
lesion_text = "sentence"  # as in the paper; statement: its own part of the sentence, with the site
encoder = "tiny-vit"  # name in the registry of encoders
epochs = 2  # passes over the anchors
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
anchor_text = "sentence"  # or prompt: what frames are compared with
resamples = 200  # bootstrap resamples of cases
examples = 3  # sentences to show

# %% [markdown]
# ## What was asked for

# %%
from endoalign.config.notebook import from_notebook
from endoalign.config.stage_two import StageTwoParameters

settings = from_notebook(StageTwoParameters)
settings.show()

# %%
from endoalign.environment import start_run
from endoalign.plots.style import save_figure, use_style

start_run(settings.seed)
use_style()

# %% [markdown]
# ## Single-lesion cases and their retained frames
#
# In the paper 69.6 thousand of 123.8 thousand polyp-positive reports document one polyp (56.2 %). A statement such as *two
# small polyps* is no single lesion: no single frame is its counterpart, and its case takes no part in this stage. What counts
# as a sentence was decided in notebook 01, by the parser, and what counts as a frame in notebook 02, by retention.
#
# The text of a lesion is its whole sentence, as in the paper, or with `lesion_text: statement` only what the sentence says of
# this lesion, behind the name of its region: here more than a third of the sentences state two lesions, or leave the region
# to a heading above them, so that the sentence alone does not tell which lesion is meant.
#
# Some of the sentences, drawn at random. They say different things of a lesion, in the words of ten simulated centres (or of
# your own archive): size, Paris type, surface, colour, place. None of them says in which frame it was seen.

# %%
from endoalign.corpus.files import read_parquet
from endoalign.corpus.tables import load_cases, load_findings, load_frames
from endoalign.recovery.cases import group_cases

folder = settings.corpus_folder
cases, frames, findings = load_cases(folder), load_frames(folder), load_findings(folder)
kept = read_parquet(
    settings.folder / "retained.parquet", "notebook 02_stage1_localisation makes it"
)
train = group_cases(cases, findings, frames, splits=["train"], lesion_text=settings.lesion_text)
single = train.sentences_of("single")
print(f"{len(single):,} single-lesion sentences of {len(train.positive):,} positive cases")

# %%
for text in single["text"].sample(min(settings.examples, len(single)), random_state=settings.seed):
    print("·", text)

# %% [markdown]
# ## Score the retained frames
#
# For a single-lesion case with sentence $t$ and retained frames $\tilde X_c$ the anchor is
#
# $$x^\star = \arg\max_{x \in \tilde X_c} s(x, t)$$
#
# EndoCLIP-II has learned two prompts only. What it can use of a sentence is that it speaks of a polyp, so that it picks the
# frame where a polyp is plainest, not yet the one that fits the description. With `anchor_text: prompt` the frame
# is compared with *"polyp present"* itself; the audit below shows what that changes.

# %%
from endoalign.progress import Progress
from endoalign.recovery.checkpoint_scores import CheckpointScorer
from endoalign.recovery.pairs import PROMPTS
from endoalign.recovery.queries import sentence_queries

score = CheckpointScorer(
    settings.folder, folder, frames, settings.cache, settings.crop_content, settings.score_batch
)
texts = {"sentence": single, "prompt": single.assign(text=PROMPTS["present"])}
by_text = {
    text: score("EndoCLIP-II", sentence_queries(asked), text, Progress(f"scores of the {text}s"))
    for text, asked in texts.items()
}

# %%
from endoalign.recovery.anchors import select_anchors

anchors = {
    text: select_anchors(found, kept, single, seed=settings.seed) for text, found in by_text.items()
}
pairs = anchors[settings.anchor_text]
pairs[["case_id", "frame_id", "text", "score"]].head(3)

# %% [markdown]
# ## The frames that were chosen
#
# Each row: a sentence and the retained frames of its case, best score first. A tick marks frames that do show the lesion,
# where that is known.

# %%
from endoalign.evaluation.known_links import find_links
from endoalign.plots.match_examples import match_examples
from endoalign.recovery.candidates import candidates

links = find_links(folder, findings, None)
some = single.sample(min(settings.examples, len(single)), random_state=settings.seed)
ranked = candidates(by_text[settings.anchor_text], kept, some)
right = None if links is None else links.right(ranked)
chosen = pairs.set_index("finding_id")["frame_id"].to_dict()
save_figure(match_examples(folder, frames, ranked, chosen, right), "03_anchors", settings.profile)

# %% [markdown]
# ## How sure the choice was
#
# The distribution of the anchors' scores, right and wrong ones where that is known. There is no threshold in this
# stage: in the paper every single-lesion case gives one pair.

# %%
from endoalign.plots.score_histogram import score_histogram

is_right = None if links is None else links.right(pairs).to_numpy()
scores = pairs["score"].to_numpy()
parts = (
    {"anchors": scores}
    if is_right is None
    else {"shows the lesion": scores[is_right], "does not": scores[~is_right]}
)
save_figure(
    score_histogram({"EndoCLIP-II": parts}, xlabel="similarity of the anchor"),
    "03_scores",
    settings.profile,
)

# %% [markdown]
# ## Train EndoCLIP-III on the anchors
#
# The same objective as in stage I (eq. 1), on pairs whose texts now differ from one another, so that the other sentences of
# a batch are true negatives. Training starts again from the initial weights, as in the paper: what EndoCLIP-II has learned
# enters through the choice of the frames, not through its weights. The dashed line is the loss of a model that guesses among the pairs of a
# batch. A training loss far below it says that the pairs can be told apart, not that the model understands unseen ones;
# that is for notebook 07.

# %%
from endoalign.recovery.pairs import write_pairs
from endoalign.training.fit import fit

path = write_pairs(pairs, settings.folder / "pairs", "III", frames, folder)
three = fit(settings.job("EndoCLIP-III", path), progress=Progress("EndoCLIP-III"))
print(f"{len(pairs):,} anchors, {len(three.history):,} steps, {three.seconds:,.0f} s")

# %%
from endoalign.plots.training_curve import training_curve

save_figure(
    training_curve({"EndoCLIP-III": three.history}, batch_size=settings.batch_size),
    "03_training",
    settings.profile,
)

# %% [markdown]
# ## Is it right?
#
# Share of anchors whose frame shows the lesion, with intervals over resampled cases. **chance** takes any retained frame of
# the case, **any frame** any usable one: the first says what the choice adds to retention, the second what both add to
# taking a frame blindly. A wrong anchor teaches EndoCLIP-III that plain mucosa looks as its sentence says.

# %%
from endoalign.evaluation.audit import Audit
from endoalign.evaluation.audit_rows import audit_rows
from endoalign.recovery.draws import draw_per_case
from endoalign.results import Results

# %%
results = Results("03_stage2_anchors", settings)
if links is not None:
    audit = Audit(settings.resamples, settings.seed)
    kept_single = kept[kept["case_id"].isin(train.single)]
    at_random = {
        "chance": draw_per_case(kept_single, "frame_id", 1, purpose="chance", seed=settings.seed)
    }
    at_random["any frame"] = draw_per_case(
        train.frames_of(train.single), "frame_id", 1, purpose="chance", seed=settings.seed
    )
    tables = {"EndoCLIP-II": pairs} | {
        n: t[["case_id", "frame_id"]].merge(single, on="case_id") for n, t in at_random.items()
    }
    for name, table in tables.items():
        results.extend(
            audit_rows([audit.pairs(table, links)], system=name, note="train"),
            dataset=settings.dataset,
        )

# %%
if links is not None:
    for text, table in anchors.items():
        figure = audit.pairs(table, links)
        print(
            f"compared with the {text}: {figure.value:.3f} ({figure.interval[0]:.3f}–{figure.interval[1]:.3f}) of {figure.n:,} anchors are right"
        )

# %%
from endoalign.plots.tables import with_intervals

with_intervals(results.table(), index=["system"]) if results.rows else "no known links: no audit"

# %% [markdown]
# ## Paper and here
#
# The paper reports the number of anchors, not how many are right: nobody has looked at 69.6 thousand frames. What it does
# report is what the anchors are worth, the retrieval of EndoCLIP-III, which notebook 07 measures.

# %%
from endoalign.plots.tables import paper_and_here

paper_and_here(
    [
        ("single-lesion cases", "69.6k", f"{len(train.single):,}", "size of the corpus"),
        ("pairs III", "69.6k", f"{len(pairs):,}", "size of the corpus"),
        (
            "share of positive cases",
            "56.2 %",
            f"{len(train.single) / len(train.positive):.1%}",
            "drawn from the paper's share; statements of several polyps apart",
        ),
    ]
)

# %% [markdown]
# ## Save

# %%
results.count("pairs", {"III": len(pairs)}, dataset=settings.dataset, system="EndoCLIP")
results.save(corpus=folder)

# %% [markdown]
# ## Gate

# %%
assert pairs["finding_id"].is_unique and set(pairs["case_id"]) == set(single["case_id"])
assert pairs.merge(kept, on=["case_id", "frame_id"]).shape[0] == len(pairs), (
    "an anchor was not retained"
)
assert three.history["loss"].notna().all()
