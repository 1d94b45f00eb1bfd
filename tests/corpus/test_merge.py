from pathlib import Path

import pandas as pd
import pytest

from endoalign.corpus.listing import FrameFile, LeftOut, Listing
from endoalign.corpus.merge import all_cases, all_rejected, check_cases, distinct, listed_files
from endoalign.corpus.rows import IngestError
from endoalign.corpus.sources import FoldersSource


def _source(name, **settings):
    return FoldersSource(name=name, frames=Path("frames"), **settings)


def test_names_are_told_apart():
    pair = [_source("a"), _source("b")]
    assert distinct(pair) == pair
    with pytest.raises(IngestError, match="'a'"):
        distinct([_source("a"), _source("a")])
    with pytest.raises(IngestError, match="no source"):
        distinct([])


def test_a_case_belongs_to_one_source():
    frames = Listing(frames=[FrameFile("c", "1.jpg")])
    report = Listing(cases={"c": {}})
    check_cases({"a": frames, "b": Listing(cases={"d": {}})})
    with pytest.raises(IngestError, match="'c' comes from both 'a' and 'b'"):
        check_cases({"a": frames, "b": report})


def test_files_of_several_roots():
    listings = {"a": Listing(frames=[FrameFile("c", "c/1.jpg")]), "b": Listing()}
    one = listed_files(listings, {"a": Path("/x")})
    two = listed_files(listings, {"a": Path("/x"), "b": Path("/y")})
    assert (one["path"].item(), one["file"].item()) == ("c/1.jpg", "/x/c/1.jpg")
    assert (two["path"].item(), two["file"].item()) == ("a/c/1.jpg", "/x/c/1.jpg")
    assert listed_files({"a": Listing()}, {}).empty


def test_cases_with_and_without_report_are_sorted():
    report = {"case_id": "b", "report_text": "Normal."}
    listing = Listing(
        cases={"b": report}, frames=[FrameFile("a", "1.jpg"), FrameFile("b", "2.jpg")]
    )
    cases = all_cases([_source("s", exam_type="ent", language="zh")], {"s": listing})
    assert cases["case_id"].tolist() == ["a", "b"]
    assert cases["report_text"].tolist() == ["", "Normal."]
    first = cases.iloc[0]
    assert (first["exam_type"], first["language"], first["source"]) == ("ent", "zh", "s")


def test_rejected_are_sorted_by_path():
    listing = Listing(left_out=[LeftOut("r.csv:3", None, "broken")])
    unreadable = pd.DataFrame({"path": ["a.jpg"], "case_id": ["c"], "reason": ["empty file"]})
    table = all_rejected({"s": listing}, unreadable)
    assert table["path"].tolist() == ["a.jpg", "r.csv:3"]
    assert all_rejected({"s": Listing()}, unreadable.iloc[:0]).empty
