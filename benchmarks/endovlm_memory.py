"""Peak memory of EndoVLM's image tower by frames on the CPU, beside what notebook 05 counts.

    python benchmarks/endovlm_memory.py

Each number of frames runs in a process of its own: ViT-B/16 at 224 pixels, forward and backward,
random weights, 32-bit numbers. What grows with the frames is compared with the tensors that
autograd keeps, as notebook 05 counts them on PyTorch's `meta` device.
"""

import resource
import subprocess
import sys
from typing import Final

import numpy as np
import timm
import torch

from endoalign.evaluation.memory import saved_bytes

FRAMES: Final = (4, 8, 16)
TOWER: Final = "vit_base_patch16_224"


def peak(frames: int) -> float:
    """Peak resident bytes of this process after one step of ``frames`` frames."""
    tower = timm.create_model(TOWER, num_classes=0)
    tower.forward_features(torch.zeros(frames, 3, 224, 224)).sum().backward()
    return 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def counted() -> float:
    """Bytes a frame that autograd keeps."""
    with torch.device("meta"):
        tower = timm.create_model(TOWER, num_classes=0)
        few, more = (
            saved_bytes(lambda n=n: tower.forward_features(torch.empty(n, 3, 224, 224)))
            for n in FRAMES[:2]
        )
    return (more - few) / (FRAMES[1] - FRAMES[0])


def main() -> None:
    """Measure, or (with a number) be one of the processes that are measured."""
    if len(sys.argv) > 1:
        print(peak(int(sys.argv[1])))
        return
    peaks = []
    for frames in FRAMES:
        command = [sys.executable, __file__, str(frames)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(float(ran.stdout.split()[-1]))
        print(f"{frames} frames: {peaks[-1] / 1e6:,.0f} MB at most")
    slope = float(np.polyfit(FRAMES, peaks, 1)[0])
    print(f"measured {slope / 1e6:.0f} MB a frame, counted {counted() / 1e6:.0f} MB a frame")


if __name__ == "__main__":
    main()
