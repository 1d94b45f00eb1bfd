from endoalign.reports.triplets import Extraction, ReportTriplets, Triplet

READ = Extraction(
    "llm",
    (
        ReportTriplets(
            "a",
            "gastroscopy",
            (Triplet("Body normal", "body", 0, 0, 11), Triplet("ulcer", "antrum", 1, 12, 17)),
            truncated=True,
        ),
        ReportTriplets("b", "gastroscopy", outcome="not grounded", note="not in the report: x"),
        ReportTriplets("c", None, outcome="no examination"),
    ),
)


def test_counts():
    counts = READ.counts()
    assert counts["reports"] == 3
    assert counts["accepted"] == counts["not grounded"] == counts["no examination"] == 1
    assert counts["truncated"] == 1
    assert counts["triplets"] == 2
    assert counts["too long"] == counts["invalid"] == counts["unplaced"] == 0


def test_table():
    table = READ.table()
    assert table["triplet_id"].tolist() == ["a#0", "a#1"]
    assert table["region"].tolist() == ["body", "antrum"]
    assert table["status"].tolist() == [0, 1]
    assert set(table["engine"]) == {"llm"}
    assert Extraction("rules", ()).table().columns.tolist() == table.columns.tolist()
