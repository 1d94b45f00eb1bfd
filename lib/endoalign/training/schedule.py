"""Learning rate: cosine with linear warm-up, one value a step."""

import math


def learning_rate(step: int, *, base: float, warmup: int, total: int) -> float:
    """Learning rate of an optimiser step, as OpenCLIP's ``cosine_lr`` sets it.

    Args:
        step: counted from 0.
        base: highest rate, reached at step ``warmup`` - 1.
        warmup: steps over which the rate rises linearly.
        total: steps of the whole training; where it is not above ``warmup``, training ends
            during the rise.
    """
    if step < warmup:
        return base * (step + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup))) * base
