import json

import numpy as np
import pandas as pd
import pytest
import torch

from endoalign.corpus.validation import CorpusError
from endoalign.models.encode import encode_pixels, encode_texts
from endoalign.recovery.queries import prompt_queries, sentence_queries
from endoalign.recovery.score_store import load_scores
from endoalign.recovery.scoring import score_frames

N = 23


@pytest.fixture
def frames():
    case_ids = [f"c{i % 4}" for i in range(N)]  # cases are not together
    return pd.DataFrame({"frame_id": [f"f{i:02d}" for i in range(N)], "case_id": case_ids})


@pytest.fixture
def queries():
    sentences = pd.DataFrame(
        [("c1#0", "c1", "a red polyp"), ("c1#1", "c1", "flat"), ("c3#0", "c3", "a red polyp")],
        columns=["finding_id", "case_id", "text"],
    )
    return pd.concat([sentence_queries(sentences), prompt_queries()], ignore_index=True)


@pytest.fixture
def pixels(memory_pixels):
    return memory_pixels(N)


def run(encoder, frames, pixels, queries, folder, **options):
    options = {"batch_size": 3, "block_rows": 7, **options}
    return score_frames(encoder, frames, pixels, queries, folder, **options)


def naive(encoder, frames, pixels, queries):
    rows = []
    everywhere = queries[queries["case_id"].isna()]
    for i, frame in frames.iterrows():
        image = encode_pixels(encoder, torch.from_numpy(pixels.array[[i]]))[0]
        own = queries[queries["case_id"] == frame["case_id"]]
        for _, query in pd.concat([everywhere, own]).iterrows():
            score = float(image @ encode_texts(encoder, [query["text"]])[0])
            rows.append((frame["frame_id"], frame["case_id"], query["query"], score))
    return pd.DataFrame(rows, columns=["frame_id", "case_id", "query", "score"])


def test_equals_the_naive_loop(encoder, frames, pixels, queries, tmp_path):
    seen = []
    folder = run(
        encoder, frames, pixels, queries, tmp_path, progress=lambda *done: seen.append(done)
    )
    found, expected = load_scores(folder), naive(encoder, frames, pixels, queries)
    pd.testing.assert_frame_equal(
        found, expected, check_dtype=False, check_exact=False, atol=1e-6, rtol=0
    )
    assert found["score"].dtype == np.float32
    assert seen[-1] == (N, N) and len(seen) == 3 * 3 + 1
    names = sorted(p.name for p in folder.glob("*.parquet"))
    assert names[0] == "part-0000-of-0004.parquet" and len(names) == 4


def test_frames_that_no_query_concerns_are_not_read(encoder, frames, pixels, queries, tmp_path):
    own = queries[queries["case_id"] == "c3"]
    pixels.read_rows.clear()
    found = load_scores(run(encoder, frames, pixels, own, tmp_path))
    assert found["case_id"].unique().tolist() == ["c3"] and len(found) == 5
    assert set(pixels.read_rows) - {0, 7, 14, 22} == {3, 11, 15, 19}  # 0, 7, 14, 22 are probed


@pytest.mark.parametrize("number", [2, 3, 9])
def test_shards_give_what_one_shard_gives(encoder, frames, pixels, queries, tmp_path, number):
    whole = load_scores(run(encoder, frames, pixels, queries, tmp_path / "one"))
    for index in reversed(range(number)):
        run(encoder, frames, pixels, queries, tmp_path / "many", shard=(index, number))
    pd.testing.assert_frame_equal(load_scores(tmp_path / "many"), whole, check_exact=True)


def test_a_killed_run_goes_on_with_the_blocks_that_are_left(
    encoder, frames, pixels, queries, tmp_path
):
    whole = load_scores(run(encoder, frames, pixels, queries, tmp_path / "whole"))
    folder = tmp_path / "killed"
    pixels.fail_at = 16
    with pytest.raises(RuntimeError, match="disk is gone"):
        run(encoder, frames, pixels, queries, folder)
    with pytest.raises(CorpusError, match=r"2 of 4 blocks are missing \(part-0002-of-0004.parquet"):
        load_scores(folder)
    (folder / ".part-0002-of-0004.parquet.123.tmp").write_bytes(b"half")
    pixels.fail_at = None
    pixels.read_rows.clear()
    run(encoder, frames, pixels, queries, folder)
    pd.testing.assert_frame_equal(load_scores(folder), whole, check_exact=True)
    assert set(pixels.read_rows) == set(range(14, 23)) | {0, 7}  # and the probes
    assert not list(folder.glob(".*"))


def test_a_damaged_block_is_scored_again(encoder, frames, pixels, queries, tmp_path):
    whole = load_scores(run(encoder, frames, pixels, queries, tmp_path))
    part = tmp_path / "part-0001-of-0004.parquet"
    part.write_bytes(part.read_bytes()[:-20])
    with pytest.raises(CorpusError, match="part-0001-of-0004"):
        load_scores(tmp_path)
    run(encoder, frames, pixels, queries, tmp_path)
    pd.testing.assert_frame_equal(load_scores(tmp_path), whole, check_exact=True)


def change_weights(encoder, frames, pixels, queries):
    with torch.no_grad():
        encoder.model.image_tower.bias[0] += 1e-3
    return encoder, frames, pixels, queries


def change_text(encoder, frames, pixels, queries):
    return encoder, frames, pixels, queries.replace("flat", "sessile")


def change_frame(encoder, frames, pixels, queries):
    return encoder, frames.replace("f05", "f99"), pixels, queries


def change_pictures(encoder, frames, pixels, queries):
    pixels.array[0] = 255 - pixels.array[0]
    return encoder, frames, pixels, queries


@pytest.mark.parametrize("change", [change_weights, change_text, change_frame, change_pictures])
def test_stale_scores_are_replaced(encoder, frames, pixels, queries, tmp_path, change):
    run(encoder, frames, pixels, queries, tmp_path)
    changed = change(encoder, frames, pixels, queries)
    run(*changed, tmp_path, shard=(0, 2))
    with pytest.raises(CorpusError, match="2 of 4 blocks are missing"):
        load_scores(tmp_path)  # those of the other shard are stale, and never taken
    run(*changed, tmp_path, shard=(1, 2))
    fresh = load_scores(run(*changed, tmp_path.with_name("fresh")))
    pd.testing.assert_frame_equal(load_scores(tmp_path), fresh, check_exact=True)


def test_parts_of_another_block_size_are_removed(encoder, frames, pixels, queries, tmp_path):
    run(encoder, frames, pixels, queries, tmp_path, block_rows=5)
    run(encoder, frames, pixels, queries, tmp_path, block_rows=12)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "part-0000-of-0002.parquet",
        "part-0001-of-0002.parquet",
        "scores.json",
    ]


def test_nothing_to_score(encoder, frames, pixels, queries, memory_pixels, tmp_path):
    empty = load_scores(run(encoder, frames, pixels, queries.iloc[:0], tmp_path / "a"))
    assert len(empty) == 0 and empty["score"].dtype == np.float32
    none = run(encoder, frames.iloc[:0], memory_pixels(0), queries, tmp_path / "b")
    assert len(load_scores(none)) == 0


def test_broken_weights_are_named_with_frame_and_query(encoder, frames, pixels, queries, tmp_path):
    with torch.no_grad():
        encoder.model.words.weight[:] = float("nan")
    with pytest.raises(CorpusError, match=r"frame 'f00', query 'present'.*encoder 'tiny'"):
        run(encoder, frames, pixels, queries, tmp_path)
    assert not list(tmp_path.glob("part-*"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shard": (2, 2)}, "shard 2 of 2"),
        ({"shard": (-1, 2)}, "shard -1 of 2"),
        ({"batch_size": 0}, "1 row or more, not 0"),
        ({"block_rows": 0}, "1 row or more, not 0"),
    ],
)
def test_wrong_sizes_are_refused(encoder, frames, pixels, queries, tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        run(encoder, frames, pixels, queries, tmp_path, **options)


def test_pictures_must_be_those_of_the_frames(encoder, frames, queries, memory_pixels, tmp_path):
    with pytest.raises(ValueError, match="23 frames but 22 pictures"):
        run(encoder, frames, memory_pixels(22), queries, tmp_path)


def test_loading_what_was_never_scored_and_a_damaged_manifest(tmp_path):
    with pytest.raises(CorpusError, match=r"scores\.json is missing"):
        load_scores(tmp_path)
    (tmp_path / "scores.json").write_text(json.dumps({"blocks": 1}))
    with pytest.raises(CorpusError, match="not as score_frames writes it"):
        load_scores(tmp_path)
