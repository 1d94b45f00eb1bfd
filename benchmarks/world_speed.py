"""Frames a second on one core at several sizes, compilation apart, as the world's cases show them.

python benchmarks/world_speed.py --sizes 64 128 512
"""

import argparse
import json
import time

from endoalign.world.cases import sample_cases
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.views import plan_views

PIXELS = 3_000_000  # rendered at each size, so that small and large frames take about as long


def frames_a_second(size: int) -> float:
    """Frames of ``size`` pixels height that one core renders in a second of processor time."""
    cases = sample_cases(20, 20, seed=7, language="en")
    views = [(view, PROCESSORS[case.source]) for case in cases for view in plan_views(case, 20)]
    render_frame(*views[0], size)  # compiles
    count = min(len(views), max(8, PIXELS // size**2))
    start = time.process_time()
    for view, processor in views[:: len(views) // count][:count]:
        render_frame(view, processor, size)
    return count / (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[64, 128, 512])
    sizes = parser.parse_args().sizes
    print(json.dumps({f"{size} px": round(frames_a_second(size), 1) for size in sizes}, indent=1))


if __name__ == "__main__":
    main()
