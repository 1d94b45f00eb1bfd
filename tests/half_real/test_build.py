"""The corpus on disk: real bytes, truth in step with the pixels, no frame in two splits."""

import hashlib
import json

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from endoalign.config.corpus import half_real_source
from endoalign.corpus.curate import NO_FRAMES, CurationSettings, curate
from endoalign.corpus.ingest import IngestSettings, ingest
from endoalign.corpus.tables import load_corpus
from endoalign.corpus.truth import load_truth, mask_path
from endoalign.evaluation.curation_rows import curation_rows
from endoalign.half_real import phrases
from endoalign.half_real.build import MANIFEST, UNFINISHED, build_half_real, remove_half_real
from endoalign.half_real.settings import HalfRealSettings
from endoalign.half_real.sources import HalfRealError
from endoalign.half_real.stills import is_half_real, without_landmarks


def digest(folder):
    total = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        total.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return total.hexdigest()


@pytest.fixture(scope="module")
def corpus(settings, tmp_path_factory):
    folder = tmp_path_factory.mktemp("half_real")
    told = []
    assert build_half_real(settings, folder, seed=3, progress=lambda *p: told.append(p))
    assert told[0] == (1, 44) and told[-1] == (44, 44) and told == sorted(told)
    return folder


@pytest.fixture(scope="module")
def about(corpus):
    return json.loads((corpus / MANIFEST).read_text())


@pytest.fixture(scope="module")
def reports(corpus):
    lines = (corpus / "raw/reports.jsonl").read_text().splitlines()
    return pd.DataFrame(map(json.loads, lines)).set_index("case_id")


def test_every_frame_has_an_origin_and_a_label(corpus, about, reports):
    truth = load_truth(corpus)
    files = sorted(corpus.glob("raw/frames/*/*.jpg"))
    ids = [f"{p.parent.name}/{p.stem}" for p in files]
    assert ids == sorted(about["frames"]) == sorted(truth.frame_labels["frame_id"])
    assert {p.parent.name for p in files} == set(reports.index)


def test_whole_frames_are_the_real_bytes_and_windows_their_pixels(corpus, about, data):
    whole = windows = 0
    for frame_id, origin in about["frames"].items():
        kind, name = origin["source"].split("/")
        real = data / ("polyps/images" if kind == "kvasir-seg" else "normals") / f"{name}.jpg"
        copy = corpus / "raw/frames" / f"{frame_id}.jpg"
        if origin["window"] is None:
            whole += 1
            assert copy.read_bytes() == real.read_bytes()
            continue
        windows += 1
        part = np.asarray(Image.open(real).crop(origin["window"]), dtype=int)
        assert np.abs(np.asarray(Image.open(copy), dtype=int) - part).mean() < 3
    assert whole and windows


def test_no_real_frame_is_in_two_splits_and_held_out_ones_not_in_training(about, reports):
    seen = {}
    for frame_id, origin in about["frames"].items():
        seen.setdefault(origin["source"], set()).add(reports["split"][frame_id.split("/")[0]])
    assert all(len(splits) == 1 for splits in seen.values())
    held_out = {f"kvasir-seg/p{k}" for k in ("03", "07", "11")}
    assert not any("train" in seen[name] for name in held_out)


def test_each_polyp_frame_is_shown_once_and_no_view_twice(corpus, about):
    labels = load_truth(corpus).frame_labels.set_index("frame_id")
    polyps = [
        about["frames"][frame_id]["source"] for frame_id in labels.query("polyp_present").index
    ]
    assert sorted(polyps) == [f"kvasir-seg/p{k:02d}" for k in range(16)]
    files = [p.read_bytes() for p in corpus.glob("raw/frames/*/*.jpg")]
    assert len(set(files)) == len(files)
    for case_id, sources in pd.Series(about["frames"]).groupby(lambda f: f.split("/")[0]):
        names = [origin["source"] for origin in sources]
        assert len(set(names)) == len(names), case_id


def test_masks_lie_where_the_polyps_are(corpus, about, data):
    labels = load_truth(corpus).frame_labels
    for row in labels.itertuples():
        origin = about["frames"][row.frame_id]
        kind, name = origin["source"].split("/")
        if kind != "kvasir-seg":
            assert not row.polyp_present
            continue
        real = Image.open(data / f"polyps/masks/{name}.jpg").convert("L")
        part = np.asarray(real.crop(origin["window"]) if origin["window"] else real) > 127
        assert part.any() == row.polyp_present, row.frame_id
        if row.polyp_present:
            mask = np.asarray(Image.open(mask_path(corpus, row.mask_path)))
            assert ((mask > 0) ^ part).mean() < 0.005


def test_findings_are_linked_to_the_one_frame_they_describe(corpus, reports, about):
    truth = load_truth(corpus)
    positive = truth.findings.query("status == 1")
    assert (truth.links["finding_id"].value_counts() == 1).all()
    assert set(truth.links["finding_id"]) == set(positive["finding_id"])
    assert truth.links["representative"].all()
    linked = positive.merge(truth.links, on="finding_id")
    for row in linked.itertuples():
        assert row.lesion_ids == [about["frames"][row.frame_id]["source"]]
        assert row.frame_id.startswith(f"{row.case_id}/")
    for row in truth.findings.itertuples():
        text = reports["report_text"][row.case_id]
        lines = [line.rstrip(".") for line in text.splitlines()]
        assert text[row.start : row.end] in lines
    assert truth.cases.empty and truth.lesions.empty


def test_every_report_says_that_it_is_half_real(reports):
    assert reports["report_text"].str.startswith(phrases.NOTE).all()
    assert (reports["source"] == "half-real").all()


def test_same_seed_same_bytes_and_another_seed_others(settings, corpus, tmp_path):
    build_half_real(settings, tmp_path / "same", seed=3)
    build_half_real(settings, tmp_path / "other", seed=4)
    tables = digest(corpus / "truth"), digest(corpus / "raw")
    assert (digest(tmp_path / "same/truth"), digest(tmp_path / "same/raw")) == tables
    assert digest(tmp_path / "other/raw") != tables[1]


def test_what_is_there_is_not_made_again_and_what_was_stopped_is(settings, tmp_path):
    assert build_half_real(settings, tmp_path, seed=3)
    before = digest(tmp_path)
    assert not build_half_real(settings, tmp_path, seed=3)
    (tmp_path / MANIFEST).rename(tmp_path / UNFINISHED)
    (tmp_path / "raw/frames/stray").mkdir()
    assert build_half_real(settings, tmp_path, seed=3)
    assert digest(tmp_path) == before
    assert build_half_real(settings.model_copy(update={"frames_per_case": 4}), tmp_path, seed=3)


def test_a_removal_that_is_stopped_leaves_no_corpus_that_counts(settings, tmp_path, monkeypatch):
    build_half_real(settings, tmp_path, seed=3)
    before = digest(tmp_path)

    def stop(path):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("shutil.rmtree", stop)
        with pytest.raises(KeyboardInterrupt):
            remove_half_real(tmp_path)
    assert not is_half_real(tmp_path)
    assert build_half_real(settings, tmp_path, seed=3)
    assert digest(tmp_path) == before


def test_a_source_that_breaks_later_costs_nothing_that_is_there(settings, tmp_path, data):
    build_half_real(settings, tmp_path / "corpus", seed=3)
    before = digest(tmp_path / "corpus")
    (tmp_path / "normals").mkdir()
    (tmp_path / "normals/n.jpg").write_bytes(b"broken")
    broken = settings.model_copy(update={"normals": str(tmp_path / "normals")})
    with pytest.raises(HalfRealError, match=r"n\.jpg: not an image"):
        build_half_real(broken, tmp_path / "corpus", seed=3)
    assert digest(tmp_path / "corpus") == before


def test_a_user_s_own_files_are_never_removed(settings, tmp_path):
    own = tmp_path / "raw/mine.csv"
    own.parent.mkdir()
    own.write_text("x")
    for act in (remove_half_real, lambda f: build_half_real(settings, f, seed=3)):
        with pytest.raises(FileExistsError, match="not of a half-real corpus"):
            act(tmp_path)
    assert own.read_text() == "x"
    remove_half_real(tmp_path / "nothing")


@pytest.fixture(scope="module")
def curated(corpus):
    ingest([half_real_source(corpus)], corpus, settings=IngestSettings())
    tables = load_corpus(corpus)
    return curate(tables.cases, tables.frames, CurationSettings(min_quality=0.0))


def test_ingest_keeps_every_frame_and_every_case(corpus, about):
    summary = ingest([half_real_source(corpus)], corpus, settings=IngestSettings())
    assert (summary.frames, summary.rejected) == (len(about["frames"]), 0)
    tables = load_corpus(corpus)
    assert set(tables.frames["frame_id"]) == set(about["frames"])
    assert tables.frames["duplicate_of"].isna().all()


def test_curation_reads_what_the_truth_says(corpus, curated):
    excluded = without_landmarks(curated, CurationSettings()).excluded
    rows = curation_rows(
        corpus, curated.findings, excluded, protocol="half-real", resamples=100, seed=0
    )
    rules = {(r["note"], r["metric"]): r["value"] for r in rows if r["system"] == "rules"}
    assert rules["finding", "f1"] == rules["descriptors", "f1"] == 1.0
    assert rules["polyp_positive", "f1"] == 1.0


def test_stills_are_not_left_out_for_landmarks(corpus, curated):
    assert is_half_real(corpus) and not is_half_real(corpus / "raw")
    assert not curated.cases["eligible"].any()
    waived = without_landmarks(curated, CurationSettings())
    assert waived.cases["eligible"].all() and waived.cases["reason"].isna().all()
    strict = without_landmarks(curated, CurationSettings(min_frames=6))
    assert (strict.cases["reason"] == NO_FRAMES).all() and not strict.cases["eligible"].any()


def test_windows_out_of_order_are_refused():
    with pytest.raises(ValueError, match=r"min_window 0\.9 exceeds max_window 0\.8"):
        HalfRealSettings(polyps="p", normals="n", min_window=0.9)


def test_training_polyps_may_be_shown_again_through_other_windows(settings, tmp_path):
    again = settings.model_copy(update={"training_uses": 3})
    assert build_half_real(again, tmp_path, seed=3)
    frames = json.loads((tmp_path / MANIFEST).read_text())["frames"]
    labels = load_truth(tmp_path).frame_labels.set_index("frame_id")
    cases = pd.DataFrame(map(json.loads, (tmp_path / "raw/reports.jsonl").open()))
    split = cases.set_index("case_id")["split"]
    uses = pd.DataFrame(
        [
            (frames[frame_id]["source"], frame_id.split("/")[0])
            for frame_id in labels.query("polyp_present").index
        ],
        columns=["source", "case_id"],
    )
    assert not uses.duplicated().any()  # never twice in one case
    uses["split"] = uses["case_id"].map(split)
    counts = uses.groupby(["split", "source"]).size()
    assert set(counts["train"]) == {3}
    assert set(counts.drop("train")) == {1}
    assert not uses.drop_duplicates(["source", "split"])["source"].duplicated().any()
    files = [path.read_bytes() for path in tmp_path.glob("raw/frames/*/*.jpg")]
    assert len(set(files)) == len(files)
