"""Triplets of EndoVLM: report -> (proposition, one of 17 regions, normal or abnormal)."""

from endoalign.reports.triplets.agreement import agreement, compare_engines, match_triplets
from endoalign.reports.triplets.aliases import EXAM_REGIONS, exam_named, region_named
from endoalign.reports.triplets.eligibility import Decision, decide_cases, funnel
from endoalign.reports.triplets.extract import extract_triplets, inputs_of
from endoalign.reports.triplets.records import (
    Extraction,
    ReportInput,
    ReportTriplets,
    Triplet,
)
from endoalign.reports.triplets.settings import TripletSettings

__all__ = [
    "EXAM_REGIONS",
    "Decision",
    "Extraction",
    "ReportInput",
    "ReportTriplets",
    "Triplet",
    "TripletSettings",
    "agreement",
    "compare_engines",
    "decide_cases",
    "exam_named",
    "extract_triplets",
    "funnel",
    "inputs_of",
    "match_triplets",
    "region_named",
]
