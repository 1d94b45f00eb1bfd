import numpy as np
import pandas as pd
import pytest

from endoalign.corpus.columns import flag, names, one_of, pattern, real, text, whole
from endoalign.corpus.validation import CorpusError, nearest, validated

import pandera.pandas as pa  # isort: skip

SCHEMA = pa.DataFrameSchema(
    {
        "id": text("an id, used once", unique=True),
        "kind": one_of(("a", "b"), nullable=True),
        "share": real("share", 0, 1),
        "count": whole("number", 1, nullable=True),
        "code": pattern("two digits", "[0-9]{2}"),
        "kept": flag("true, false or undecided", nullable=True),
        "words": names("list of x and y", ("x", "y")),
    },
    checks=[
        pa.Check(lambda table: table["share"] < table["code"].astype(int), error="share < code")
    ],
    strict=True,
    coerce=True,
)


def _table(**changes):
    table = {
        "id": ["p", "q"],
        "kind": ["a", None],
        "share": [0, 0.5],
        "count": [None, 3],
        "code": ["11", "22"],
        "kept": [None, True],
        "words": [("x",), np.array(["y", "x"])],
    }
    return pd.DataFrame(table | changes)


def test_types_order_and_lists_are_set():
    table = validated(
        _table()[["words", "id", "kind", "share", "count", "code", "kept"]], SCHEMA, "t"
    )
    assert list(table.columns) == list(SCHEMA.columns)
    assert table["share"].dtype == float
    assert str(table["count"].dtype) == "Int64"
    assert str(table["kept"].dtype) == "boolean"
    assert table["words"].tolist() == [["x"], ["y", "x"]]
    assert table["kind"].isna().tolist() == [False, True]


def test_the_given_table_is_left_as_it_was():
    table = _table()
    validated(table, SCHEMA, "t")
    assert table["words"][0] == ("x",)


def test_an_empty_table_has_the_types():
    table = validated(_table().iloc[:0], SCHEMA, "t")
    assert len(table) == 0
    assert str(table["count"].dtype) == "Int64"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"share": [0.5, 1.7]},
            r"^t: column 'share', row 1 \(id 'q'\): 1\.7; right is: share, from 0 to 1",
        ),
        ({"share": [np.nan, 0.5]}, r"^t: column 'share', row 0 \(id 'p'\): nan; right is"),
        ({"share": ["much", 0.5]}, r"column 'share', row 0 .*'much'"),
        (
            {"kind": ["a", "c"]},
            r"column 'kind', row 1 \(id 'q'\): 'c'; right is: one of a, b or empty",
        ),
        ({"id": ["p", "p"]}, r"column 'id', row 0 .*'p' given twice"),
        ({"id": [None, "p"]}, r"column 'id', row 0"),
        ({"id": ["", "p"]}, r"column 'id', row 0 \(id ''\)"),
        ({"count": [0, 3]}, r"column 'count', row 0 .*; right is: number, 1 or more"),
        ({"count": [1.5, 3]}, r"column 'count'.*; right is: number, 1 or more"),
        ({"code": ["11", "2x"]}, r"column 'code', row 1 .*'2x'; right is: two digits"),
        ({"kept": [None, "perhaps"]}, r"column 'kept', row 1 .*'perhaps'"),
        ({"words": [["x"], ["z"]]}, r"column 'words', row 1 .*\['z'\]; right is: list of x and y"),
        ({"words": ["x", ["x"]]}, r"column 'words', row 0 .*'x'; right is: list"),
        ({"words": [None, ["x"]]}, r"column 'words', row 0"),
        ({"code": ["11", "00"]}, r"row 1 \(id 'q'\): must hold: share < code"),
        ({"extra": 1}, r"column 'extra' is unknown; columns of this table: id, kind"),
        ({"Kinds": 1}, r"column 'Kinds' is unknown \(nearest: 'kind'\)"),
    ],
)
def test_one_sentence_says_what_is_wrong(changes, message):
    with pytest.raises(CorpusError, match=message):
        validated(_table(**changes), SCHEMA, "t")


def test_a_missing_column_lists_those_found():
    table = _table().rename(columns={"kind": "Kind"})
    with pytest.raises(
        CorpusError, match=r"column 'kind' is missing \(nearest: 'Kind'\); columns found: id, Kind"
    ):
        validated(table, SCHEMA, "t")
    with pytest.raises(CorpusError, match="columns found: none"):
        validated(pd.DataFrame(), SCHEMA, "t")


def test_nearest():
    assert nearest("report", ["Report_Text", "id"]) == " (nearest: 'Report_Text')"
    assert nearest("zzz", ["id"]) == ""
    assert nearest("id", []) == ""
