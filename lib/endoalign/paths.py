"""Where the project, its outputs and the user's own data lie."""

import os
from pathlib import Path


def project_root() -> Path:
    """Folder that holds `notebooks/`, `params/` and `outputs/`.

    ``ENDOALIGN_ROOT`` wins; else the checkout this package is installed from (editable install).
    """
    configured = os.environ.get("ENDOALIGN_ROOT")
    return Path(configured).resolve() if configured else Path(__file__).resolve().parents[2]


def outputs_root() -> Path:
    """Folder of everything generated: ``ENDOALIGN_OUTPUTS``, else `outputs/` of the project."""
    configured = os.environ.get("ENDOALIGN_OUTPUTS")
    return Path(configured).resolve() if configured else project_root() / "outputs"


def profile_folder(profile: str, kind: str) -> Path:
    """Folder `outputs/PROFILE/KIND` (notebooks, artifacts, results or figures), made at need."""
    folder = outputs_root() / profile / kind
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def expand(path: str | Path) -> Path:
    """Absolute path of a setting: ``$NAME`` and ``~`` expanded, relative to the project's root.

    Raises:
        ValueError: where the path names an environment variable that is not set.
    """
    text = os.path.expandvars(str(path))
    if "$" in text:
        missing = text[text.index("$") :].split("/")[0]
        raise ValueError(f"{path}: the environment variable {missing} is not set")
    return project_root() / Path(text).expanduser()


def given(path: str | Path) -> Path:
    """A file or folder that a setting may name: as it stands where it exists, else `expand`ed.

    Raises:
        ValueError: see `expand`.
    """
    plain = Path(path).expanduser()
    return plain if plain.exists() else expand(path)


def artifact(name: str, profile: str) -> Path:
    """Path of an artifact of a run: `outputs/PROFILE/artifacts/NAME`."""
    return profile_folder(profile, "artifacts") / name
