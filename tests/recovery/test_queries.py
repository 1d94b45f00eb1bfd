import numpy as np
import pandas as pd
import pytest

from endoalign.corpus.validation import CorpusError
from endoalign.recovery.queries import QueryIndex, prompt_queries, sentence_queries

FRAMES = pd.DataFrame({"frame_id": list("abcdef"), "case_id": ["x", "y", "x", "z", "y", "x"]})
SENTENCES = pd.DataFrame(
    {"finding_id": ["y#1", "x#1", "y#0"], "case_id": ["y", "x", "y"], "text": ["p", "q", "r"]}
)


def test_own_queries_equal_the_naive_loop():
    layout = QueryIndex.build(sentence_queries(SENTENCES), FRAMES)
    rows = np.array([4, 3, 0, 1])
    places, own = layout.own_of(rows)
    found = list(zip(places, layout.own["query"].iloc[own], strict=True))
    naive = [
        (place, finding)
        for place, row in enumerate(rows)
        for finding, case in zip(SENTENCES["finding_id"], SENTENCES["case_id"], strict=True)
        if case == FRAMES["case_id"][row]
    ]
    assert found == naive
    assert layout.wanted().tolist() == [0, 1, 2, 4, 5]


def test_prompts_of_all_cases_concern_every_frame():
    layout = QueryIndex.build(prompt_queries(), FRAMES)
    assert layout.wanted().tolist() == list(range(6))
    assert layout.own_of(np.arange(6))[0].size == 0
    assert QueryIndex.build(prompt_queries(["x"]), FRAMES).wanted().tolist() == [0, 2, 5]


def test_no_queries_and_no_frames():
    assert QueryIndex.build(sentence_queries(SENTENCES.iloc[:0]), FRAMES).wanted().size == 0
    assert QueryIndex.build(prompt_queries(), FRAMES.iloc[:0]).wanted().size == 0


def test_a_query_given_twice_is_named():
    twice = pd.concat([sentence_queries(SENTENCES)] * 2)
    with pytest.raises(CorpusError, match="'y#1' is given twice"):
        QueryIndex.build(twice, FRAMES)
    both = pd.concat([prompt_queries(), prompt_queries(["x"])])
    with pytest.raises(CorpusError, match="'present' is given twice"):
        QueryIndex.build(both, FRAMES)


def test_a_blank_text_is_refused():
    with pytest.raises(CorpusError, match="'text'"):
        QueryIndex.build(sentence_queries(SENTENCES.assign(text=" ")), FRAMES)
