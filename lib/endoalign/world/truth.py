"""What the world knows of a case before anything is drawn or written: its ground truth."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Lesion:
    """One polyp, as it is: the renderer draws it and the report may state it.

    ``descriptors`` holds every visible descriptor of `endoalign.vocabulary.DESCRIPTORS`, sorted;
    the report may state only some of them. ``size_cm`` is the largest diameter of the head seen
    from above, ``distance_cm`` the distance from the anal verge, ``clock`` the position on the
    wall in hours (0 to 12).
    """

    lesion_id: str
    region: str
    distance_cm: float
    clock: float
    paris: str
    size_cm: float
    colour: str
    descriptors: tuple[str, ...]
    seed: int


@dataclass(frozen=True)
class CaseTruth:
    """One examination: who, where, what lies in it. ``lesions`` is empty in a normal case.

    ``reach`` is the most proximal region that the endoscope saw: nothing proximal to it is seen or
    told. ``operation`` is an earlier resection whose regions are gone, a name of
    `endoalign.world.cases_extent.OPERATIONS`. Lesions lie in regions that were seen.
    ``undocumented`` regions were passed, but no still shows them and no sentence calls them normal.
    """

    case_id: str
    patient_id: str
    source: str
    split: str
    language: str
    lesions: tuple[Lesion, ...]
    seed: int
    reach: str = "terminal_ileum"
    operation: str | None = None
    undocumented: tuple[str, ...] = ()


@dataclass(frozen=True)
class StatedFinding:
    """One statement of a report with the truth behind it.

    ``start`` and ``end`` are character offsets of the statement in the report text: a finding may
    be a whole sentence or a clause of one. ``kind`` is ``lesion``, ``normal`` or ``other`` (a
    finding that is no polyp: diverticula, haemorrhoids, …). Fields are what the text *states*
    (``None`` or empty where it says nothing), ``lesion_ids`` the lesions meant (two small polyps
    stated at once are one finding with ``count`` 2). ``negated`` statements ("no polyps in the
    rectum") have ``status`` 0.
    """

    start: int
    end: int
    kind: str
    region: str | None
    status: int
    count: int | None
    size_cm: float | None
    paris: str | None
    descriptors: tuple[str, ...]
    negated: bool
    lesion_ids: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class WrittenReport:
    """A report's text with the statements it makes, in order of their offsets."""

    text: str
    findings: tuple[StatedFinding, ...]
