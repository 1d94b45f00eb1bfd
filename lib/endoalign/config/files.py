"""Settings files: YAML read strictly, every fault told with the file and the line."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from endoalign.config.base import ParameterError


class _StrictLoader(yaml.SafeLoader):
    """YAML's safe loader, which also refuses a key that stands twice in one mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"key {key!r} stands twice; keep one", problem_mark=key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def read_settings(path: Path) -> dict[str, Any]:
    """Read a settings file: a mapping of parameter names to values.

    Raises:
        ParameterError: naming the file and, where YAML tells it, the line.
    """
    try:
        values = yaml.load(path.read_text(encoding="utf-8"), _StrictLoader)
    except OSError as error:
        raise ParameterError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ParameterError(f"{path}: not readable as UTF-8; save it as UTF-8") from None
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        line = f", line {mark.line + 1}" if mark is not None else ""
        raise ParameterError(f"{path}{line}: not sound YAML: {problem or error}") from None
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise ParameterError(f"{path}: not a mapping of names to values, such as `seed: 42`")
    return values
