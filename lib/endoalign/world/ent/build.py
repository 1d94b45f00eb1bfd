"""Write the ENT part of the world to disk, in both of ENTRep's layouts, its truth apart."""

import hashlib
import json
import multiprocessing
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import pandas as pd

from endoalign.corpus.files import write_parquet, write_text
from endoalign.vocabulary import ENT_CLASSES
from endoalign.world.ent.examinations import PlannedPicture, plan_examinations
from endoalign.world.ent.labelled import EntPicture, render_planned
from endoalign.world.ent.picture import MIN_HEIGHT, EntView, render_ent
from endoalign.world.ent.settings import EntSettings
from endoalign.world.layouts.entrep import write_challenge, write_earlier

MANIFEST: Final = "ent_world.json"
UNFINISHED: Final = "ent_world.unfinished"
"""Mark of a folder in which a set is being made; the manifest takes its place at the end."""
_PARTS: Final = ("challenge", "earlier", "truth")
_USED: Final = (
    *(f"layouts/{name}.py" for name in ("entrep", "entrep_pairs", "ids", "pictures")),
    *(f"renderer/{name}.py" for name in ("camera_chain", "content_area", "lens", "noise")),
    *(f"renderer/{name}.py" for name in ("overlays", "processors", "vectors")),
    "../vocabulary.py",  # the order of the classes
)
"""What the pictures and their files depend on beside this room, relative to the world's folder."""


def build_ent_world(
    settings: EntSettings,
    folder: Path,
    *,
    seed: int,
    processes: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> bool:
    """Render a set of ENT pictures into ``folder``.

    Layout: ``challenge/`` and ``earlier/`` (the same pictures as the two releases of ENTRep) and
    ``truth/``: ``pictures.parquet``, one row a picture, and ``cls.json``, ``i2i.json``,
    ``t2i.json``, the answers of the challenge's test.

    Args:
        processes: worker processes; the bytes written do not depend on it.
        progress: called with (pictures done, pictures in all).

    Raises:
        FileExistsError: ``folder`` holds a part that no ENT world made.

    Returns:
        ``False`` where the folder held this very set already and nothing was written.
    """
    manifest = json.dumps({"seed": seed, "code": _code_digest(), **settings.model_dump()}, indent=1)
    if (folder / MANIFEST).exists() and (folder / MANIFEST).read_text("utf-8") == manifest:
        return False
    _clear(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / UNFINISHED).touch()
    plan = list(plan_examinations(settings, seed=seed))
    pictures = []
    for picture in _rendered(plan, settings.frame_height, processes):
        pictures.append(picture)
        if progress is not None:
            progress(len(pictures), len(plan))
    _write(plan, pictures, folder, seed)
    write_text(manifest, folder / MANIFEST)
    (folder / UNFINISHED).unlink()
    return True


def compile_ent_renderer() -> None:
    """Compile the ENT renderer (some half a minute, once) and keep the machine code on disk."""
    render_ent(EntView(ENT_CLASSES[0], (), 0.0, "rigid_a", 0, 0), MIN_HEIGHT)


def _rendered(plan: Sequence[PlannedPicture], height: int, processes: int) -> Iterator[EntPicture]:
    """Yield the pictures in the order of the plan."""
    render = partial(render_planned, height=height)
    if processes == 1:
        yield from map(render, plan)
        return
    # Forked workers inherit the threads of torch and numba in a broken state: start them afresh.
    compile_ent_renderer()  # once, into the disk cache, not once in each worker
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        yield from pool.map(render, plan, chunksize=16)


def _write(
    plan: Sequence[PlannedPicture], pictures: Sequence[EntPicture], folder: Path, seed: int
) -> None:
    labelled = [picture.labelled() for picture in pictures]
    truth = folder / "truth"
    challenge = write_challenge(labelled, folder / "challenge", seed=seed, answers=truth)
    earlier = write_earlier(labelled, folder / "earlier", seed=seed)
    rows = [
        {
            "picture_id": picture.picture_id,
            "patient_id": picture.patient_id,
            "exam_id": picture.exam_id,
            "split": picture.split,
            "class": picture.ent_class,
            "findings": list(picture.findings),
            "severity": planned.view.severity,
            "device": planned.view.device,
            "description": picture.description,
            "description_en": picture.description_en,
            "challenge_file": file,
            "earlier_file": name,
        }
        for planned, picture, file, name in zip(plan, pictures, challenge, earlier, strict=True)
    ]
    write_parquet(pd.DataFrame(rows), truth / "pictures.parquet")


def _clear(folder: Path) -> None:
    """Remove the set in ``folder``, whole or unfinished; nothing that no ENT world made."""
    there = [folder / part for part in _PARTS if (folder / part).exists()]
    marks = [folder / mark for mark in (MANIFEST, UNFINISHED) if (folder / mark).exists()]
    if there and not marks:
        raise FileExistsError(f"{there[0]} was not made by an ENT world; name another folder")
    for part in there:
        shutil.rmtree(part)
    for mark in marks:
        mark.unlink()


def _code_digest() -> str:
    """Digest of the code that the pictures depend on: a changed renderer makes a new set."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    own = sorted(path for path in here.glob("*") if path.suffix in {".py", ".yaml"})
    for path in [*own, *(here.parent / used for used in _USED)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
