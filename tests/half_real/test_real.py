"""The half-real corpus from the real samples: no near frame in two splits, nothing parsed wrong."""

import json
import os
from pathlib import Path

import pytest

from endoalign.half_real.build import MANIFEST, build_half_real
from endoalign.half_real.likeness import detail, near_pairs
from endoalign.half_real.phrases import NOTE
from endoalign.half_real.picture import read_picture
from endoalign.half_real.settings import HalfRealSettings
from endoalign.half_real.sources import list_sources
from endoalign.reports import parse_report

pytestmark = pytest.mark.real

NORMALS = "gastrovision/Normal mucosa and vascular pattern in the large bowel"


@pytest.fixture(scope="module")
def settings():
    root = os.environ.get("ENDOALIGN_REAL_DATA")
    if root is None:
        pytest.skip("ENDOALIGN_REAL_DATA is not set: no real frames to build cases of")
    return HalfRealSettings(polyps=f"{root}/kvasir-seg", normals=f"{root}/{NORMALS}")


def test_known_repetitions_are_found(settings):
    """Pairs of Kvasir-SEG that an eye takes for one scene a moment apart; the others differ."""
    starts = ("cju7b10ce", "cjyzu3reg", "cju45jpvf", "cjyzkmjy8", "cju43b8da", "cju8bbznk")
    by_start = {Path(s.path).stem[:9]: s for s in list_sources(settings)}
    details = [detail(read_picture(by_start[start])) for start in starts]
    assert near_pairs(details, settings.near_correlation) == [(0, 1), (2, 3), (4, 5)]


@pytest.fixture(scope="module")
def few(settings, tmp_path_factory):
    """Every twentieth polyp frame and every eighth normal one, laid out as the data sets are."""
    folder = tmp_path_factory.mktemp("few")
    for part in ("images", "masks"):
        (folder / "polyps" / part).mkdir(parents=True)
        for path in sorted(Path(settings.polyps, part).glob("*.jpg"))[::20]:
            (folder / "polyps" / part / path.name).symlink_to(path)
    (folder / "polyps/val.txt").write_text(Path(settings.polyps, "val.txt").read_text())
    (folder / "normals").mkdir()
    for path in sorted(Path(settings.normals).glob("*.jpg"))[::8]:
        (folder / "normals" / path.name).symlink_to(path)
    some = settings.model_copy(
        update={"polyps": str(folder / "polyps"), "normals": str(folder / "normals")}
    )
    build_half_real(some, folder / "corpus", seed=0)
    return folder / "corpus"


def test_each_report_reads_as_it_was_meant(few):
    reports = [json.loads(line) for line in (few / "raw/reports.jsonl").read_text().splitlines()]
    frames = json.loads((few / MANIFEST).read_text())["frames"]
    for report in reports:
        parsed = parse_report(report["report_text"], "en")
        assert len(parsed.findings) == report["report_text"].count("\n")
        assert report["report_text"].startswith(NOTE)
        has_mask = any(
            (few / "truth/masks" / f"{frame_id}.png").exists()
            for frame_id in frames
            if frame_id.startswith(report["case_id"])
        )
        assert parsed.polyp_positive == has_mask
