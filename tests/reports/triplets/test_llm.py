import json

import pytest

from endoalign.reports.triplets import ReportInput, TripletSettings
from endoalign.reports.triplets import llm as engine
from endoalign.reports.triplets.answer_cache import Reply
from endoalign.reports.triplets.llm import read_by_model

ANTRUM = ReportInput("a", "Gastroscopy. The antrum showed two erosions. The body was normal.")
COLON = ReportInput("c", "Colonoscopy. The rectum was normal.")


def answer(*findings):
    names = ("proposition", "region", "status")
    return json.dumps({"findings": [dict(zip(names, f, strict=True)) for f in findings]})


class Parrot:
    """A backend that gives the answers it was told, by a word of the report."""

    def __init__(self, replies):
        self.replies, self.asked = replies, []

    def reply(self, chats, schemas, max_new_tokens):
        self.asked.append([chat[-1]["content"] for chat in chats])
        return [
            next(reply for word, reply in self.replies.items() if word in chat[-1]["content"])
            for chat in chats
        ]


@pytest.fixture
def settings(tmp_path):
    model = tmp_path / "model"
    model.mkdir()
    (model / "model.safetensors").write_bytes(b"weights")
    return TripletSettings(
        engine="llm", model=str(model), cache=str(tmp_path / "cache"), batch_size=2
    )


def test_a_grounded_answer_is_accepted_in_order_of_position(settings):
    text = answer(
        ("The body was normal", "body", "normal"),
        ("antrum showed two erosions", "antrum", "abnormal"),
    )
    (read,) = read_by_model([ANTRUM], settings, Parrot({"antrum": Reply(text, True)}))
    assert (read.outcome, read.truncated, read.exam_type) == ("accepted", False, "gastroscopy")
    assert [(t.region, t.status) for t in read.triplets] == [("antrum", 1), ("body", 0)]
    first = read.triplets[0]
    assert ANTRUM.text[first.start : first.end] == "antrum showed two erosions"


def test_one_invented_proposition_rejects_the_answer(settings):
    text = answer(("The body was normal", "body", "normal"), ("varices", "esophagus", "abnormal"))
    (read,) = read_by_model([ANTRUM], settings, Parrot({"antrum": Reply(text, True)}))
    assert (read.outcome, read.triplets) == ("not grounded", ())
    assert read.note == "not in the report: varices"


def test_an_unfinished_finding_is_left_out(settings):
    text = answer(("The body was normal", "body", "normal"))[:-2] + ', {"proposition": "The ant'
    (read,) = read_by_model([ANTRUM], settings, Parrot({"antrum": Reply(text, False)}))
    assert (read.outcome, read.truncated, len(read.triplets)) == ("accepted", True, 1)


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Reply(None, False), "too long"),
        (Reply("no JSON", True), "invalid"),
        (Reply(answer(("The body was normal", "rectum", "normal")), True), "invalid"),
        (Reply('{"findings": []}', True), "accepted"),
    ],
)
def test_outcomes(settings, reply, outcome):
    (read,) = read_by_model([ANTRUM], settings, Parrot({"antrum": reply}))
    assert (read.outcome, read.triplets) == (outcome, ())


def test_no_examination_is_not_asked(settings):
    parrot = Parrot({})
    (read,) = read_by_model([ReportInput("x", "Dear colleague")], settings, parrot)
    assert (read.outcome, parrot.asked) == ("no examination", [])


def test_answers_come_from_the_cache(settings):
    empty = Reply('{"findings": []}', True)
    parrot = Parrot({"": empty})
    same = ANTRUM._replace(case_id="b")
    more = [ReportInput(str(k), f"Gastroscopy. Body normal {k} times.") for k in range(3)]
    read = read_by_model([ANTRUM, same, COLON, *more], settings, parrot)
    assert [r.case_id for r in read] == ["a", "b", "c", "0", "1", "2"]
    assert [len(batch) for batch in parrot.asked] == [2, 2, 1]
    again = Parrot({"": empty})
    assert read_by_model([ANTRUM, same, COLON, *more], settings, again) == read
    assert again.asked == []
    changed = settings.model_copy(update={"max_new_tokens": 99})
    read_by_model([ANTRUM], changed, again)
    assert len(again.asked) == 1


def test_no_model_is_loaded_when_all_is_known(settings, monkeypatch):
    read_by_model([ANTRUM], settings, Parrot({"": Reply('{"findings": []}', True)}))

    def refuse(*_):
        raise AssertionError("loaded")

    monkeypatch.setattr(engine, "load_backend", refuse)
    assert read_by_model([ANTRUM], settings)[0].outcome == "accepted"
    with pytest.raises(AssertionError, match="loaded"):
        read_by_model([COLON], settings)


def test_what_was_answered_before_a_failure_is_kept(settings):
    class Failing(Parrot):
        def reply(self, chats, schemas, max_new_tokens):
            if self.asked:
                raise RuntimeError("out of memory")
            return super().reply(chats, schemas, max_new_tokens)

    reports = [ReportInput(str(k), f"Gastroscopy. Body normal {k} times.") for k in range(4)]
    empty = Reply('{"findings": []}', True)
    with pytest.raises(RuntimeError, match="memory"):
        read_by_model(reports, settings, Failing({"": empty}))
    rest = Parrot({"": empty})
    read_by_model(reports, settings, rest)
    assert sum(map(len, rest.asked)) == 2


def test_other_weights_are_another_model(settings, tmp_path):
    parrot = Parrot({"": Reply('{"findings": []}', True)})
    read_by_model([ANTRUM], settings, parrot)
    (tmp_path / "model" / "model.safetensors").write_bytes(b"others!")
    read_by_model([ANTRUM], settings, parrot)
    assert len(parrot.asked) == 2
