import pytest

from endoalign.config.base import Parameters
from endoalign.config.notebook import assigned_names, from_notebook

CELLS = [
    "",
    "# a comment\nprofile = 'demo'  # name\nseed = 42\nsizes = [1, 2]",
    "# Parameters\nprofile = 'smoke'\nunknwon = {'a': -1}\nrate = float('nan')\n",
    "import os\nother = 3",
    "value = seed + 1",
    "%matplotlib inline",
    "a.b = 3",
]


def test_only_cells_of_plain_assignments_hold_parameters():
    assert assigned_names(CELLS) == ["profile", "seed", "sizes", "unknwon", "rate"]


def test_outside_a_notebook_is_an_error():
    with pytest.raises(RuntimeError, match="inside a notebook"):
        from_notebook(Parameters)
