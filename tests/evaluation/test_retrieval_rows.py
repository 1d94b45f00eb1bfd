from types import SimpleNamespace

import numpy as np
import pytest

from endoalign.evaluation.comparison import difference, recovery_efficiency
from endoalign.evaluation.ranking import lesion_ranks
from endoalign.evaluation.retrieval import chance_figures
from endoalign.evaluation.retrieval_rows import efficiency_row, measure_systems, retrieval_rows
from endoalign.results import Results

CASES = [f"c{i // 2}" for i in range(24)]


def system(signal, seed=0, ids=CASES):
    n = len(ids)
    noise = np.random.default_rng(seed).normal(size=(n, n))
    return lesion_ranks(noise + signal * np.eye(n), ids)


SYSTEMS = {"EndoCLIP": system(3.0), "naive": system(0.5, 1), "oracle": system(3.5, 2)}


def rows(**changes):
    given = {"pairs": [("EndoCLIP", "naive")], "resamples": 200, "seed": 1, **changes}
    return list(retrieval_rows(SYSTEMS, **given))


def test_rows_enter_the_results_table_once_each():
    results = Results("07_eval_retrieval", SimpleNamespace(seed=1))
    results.extend(rows(), dataset="half-real")
    table = results.table()
    key = ["system", "protocol", "metric"]
    assert not table.duplicated(key).any()
    assert set(table["task"]) == {"retrieval"}
    assert len(table) == (3 + 1) * 9 * 6 + 9
    plain = table[~table["metric"].str.startswith("delta:")]
    metrics = {"recall@1", "recall@5", "recall@10", "median_rank", "mean_rank", "mrr"}
    assert set(plain["metric"]) == metrics
    assert {"global/i2t", "global/t2i", "global/mean", "intra_case/mean"} < set(table["protocol"])
    measured = plain[plain["system"] != "chance"]
    assert (measured["ci_low"] <= measured["value"] + 1e-12).mean() > 0.95
    n = table.set_index("protocol")["n"]
    assert set(n["global/mean"]) == {24} and set(n["case_representative/mean"]) == {12}


def test_chance_rows_are_the_closed_form():
    chance = chance_figures(SYSTEMS["naive"])
    found = {(r["protocol"], r["metric"]): r for r in rows() if r["system"] == "chance"}
    assert {key: row["value"] for key, row in found.items()} == chance
    assert all(row["interval"] is None for row in found.values())


def test_deltas_are_paired_differences_of_the_chosen_metrics():
    figures = measure_systems(SYSTEMS, resamples=200, seed=1)
    found = rows(delta_metrics=["mrr", "recall@1"])
    deltas = {(r["protocol"], r["metric"]): r for r in found if "delta" in r["metric"]}
    assert len(deltas) == 18
    key = "global/mean", "mrr"
    expected = difference(figures["EndoCLIP"][key], figures["naive"][key])
    row = deltas["global/mean", "delta:mrr"]
    assert row["system"] == "EndoCLIP \u2212 naive"
    assert (row["value"], row["interval"]) == (expected.estimate.value, expected.estimate.interval)
    assert row["note"].startswith(f"p={expected.p:.4g}")


def test_a_recall_curve_has_a_row_for_each_k():
    found = {r["metric"] for r in rows(ks=range(1, 25))}
    assert {f"recall@{k}" for k in range(1, 25)} < found


def test_recovery_efficiency_row():
    figures = measure_systems(SYSTEMS, resamples=200, seed=1)
    row = efficiency_row(figures, n=24)
    key = "global/mean", "recall@1"
    expected = recovery_efficiency(*(figures[s][key] for s in ("EndoCLIP", "naive", "oracle")))
    assert (row["value"], row["interval"]) == (expected.value, expected.interval)
    assert (row["task"], row["protocol"], row["metric"]) == ("recovery", "overall", "efficiency")
    assert "recall@1, global/mean" in row["note"]


def test_other_lesions_share_no_resamples():
    other = system(1.0, ids=[f"c{i // 3}" for i in range(24)])
    with pytest.raises(ValueError, match="'B' and 'A' were ranked on different lesions"):
        measure_systems({"A": SYSTEMS["naive"], "B": other}, resamples=5, seed=0)
    with pytest.raises(ValueError, match="no system"):
        measure_systems({}, resamples=5, seed=0)


def test_unknown_names_are_errors():
    with pytest.raises(KeyError, match="'best'"):
        rows(pairs=[("EndoCLIP", "best")])
    with pytest.raises(ValueError, match=r"'recall@3'; measured are"):
        rows(delta_metrics=["recall@3"])
