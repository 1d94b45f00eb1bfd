"""What an ENT picture can show: the sides of its class, how frequent it is, and the findings.

Sides are the patient's own. The picture of a right ear or nostril is the mirror image of that of a
left one; throat and vocal cords are symmetric and have no side.
"""

from typing import Final

from endoalign.vocabulary import ENT_CLASSES

ENTREP_COUNTS: Final[dict[str, int]] = {
    "nose-right": 325,
    "nose-left": 290,
    "ear-right": 156,
    "ear-left": 133,
    "vc-open": 159,
    "vc-closed": 147,
    "throat": 81,
}
"""Labelled training images of the challenge; the world keeps their proportions."""

FINDINGS: Final[dict[str, tuple[str, ...]]] = {
    "nose": (
        "polyp",
        "discharge",
        "deviated_septum",
        "pale_turbinates",
        "enlarged_turbinate",
    ),
    "ear": ("perforation", "effusion", "redness", "cerumen"),
    "vc": ("nodules", "polyp", "oedema", "redness"),
    "throat": ("enlarged_tonsils", "exudate", "redness"),
}
"""Findings that each site of the body can show."""

TOGETHER: Final[frozenset[frozenset[str]]] = frozenset(
    frozenset(pair)
    for pair in (
        ("discharge", "deviated_septum"),
        ("discharge", "enlarged_turbinate"),
        ("discharge", "polyp"),
        ("pale_turbinates", "enlarged_turbinate"),
        ("pale_turbinates", "discharge"),
        ("oedema", "redness"),
        ("enlarged_tonsils", "exudate"),
        ("enlarged_tonsils", "redness"),
        ("exudate", "redness"),
        ("redness", "effusion"),
    )
)
"""Pairs of findings that one picture may show at once."""


def site_of(ent_class: str) -> str:
    """Site of the body (``nose``, ``ear``, ``vc``, ``throat``) of a class.

    ``ValueError`` naming the known classes for any other.
    """
    if ent_class not in ENT_CLASSES:
        raise ValueError(f"unknown ENT class {ent_class!r}; known: {', '.join(ENT_CLASSES)}")
    return ent_class.split("-", maxsplit=1)[0]


def side_of(ent_class: str) -> str | None:
    """Side of the patient (``right``, ``left``), `None` for a class without one."""
    site_of(ent_class)
    last = ent_class.rsplit("-", maxsplit=1)[-1]
    return last if last in ("right", "left") else None


def mirrored_class(ent_class: str) -> str:
    """Class of the same picture flipped left to right: a left ear becomes a right ear."""
    side = side_of(ent_class)
    if side is None:
        return ent_class
    return f"{site_of(ent_class)}-{'left' if side == 'right' else 'right'}"


def check_findings(ent_class: str, findings: tuple[str, ...]) -> None:
    """Raise ``ValueError`` for a finding that the class cannot show, or two that never meet."""
    known = FINDINGS[site_of(ent_class)]
    for name in findings:
        if name not in known:
            raise ValueError(f"{ent_class} cannot show {name!r}; it can show {', '.join(known)}")
    if len(set(findings)) < len(findings):
        raise ValueError(f"{ent_class}: a finding is named twice in {findings}")
    for i, first in enumerate(findings):
        for second in findings[i + 1 :]:
            if frozenset((first, second)) not in TOGETHER:
                raise ValueError(f"{ent_class} cannot show {first} and {second} at once")
