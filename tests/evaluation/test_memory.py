import torch
from torch import nn

from endoalign.evaluation.memory import saved_bytes


def test_a_chain_of_squares_keeps_each_input_once():
    x = torch.zeros(1000, requires_grad=True)

    def forward():
        y = x * 2.0  # a number times a tensor keeps nothing
        return (y * y).sin()  # keeps y (once, though used twice) and y * y

    assert saved_bytes(forward) == 2 * 4000


def test_parameters_do_not_count_and_meta_tensors_do():
    with torch.device("meta"):
        layer = nn.Linear(64, 32)
        assert saved_bytes(lambda: layer(torch.empty(10, 64))) == 10 * 64 * 4


def test_without_gradient_nothing_is_kept():
    assert saved_bytes(lambda: torch.zeros(10).sin()) == 0
