import random

import pytest

from endoalign.world.writer.size import SizeStatement, number, state_size


@pytest.mark.parametrize(
    ("millimetres", "unit", "text"),
    [(6, "mm", "6"), (6, "cm", "0.6"), (10, "cm", "1"), (12, "cm", "1.2"), (30, "mm", "30")],
)
def test_numbers_as_written(millimetres, unit, text):
    assert number(millimetres, unit) == text


def test_the_largest_number_counts():
    assert SizeStatement("range", "mm", (4, 6)).size_cm == 0.6
    assert SizeStatement("product", "cm", (5, 7)).size_cm == 0.7
    assert SizeStatement("single", "cm", (12,)).size_cm == 1.2


def test_every_form_is_true_to_the_size():
    rng = random.Random(0)
    forms = set()
    for _ in range(3000):
        size = round(rng.uniform(0.2, 3.0), 2)
        stated = state_size([size], "mm", True, rng)
        forms.add(stated.form)
        if stated.form == "range":
            low, high = stated.millimetres
            assert low <= 10 * size <= high
            assert 1 <= high - low <= 2
        else:
            assert max(stated.millimetres) == pytest.approx(10 * size, abs=0.501)
            assert min(stated.millimetres) >= 0.5 * max(stated.millimetres)
    assert forms == {"single", "product", "range"}


def test_two_lesions_at_once():
    rng = random.Random(0)
    assert state_size([0.33, 0.48], "mm", False, rng) == SizeStatement("range", "mm", (3, 5))
    assert state_size([0.41, 0.42], "cm", False, rng) == SizeStatement("single", "cm", (4,))


def test_a_tiny_size_is_never_zero():
    assert state_size([0.02, 0.03], "mm", False, random.Random(0)).millimetres == (1,)
