"""One look for all figures, and where they are saved."""

from typing import Final

import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from endoalign.paths import profile_folder

INK: Final = "#22303c"
ACCENT: Final = "#b5493a"
MUTED: Final = "#8fa3b0"
PALETTE: Final = ("#2f5d7c", ACCENT, "#5b8a72", "#d19a3e", "#7b5e8b", MUTED)
FULL_WIDTH: Final = 9.0
"""Width in inches of a figure that fills a notebook's column."""


def use_style() -> None:
    """Set fonts, colours and grid for every figure made after this."""
    sns.set_theme(
        context="notebook",
        style="ticks",
        palette=list(PALETTE),
        rc={
            "axes.edgecolor": MUTED,
            "axes.labelcolor": INK,
            "axes.spines.right": False,
            "axes.spines.top": False,
            "axes.titlelocation": "left",
            "axes.titlesize": 11,
            "axes.titleweight": "bold",
            "axes.labelsize": 10,
            "figure.dpi": 110,
            "figure.constrained_layout.use": True,
            "font.family": "DejaVu Sans",
            "legend.frameon": False,
            "savefig.dpi": 200,
            "text.color": INK,
            "xtick.color": INK,
            "xtick.labelsize": 9,
            "ytick.color": INK,
            "ytick.labelsize": 9,
        },
    )


def save_figure(figure: Figure, name: str, profile: str) -> None:
    """Write `outputs/PROFILE/figures/NAME.png` (200 dots an inch), and a drawing also as `.pdf`.

    Sheets of frames have nothing that a PDF would keep sharper.
    """
    target = profile_folder(profile, "figures") / f"{name}.png"
    figure.savefig(target, bbox_inches="tight")
    if not any(axes.images for axes in figure.axes):
        figure.savefig(target.with_suffix(".pdf"), bbox_inches="tight")


def mark_value(axes: Axes, x: float, text: str) -> None:
    """Draw a dashed line at ``x`` with ``text`` above the axes."""
    axes.axvline(x, color=INK, lw=1.0, ls=(0, (3, 2)), zorder=1)
    axes.annotate(
        text,
        xy=(x, 1),
        xycoords=("data", "axes fraction"),
        xytext=(0, 2),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=8.5,
    )


def panel_letter(axes: Axes, letter: str) -> None:
    """Write the bold letter of a panel at the upper left, outside the axes."""
    axes.annotate(
        letter,
        xy=(0, 1),
        xycoords="axes fraction",
        xytext=(-28, 8),
        textcoords="offset points",
        fontsize=13,
        fontweight="bold",
    )
