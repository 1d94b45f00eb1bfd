import torch

from endoalign.environment import device
from endoalign.models.placement import placed
from endoalign.models.registry import build_encoder


def test_without_an_accelerator_all_stays_on_the_processor(monkeypatch):
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: False)
    assert device() == "cpu"


def test_the_accelerator_is_taken_where_there_is_one(monkeypatch):
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: True)
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("meta"))
    assert device() == "meta"
    encoder = build_encoder("tiny-vit", weights="random")
    assert placed(encoder) is encoder
    assert {value.device.type for value in encoder.model.parameters()} == {"meta"}
