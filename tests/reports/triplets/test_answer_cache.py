import pytest

from endoalign.reports.triplets.answer_cache import AnswerCache, Reply, answer_key

CHAT = [{"role": "user", "content": "胃窦"}]


def test_the_key_depends_on_all_that_the_answer_does():
    base = ("model", CHAT, "schema", 64)
    others = [
        ("other", CHAT, "schema", 64),
        ("model", [{"role": "user", "content": "胃体"}], "schema", 64),
        ("model", [*CHAT, *CHAT], "schema", 64),
        ("model", CHAT, "schema2", 64),
        ("model", CHAT, "schema", 65),
    ]
    keys = {answer_key(*parts) for parts in (base, *others)}
    assert len(keys) == 1 + len(others)
    assert answer_key(*base) == answer_key("model", [dict(CHAT[0])], "schema", 64)


@pytest.mark.parametrize("reply", [Reply('{"findings": []} 胃', True), Reply(None, False)])
def test_round_trip(tmp_path, reply):
    cache = AnswerCache(tmp_path / "new", "model")
    key = answer_key("model", CHAT, "schema", 64)
    assert cache.get(key) is None
    cache.put(key, reply)
    assert AnswerCache(tmp_path / "new", "model").get(key) == reply
    assert [p.name for p in (tmp_path / "new").rglob("*") if p.is_file()] == [f"{key}.json"]


def test_a_damaged_answer_is_named(tmp_path):
    cache = AnswerCache(tmp_path, "model")
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab" / "abc.json").write_text('{"text": ')
    with pytest.raises(ValueError, match=r"abc\.json is no sound answer"):
        cache.get("abc")
