"""All adapters by name; a new data set is a new module, and nothing else is to change."""

import pkgutil
from functools import lru_cache
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

import endoalign.datasets
from endoalign.corpus.validation import nearest
from endoalign.datasets.adapter import Adapter, ModuleAdapter
from endoalign.datasets.contents import Contents


def adapter(name: str) -> Adapter:
    """Return the adapter of a data set; raises ValueError with the nearest name it knows."""
    module_name = name.replace("-", "_")
    if module_name in _modules():
        module = _module(module_name)
        if _is_adapter(module) and module.CARD.name == name:
            return ModuleAdapter(module.CARD, module.read)
    known = names()
    raise ValueError(f"unknown data set {name!r}{nearest(name, known)}; known: {', '.join(known)}")


def load(name: str, root: Path, **options: Any) -> Contents:
    """Return the tables of the data set ``name`` under ``root``.

    ``options`` are those of the adapter's ``read``. Raises ValueError for an unknown name or
    option, a missing folder, or one that holds nothing of the data set.
    """
    read = adapter(name)
    known = options_of(name)
    for option in options:
        if option not in known:
            raise ValueError(
                f"{name}: unknown option {option!r}{nearest(str(option), known)}; "
                f"options: {', '.join(known) or 'none'}"
            )
    return read(root, **options)


def options_of(name: str) -> list[str]:
    """Return the names of the options that the adapter of a data set takes."""
    adapter(name)
    parameters = signature(_module(name.replace("-", "_")).read).parameters
    return [one for one in parameters if one != "root"]


def names() -> list[str]:
    """Return the names of all data sets, sorted."""
    modules = map(_module, _modules())
    return sorted(module.CARD.name for module in modules if _is_adapter(module))


@lru_cache(maxsize=1)
def _modules() -> tuple[str, ...]:
    found = (info.name for info in pkgutil.iter_modules(endoalign.datasets.__path__))
    return tuple(name for name in found if not name.startswith("_"))


def _module(name: str) -> ModuleType:
    return import_module(f"endoalign.datasets.{name}")


def _is_adapter(module: ModuleType) -> bool:
    return hasattr(module, "CARD") and hasattr(module, "read")
