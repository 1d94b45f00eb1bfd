import pandas as pd
import pytest

from endoalign.corpus.truth import Truth
from endoalign.corpus.validation import CorpusError
from endoalign.evaluation import known_links
from endoalign.evaluation.known_links import (
    KnownLinks,
    find_links,
    links_from_table,
    links_from_truth,
)
from endoalign.evaluation.oracle_pairs import oracle_pairs


def finding(finding_id, start, end, kind="lesion", negated=False):
    return {
        "finding_id": finding_id,
        "case_id": finding_id[0],
        "start": start,
        "end": end,
        "kind": kind,
        "region": None,
        "count": None,
        "size_cm": None,
        "paris": None,
        "descriptors": [],
        "negated": negated,
    }


READ = pd.DataFrame(
    [
        finding("a#0", 0, 10, kind="normal"),
        finding("a#1", 10, 30),
        finding("a#2", 35, 50),
        finding("a#3", 90, 99),  # stated nowhere
        finding("b#0", 0, 10),
        finding("b#1", 20, 30, negated=True),
        finding("c#0", 0, 10),  # its case has no true findings
    ]
)
TRUE = pd.DataFrame(
    [
        finding("aT2", 34, 52),
        finding("aT1", 12, 31),
        finding("bT0", 0, 12),
        finding("bT9", 40, 50),  # was not read
    ]
)
LINKS = pd.DataFrame(
    [("aT1", "f1", False), ("aT1", "f2", True), ("aT2", "f3", True), ("bT9", "f9", True)],
    columns=["finding_id", "frame_id", "representative"],
)
EMPTY = pd.DataFrame()
TRUTH = Truth(EMPTY, TRUE, EMPTY, LINKS, EMPTY)


def test_links_follow_the_spans():
    links = links_from_truth(READ, TRUTH)
    assert set(links.table.itertuples(index=False, name=None)) == {
        ("a#1", "f1", False),
        ("a#1", "f2", True),
        ("a#2", "f3", True),
    }
    assert links.judged == {"a#1", "a#2", "a#3", "b#0", "c#0"}


def test_right_and_judged():
    links = links_from_truth(READ, TRUTH)
    pairs = pd.DataFrame(
        [("a#1", "f1"), ("a#1", "f3"), ("a#3", "f1"), ("b#0", None), (None, "f1"), ("z", "f1")],
        columns=["finding_id", "frame_id"],
        index=[5, 4, 3, 2, 1, 0],
    )
    judged = links.judged_rows(pairs)
    assert judged["finding_id"].tolist() == ["a#1", "a#1", "a#3", "b#0"]
    assert links.right(judged).to_dict() == {5: True, 4: False, 3: False, 2: False}
    assert links.right(pairs.iloc[:0]).empty


def test_no_links_make_every_pair_wrong():
    none = KnownLinks(LINKS.iloc[:0], frozenset({"aT1"}))
    assert none.right(LINKS).tolist() == [False] * 4


def test_links_of_a_persons_own_table():
    table = pd.DataFrame({"finding_id": ["x", "x", "y"], "frame_id": ["f1", "f2", None]})
    links = links_from_table(table)
    assert links.judged == {"x", "y"}
    assert links.table["frame_id"].tolist() == ["f1", "f2"]
    assert not links.table["representative"].any()


def test_answers_as_a_person_writes_them():
    answers = ["true", "Yes", "1", 1.0, True, "", None, "no", 0, "FALSE"]
    ids = [f"f{k}" for k in range(len(answers))]
    table = pd.DataFrame({"finding_id": "x", "frame_id": ids, "representative": answers})
    found = links_from_table(table).table["representative"].tolist()
    assert found == [True] * 5 + [False] * 5


def test_links_among_some_findings():
    links = links_from_truth(READ, TRUTH)
    assert links.among(["z", "a#3"]) is links
    assert links.among(["z"]) is None
    assert links.among([]) is None


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    frames = pd.DataFrame({"frame_id": ["f1", "f2"]})
    monkeypatch.setattr(known_links, "load_frames", lambda folder: frames)
    return tmp_path


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_persons_file_is_read_whatever_its_marks(corpus, mark):
    rows = [("finding_id", "frame_id", "representative"), ("a#1", "f1", "yes"), ("a#2", " ", "")]
    file = corpus / "links.csv"
    file.write_text("\n".join(mark.join(row) for row in rows), encoding="utf-8-sig")
    links = find_links(corpus, READ, file)
    assert links.judged == {"a#1", "a#2"}
    assert links.table.to_numpy().tolist() == [["a#1", "f1", True]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("finding_id,frame_id\na#1,f3\n", r"links.csv: 'f3' is no frame_id of frames.parquet"),
        ("finding_id,frame_id\nb#7,f1\n", r"'b#7' is no finding_id of findings.parquet.*'b#"),
        ("finding_id,frames\na#1,f1\n", "frame_id"),
        ("finding_id,frame_id,representative\na#1,f1,perhaps\n", "row 0: .* 'perhaps'; right is"),
    ],
)
def test_faults_of_a_persons_file_are_told(corpus, text, told):
    (corpus / "links.csv").write_text(text)
    with pytest.raises(CorpusError, match=told):
        find_links(corpus, READ, corpus / "links.csv")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"finding_id": ["x"]}, "'frame_id' is missing"),
        ({"finding_id": ["x", None], "frame_id": ["f", "g"]}, "row 1: column 'finding_id'"),
        ({"finding_id": ["x", "x"], "frame_id": ["f", "f"]}, "'x', 'f' is given twice"),
    ],
)
def test_wrong_tables_of_links_are_refused(table, message):
    with pytest.raises(CorpusError, match=message):
        links_from_table(pd.DataFrame(table))


def test_oracle_takes_the_representative_or_the_first_usable_frame():
    sentences = pd.DataFrame(
        {"finding_id": ["a#2", "a#1", "b#0"], "case_id": ["a", "a", "b"], "text": list("xyz")}
    )
    frames = pd.DataFrame({"frame_id": ["f1", "f2", "f3"], "case_id": "a"})
    links = links_from_truth(READ, TRUTH)
    pairs = oracle_pairs(sentences, frames, links, seed=5)
    assert pairs[["finding_id", "frame_id", "text"]].to_numpy().tolist() == [
        ["a#1", "f2", "y"],
        ["a#2", "f3", "x"],
    ]
    assert set(pairs["stage"]) == {"oracle"} and pairs["score"].isna().all()
    usable = frames[frames["frame_id"] != "f2"]
    assert oracle_pairs(sentences, usable, links, seed=5)["frame_id"].tolist() == ["f1", "f3"]
    assert oracle_pairs(sentences, frames.iloc[:0], links, seed=5).empty


def test_oracle_pairs_are_pairs():
    from endoalign.corpus.validation import validated
    from endoalign.recovery.pairs import PAIRS

    sentences = pd.DataFrame({"finding_id": ["a#1"], "case_id": ["a"], "text": ["y"]})
    frames = pd.DataFrame({"frame_id": ["f1"], "case_id": ["a"]})
    links = links_from_truth(READ, TRUTH)
    for some in (sentences, sentences.iloc[:0]):
        pairs = oracle_pairs(some, frames, links, seed=5)
        assert len(validated(pairs, PAIRS, "oracle")) == len(some)
