"""The earlier release of ENTRep: one list with a class and descriptions in two languages."""

from pathlib import PurePosixPath
from typing import Any, Final

from endoalign.corpus.ent_groups import examination
from endoalign.datasets.entrep_files import (
    Tables,
    class_of,
    empty_tables,
    folder_of,
    read_json,
    unknown_class,
)
from endoalign.datasets.listing import Names, join
from endoalign.datasets.problems import Problem, missing, odd

_LANGUAGES: Final = {"Description": "vi", "DescriptionEN": "en"}
_KEYS: Final = ("Path", "Classification", "Type", *_LANGUAGES)
_FOLDERS: Final = ("", "images", "imgs", "Images", "image")


def read_earlier(names: Names, path: str) -> tuple[Tables, list[Problem]]:
    """Return rows and problems of ``data.json`` at ``path``.

    A case is an examination, told by the file name (``EXAMINATION_Image01.png``), or else the
    picture itself. Raises ValueError where the file is no readable JSON or not a list.
    """
    content = read_json(names.root / path)
    if not isinstance(content, list) or any(isinstance(entry, tuple) for entry in content):
        raise ValueError(f"{names.root / path}: not a list of {{{', '.join(_KEYS)}}}")
    base = folder_of(path)
    tables, problems = empty_tables(), []
    renamed: list[str] = []
    places: dict[str, int] = {}
    listed: dict[str, str] = {}  # file by frame_id
    for number, raw in enumerate(content, start=1):
        where = f"{path}:entry {number}"
        entry = _entry(raw)
        if entry is None:
            problems.append(odd(where, f"not an object with {', '.join(_KEYS)}; left out"))
            continue
        file, label = _found(names, base, entry["Path"]), class_of(entry["Classification"])
        problem = _wrong(where, entry, file, label, listed)
        if problem is not None:
            problems.append(problem)
            continue
        listed[_id(str(file))] = str(file)
        if PurePosixPath(str(file)).name != PurePosixPath(entry["Path"].replace("\\", "/")).name:
            renamed.append(entry["Path"])
        problems += _add(tables, entry, str(file), str(label), places, where)
    if renamed:
        what = f"{len(renamed)} file names differ in case on disk, such as {renamed[0]}; all found"
        problems.append(odd(path, what))
    return tables, [*problems, *_unlisted(names, set(listed.values()))]


def _entry(raw: object) -> dict[str, Any] | None:
    """Return an entry with all its keys, those that are absent empty; `None` for no object."""
    if not isinstance(raw, list) or not all(isinstance(pair, tuple) for pair in raw):
        return None
    found = {str(key).strip().casefold(): value for key, value in raw}
    entry = {key: found.get(key.casefold()) for key in _KEYS}
    return entry if isinstance(entry["Path"], str) and entry["Path"].strip() else None


def _id(file: str) -> str:
    """Return the id of a frame; in lower case, as names differ in case."""
    return f"entrep/{PurePosixPath(file).stem.lower()}"


def _found(names: Names, base: str, path: str) -> str | None:
    plain = path.strip().replace("\\", "/")
    name = PurePosixPath(plain).name
    within = [join(join(base, folder), plain) for folder in _FOLDERS]
    return names.find_first(*within, *(join(join(base, folder), name) for folder in _FOLDERS))


def _wrong(
    where: str, entry: dict[str, Any], file: str | None, label: str | None, listed: dict[str, str]
) -> Problem | None:
    """Return why an entry cannot be used, `None` where it can."""
    if file is None:
        return missing(where, f"names {entry['Path']}, which is nowhere")
    if label is None:
        return odd(where, f"{entry['Path']}: {unknown_class(entry['Classification'])}; left out")
    if _id(file) in listed:
        return odd(where, f"{entry['Path']} has the id of {listed[_id(file)]}; left out")
    return None


def _add(
    tables: Tables, entry: dict[str, Any], file: str, label: str, places: dict[str, int], where: str
) -> list[Problem]:
    """Add the rows of an entry; return problems of its descriptions."""
    frame_id = _id(file)
    exam = examination(entry["Path"].replace("\\", "/"))
    case_id = frame_id if exam is None else f"entrep/{exam}"
    if case_id not in places:
        tables["cases"].append({"case_id": case_id, "exam_type": "ent"})
    index = places[case_id] = places.get(case_id, -1) + 1
    tables["frames"].append(
        {"frame_id": frame_id, "case_id": case_id, "path": file, "index": index}
    )
    tables["labels"].append({"frame_id": frame_id, "task": "class", "label": label})
    if isinstance(entry["Type"], str) and entry["Type"].strip():
        row = {"frame_id": frame_id, "task": "type", "label": entry["Type"].strip()}
        tables["labels"].append(row)
    problems = []
    for key, language in _LANGUAGES.items():
        text = entry[key].strip() if isinstance(entry[key], str) else ""
        if text:
            tables["texts"].append({"key": frame_id, "language": language, "text": text})
        else:
            problems.append(missing(where, f"{entry['Path']} has no {key}"))
    return problems


def _unlisted(names: Names, seen: set[str]) -> list[Problem]:
    """Return a problem for each folder with pictures that the list does not name."""
    problems = []
    for folder in sorted({folder_of(path) for path in seen}):
        left = [name for name in names.images(folder) if join(folder, name) not in seen]
        if left:
            what = f"{len(left)} pictures are not in the list, such as {left[0]}; left out"
            problems.append(odd(folder or ".", what))
    return problems
