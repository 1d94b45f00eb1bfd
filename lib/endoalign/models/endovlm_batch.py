"""What goes into EndoVLM and what comes out: whole examinations, of any number of frames."""

from dataclasses import dataclass
from typing import Literal, Protocol

from torch import Tensor

from endoalign.models.agsp import Pooled
from endoalign.models.ragged import Ragged


class FrameSet(Protocol):
    """The F frames of a batch; the same is given each time a frame is asked for."""

    def __len__(self) -> int:
        """Number of frames."""
        ...

    def pictures(self, rows: Tensor) -> Tensor:
        """Pictures (n, 3, S, S) of these frames, normalised, on the model's device."""
        ...

    def tokens(self, rows: Tensor) -> Tensor | None:
        """What a frozen stem says of these frames, where that is known; None: see the pictures."""
        ...

    def chances(self, rows: Tensor) -> Tensor:
        """Numbers in [0, 1) that say what is hidden of these frames, (n, patches)."""
        ...


@dataclass(frozen=True)
class Examinations:
    """B cases with F frames and M propositions.

    Attributes:
        frames: the frames, one case after another.
        frame_sets: how the frames divide into cases.
        tokens: (t, length) int64, of distinct texts.
        propositions: (M,) int64, each proposition's place in ``tokens``, one case after another.
        proposition_sets: how the propositions divide into the same cases.
        reports: (B,) int64, each case's report's place in ``tokens``.
    """

    frames: FrameSet
    frame_sets: Ragged
    tokens: Tensor
    propositions: Tensor
    proposition_sets: Ragged
    reports: Tensor


@dataclass(frozen=True)
class Plan:
    """Which parts of EndoVLM are computed, and how.

    Attributes:
        use_global, use_fine, use_mae: the three terms of equation 6.
        mae_frames: what is reconstructed: frames that a proposition took (the paper), or all, as
            a plain masked autoencoder does.
        frame_chunk, recompute: see `chunks.in_chunks`.
    """

    use_global: bool = True
    use_fine: bool = True
    use_mae: bool = True
    mae_frames: Literal["selected", "all"] = "selected"
    frame_chunk: int | None = None
    recompute: bool = False

    def __post_init__(self) -> None:
        if not (self.use_global or self.use_fine or self.use_mae):
            raise ValueError("no term of equation 6 is left; at least one must have a weight")
        if self.use_mae and self.mae_frames == "selected" and not self.use_fine:
            raise ValueError(
                "mae_frames: selected needs the fine-grained alignment, which teaches what to "
                "select; set mae_frames: all, or fine_grained_weight above 0"
            )


@dataclass(frozen=True)
class Aligned:
    """What EndoVLM says of B cases; parts that the plan leaves out are None.

    Attributes:
        global_visual, global_text: (B, d), unit norm, of equation 2.
        fine_visual, fine_text: (M, d), unit norm, z and t of equation 3.
        pooled: which frames each proposition took.
        errors: (U,), what was measured of the reconstruction of each frame.
        reconstructed: (U,) int64, those frames.
        global_scale, fine_scale: the two logit scales, exponentiated.
    """

    global_visual: Tensor | None
    global_text: Tensor | None
    fine_visual: Tensor | None
    fine_text: Tensor | None
    pooled: Pooled | None
    errors: Tensor | None
    reconstructed: Tensor | None
    global_scale: Tensor
    fine_scale: Tensor
