"""Frames for the realism benchmark: rendered ones with their masks, and the real ones."""

import random
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.cases_appearance import sample_appearance
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.renderer.view import DISTRACTORS, View
from endoalign.world.truth import Lesion

SIZE: Final = 128
FRAMINGS: Final = {
    "clear": 0.5,
    "partial": 0.17,
    "off_centre": 0.15,
    "far": 0.03,
    "behind_fold": 0.05,
    "none": 0.1,
}
"""Shares of framings: a polyp data set keeps mostly clear, close views."""
DISTRACTED: Final = 0.3
SECOND_LESION: Final = 0.12
LARGE_CM: Final = (0.25, 2.0)
"""Least sizes are drawn log-uniformly: kept pictures favour larger lesions."""

Frames = tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]


def sample_lesion(rng: np.random.Generator, region: str, number: int, least: float) -> Lesion:
    """A lesion of the world's own distribution of at least ``least`` cm (40 tries)."""
    chance = random.Random(int(rng.integers(2**31)))
    looks = sample_appearance(chance)
    for _ in range(40):
        if looks.size_cm >= least:
            break
        looks = sample_appearance(chance)
    return Lesion(
        lesion_id=f"lesion_{number}",
        region=region,
        distance_cm=30.0,
        clock=float(rng.uniform(0, 12)),
        paris=looks.paris,
        size_cm=looks.size_cm,
        colour=looks.colour,
        descriptors=looks.descriptors,
        seed=int(rng.integers(2**31)),
    )


def sample_view(rng: np.random.Generator) -> View:
    """One view of the benchmark's mixture."""
    region = str(rng.choice(COLON_REGIONS[1:])) if rng.random() < 0.96 else COLON_REGIONS[0]
    framing = str(rng.choice(list(FRAMINGS), p=list(FRAMINGS.values())))
    least = float(np.exp(rng.uniform(*np.log(LARGE_CM))))
    lesions = [sample_lesion(rng, region, 0, least)]
    if rng.random() < SECOND_LESION:
        lesions.append(sample_lesion(rng, region, 1, 0.0))
    distractor = None
    if rng.random() < DISTRACTED:
        kinds = [kind for kind in DISTRACTORS if kind != "wall_contact"]
        distractor = str(rng.choice(kinds))
    shown = () if framing == "none" else tuple(lesions)
    seeds = rng.integers(2**31, size=2)
    return View(region, shown, framing, distractor, int(seeds[0]), int(seeds[1]))


def square(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Picture or mask resized to `SIZE` x `SIZE`, as the network sees it."""
    return np.asarray(Image.fromarray(pixels).resize((SIZE, SIZE), Image.Resampling.BILINEAR))


def _rendered(index: int, seed: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
    rng = np.random.default_rng([seed, index])
    view = sample_view(rng)
    processor = list(PROCESSORS.values())[rng.integers(len(PROCESSORS))]
    frame = render_frame(view, processor, SIZE)
    return square(frame.rgb), square((frame.lesion_mask > 0).astype(np.uint8) * 255) > 127


def rendered_frames(count: int, seed: int, processes: int) -> Frames:
    """Pictures (N, 128, 128, 3) uint8 and masks (N, 128, 128) bool of the world."""
    task = partial(_rendered, seed=seed)
    if processes == 1:
        pairs = [task(index) for index in range(count)]
    else:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            pairs = list(pool.map(task, range(count), chunksize=32))
    return np.stack([picture for picture, _ in pairs]), np.stack([mask for _, mask in pairs])


def real_frames(folder: Path, split: str) -> Frames:
    """Kvasir-SEG pictures and masks of ``train`` or ``val``; masks binarised at > 127."""
    listing = folder / "kvasir-seg" / f"{split}.txt"
    if not listing.exists():
        raise FileNotFoundError(f"{listing} is missing; --real must name the folder of the samples")
    pictures, masks = [], []
    for name in listing.read_text("utf-8").split():
        picture = Image.open(folder / "kvasir-seg" / "images" / f"{name}.jpg").convert("RGB")
        mask = Image.open(folder / "kvasir-seg" / "masks" / f"{name}.jpg").convert("L")
        pictures.append(square(np.asarray(picture)))
        masks.append(square(np.asarray(mask)) > 127)
    return np.stack(pictures), np.stack(masks)
