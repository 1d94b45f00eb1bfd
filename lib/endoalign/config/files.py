"""Settings files: mappings of parameter names to values."""

from pathlib import Path
from typing import Any

from endoalign.config.base import ParameterError
from endoalign.strict_yaml import read_yaml


def read_settings(path: Path) -> dict[str, Any]:
    """Read a settings file: a mapping of parameter names to values.

    Raises:
        ParameterError: naming the file and, where YAML tells it, the line.
    """
    try:
        values = read_yaml(path)
    except ValueError as error:
        raise ParameterError(str(error)) from None
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise ParameterError(f"{path}: not a mapping of names to values, such as `seed: 42`")
    return values
