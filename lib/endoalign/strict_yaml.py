"""YAML files that users write, read strictly: every fault is told with the file and the line."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any, Final

import yaml

_NO_KEYS: Final = ("tag:yaml.org,2002:merge", "tag:yaml.org,2002:value")
"""``<<`` and ``=``, of which YAML makes something else than a key."""


class _StrictLoader(yaml.SafeLoader):
    """YAML's safe loader, which also refuses a key that stands twice in one mapping."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError, TypeError) as error:  # 30 February
            what = f"{getattr(node, 'value', '')!r} is no sound {node.tag.rpartition(':')[2]}"
            raise yaml.MarkedYAMLError(problem=what, problem_mark=node.start_mark) from error

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            if key_node.tag in _NO_KEYS:
                continue
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                continue  # the safe loader tells what is wrong
            if key in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"key {key!r} stands twice; keep one", problem_mark=key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> Any:
    """What a YAML file holds; None where it is empty.

    Raises:
        ValueError: the file is missing or unreadable, no UTF-8, no sound YAML, or has a key twice;
            the message names the file and, where YAML tells it, the line.
    """
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _StrictLoader)
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not readable as UTF-8; save it as UTF-8") from None
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        line = f", line {mark.line + 1}" if mark is not None else ""
        raise ValueError(f"{path}{line}: not sound YAML: {problem or error}") from None
