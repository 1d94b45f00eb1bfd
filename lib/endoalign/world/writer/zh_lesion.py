"""Chinese statements of a lesion, in one clause row: 乙状结肠见一枚直径约0.6cm息肉，表面光滑."""

import random
from typing import Any, Final

from endoalign.world.writer.markup import Passage
from endoalign.world.writer.phrase_bank import phrases
from endoalign.world.writer.size import number
from endoalign.world.writer.statements import LesionStatement, SiteStatement

BANK: Final[dict[str, Any]] = phrases("zh")
_ROMAN: Final = {"Is": "Ⅰs", "Isp": "Ⅰsp", "Ip": "Ⅰp", "IIa": "Ⅱa"}
_SMALL_CM = 0.8  # up to here a polyp without a number is called small
_ROMAN_SHARE = 0.3  # full-width numerals, as many Chinese keyboards give them


def lesion_clause(
    statement: LesionStatement, style: str, rng: random.Random, *, inside: bool = False
) -> Passage:
    """One lesion as a sentence without its full stop, in a frame of the style.

    ``inside`` a paragraph headed by the region, the region's name is left out.
    """
    frames = BANK["lesion_frames"][style]
    word = _paris_word(statement, rng)
    said = [name for name in statement.descriptors if not (name == "flat" and word)]
    before = word
    if not word and "flat" in said and rng.random() < 0.6:
        before, said = BANK["descriptors"]["flat"]["before"][0], [n for n in said if n != "flat"]
    size = _size(statement, rng)
    frame = rng.choice([each for each in frames if "{before}" in each or not before])
    noun = rng.choice(BANK["nouns"]) if "扁平" not in before else "息肉"
    small = not size and not before and max(each.size_cm for each in statement.lesions) < _SMALL_CM
    linked = size and before and "{size}{before}" in frame and rng.random() < 0.7
    text = frame.format(
        site=_place(statement, rng, inside=inside),
        count=rng.choice(BANK["count"][statement.count]),
        size=f"{size}的" if linked else size,
        before=before,
        noun=f"小{noun}" if small else noun,
        features="".join(f"，{clause}" for clause in _features(statement, said, rng)),
    )
    return Passage(_tidy(text), (statement.finding(),))


def _tidy(text: str) -> str:
    """Take out the commas that empty parts leave behind."""
    for loose, right in (
        ("，，", "，"),
        ("，⟧", "⟧"),
        ("⟦：", "⟦"),
        ("至⟦见", "⟦见"),
        ("⟦于发现", "⟦发现"),
    ):
        text = text.replace(loose, right)
    return text


def _place(statement: LesionStatement, rng: random.Random, *, inside: bool) -> str:
    place = _site(statement.site, rng, inside=inside) if statement.site else ""
    if statement.clock is None:
        return place
    rectal = statement.lesions[0].region == "rectum"  # 截石位 is said of the rectum only
    frame: str = rng.choice(BANK["clock"]["rectum" if rectal else "colon"])
    return frame.format(place=place, hour=statement.clock).removeprefix("，")


def _site(site: SiteStatement, rng: random.Random, *, inside: bool) -> str:
    name = "" if inside else rng.choice(BANK["sites"][site.region]["name"])
    if site.form == "third":
        kind = "rectum" if site.region == "rectum" else "colon"
        return f"{name}{rng.choice(BANK['thirds'][kind][site.third])}"
    if site.form == "distance" or (inside and site.form == "name_distance"):
        return str(rng.choice(BANK["distance"]["alone"])).format(cm=site.distance)
    if site.form == "name_distance":
        frame: str = rng.choice(BANK["distance"]["before_name"])
        return frame.format(cm=site.distance, name=name)
    return str(name)


def _size(statement: LesionStatement, rng: random.Random) -> str:
    size = statement.size
    if size is None:
        return ""
    numbers = [number(value, size.unit) for value in size.millimetres]
    glue = {"single": "", "product": rng.choice("×××x*"), "range": rng.choice("--~")}[size.form]
    unit = f"{size.unit}{glue}" if size.form == "product" and rng.random() < 0.2 else glue
    frame: str = rng.choice(BANK["size"][size.form])
    return frame.format(size=unit.join(numbers) + size.unit)


def _paris_word(statement: LesionStatement, rng: random.Random) -> str:
    if statement.paris is None or statement.paris_form == "type":
        return ""
    return str(rng.choice(BANK["paris"]["word"][statement.paris]))


def _paris_type(statement: LesionStatement, rng: random.Random) -> list[str]:
    if statement.paris is None or statement.paris_form == "word":
        return []
    bare = statement.paris.removeprefix("0-")
    if rng.random() < _ROMAN_SHARE:
        bare = _ROMAN[bare]
    frame: str = rng.choice(BANK["paris"]["type"])
    return [frame.format(type=f"0-{bare}", bare=bare)]


def _features(statement: LesionStatement, said: list[str], rng: random.Random) -> list[str]:
    """Type, colour, surface in one row, the other descriptors, what is denied."""
    surface, clauses = [], []
    for name in rng.sample(said, len(said)):
        entry = BANK["descriptors"][name]
        if "surface" in entry and ("clause" not in entry or rng.random() < 0.6):
            surface.append(rng.choice(entry["surface"]))
        else:
            clauses.append(rng.choice(entry["clause"]))
    if surface:
        surface.sort(key=lambda word: (len(word) > 2, word))  # short words first: 充血、呈结节状
        glue = "" if all(len(word) == 2 for word in surface) and rng.random() < 0.5 else "、"
        clauses.insert(0, f"表面{glue.join(surface)}")
    if statement.colour is not None:
        clauses.insert(rng.randint(0, len(clauses)), rng.choice(BANK["colours"][statement.colour]))
    if statement.count > 1 and clauses:
        clauses[0] = f"均{clauses[0]}"
    type_name = _paris_type(statement, rng)
    clauses = type_name + clauses if rng.random() < 0.7 else clauses + type_name
    if statement.denied:
        words = "及".join(BANK["denials"]["words"][name] for name in statement.denied)
        clauses.append(str(rng.choice(BANK["denials"]["frames"])).format(words=words))
    return clauses
