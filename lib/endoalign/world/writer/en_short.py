"""English statements of a lesion in telegraphic style: "SC 25 cm: 6 mm polyp, Is, smooth"."""

import random

from endoalign.world.writer.en_noun import in_paris_word, smallness
from endoalign.world.writer.en_words import BANK, paris_type, paris_word, size_words, tidy
from endoalign.world.writer.markup import Passage, capitalise, stated
from endoalign.world.writer.statements import LesionStatement, SiteStatement

_FRAMES = (
    "{site}: {core}{features}",
    "{site}: {core}{features}",
    "{core} {at}{features}",
    "{site} - {core}{features}",
)


def lesion_line(statement: LesionStatement, rng: random.Random) -> Passage:
    """One lesion as a line without its full stop."""
    features = _features(statement, rng)
    listed = "".join(f", {feature}" for feature in features)
    label = _label(statement.site, rng)
    core = _core(statement, rng)
    if statement.clock is not None:
        listed = f", {statement.clock} o'clock{listed}"
    if not label:
        return Passage(stated(capitalise(core) + listed), (statement.finding(),))
    inside = label if label.startswith("at ") else f"in {label}"
    text = rng.choice(_FRAMES).format(site=label, core=core, at=inside, features=listed)
    return Passage(stated(tidy(capitalise(text))), (statement.finding(),))


def short_site(region: str, rng: random.Random) -> str:
    """A region as its abbreviation or short name."""
    names = BANK["sites"][region]
    return str(rng.choice(names["abbreviation"] + names["name"][:1]))


def _label(site: SiteStatement | None, rng: random.Random) -> str:
    if site is None:
        return ""
    names = BANK["sites"][site.region]
    if site.form == "distance":
        return f"at {site.distance} cm"
    label = names["abbreviation"][0] if site.form == "abbreviation" else rng.choice(names["name"])
    return f"{label} {site.distance} cm" if site.form == "name_distance" else str(label)


def _core(statement: LesionStatement, rng: random.Random) -> str:
    """Count, size, type in words and noun: "2 sessile polyps", "6 mm polyp"."""
    size = (
        size_words(statement.size, rng, before_noun=True)
        if statement.size
        else smallness(statement, rng)
    )
    noun = "polyps" if statement.count > 1 else "polyp"
    words = [paris_word(statement, rng), noun]
    if statement.count > 1:
        words = ["2", *words] if statement.size is None else ["2", *words, size]
    else:
        words = [size, *words]
    return " ".join(filter(None, words))


def _features(statement: LesionStatement, rng: random.Random) -> list[str]:
    said = [name for name in statement.descriptors if not in_paris_word(name, statement)]
    features = [rng.choice(BANK["descriptors"][name]["short"]) for name in said]
    rng.shuffle(features)
    if statement.colour is not None:
        features.insert(0, rng.choice(BANK["colour_short"][statement.colour]))
    if type_name := paris_type(statement, rng, "short"):
        features.insert(0, type_name)
    if statement.denied:
        features.append("no " + " or ".join(BANK["denials"][name][0] for name in statement.denied))
    return features
