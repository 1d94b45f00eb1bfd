import math

import pandas as pd
import pytest

from endoalign.config.base import Parameters
from endoalign.results import COLUMNS, Results, facts, load


@pytest.fixture
def outputs(tmp_path, monkeypatch):
    monkeypatch.setenv("ENDOALIGN_OUTPUTS", str(tmp_path))
    return tmp_path


def row(results, metric, value, **more):
    results.add(
        system="rules",
        task="curation",
        dataset="toy",
        protocol="en",
        metric=metric,
        value=value,
        **more,
    )


def test_saved_rows_come_back_with_the_facts_of_the_run(outputs):
    corpus = outputs / "corpus"
    corpus.mkdir()
    pd.DataFrame({"a": [1]}).to_parquet(corpus / "cases.parquet")
    results = Results("01_curation", Parameters(profile="smoke", seed=7))
    row(results, "f1", 0.9, interval=(0.8, 0.95), n=10)
    row(results, "recall", float("nan"), note="nothing to recall")
    path = results.save(corpus=corpus)
    table = load("smoke")
    assert tuple(table.columns) == COLUMNS
    first, second = table.to_dict("records")
    assert (first["value"], first["ci_low"], first["ci_high"], first["n"], first["seed"]) == (
        0.9,
        0.8,
        0.95,
        10,
        7,
    )
    assert math.isnan(second["value"])
    run = facts(path)
    assert run["params_hash"] == results.parameters.digest()
    assert len(run["corpus_hash"]) == len(run["lock_hash"]) == 12


def test_corpus_hash_follows_the_tables(outputs):
    corpus = outputs / "corpus"
    corpus.mkdir()
    seen = set()
    for value in (1, 2):
        pd.DataFrame({"a": [value]}).to_parquet(corpus / "cases.parquet")
        results = Results("01_curation", Parameters(profile="smoke"))
        row(results, "f1", 1.0)
        seen.add(facts(results.save(corpus=corpus))["corpus_hash"])
    assert len(seen) == 2


def test_no_results_says_what_to_run(outputs):
    with pytest.raises(FileNotFoundError, match="make demo"):
        load("smoke")


def test_no_rows_is_a_table_with_all_columns(outputs):
    assert Results("00_corpus", Parameters(profile="smoke")).table().shape == (0, len(COLUMNS))
