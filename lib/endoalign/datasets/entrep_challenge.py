"""The challenge's release of ENTRep: random file names, classes, matches and phrases."""

from pathlib import PurePosixPath
from typing import Final

from endoalign.datasets.entrep_files import (
    Tables,
    class_of,
    empty_tables,
    folder_of,
    read_object,
    unknown_class,
)
from endoalign.datasets.listing import Names, join
from endoalign.datasets.problems import Problem, missing, odd
from endoalign.datasets.text_files import read_lines

_TEST: Final = "PublicTest"


def read_challenge(names: Names, classes: str) -> tuple[Tables, list[Problem]]:
    """Return rows and problems; ``classes`` is the path of ``cls.json``."""
    base = folder_of(classes)
    images = names.find(join(base, "imgs"))
    test = names.find_first(_TEST, join(base, _TEST), f"PublicData/{_TEST}")
    train_ids = _pictures(names, images)
    test_ids = _pictures(names, test)
    tables, problems = empty_tables(), []
    for part, ids in (("train", train_ids), ("test", test_ids)):
        for path, frame_id in ids.items():
            case = {"case_id": frame_id, "exam_type": "ent", "split": part}
            frame = {"frame_id": frame_id, "case_id": frame_id, "path": path, "index": 0}
            split = {"frame_id": frame_id, "protocol": "official", "fold": "0", "part": part}
            tables["cases"].append(case)
            tables["frames"].append(frame)
            tables["splits"].append(split)
    if images is None:
        problems.append(missing(join(base, "imgs"), "no such folder; it should hold UUID.png"))
    problems += _classes(names, classes, images or "imgs", tables)
    problems += _matches(names, base, [images, test], tables)
    problems += _phrases(names, base, [images, test], tables)
    problems += _asked(names, test)
    return tables, problems


def _pictures(names: Names, folder: str | None) -> dict[str, str]:
    """Return the frame_id of each picture of a folder, by its path."""
    if folder is None:
        return {}
    return {join(folder, name): _id(name) for name in names.images(folder)}


def _id(name: str) -> str:
    return f"entrep/{PurePosixPath(name).stem}"


def _classes(names: Names, path: str, images: str, tables: Tables) -> list[Problem]:
    pairs, problems = read_object(names.root / path, path)
    labelled = set()
    for name, value in pairs:
        found, label = names.find(join(images, name)), class_of(value)
        if label is None:
            problems.append(odd(path, f"{name}: {unknown_class(value)}; its label is left out"))
        elif found is None:
            problems.append(missing(path, f"names {name}, which is not in {images}"))
        else:
            labelled.add(found)
            tables["labels"].append({"frame_id": _id(found), "task": "class", "label": label})
    for row in tables["frames"]:
        if row["path"].startswith(f"{images}/") and row["path"] not in labelled:
            problems.append(missing(row["path"], f"has no class in {path}"))
    return problems


def _matches(names: Names, base: str, folders: list[str | None], tables: Tables) -> list[Problem]:
    path = names.find(join(base, "i2i.json"))
    if path is None:
        return [missing(join(base, "i2i.json"), "the matches of image-to-image retrieval")]
    pairs, problems = read_object(names.root / path, path)
    for query, match in pairs:
        files = [_found(names, folders, name) for name in (query, match)]
        absent = [name for name, file in zip((query, match), files, strict=True) if file is None]
        if absent:
            problems.append(missing(path, f"{query}: {match} names {absent[0]}, which is nowhere"))
            continue
        row = {"frame_id": _id(str(files[0])), "task": "match", "label": _id(str(files[1]))}
        tables["labels"].append(row)
    return problems


def _phrases(names: Names, base: str, folders: list[str | None], tables: Tables) -> list[Problem]:
    path = names.find(join(base, "t2i.json"))
    if path is None:
        return [missing(join(base, "t2i.json"), "the phrases of text-to-image retrieval")]
    pairs, problems = read_object(names.root / path, path)
    for phrase, name in pairs:
        file = _found(names, folders, name)
        if file is None:
            problems.append(missing(path, f"{phrase!r} names {name}, which is nowhere"))
        else:
            tables["texts"].append({"key": _id(file), "language": "en", "text": phrase.strip()})
    return problems


def _found(names: Names, folders: list[str | None], name: object) -> str | None:
    """Return the path of a file in the first folder that has it; matches may lie in the test."""
    places = [join(folder, str(name)) for folder in folders if folder is not None]
    return names.find_first(*places)


def _asked(names: Names, test: str | None) -> list[Problem]:
    """Return what is wrong with the test: its folder, and files that its list names."""
    if test is None:
        return [missing(_TEST, "no such folder; it should hold the pictures of the test")]
    path = names.find_first("cls.csv", join(test, "cls.csv"), "PublicData/cls.csv")
    if path is None:
        return [missing("cls.csv", "the list of the pictures to classify")]
    return [
        missing(f"{path}:{number}", f"names {line}, which is not in {test}")
        for number, line in read_lines(names.root / path)
        if names.find(join(test, line.strip('"'))) is None
    ]
