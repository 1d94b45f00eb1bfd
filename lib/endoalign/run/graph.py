"""The graph of the notebooks: what each reads from others and which library modules it uses."""

import ast
import functools
from pathlib import Path
from typing import Final

from endoalign.paths import project_root

UPSTREAM: Final[dict[str, tuple[str, ...]]] = {
    "00_corpus": (),
    "01_curation": ("00_corpus",),
    "02_stage1_localisation": ("01_curation",),
    "03_stage2_anchors": ("02_stage1_localisation",),
    "04_stage3_disambiguation": ("03_stage2_anchors",),
    "05_endovlm_pretraining": (),
    "06_ent_lora": (),
    "07_eval_retrieval": ("04_stage3_disambiguation",),
    "11_eval_ent": ("06_ent_lora",),
}
"""Notebook name -> the notebooks whose files it reads, in the order they run."""


def notebook_path(name: str) -> Path:
    """Path of the notebook ``NN_name``.

    Raises:
        KeyError: unknown name; the message lists the known ones.
    """
    if name not in UPSTREAM:
        raise KeyError(f"unknown notebook {name!r}; known: {', '.join(UPSTREAM)}")
    return project_root() / "notebooks" / f"{name}.ipynb"


def params_path(profile: str, name: str) -> Path:
    """Path of the settings of notebook ``name`` in ``profile``."""
    return project_root() / "params" / profile / f"{name}.yaml"


def profile_notebooks(profile: str) -> tuple[str, ...]:
    """Notebooks that ``profile`` has settings for, in order.

    Raises:
        ValueError: unknown profile; the message lists the known ones.
    """
    plain = profile.replace("-", "").replace("_", "").isalnum()
    names = tuple(name for name in UPSTREAM if plain and params_path(profile, name).exists())
    if not names:
        known = sorted(p.name for p in (project_root() / "params").iterdir() if p.is_dir())
        raise ValueError(f"unknown profile {profile!r}; known: {', '.join(known)}")
    return names


def priority(name: str) -> int:
    """What runs first where several notebooks could: one paper's after another's, in order.

    The notebooks of a paper have the priority of the first of them.
    """
    if UPSTREAM[name]:
        return max(priority(other) for other in UPSTREAM[name])
    return 100 - int(name[:2])


def used_files(name: str) -> tuple[Path, ...]:
    """Files of the library that notebook ``name`` uses, directly or not, sorted.

    Data files (``*.yaml``) of a package count where a module of that package is used.
    """
    modules = _closure(_imports(notebook_path(name).with_suffix(".py")))
    packages = {module.parent for module in modules} - {Path(__file__).parents[1]}
    data = {path for package in packages for path in package.rglob("*.yaml")}
    return tuple(sorted(modules | data))


def _closure(start: frozenset[str]) -> set[Path]:
    """Files of the named modules and of all they import in turn."""
    found: dict[str, Path] = {}
    waiting = set(start)
    while waiting:
        module = waiting.pop()
        path = _module_file(module)
        if path is not None and module not in found:
            found[module] = path
            waiting |= _imports(path)
    return set(found.values())


@functools.cache
def _imports(path: Path) -> frozenset[str]:
    """Dotted names under ``endoalign`` that the Python file imports, parent packages included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    own = {name for name in names if name.split(".")[0] == "endoalign"}
    parents = {".".join(name.split(".")[:depth]) for name in own for depth in range(1, 5)}
    return frozenset(own | parents)


def _module_file(module: str) -> Path | None:
    """File of a dotted module or package of the library; ``None`` where it names something else."""
    base = Path(__file__).parents[2] / Path(*module.split("."))
    for candidate in (base.with_suffix(".py"), base / "__init__.py"):
        if candidate.exists():
            return candidate
    return None
