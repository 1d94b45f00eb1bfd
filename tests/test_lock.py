"""The lock, pyproject's ranges and conda's environment say the same."""

import re
import tomllib

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from endoalign.paths import project_root

ROOT = project_root()
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)", re.MULTILINE)
LOCK = {
    canonicalize_name(name): version
    for name, version in PINNED.findall((ROOT / "requirements.txt").read_text(encoding="utf-8"))
}


def declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    return [Requirement(text) for texts in (project["dependencies"], *extras) for text in texts]


def test_every_declared_package_is_locked_inside_its_range():
    for requirement in declared():
        version = LOCK.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is not in requirements.txt: make lock"
        assert requirement.specifier.contains(version), f"{requirement}: locked {version}"


def test_every_line_of_the_lock_is_an_exact_version_and_names_no_host():
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert len(lines) == len(LOCK)
    assert "://" not in text


def test_conda_installs_the_same_lock_with_the_same_python():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    conda, pip = environment["dependencies"][:-1], environment["dependencies"][-1]["pip"]
    assert conda == ["python=3.11", "pip"]
    assert "--requirement requirements.txt" in pip
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "3.11" in project["requires-python"]
