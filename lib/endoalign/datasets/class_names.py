"""One alias table of the class names that public data sets spell in several ways.

HyperKvasir names a class differently in its folders, its label file, its folds and its pages; the
canonical name is that of `image-labels.csv`. EndoVLM names its sites for readers; the canonical
name is that of `vocabulary.REGIONS`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from endoalign.corpus.validation import nearest
from endoalign.vocabulary import COLON_REGIONS, UPPER_REGIONS


@dataclass(frozen=True)
class ClassNames:
    """The classes of a data set: canonical ``names``, and ``aliases`` of some of them."""

    names: tuple[str, ...]
    aliases: Mapping[str, str] = field(default_factory=dict)

    def find(self, name: str) -> str | None:
        """Return the canonical name, `None` where there is none.

        Case, blanks at the ends, and which of blank, ``_`` and ``-`` joins words do not matter.
        """
        return self._by_plain.get(_plain(name))

    def unknown(self, name: str) -> str:
        """Return the words about an unknown name: the nearest one, and all that are known."""
        known = ", ".join(self.names)
        return f"unknown class {name!r}{nearest(name, list(self.names))}; known: {known}"

    @cached_property
    def _by_plain(self) -> dict[str, str]:
        aliases = {_plain(alias): name for alias, name in self.aliases.items()}
        return aliases | {_plain(name): name for name in self.names}


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", name.strip().casefold().replace("’", "'"))


HYPERKVASIR_LOWER: Final[Mapping[str, tuple[str, ...]]] = {
    "anatomical-landmarks": ("cecum", "ileum", "retroflex-rectum"),
    "pathological-findings": (
        "hemorrhoids",
        "polyps",
        "ulcerative-colitis-grade-0-1",
        "ulcerative-colitis-grade-1",
        "ulcerative-colitis-grade-1-2",
        "ulcerative-colitis-grade-2",
        "ulcerative-colitis-grade-2-3",
        "ulcerative-colitis-grade-3",
    ),
    "quality-of-mucosal-views": ("bbps-0-1", "bbps-2-3", "impacted-stool"),
    "therapeutic-interventions": ("dyed-lifted-polyps", "dyed-resection-margins"),
}
"""Classes of HyperKvasir's lower tract by group, as its folders nest them."""
HYPERKVASIR_UPPER: Final[Mapping[str, tuple[str, ...]]] = {
    "anatomical-landmarks": ("pylorus", "retroflex-stomach", "z-line"),
    "pathological-findings": (
        "barretts",
        "barretts-short-segment",
        "esophagitis-a",
        "esophagitis-b-d",
    ),
}
"""Classes of HyperKvasir's upper tract by group."""
HYPERKVASIR: Final = ClassNames(
    tuple(
        name
        for groups in (HYPERKVASIR_LOWER, HYPERKVASIR_UPPER)
        for classes in groups.values()
        for name in classes
    ),
    {
        "polyp": "polyps",
        "normal-cecum": "cecum",
        "normal-pylorus": "pylorus",
        "normal-z-line": "z-line",
        "oesophagitis-a": "esophagitis-a",
        "oesophagitis-b-d": "esophagitis-b-d",
        "short-segment-barretts": "barretts-short-segment",
        "hemorroids": "hemorrhoids",
        "ulcerative-colitis-0-1": "ulcerative-colitis-grade-0-1",
        "ulcerative-colitis-1-2": "ulcerative-colitis-grade-1-2",
        "ulcerative-colitis-2-3": "ulcerative-colitis-grade-2-3",
    },
)
"""The 23 classes of HyperKvasir's labelled images."""

KVASIR_V2: Final = ClassNames(
    (
        "dyed-lifted-polyps",
        "dyed-resection-margins",
        "esophagitis",
        "normal-cecum",
        "normal-pylorus",
        "normal-z-line",
        "polyps",
        "ulcerative-colitis",
    ),
    {"polyp": "polyps", "oesophagitis": "esophagitis"},
)
"""The 8 classes of Kvasir v2."""
KVASIR_V2_UPPER: Final = ("esophagitis", "normal-pylorus", "normal-z-line")

GASTROVISION_UPPER: Final = (
    "Barrett's esophagus",
    "Duodenal bulb",
    "Erythema",
    "Esophageal varices",
    "Esophagitis",
    "Gastric polyps",
    "Gastroesophageal_junction_normal z-line",
    "Normal esophagus",
    "Normal stomach",
    "Pylorus",
    "Ulcer",
)
"""Classes of GastroVision that belong to a gastroscopy."""
GASTROVISION_LOWER: Final = (
    "Accessory tools",
    "Angiectasia",
    "Blood in lumen",
    "Cecum",
    "Colon diverticula",
    "Colon polyps",
    "Colorectal cancer",
    "Dyed-lifted-polyps",
    "Dyed-resection-margins",
    "Ileocecal valve",
    "Mucosal inflammation large bowel",
    "Normal mucosa and vascular pattern in the large bowel",
    "Resected polyps",
    "Resection margins",
    "Retroflex rectum",
    "Small bowel_terminal ileum",
)
"""The others; accessory tools, blood and angiectasia are seen in either tract."""
GASTROVISION: Final = ClassNames(
    tuple(sorted(GASTROVISION_UPPER + GASTROVISION_LOWER)),
    {
        "Barett's Esophagus": "Barrett's esophagus",
        "Barretts esophagus": "Barrett's esophagus",
        "Gastroesophageal junction": "Gastroesophageal_junction_normal z-line",
        "Ulcers": "Ulcer",
        "Dyed-lifted-polyp": "Dyed-lifted-polyps",
        "Dyed-resection-margin": "Dyed-resection-margins",
        "Small bowl_terminal ileum": "Small bowel_terminal ileum",
    },
)
"""The 27 classes of GastroVision, as its folders and its metadata spell them."""

MAYO: Final = ClassNames(
    ("Mayo 0", "Mayo 1", "Mayo 2", "Mayo 3"),
    {f"{word}{grade}": f"Mayo {grade}" for grade in range(4) for word in ("", "Mayo")},
)
"""The four grades of the Mayo endoscopic score, as LIMUC's folders and folds spell them."""

ENDOVLM_SITES: Final = (
    *("Esophagus", "Cardia", "Fundus", "Body", "Angularis", "Antrum", "Pylorus", "Duodenum"),
    *("Ileum", "Ileocecal region", "Ascending colon", "Hepatic flexure", "Transverse colon"),
    *("Splenic flexure", "Descending colon", "Sigmoid colon", "Rectum"),
)
"""How EndoVLM's reports name the 17 regions, in the order of `vocabulary.REGIONS`."""
ENDOVLM_REGIONS: Final = ClassNames(
    UPPER_REGIONS + COLON_REGIONS,
    {
        **dict(zip(ENDOVLM_SITES, UPPER_REGIONS + COLON_REGIONS, strict=True)),
        "Oesophagus": "esophagus",
        "Angulus": "angularis",
        "Gastric angle": "angularis",
        "Gastric body": "body",
        "Insertion": "terminal_ileum",
        "Ileocecum": "ileocecal",
        "Ileocaecal region": "ileocecal",
        "Cecum": "ileocecal",
    },
)
"""The 17 regions, with EndoVLM's names of them and the variants in its files."""
