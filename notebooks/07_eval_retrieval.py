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
# # 07 · Lesion retrieval: does the model know which description belongs to which lesion?
#
# *EndoCLIP, sections 2.2 and 4.5.5; Fig. 3, Tables S3 and S4.* Multi-lesion examinations that no training has seen; each
# lesion has one representative frame and one finding sentence. Given a frame, the sentences are ranked by similarity
# (image-to-text); given a sentence, the frames (text-to-image).
#
# - **global**: candidates are all lesions of all cases. In the paper 217, so that chance finds the right one first in 0.46 %.
# - **intra-case**: candidates are the lesions of the same case alone. With two lesions chance is right every second time.
#   This is the question of stage III: not whether there is a polyp, but which one.
# - **case-representative**: one lesion a case, candidates those of all cases.
#
# You will see Recall@K curves, ranks, each case's intra-case recall, the progression from stage to stage with confidence
# intervals, paired tests between the systems, and the frames that a sentence finds, right and wrong.
#
# *Cost:* less than a minute on two processor cores with the demo settings.

# %% tags=["parameters"]
profile = "smoke"  # name of the settings; results go to outputs/PROFILE
seed = 42  # seed of the bootstrap and of the examples
corpus = "corpus"  # folder of the corpus inside the profile's artifacts
dataset = "world-colonoscopy"  # name of the corpus in tables of results
lesion_text = "sentence"  # as in the paper; statement: its own part of the sentence, with the site
split = "test"  # cases to retrieve from: test or validation
links = (
    None  # CSV of known links (finding_id, frame_id, representative), where the corpus has no truth
)
baselines = {"tiny-vit": "random"}  # encoders that saw no pair: name in the registry -> weights
crop_content = True  # crop frames to their content area
score_batch = 256  # frames a forward pass
resamples = 200  # bootstrap resamples of cases
examples = 3  # queries to show

# %% [markdown]
# ## What was asked for

# %%
from endoalign.config.notebook import from_notebook
from endoalign.config.retrieval import RetrievalParameters

settings = from_notebook(RetrievalParameters)
settings.show()

# %%
from endoalign.environment import start_run
from endoalign.plots.style import save_figure, use_style

start_run(settings.seed)
use_style()

# %% [markdown]
# ## The lesions
#
# Sentences of multi-lesion cases with their representative frames, from known links: the truth of the corpus, or a
# table that a clinician made. A frame that is the best view of two lesions counts once, with the first; a case of which only
# one lesion is left is left out, because nothing is to be told apart in it.

# %%
from endoalign.corpus.splits import need_cases
from endoalign.corpus.tables import load_cases, load_findings, load_frames
from endoalign.evaluation.known_links import find_links
from endoalign.evaluation.oracle_pairs import oracle_pairs
from endoalign.paths import expand
from endoalign.recovery.cases import group_cases

folder = settings.corpus_folder
cases, frames, findings = load_cases(folder), load_frames(folder), load_findings(folder)
need_cases(cases, settings.split)
known = find_links(folder, findings, expand(settings.links) if settings.links else None)
assert known is not None, "links: retrieval needs known links, and this corpus has no truth"
groups = group_cases(
    cases, findings, frames, splits=[settings.split], lesion_text=settings.lesion_text
)
lesions = oracle_pairs(groups.sentences_of("multi"), groups.frames, known, seed=settings.seed)
lesions = lesions[
    lesions["case_id"].duplicated(keep=False) & ~lesions["frame_id"].duplicated()
].reset_index(drop=True)
print(f"{len(lesions):,} lesions of {lesions['case_id'].nunique():,} cases ({settings.split})")

# %%
from endoalign.plots.frame_sheet import frame_sheet

first = lesions.head(8).merge(frames, on="frame_id")
save_figure(
    frame_sheet(folder, first, first["text"].str.slice(0, 26).tolist(), columns=4),
    "07_lesions",
    settings.profile,
)

# %% [markdown]
# ## The systems
#
# Every checkpoint of notebooks 02 to 04, and encoders that have seen no pair of this corpus.

# %%
from endoalign.models.checkpoint import load_encoder
from endoalign.models.placement import placed
from endoalign.models.registry import build_encoder

LADDER = ["EndoCLIP-I", "EndoCLIP-II", "EndoCLIP-III", "EndoCLIP", "naive", "oracle"]
found = sorted(path.parent.name for path in settings.folder.glob("*/model.safetensors"))
names = [name for name in LADDER if name in found] + [name for name in found if name not in LADDER]
encoders = {name: placed(load_encoder(settings.folder / name)) for name in names}
for name, start in settings.baselines.items():
    label = "random-init" if start == "random" else name
    encoders[label] = placed(build_encoder(name, weights=start, seed=settings.seed))
print(", ".join(encoders))

# %% [markdown]
# ## Similarities and ranks
#
# The similarity of frame $i$ and sentence $j$ is $s_{ij} = \langle f(x_i), g(t_j)\rangle$; the matched ones stand on the diagonal.
# The rank of the matched item is 1 plus the number of better candidates; equal ones count half (the mid-rank), so
# that a model which finds all alike gains nothing.

# %%
from endoalign.corpus.pixels import open_pixels
from endoalign.evaluation.ranking import lesion_ranks
from endoalign.models.encode import encode_texts
from endoalign.recovery.embedding import embed_frames

shown = frames.set_index("frame_id").loc[lesions["frame_id"]].reset_index()


def similarity(encoder):
    """Similarity of each lesion's frame with each lesion's sentence, (n, n)."""
    pixels = open_pixels(folder, shown, encoder.image_size, crop_content=settings.crop_content)
    images = embed_frames(encoder, pixels, range(len(shown)), settings.score_batch)
    return images @ encode_texts(encoder, lesions["text"].tolist()).cpu().numpy().T


similarities = {name: similarity(encoder) for name, encoder in encoders.items()}
systems = {
    name: lesion_ranks(values, lesions["case_id"].tolist()) for name, values in similarities.items()
}

# %% [markdown]
# ## Figures with intervals
#
# Whole cases are resampled, 2,000 times in the demo; the candidates stay as they are. Differences are paired: both
# systems on the same resamples, two-sided, with Holm's correction over the comparisons of a protocol.

# %%
from endoalign.evaluation.retrieval_rows import efficiency_row, measure_systems, retrieval_rows
from endoalign.results import Results

pairs = [
    ("EndoCLIP-III", "naive"),
    ("EndoCLIP", "naive"),
    ("EndoCLIP", "EndoCLIP-III"),
    ("oracle", "EndoCLIP"),
]
pairs += [(name, "EndoCLIP") for name in systems if name.startswith("EndoCLIP+")]
pairs = [pair for pair in pairs if set(pair) <= set(systems)]
bootstrap = {"resamples": settings.resamples, "seed": settings.seed}
results = Results("07_eval_retrieval", settings)
rows = retrieval_rows(systems, pairs=pairs, ks=(1, 5, 10, 20, 50), **bootstrap)
results.extend(rows, dataset=settings.dataset)
if {"EndoCLIP", "naive", "oracle"} <= set(systems):
    figures = measure_systems(systems, **bootstrap)
    results.extend([efficiency_row(figures, n=len(lesions))], dataset=settings.dataset)

# %%
from endoalign.plots.tables import with_intervals

table = results.table()
main = table[table["metric"].isin(["recall@1", "recall@5", "median_rank", "mrr"])]
with_intervals(main[main["protocol"] == "global/mean"], index=["system"])

# %%
within = main[
    main["protocol"].isin(["intra_case/mean", "case_representative/mean"])
    & (main["metric"] == "recall@1")
]
with_intervals(within, index=["protocol", "system"])

# %% [markdown]
# ## Recall@K (Fig. 3 b, c)
#
# The share of queries whose match is among the first K candidates. Bands are 95 % intervals; the dashed line is chance, K
# divided by the number of candidates. A model that only knows polyps from mucosa stays on it, since every candidate here
# shows a polyp.

# %%
from endoalign.plots.recall_curve import recall_curve

save_figure(
    recall_curve(table, systems=[name for name in LADDER if name in systems]),
    "07_recall",
    settings.profile,
)

# %% [markdown]
# ## Stage by stage (Fig. 3 e)
#
# Hollow marks are the paper's figures. They come from another archive and a larger encoder: compare the order, not the height.

# %%
import pandas as pd

from endoalign.plots.paper_values import paper_figures
from endoalign.plots.stage_progression import stage_progression
from endoalign.results import load

auroc = load(settings.profile).query("task == 'frame_polyp' and dataset == @settings.dataset")
progress = stage_progression(pd.concat([table, auroc], ignore_index=True), paper=paper_figures())
save_figure(progress, "07_stages", settings.profile)

# %% [markdown]
# ## Case by case (Fig. 3 d)
#
# Each examination's share of lesions that find their own sentence, and of sentences that find their own frame, among the lesions
# of that examination. Means hide whether a few cases are all right or all are half right; this does not.

# %%
from endoalign.evaluation.retrieval import recall_per_case
from endoalign.plots.case_recall import case_recall

two = {name: recall_per_case(systems[name]) for name in ("naive", "EndoCLIP")}
save_figure(case_recall(two), "07_cases", settings.profile)

# %% [markdown]
# ## Differences
#
# **Recovery efficiency** is the share of the way from naive pairing to the oracle that the three stages go without any
# known link: (EndoCLIP − naive) / (oracle − naive).

# %%
from endoalign.plots.differences import differences

save_figure(
    differences(table[table["protocol"].isin(["global/mean", "intra_case/mean"])]),
    "07_differences",
    settings.profile,
)
with_intervals(table[table["metric"] == "efficiency"], index=["system"])

# %% [markdown]
# ## What a sentence finds
#
# The best frames of all lesions for some sentences, under EndoCLIP. The tick marks the one frame that belongs to the sentence.
# Look at the others too: a wrong frame that fits the description as well as the right one is an error by the count, and
# a limit of what a sentence says rather than of the model.

# %%
from endoalign.plots.match_examples import match_examples

asked = lesions.sample(min(settings.examples, len(lesions)), random_state=settings.seed)
ranked = asked[["finding_id", "text"]].merge(lesions[["frame_id"]], how="cross")
ranked["score"] = similarities["EndoCLIP"][:, asked.index].T.ravel()
own = asked.set_index("finding_id")["frame_id"]
right = ranked["frame_id"] == ranked["finding_id"].map(own)
save_figure(
    match_examples(folder, frames, ranked, own.to_dict(), right), "07_found", settings.profile
)

# %% [markdown]
# ## Paper and here

# %%
from endoalign.plots.retrieval_table import retrieval_table

retrieval_table(
    pd.concat([table, auroc], ignore_index=True),
    why="another corpus, other candidates, a smaller encoder",
)

# %% [markdown]
# Read the two columns for their order, not their height. The paper has a ViT-L/14 trained on 125,756 pairs of one hospital and
# 217 lesions to choose from; the demo has a thousand pairs, pictures of 64 pixels and minutes on a processor. What should
# agree is the ladder: stages I and II at chance, naive pairing below the completed model, the oracle above it.
# Where the intervals overlap, as they may with so few pairs, the demo has not shown it, and says so.

# %% [markdown]
# ## Save

# %%
results.save(corpus=folder)

# %% [markdown]
# ## Gate

# %%
shares = table[table["metric"].str.startswith("recall@")]
assert shares["value"].between(0, 1).all()
assert (shares["ci_low"].isna() | (shares["ci_low"] <= shares["value"] + 1e-12)).all()
