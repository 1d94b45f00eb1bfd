import importlib
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from endoalign.reports.triplets import backends
from endoalign.reports.triplets.backends import load_backend
from endoalign.reports.triplets.instruct_model import InstructModel
from endoalign.reports.triplets.settings import TripletSettings

MODEL = InstructModel(Path("models/some"), "some")


class FakeTokenizer:
    def apply_chat_template(self, chat, **options):
        assert options["enable_thinking"] is False
        return chat[-1]["content"]

    def __call__(self, text, add_special_tokens):
        return {"input_ids": list(text)}


class FakeLLM:
    """The part of vLLM's interface that is used, and what it was asked."""

    def __init__(self, model, **options):
        self.model, self.asked = model, []
        self.llm_engine = SimpleNamespace(model_config=SimpleNamespace(max_model_len=50))

    def get_tokenizer(self):
        return FakeTokenizer()

    def chat(self, chats, sampling_params, chat_template_kwargs, use_tqdm):
        self.asked.append((chats, sampling_params, chat_template_kwargs))
        reasons = [
            "stop" if p.structured_outputs.json == "S1" else "length" for p in sampling_params
        ]
        return [
            SimpleNamespace(
                outputs=[SimpleNamespace(text=f"to {c[-1]['content']}", finish_reason=r)]
            )
            for c, r in zip(chats, reasons, strict=True)
        ]


@pytest.fixture
def vllm(monkeypatch):
    fake = ModuleType("vllm")
    fake.LLM = FakeLLM
    params = ModuleType("vllm.sampling_params")
    params.StructuredOutputsParams = params.SamplingParams = SimpleNamespace
    monkeypatch.setitem(sys.modules, "vllm", fake)
    monkeypatch.setitem(sys.modules, "vllm.sampling_params", params)
    monkeypatch.setattr(backends, "find_spec", lambda name: name)
    return importlib.import_module("endoalign.reports.triplets.vllm_backend")


def chat(text):
    return [{"role": "user", "content": text}]


@pytest.mark.parametrize("backend", ["auto", "vllm"])
def test_vllm_is_used_where_installed(vllm, backend):
    loaded = load_backend(MODEL, TripletSettings(backend=backend))
    assert isinstance(loaded, vllm.VllmBackend)
    assert loaded._llm.model == str(MODEL.folder)


def test_vllm_is_asked_for_json_without_thinking(vllm):
    loaded = vllm.load(MODEL.folder)
    replies = loaded.reply([chat("a"), chat("x" * 99), chat("b")], ["S1", "S1", "S2"], 10)
    assert replies == [("to a", True), (None, False), ("to b", False)]
    ((chats, params, template),) = loaded._llm.asked
    assert [c[-1]["content"] for c in chats] == ["a", "b"]
    assert template == {"enable_thinking": False}
    assert [(p.temperature, p.max_tokens, p.structured_outputs.json) for p in params] == [
        (0.0, 10, "S1"),
        (0.0, 10, "S2"),
    ]


def test_vllm_with_nothing_that_fits_is_not_asked(vllm):
    loaded = vllm.load(MODEL.folder)
    assert loaded.reply([chat("x" * 99)], ["S1"], 10) == [(None, False)]
    assert loaded._llm.asked == []


def test_without_vllm_transformers_runs_the_model(monkeypatch):
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    loaded = []
    fake = SimpleNamespace(load=loaded.append)
    monkeypatch.setattr(backends, "import_module", lambda name: loaded.append(name) or fake)
    load_backend(MODEL, TripletSettings())
    assert loaded == ["endoalign.reports.triplets.transformers_backend", MODEL.folder]


def test_vllm_that_is_not_installed_is_refused(monkeypatch):
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="vLLM is not installed"):
        load_backend(MODEL, TripletSettings(backend="vllm"))
