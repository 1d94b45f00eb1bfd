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
# # 06 · ENT-CLIP: a little training in the right places
#
# *ENT-CLIP, sections 3 and 4.1; Fig. 1.* Pictures of ear, nose and throat in seven classes, six of which form three pairs: ears and
# noses that differ by their side, vocal cords open or closed. There are too few of them to train a vision-language model, and enough to adapt
# one: the paper leaves both towers as they are and adds small parts.
#
# - **LoRA**: low-rank changes of the attention's queries, keys and values in every block of the image tower.
# - **MFA**, multi-level feature aggregation: what the blocks see early, half-way and late is fused for the classifier.
# - **SFA**, slerp feature augmentation: new features on the great circle between two pictures of one class.
#
# You will see the pictures and how they are divided, what augmentation does to them, what one text and one class have to do
# with each other, and the training curves of the paper's four systems. How good they are is for notebook 11.
#
# *Cost:* about three minutes on two processor cores with the demo settings.

# %% tags=["parameters"]
profile = "smoke"  # name of the settings; results go to outputs/PROFILE
seed = 42  # seed of the world, of the division and of the pretraining
dataset = "world-ent"  # name of the pictures in tables of results
source = "entrep"  # adapter of the data set: entrep, otoscopy or own-classes
root = None  # folder of the data set; None: the embedded world is made and taken
classes = "entrep"  # set of classes with their prompts: entrep, otoscopy or a YAML file
protocols = ["official"]  # divisions: official, disjoint (no leak into the test), grouped (anew)
patients = 24  # of the embedded world
group_pattern = "(?i)^(?P<examination>p[0-9]+)_"  # of file names: what belongs together
vertical_flip = "mirror_table"  # classes turned upside down: every (as in the paper) or never
max_distance = 0  # bits of the hashes of pictures that look alike and make a group, 0 to 64
encoder = "tiny-vit"  # name in the registry of encoders
weights = "random"  # pretrained, packages, random, an OpenCLIP tag, a hub id or a folder
pretrain_epochs = 1  # on the world's descriptions before all else; 0: the weights as they are
systems = ["ENT-baseline", "ENT+LoRA", "ENT+LoRA+MFA", "ENT-CLIP"]  # trained with each seed
once = []  # trained with the first seed alone
seeds = [1]  # of the trainings
epochs = 1  # passes over the training pictures
batch_size = 16  # pictures a step
learning_rate = 1.0e-3  # highest learning rate
prompt = "description"  # text of a picture: literal, description (of its class) or picture
fusion_layers = [1, 2, 4, 6]  # blocks whose CLS tokens are fused; the first is 1
fusion_width = 64  # of the fusion transformer's tokens

# %% [markdown]
# ## What was asked for

# %%
from endoalign.config.ent_lora import EntLoraParameters
from endoalign.config.notebook import from_notebook

settings = from_notebook(EntLoraParameters)
settings.show()

# %%
from endoalign.environment import start_run
from endoalign.plots.style import save_figure, use_style

start_run(settings.seed)
use_style()

# %% [markdown]
# ## The pictures
#
# With the embedded world, patients are drawn, each with findings of their own, and rendered through simulated scopes, then
# written as ENTRep's two releases write theirs. Sides are the patient's. No picture is of a person, and no figure made of them
# says anything about patients.
#
# The sides of a nose are plain: septum on one side, turbinates on the other. Those of an ear hang on few marks: the pale handle of the
# malleus, which leans forward (one o'clock on the right, eleven on the left), and the cone of light below it (five, or seven). So
# that a tower of 64 pixels can see them at all, the world shows ears at their best: through rigid scopes held nearly upright, the drum
# filling the view, handle and cone broad and bright. Inflammation, fluid, wax and perforations still hide one or the other. Real
# otoscopy is often worse.

# %%
from endoalign.progress import Progress
from endoalign.world.ent.build import build_ent_world

if settings.needs_world:
    build_ent_world(
        settings.world,
        settings.world_folder,
        seed=settings.seed,
        processes=settings.processes,
        progress=Progress("pictures"),
    )

# %%
from endoalign.datasets.ent_pictures import measured_pictures, with_held_out, write_pictures
from endoalign.datasets.registry import load

grouping = {"pattern": settings.group_pattern, "max_distance": settings.max_distance}
scans = settings.folder / "scan"
pictures = measured_pictures(
    load(settings.source, settings.picture_folder),
    scans,
    **grouping,
    processes=settings.processes,
    progress=Progress("measures"),
)
if settings.challenge_folder is not None:
    test_files = sorted((settings.challenge_folder / "PublicTest").glob("*.png"))
    pictures = with_held_out(pictures, test_files)
write_pictures(pictures, settings.folder, settings.picture_folder)
pictures.groupby(["class", "part"]).size().unstack(fill_value=0)

# %%
from endoalign.plots.frame_sheet import frame_sheet

some = pictures.groupby("class", sort=False).head(settings.examples)
save_figure(
    frame_sheet(settings.folder, some, some["class"].tolist(), outline_content=True),
    "06_pictures",
    settings.profile,
)

# %% [markdown]
# ## What belongs together, and what leaks
#
# Frames of one examination look alike. With one of them in training and its neighbour in the test, a model that has learnt the
# patient seems to have learnt the anatomy. Where the name of a file tells the examination (or the patient), its pictures are
# one group; where names tell nothing, pictures that look alike are (perceptual hash).
#
# - **official** is the published test, however it was drawn. What is no test is divided by group into training and validation.
# - **disjoint** is the same test, with every training picture taken out whose group has a picture in it.
# - **grouped** divides all pictures anew.
#
# The line below counts what the published test shares with training. In the otoscopy set that is much: 35 of the 120 test
# pictures in our sample are training pictures, byte by byte. Figures of its official test are therefore too good, and are
# reported beside those of the disjoint one, never alone.

# %%
from endoalign.corpus.files import write_parquet
from endoalign.datasets.ent_pictures import divided, leaked

tables = {
    protocol: divided(
        pictures, protocol, validation_share=settings.validation_share, seed=settings.seed
    )
    for protocol in settings.protocols
}
same_file, alike = leaked(pictures)
for protocol, table in tables.items():
    write_parquet(table, settings.folder / protocol / "pictures.parquet")
    print(protocol, table["split"].value_counts().to_dict())
print(f"test pictures in training too: {same_file} byte by byte, {alike} of a group of training's")

# %% [markdown]
# ## Where training starts
#
# The paper starts from CLIP's ViT-B/16. No CLIP weights come with this project, so that the demo makes a small one of its own:
# an image tower from scratch learns to match the world's training pictures with their descriptions, by contrast alone, against
# the features of a text tower that stays as it is. *Right* and *left* are taken out of those descriptions: captions of the web,
# which CLIP learnt from, seldom tell which of a patient's ears they show. So the start knows an ear from a nose, and has never been told
# of sides; whatever a system knows of them it learnt afterwards, from the training pictures.
#
# Every system starts from this same checkpoint. It is weak, as it has seen about a thousand pictures where CLIP has seen
# hundreds of millions; what the added parts win over it is the question, not how high they come. The settings of the demo (steps,
# learning rates, temperature, words of the prompts) were chosen on a world of another seed, whose patients do not occur here.

# %%
from endoalign.corpus.pixels import open_pixels
from endoalign.models.ent_prompts import load_classes
from endoalign.models.registry import build_encoder
from endoalign.training.ent_data import EntPictures

start = build_encoder(settings.encoder, weights=settings.weights, seed=settings.seed)
side, kinds = start.image_size, load_classes(settings.classes)


def opened(table, folder, cache, classes=kinds):
    """The pictures of a table as training takes them, cropped to their content."""
    return EntPictures.of(table, open_pixels(folder, table, side, cache=cache), classes)


data = {
    name: opened(table, settings.folder, settings.folder / name / f"pixels_{side}.npy")
    for name, table in tables.items()
}

# %%
from endoalign.datasets.ent_sides import without_sides

first = next(iter(tables))
cache = settings.folder / first / f"pixels_{side}.npy"
to_start = opened(without_sides(tables[first]), settings.folder, cache)
if settings.root is not None and settings.pretrain_epochs:
    known = measured_pictures(
        load("entrep", settings.world_folder / "earlier"), scans, pattern=r"(?P<examination>p\d+)_"
    )
    world = without_sides(divided(known, "grouped", validation_share=0.1, seed=settings.seed))
    world_set = settings.folder / "world"
    write_pictures(world, world_set, settings.world_folder / "earlier")
    to_start = opened(world, world_set, world_set / f"pixels_{side}.npy", load_classes("entrep"))

# %%
from dataclasses import replace

from endoalign.models.checkpoint import load_encoder, save_encoder
from endoalign.training.ent_fit import fit_ent
from endoalign.training.ent_systems import START

curves = {}
if settings.pretrain_epochs:
    changes = {"epochs": settings.pretrain_epochs, "learning_rate": settings.pretrain_rate}
    before = settings.training.model_copy(update={**START, **changes})
    folder = settings.folder / "pretraining"
    done = fit_ent(start, to_start, before, folder, seed=settings.seed, progress=Progress("start"))
    curves["pretraining"] = done.history
    said = f"{start.started_from}; {settings.pretrain_epochs} epochs on the world's descriptions"
    start = replace(load_encoder(folder / "merged"), name=settings.encoder, started_from=said)
save_encoder(start, settings.folder / "start", provenance={"seed": settings.seed})
start = replace(load_encoder(settings.folder / "start"), started_from=start.started_from)
print("every system starts from", start.started_from)

# %% [markdown]
# ## Prompts
#
# Equation 1 makes one text a class: *"A photo of a {class}, Image description."* Whether *Image description* is meant to the letter
# or stands for words that describe the class, the paper leaves open; `prompt` chooses.
#
# A text tower that reads sentences hardly tells *left* from *right*: two prompts that swap the words have a cosine of 0.99, and
# no picture can be near to one and far from the other. The descriptions therefore say different things of the two sides, each
# true, such as what lies at the left edge of the picture.

# %%
from endoalign.models.ent_prompts import class_text_features

kind = settings.prompt if settings.prompt != "picture" else "description"
features = class_text_features(start, kinds, kind)
for text in kinds.prompts(kind):
    print("·", text)
nearest = (features @ features.T).fill_diagonal_(-1).max().item()
print(f"largest cosine of two of them: {nearest:.3f}")

# %% [markdown]
# ## Augmentation
#
# Blur, colour, masked patches (about a tenth of the picture), and flips. A right ear in a mirror is a left ear: only classes that
# are their own mirror image (throat, vocal cords) are flipped from left to right, by a table. The paper turns every class upside
# down, which is a mirror as well: a right ear turned upside down is a left ear turned round. Where all pictures are upright, the demo
# keeps to the table there too (`vertical_flip: mirror_table`).

# %%
import numpy as np

from endoalign.plots.contact_sheet import contact_sheet
from endoalign.training.ent_augmentation import EntAugmentation

shown = data[first]
of_training = shown.rows("train")
_, places = np.unique(shown.labels[of_training], return_index=True)
rows = of_training[places]
augment = EntAugmentation(settings.training, kinds.mirror)
plain = shown.pixels.read(rows)
changed = [
    augment.apply(plain, shown.labels[rows], seed=1, epoch=epoch, items=rows) for epoch in (1, 2)
]
sheet = [part.permute(1, 2, 0).clamp(0, 255).byte().numpy() for part in (*plain, *changed[0])]
sheet += [part.permute(1, 2, 0).clamp(0, 255).byte().numpy() for part in changed[1]]
captions = [kinds.names[label] for label in shown.labels[rows]] + [""] * 2 * len(rows)
save_figure(contact_sheet(sheet, captions, columns=len(rows)), "06_augmentation", settings.profile)

# %% [markdown]
# ## Method and training
#
# With $W$ frozen, an adapted projection is $h = Wx + \frac{\alpha}{r} B A x$ (eq. 3); $B$ starts at zero, so that nothing changes at first.
# The CLS tokens of some blocks and one learnable token go through a light transformer (eqs. 6 to 8). Features of one class are
# interpolated at an angle (eq. 9). The loss is
#
# $$L = \mu_1 L_{classification} + \mu_2 \tfrac{1}{2}(L_{v \to u} + L_{u \to v}), \qquad \mu_1 = 1,\ \mu_2 = 0.5$$
#
# Each system adds one part to the one before it. The baseline's towers are frozen and a linear classifier is trained on its
# features; the paper says no more of it than "only the vision-language backbone". On a processor two trainings run side by side, each on
# a core of its own (`trainings_at_once`); the cell after it reads what is trained, or trains what is not.

# %%
from endoalign.training.ent_runs import EntRun, fit_ent_side_by_side

runs = {
    (protocol, system, run_seed): EntRun(
        settings.training_of(system), settings.model_folder(protocol, system, run_seed), run_seed
    )
    for protocol in data
    for system, run_seed in settings.trainings()
}
for protocol, split in data.items():
    of_protocol = [run for key, run in runs.items() if key[0] == protocol]
    fit_ent_side_by_side(
        settings.folder / "start",
        split,
        of_protocol,
        at_once=settings.trainings_at_once,
        progress=Progress(f"trainings, {protocol}"),
    )

# %%
import pandas as pd

models, seconds = {}, {}
for (protocol, system, run_seed), run in runs.items():
    report = Progress(f"{protocol}, {system}, seed {run_seed}")
    result = fit_ent(
        start, data[protocol], run.settings, run.output, seed=run_seed, progress=report
    )
    models[protocol, system, run_seed] = result
    if protocol == first and run_seed == settings.seeds[0]:
        curves[system] = result.history
    seconds[system] = seconds.get(system, 0.0) + result.seconds
trainings = pd.DataFrame(list(runs), columns=["protocol", "system", "seed"])
write_parquet(trainings, settings.folder / "trainings.parquet")  # what notebook 11 measures
print({system: round(value, 1) for system, value in seconds.items()}, "seconds")

# %%
from endoalign.plots.training_curve import training_curve

of_systems = {  # every text of a class repeats, so that their share says nothing
    name: curve.drop(columns="repeated_share", errors="ignore")
    for name, curve in curves.items()
    if name in settings.systems
}
save_figure(training_curve(of_systems), "06_training", settings.profile)

# %% [markdown]
# The baseline's curve is flat early: a linear layer has learnt what the frozen features hold. With adapters the loss falls further.
# That of the full method lies above its neighbours', since it is asked about interpolated pictures too; losses of different
# questions are not to be compared. The contrastive part cannot fall to zero, since all pictures of a class share one text.
# The validation accuracy below chooses nothing: the last weights are kept, as in the paper.

# %%
from endoalign.results import Results

results = Results("06_ent_lora", settings)
for (protocol, system, run_seed), result in models.items():
    last = result.history["validation_accuracy"].dropna()
    if len(last):
        results.add(
            system=system,
            task="ent_classification",
            dataset=settings.dataset,
            protocol=f"validation/{protocol}",
            metric="accuracy",
            value=last.iloc[-1],
            note=f"training seed {run_seed}",
        )
results.table().pivot_table(index="system", columns="protocol", values="value", sort=False).round(3)

# %% [markdown]
# ## How many parameters are trained
#
# The adapters are saved alone. With the heads beside them (fusion, classifier, temperature), they turn the same start into this system.

# %%
from endoalign.models.ent_counts import parameter_counts
from endoalign.training.ent_systems import SYSTEMS

adapted = [name for name in settings.systems if SYSTEMS[name]["tower"] == "lora"][-1]
method = models[first, adapted, settings.seeds[0]]
parameter_counts(method.model)

# %%
adapters = method.folder / "adapters.safetensors"
whole = (settings.folder / "start" / "model.safetensors").stat().st_size
share = adapters.stat().st_size / whole if adapters.exists() else 0.0
heads = (method.folder / "heads.safetensors").stat().st_size
print(f"adapters: {share * whole / 1e3:,.1f} kB, {share:.2%} of the start's {whole / 1e6:,.1f} MB")
print(f"heads: {heads / 1e3:,.1f} kB")

# %% [markdown]
# ## Paper and here

# %%
from endoalign.plots.tables import paper_and_here

counted, given = tables[first]["split"].value_counts(), settings.training
lora = f"{given.lora_rank}, {given.lora_alpha:g}, {given.lora_dropout:g}"
beta = f"Beta({given.slerp_beta:g}, {given.slerp_beta:g})"
paper_and_here(
    [
        ("pictures", "565", f"{len(pictures):,}", "another set; ENTRep's challenge lists 1,291"),
        ("training pictures", "not given", f"{counted['train']:,}", "no division is named"),
        ("start", "CLIP ViT-B/16", start.started_from, "no CLIP weights come with the project"),
        ("epochs", "50", f"{given.epochs}", "the time of the demo"),
        ("learning rate", "5e-4", f"{given.learning_rate:g}", "a smaller model takes more"),
        ("rank, alpha, dropout", "4, 8, 0.1", lora, ""),
        ("blocks fused", "not given", str(given.fusion_layers), "evenly spaced"),
        ("lambda of slerp", "not given", beta, "1 is uniform"),
        ("temperature", "none printed", str(given.temperature), "CLIP's weights end at 0.01"),
        ("masked patches", "16 of 224 pixels", f"{given.mask_patch} of {side}", "the same share"),
        ("upside down", "every class", given.vertical_flip, "see above"),
    ]
)

# %% [markdown]
# ## Save

# %%
results.add(
    system=adapted,
    task="ent_adapters",
    dataset=settings.dataset,
    protocol="file",
    metric="share_of_model",
    value=share,
    note="bytes of the adapters over bytes of the start",
)
results.save(corpus=settings.folder)

# %% [markdown]
# ## Gate

# %%
assert share < 0.02, "the adapters are more than 2 % of the model"
for result in models.values():
    assert np.isfinite(result.history["loss"]).all()
for table in tables.values():
    assert table.groupby("group")["split"].nunique().max() == 1, "a group stands in two splits"
