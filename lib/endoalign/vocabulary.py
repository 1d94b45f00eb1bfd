"""The closed vocabularies every table shares: regions, Paris types, descriptors, ENT classes.

Sources: the 17 regions are EndoVLM's landmarks (8 of the upper tract, 9 of the colon); the Paris
types are the protruded and flat-elevated types of the Paris endoscopic classification (2003), with
the remaining superficial types so that real reports fit; the nineteen descriptors complete the
eight that the EndoCLIP paper names (congestion, smooth, narrow base, mucus attachment, lobulated,
villous, flat, well-defined margin) with terms of the Minimal Standard Terminology (MST 3.0) for
mucosa, polyps and tumours and of the Paris workshop; the seven ENT classes are those of the ENTRep
challenge.
"""

from typing import Final

UPPER_REGIONS: Final = (
    "esophagus",
    "cardia",
    "fundus",
    "body",
    "angularis",
    "antrum",
    "pylorus",
    "duodenum",
)
COLON_REGIONS: Final = (
    "terminal_ileum",
    "ileocecal",
    "ascending_colon",
    "hepatic_flexure",
    "transverse_colon",
    "splenic_flexure",
    "descending_colon",
    "sigmoid_colon",
    "rectum",
)
REGIONS: Final = UPPER_REGIONS + COLON_REGIONS

PARIS_POLYPS: Final = ("0-Ip", "0-Isp", "0-Is", "0-IIa")
"""The four types of EndoVL and of the rendered world."""
PARIS_TYPES: Final = (*PARIS_POLYPS, "0-IIb", "0-IIc", "0-III")

SURFACE_DESCRIPTORS: Final = (
    "congestion",  # redder than the surroundings, with engorged small vessels (MST: hyperaemic)
    "smooth",  # even, glossy surface
    "rough",  # irregular fine relief without order
    "granular",  # fine regular grains (MST: granular)
    "nodular",  # a few coarse bumps of unequal size
    "lobulated",  # deep clefts that divide the head into lobes
    "villous",  # finger- or frond-like projections (MST: villous)
    "erosion",  # small superficial defect with whitish floor, no depth
    "ulceration",  # defect with depth, fibrin floor and red rim
    "bleeding",  # fresh blood on the surface or running from it (MST: stigmata of bleeding)
    "mucus_attachment",  # translucent yellowish mucus cap or strand
    "white_coating",  # opaque white exudate on part of the surface
)
MORPHOLOGY_DESCRIPTORS: Final = (
    "flat",  # height well below half of the width
    "central_depression",  # shallow dip in the middle of the head
    "irregular_shape",  # outline far from round
    "narrow_base",  # base clearly narrower than the head
    "broad_base",  # base about as wide as the head
    "well_defined_margin",  # sharp step between lesion and mucosa
    "ill_defined_margin",  # lesion fades into the mucosa
)
DESCRIPTORS: Final = SURFACE_DESCRIPTORS + MORPHOLOGY_DESCRIPTORS

LESION_COLOURS: Final = ("red", "pale", "yellow", "mucosal")
"""Colour of a lesion against the mucosa around it; ``mucosal`` is the same colour."""

ENT_CLASSES: Final = (
    "nose-right",
    "nose-left",
    "ear-right",
    "ear-left",
    "vc-open",
    "vc-closed",
    "throat",
)
"""In the order of the challenge's class ids, 0 to 6. Sides are the patient's own."""

EXAM_TYPES: Final = ("colonoscopy", "gastroscopy", "ent")
SPLITS: Final = ("train", "validation", "test")
LANGUAGES: Final = ("en", "zh")
FINDING_KINDS: Final = ("lesion", "normal", "other")
