import importlib.util
from pathlib import Path

import pytest
import torch

from endoalign.reports.triplets import ReportInput, TripletSettings, extract_triplets
from endoalign.reports.triplets.schema import finished_part, json_schema, read_answer
from endoalign.reports.triplets.transformers_backend import TransformersBackend, load

_spec = importlib.util.spec_from_file_location(
    "tiny_model", Path(__file__).with_name("tiny_model.py")
)
tiny = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(tiny)

EXAMS = ["gastroscopy", "colonoscopy", "gastroscopy"]
CHATS = [[{"role": "user", "content": f"胃窦 normal {'x' * 9 * k}"}] for k in range(3)]


@pytest.mark.parametrize("seed", range(8))
def test_every_answer_of_a_random_model_is_valid(seed):
    backend = TransformersBackend(tiny.tiny_model(seed), tiny.tiny_tokenizer(), "tiny")
    replies = backend.reply(CHATS, list(map(json_schema, EXAMS)), 200)
    for reply, exam in zip(replies, EXAMS, strict=True):
        text = reply.text if reply.finished else finished_part(reply.text)
        read_answer(text, exam)  # raises where it breaks the schema


@pytest.mark.parametrize("seed", [2, 5, 6, 11])
def test_a_random_model_writes_whole_findings_too(seed):
    """With short propositions and few findings it comes to an end by itself."""
    schema = json_schema("colonoscopy").replace("{1,300}", "{1,8}")
    schema = schema.replace('"maxItems": 60', '"maxItems": 2')
    backend = TransformersBackend(tiny.tiny_model(seed), tiny.tiny_tokenizer(), "tiny")
    (reply,) = backend.reply(CHATS[:1], [schema], 250)
    assert reply.finished
    assert 1 <= len(read_answer(reply.text, "colonoscopy").findings) <= 2


def test_the_answer_does_not_depend_on_the_batch():
    backend = TransformersBackend(tiny.tiny_model(5), tiny.tiny_tokenizer(), "tiny")
    schemas = list(map(json_schema, EXAMS))
    together = backend.reply(CHATS, schemas, 40)
    alone = [backend.reply([c], [s], 40)[0] for c, s in zip(CHATS, schemas, strict=True)]
    assert together == alone


def test_what_is_too_long_is_left_out_of_the_batch():
    backend = TransformersBackend(tiny.tiny_model(0, holds=100), tiny.tiny_tokenizer(), "tiny")
    chats = [[{"role": "user", "content": "x" * n}] for n in (10, 200, 12)]
    replies = backend.reply(chats, [json_schema("gastroscopy")] * 3, 40)
    assert [reply.text is None for reply in replies] == [False, True, False]
    assert backend.reply(chats[1:2], [json_schema("gastroscopy")], 40)[0].text is None


def test_thinking_is_turned_off():
    tokenizer = tiny.tiny_tokenizer()
    tokenizer.chat_template = "{% if enable_thinking %}THINK{% else %}quick{% endif %}"
    backend = TransformersBackend(tiny.tiny_model(0), tokenizer, "tiny")
    assert tokenizer.decode(backend._prompt(CHATS[0])) == "quick"


def test_a_model_without_chat_template_is_refused():
    tokenizer = tiny.tiny_tokenizer()
    tokenizer.chat_template = None
    with pytest.raises(ValueError, match="base has no chat template"):
        TransformersBackend(tiny.tiny_model(0), tokenizer, "base")


def test_a_folder_without_a_model_is_named(tmp_path):
    (tmp_path / "model.safetensors").touch()
    with pytest.raises(ValueError, match=f"{tmp_path.name} holds no causal language model"):
        load(tmp_path)


def test_from_reports_to_triplets(tmp_path):
    """The whole path with a model from a local directory, twice: the second time from the cache."""
    settings = TripletSettings(
        engine="llm",
        model=str(tiny.save_tiny(tmp_path / "model", seed=6)),
        backend="transformers",
        cache=str(tmp_path / "cache"),
        max_new_tokens=60,
        example_count=0,
        batch_size=2,
    )
    reports = [
        ReportInput("a", "Gastroscopy. The antrum was normal."),
        ReportInput("b", "Colonoscopy. The rectum was normal."),
        ReportInput("c", "胃镜检查：胃窦黏膜光滑。"),
    ]
    read = extract_triplets(reports, settings)
    counts = read.counts()
    assert (counts["reports"], counts["invalid"], counts["no examination"]) == (3, 0, 0)
    assert len(list((tmp_path / "cache" / "answers").rglob("*.json"))) == 3
    torch.manual_seed(1)
    assert extract_triplets(reports, settings) == read
