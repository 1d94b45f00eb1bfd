from endoalign.reports import finding_rows, parse_report

TEXT = "The cecum was normal. A sessile polyp in the rectum. It was 5 mm. No diverticula."


def test_rows_hold_the_columns_of_the_table():
    rows = finding_rows("c7", parse_report(TEXT))
    assert [row["finding_id"] for row in rows] == ["c7#0", "c7#1", "c7#2"]
    polyp = rows[1]
    assert polyp == {
        "finding_id": "c7#1",
        "case_id": "c7",
        "sentence": "A sessile polyp in the rectum. It was 5 mm.",
        "start": TEXT.index("A sessile"),
        "end": TEXT.index(". No"),
        "kind": "lesion",
        "site": "rectum",
        "region": "rectum",
        "status": 1,
        "count": 1,
        "size_cm": 0.5,
        "paris": "0-Is",
        "descriptors": [],
        "negated": False,
    }
    assert (rows[0]["status"], rows[0]["negated"]) == (0, False)
    assert (rows[2]["status"], rows[2]["negated"], rows[2]["region"]) == (0, True, None)


def test_a_report_without_findings_has_no_rows():
    assert finding_rows("c1", parse_report("")) == []
