import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import endoalign
from endoalign.corpus.ingest import IngestSettings, ingest
from endoalign.corpus.manifest import Manifest, frame_path
from endoalign.corpus.rows import IngestError
from endoalign.corpus.sources import FoldersSource, TablesSource
from endoalign.corpus.tables import load_corpus
from endoalign.frames.decode import decode
from endoalign.frames.scan import SHARD


def _image(seed):
    stream = io.BytesIO()
    coarse = np.random.default_rng(seed).integers(0, 220, (8, 10, 3), dtype=np.uint8)
    Image.fromarray(coarse).resize((40, 32), Image.Resampling.BICUBIC).save(stream, "JPEG")
    return stream.getvalue()


def _frames(root, cases, each, corrupt=()):
    """Write ``each`` frames for each case; those numbered in ``corrupt`` are cut short."""
    number = 0
    for case in cases:
        (root / case).mkdir(parents=True)
        for k in range(each):
            data = _image(number)
            (root / case / f"{k}.jpg").write_bytes(data[:150] if number in corrupt else data)
            number += 1


def _reports(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


@pytest.fixture
def source(tmp_path):
    """Two cases with frames, a report for one of them and for one without frames."""
    _frames(tmp_path / "frames", ["c1", "c2"], each=3, corrupt={4})
    reports = _reports(
        tmp_path / "reports.jsonl",
        {"case_id": "c1", "report_text": "A polyp.", "patient_id": "p"},
        {"case_id": "c3", "report_text": "Normal."},
    )
    return FoldersSource(name="here", frames=tmp_path / "frames", reports=reports)


def test_a_corpus_is_written_and_counted(source, tmp_path):
    summary = ingest([source], tmp_path / "corpus")
    assert (summary.cases, summary.frames, summary.rejected, summary.measured) == (3, 5, 1, 6)
    assert (summary.reports_without_frames, summary.frames_without_report) == (1, 2)
    ((reason, count),) = summary.reasons.items()
    assert reason.startswith("corrupt or truncated")
    assert count == 1
    corpus = load_corpus(tmp_path / "corpus")
    assert corpus.cases["case_id"].tolist() == ["c1", "c2", "c3"]
    assert corpus.cases["report_text"].tolist() == ["A polyp.", "", "Normal."]
    assert corpus.cases["eligible"].isna().all()
    assert corpus.frames["frame_id"].tolist() == ["c1/0", "c1/1", "c1/2", "c2/0", "c2/2"]
    assert corpus.frames["index"].tolist() == [0, 1, 2, 0, 1]
    assert corpus.rejected.iloc[0][["path", "case_id"]].tolist() == ["c2/1.jpg", "c2"]
    for _, row in corpus.frames.iterrows():
        assert decode(frame_path(tmp_path / "corpus", row)).shape == (
            row["height"],
            row["width"],
            3,
        )


def _tables(folder):
    return {
        name: (folder / f"{name}.parquet").read_bytes() for name in ("cases", "frames", "rejected")
    }


def test_a_second_run_measures_only_what_is_new(source, tmp_path):
    folder = tmp_path / "corpus"
    ingest([source], folder)
    before = _tables(folder)
    assert ingest([source], folder, processes=2).measured == 0
    assert _tables(folder) == before
    (tmp_path / "frames" / "c2" / "1.jpg").write_bytes(_image(99))
    summary = ingest([source], folder)
    assert (summary.measured, summary.frames, summary.rejected) == (1, 6, 0)
    (tmp_path / "frames" / "c1" / "0.jpg").unlink()
    assert ingest([source], folder).frames == 5


def test_several_sources_keep_their_roots_apart(source, tmp_path):
    _frames(tmp_path / "other", ["d1"], each=1)
    (tmp_path / "list.csv").write_text("path,case_id\nd1/0.jpg,d1\n")
    table = TablesSource(
        name="there", root=tmp_path / "other", frames=tmp_path / "list.csv", exam_type="ent"
    )
    ingest([source, table], tmp_path / "corpus")
    corpus = load_corpus(tmp_path / "corpus")
    assert corpus.frames["path"].iloc[[0, -1]].tolist() == ["here/c1/0.jpg", "there/d1/0.jpg"]
    assert frame_path(tmp_path / "corpus", "there/d1/0.jpg") == tmp_path / "other/d1/0.jpg"
    assert corpus.cases.set_index("case_id").loc["d1", ["exam_type", "source"]].tolist() == [
        "ent", "there",
    ]  # fmt: skip
    assert corpus.rejected["path"].tolist() == ["here/c2/1.jpg"]


def test_sources_may_share_neither_names_nor_cases(source, tmp_path):
    with pytest.raises(IngestError, match="two sources are named 'here'"):
        ingest([source, source], tmp_path / "corpus")
    twin = source.model_copy(update={"name": "twin"})
    with pytest.raises(IngestError, match="case 'c1' comes from both 'here' and 'twin'"):
        ingest([source, twin], tmp_path / "corpus")
    apart = twin.model_copy(update={"case_prefix": "t-"})
    assert ingest([source, apart], tmp_path / "corpus").cases == 6
    with pytest.raises(IngestError, match="no source given"):
        ingest([], tmp_path / "corpus")


def test_duplicates_and_limits_follow_the_settings(source, tmp_path):
    twin = (tmp_path / "frames" / "c1" / "0.jpg").read_bytes()
    (tmp_path / "frames" / "c2" / "9.jpg").write_bytes(twin)
    assert ingest([source], tmp_path / "corpus").duplicates == 1
    frames = load_corpus(tmp_path / "corpus").frames.set_index("frame_id")
    assert frames.loc["c2/9", "duplicate_of"] == "c1/0"
    tiny = ingest([source], tmp_path / "corpus", settings=IngestSettings(max_pixels=100))
    assert (tiny.frames, tiny.rejected) == (0, 7)


def test_reports_alone_make_a_corpus(tmp_path):
    reports = _reports(tmp_path / "r.jsonl", {"case_id": 1, "report_text": "横结肠息肉"})
    summary = ingest([FoldersSource(name="a", reports=reports)], tmp_path / "corpus")
    assert (summary.cases, summary.frames, summary.reports_without_frames) == (1, 0, 1)
    assert load_corpus(tmp_path / "corpus").cases["language"].tolist() == ["zh"]
    assert Manifest.load(tmp_path / "corpus").roots == {}


def test_bad_rows_are_recorded_beside_bad_frames(source, tmp_path):
    with (tmp_path / "reports.jsonl").open("a") as stream:
        stream.write('\n{"case_id": "c1", "report_text": "again"}')
    with pytest.raises(IngestError, match=r"reports\.jsonl, line 3: case_id 'c1' repeats"):
        ingest([source], tmp_path / "corpus")
    lenient = source.model_copy(update={"on_bad_row": "record"})
    assert ingest([lenient], tmp_path / "corpus").rejected == 2
    paths = load_corpus(tmp_path / "corpus").rejected["path"].tolist()
    assert paths == ["c2/1.jpg", "reports.jsonl:3"]


_KILLED = """
import os, signal, sys
from pathlib import Path
from endoalign.corpus.ingest import ingest
from endoalign.corpus.sources import FoldersSource
def stop(done, total):
    if done >= total // 2:
        os.kill(os.getpid(), signal.SIGKILL)
source = FoldersSource(name="here", frames=Path(sys.argv[1]))
ingest([source], Path(sys.argv[2]), progress=stop)
"""


def test_killed_half_way_and_restarted_gives_the_same_tables(tmp_path):
    count = 3 * SHARD
    corrupt = set(range(5, count, 100))
    _frames(tmp_path / "frames", ["a", "b", "c"], each=SHARD, corrupt=corrupt)
    library = str(Path(endoalign.__file__).parents[1])
    command = [sys.executable, "-c", _KILLED, str(tmp_path / "frames"), str(tmp_path / "killed")]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": library}, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert not (tmp_path / "killed" / "frames.parquet").exists()
    source = FoldersSource(name="here", frames=tmp_path / "frames")
    restarted = ingest([source], tmp_path / "killed")
    assert 0 < restarted.measured < count
    whole = ingest([source], tmp_path / "whole", processes=2)
    assert whole.measured == count
    assert _tables(tmp_path / "killed") == _tables(tmp_path / "whole")
    assert (whole.frames, whole.rejected) == (count - len(corrupt), len(corrupt))
    columns = pd.read_parquet(tmp_path / "whole" / "frames.parquet").columns
    assert "duplicate_of" in columns


def test_a_source_may_leave_the_division_to_the_library(tmp_path):
    reports = "case_id,patient_id,report_text\n" + "".join(
        f"c{k},p{k // 2},A polyp.\n" for k in range(60)
    )
    (tmp_path / "reports.csv").write_text(reports)
    source = FoldersSource(name="here", reports=tmp_path / "reports.csv", split="by_patient")
    ingest([source], tmp_path / "corpus")
    cases = load_corpus(tmp_path / "corpus").cases
    assert set(cases["split"]) == {"train", "validation", "test"}
    assert len(cases.groupby(["patient_id", "split"])) == cases["patient_id"].nunique()


def test_a_patient_on_two_sides_is_told_before_frames_are_measured(tmp_path):
    rows = "case_id,patient_id,split,report_text\na,p,train,A polyp.\nb,p,test,A polyp.\n"
    (tmp_path / "reports.csv").write_text(rows)
    source = FoldersSource(name="here", reports=tmp_path / "reports.csv")
    with pytest.raises(IngestError, match=r"patient 'p' has cases in several splits"):
        ingest([source], tmp_path / "corpus")
    assert not (tmp_path / "corpus").exists()
