"""What `corpus.ingest_endovlm` leaves aside of EndoVLM's lines: encoding, flags, names of sites."""

from collections.abc import Mapping
from pathlib import Path

from endoalign.corpus.case_rows import RowError, identifier
from endoalign.corpus.read_rows import read_rows
from endoalign.corpus.rows import BadRow
from endoalign.corpus.sources import EndoVLMSource
from endoalign.datasets.endovlm_sites import REGIONS_OF, site_texts
from endoalign.datasets.problems import Problem, odd


def unmarked_encoding(path: Path) -> str:
    """Return the encoding of UTF-16 without its mark, told by where the zero bytes lie, else ""."""
    with path.open("rb") as stream:
        head = stream.read(200)
    if b"\0" not in head or head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ""
    return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"


def flags_by_case(source: EndoVLMSource, exam_types: Mapping[str, str]) -> dict[str, list[int]]:
    """Return the abnormality flags of each case that has a sound list of them.

    Args:
        source: of the lines.
        exam_types: of the cases, by id.
    """
    flags: dict[str, list[int]] = {}
    for row in read_rows(source.jsonl, [], source.encoding):
        if isinstance(row, BadRow):
            continue
        try:
            case_id = identifier(row.values.get("id"), "id")
        except RowError:
            continue
        stated = row.values.get("site_abnormality_flags")
        expected = REGIONS_OF.get(exam_types.get(case_id, ""), ())
        if (
            isinstance(stated, list)
            and len(stated) == len(expected)
            and all(f in (0, 1) for f in stated)
        ):
            flags.setdefault(case_id, [int(flag) for flag in stated])
    return flags


def site_problems(case: Mapping[str, object], name: str, source: EndoVLMSource) -> list[Problem]:
    """Return a problem for each name in a report that is no site of its examination."""
    if source.report_field != "endo_report":
        return []
    exam_type = str(case["exam_type"])
    return [
        odd(
            f"{name}, {case['case_id']}",
            f"site {site!r} is none of a {exam_type}: {', '.join(REGIONS_OF[exam_type])}; its text "
            "belongs to no region",
        )
        for site in site_texts(str(case["report_text"]), exam_type).unknown
    ]
