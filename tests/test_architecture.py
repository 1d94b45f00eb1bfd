"""The rooms of the library import in one direction, and truth stays apart."""

import ast
from pathlib import Path

import pytest

import endoalign

LIB = Path(endoalign.__file__).parent
MODULES = sorted(LIB.rglob("*.py"))

# A room may import the rooms named here (and itself); what is not named is forbidden.
BASE = {"vocabulary", "paths", "strict_yaml"}
ALLOWED = {
    "vocabulary": set(),
    "paths": set(),
    "strict_yaml": set(),
    "progress": set(),
    "environment": {"__version__"},
    "frames": BASE,
    "reports": BASE,
    "losses": set(),
    "models": BASE | {"corpus", "environment"},
    "training": BASE | {"models", "losses", "corpus", "frames", "progress", "config"},
    "recovery": BASE | {"models", "corpus", "frames"},
    "world": BASE | {"corpus"},
    "half_real": BASE | {"corpus", "frames"},
    "corpus": BASE | {"frames", "reports"},
    "datasets": BASE | {"corpus", "frames", "progress"},
    "evaluation": BASE | {"corpus"},
    "plots": BASE | {"reports", "corpus", "frames"},
    "config": BASE | {"world", "half_real", "corpus", "reports", "models", "training", "recovery"},
    "results": BASE | {"config"},
    "run": BASE | {"config", "progress"},
}
# The only modules that may open the door to a corpus's truth or to the world.
TRUTH_READERS = {"world", "half_real", "config", "evaluation"}


def imports(path):
    """Dotted names under ``endoalign`` that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in names if name.startswith("endoalign.")}


def room(path):
    return path.relative_to(LIB).with_suffix("").parts[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(LIB)))
def test_imports_run_one_way(path):
    own = room(path)
    if own == "__init__":
        return
    used = {name.split(".")[1] for name in imports(path)} - {own}
    assert used <= ALLOWED[own], f"{own} may not import {sorted(used - ALLOWED[own])}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(LIB)))
def test_truth_is_read_only_where_it_may_be(path):
    doors = {
        n for n in imports(path) if n.startswith(("endoalign.corpus.truth", "endoalign.world"))
    }
    assert not doors or room(path) in TRUTH_READERS, f"{path} reads {sorted(doors)}"


def test_every_file_keeps_to_one_idea():
    long = {
        str(p.relative_to(LIB)): n for p in MODULES if (n := len(p.read_text().splitlines())) > 250
    }
    assert not long
