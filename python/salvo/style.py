"""How plots look: the colours and the axes of the page of a fit, on light and on dark paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

from salvo.errors import ProblemError

PANEL = (4.4, 2.9)  # of one panel, in inches
LEGEND = 0.34  # above all panels


@dataclass(frozen=True)
class Colours:
    """What the page calls its colours (page.css)."""

    paper: str
    ink: str
    soft: str
    faint: str
    rule: str
    grid: str
    line: str
    gap: str
    validation: str
    band: float  # how opaque a band is
    series: tuple[str, ...]  # Okabe and Ito's, told apart by people with colour-blindness


LIGHT = Colours(
    paper="#ffffff",
    ink="#1c2430",
    soft="#5b6675",
    faint="#687380",
    rule="#e3e7ec",
    grid="#eef1f4",
    line="#0068a8",
    gap="#d0480a",
    validation="#a3478a",
    band=0.16,
    series=("#0068a8", "#d0480a", "#00785a", "#a3478a", "#8a6d00", "#3f8fc4", "#5b6675"),
)
DARK = Colours(
    paper="#14181d",
    ink="#e8ebef",
    soft="#a4aeba",
    faint="#8893a0",
    rule="#2c333b",
    grid="#232930",
    line="#5ab0e8",
    gap="#ff8f4f",
    validation="#e39ccb",
    band=0.2,
    series=("#5ab0e8", "#ff8f4f", "#35c39b", "#e39ccb", "#e6c84a", "#9fd3f5", "#a4aeba"),
)


def pyplot() -> Any:
    """matplotlib.pyplot, imported when the first plot is asked for."""
    try:
        import matplotlib.pyplot
    except ImportError as missing:
        raise ImportError(
            "plots need matplotlib, which this Python does not have (Debian: python3-matplotlib, pip: matplotlib)"
        ) from missing
    return matplotlib.pyplot


def _is_dark(colour: Any) -> bool:
    from matplotlib.colors import to_rgba

    red, green, blue, alpha = to_rgba(colour)
    return bool(alpha > 0.5 and 0.299 * red + 0.587 * green + 0.114 * blue < 0.5)


def colours_of(axis: Any) -> Colours:
    """Those for the paper that an axis lies on."""
    return DARK if _is_dark(axis.get_facecolor()) else LIGHT


def make_axes(count: int, columns: int, *, panel: tuple[float, float] = PANEL, above: float = 0.0) -> list[Any]:
    """So many axes in a new figure, `columns` in a row, with this much room (in inches) above them for a legend.

    The paper is dark where matplotlib's style is: ``matplotlib.style.use("dark_background")``.
    """
    plt = pyplot()
    rows = -(-count // columns)
    width, height = panel[0] * columns, panel[1] * rows + above
    figure, grid = plt.subplots(rows, columns, figsize=(width, height), squeeze=False, layout="constrained")
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - above / height), h_pad=0.08, w_pad=0.08)
    colours = DARK if _is_dark(plt.rcParams["axes.facecolor"]) else LIGHT
    figure.set_facecolor(colours.paper)
    axes = list(grid.flat)
    for axis in axes[:count]:
        axis.set_facecolor(colours.paper)
    for axis in axes[count:]:
        axis.remove()
    return axes[:count]


def given_axes(axes: Any, count: int) -> Optional[list[Any]]:
    """The axes that a caller has handed in, one or several, as a list of the right length; None if he has not."""
    if axes is None:
        return None
    every = [axes] if hasattr(axes, "plot") and hasattr(axes, "figure") else _flat(axes)
    if len(every) != count:
        raise ProblemError(f"axes: {len(every)} were handed in, but {count} panels are to be drawn")
    return every


def _flat(axes: Any) -> list[Any]:
    return list(axes.flat) if hasattr(axes, "flat") else list(axes)


def as_given(axes: Any, drawn: list[Any]) -> Any:
    """What a plot gives back: one axis where one was handed in, else a list."""
    return drawn[0] if axes is not None and hasattr(axes, "plot") and hasattr(axes, "figure") else drawn


def dress(axis: Any, title: str = "", remark: str = "", x: str = "", y: str = "") -> Colours:
    """Grid, ticks and words of an axis as on the page."""
    from matplotlib.ticker import MaxNLocator

    colours = colours_of(axis)
    for ticks, most in ((axis.xaxis, 6), (axis.yaxis, 8)):
        ticks.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10]))
    for spine in axis.spines.values():
        spine.set_visible(False)
    axis.set_axisbelow(True)
    axis.grid(True, which="major", color=colours.grid, linewidth=0.9)
    axis.grid(False, which="minor")
    axis.tick_params(which="both", color=colours.rule, labelcolor=colours.soft, labelsize=8.5, length=4)
    axis.tick_params(which="minor", length=0)
    axis.set_xlabel(plain(x), color=colours.soft, fontsize=9)
    axis.set_ylabel(plain(y), color=colours.soft, fontsize=9)
    if title:
        axis.set_title(plain(title), loc="left", fontsize=10, fontweight="bold", color=colours.ink, pad=7)
    if remark:
        axis.set_title(plain(remark), loc="right", fontsize=8.5, color=colours.faint, pad=7)
    return colours


def make_logarithmic(axis: Any, which: str) -> None:
    """A logarithmic x or y axis: powers of ten have names, and twos and fives where there are hardly any powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator

    getattr(axis, f"set_{which}scale")("log")
    ticks = getattr(axis, f"{which}axis")

    def power(value: float, _: Any) -> str:
        return f"{value:g}" if 1e-3 <= value <= 1e4 else f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")

    def between(value: float, place: Any) -> str:
        low, high = ticks.get_view_interval()
        return power(value, place) if high < 30 * low else ""

    ticks.set_major_locator(LogLocator())
    ticks.set_minor_locator(LogLocator(subs=(2.0, 5.0)))
    ticks.set_major_formatter(FuncFormatter(power))
    ticks.set_minor_formatter(FuncFormatter(between))


def legend(figure: Any, entries: Sequence[tuple[Any, str]], colours: Colours) -> None:
    """Names beside their marks, above all panels."""
    marks, names = zip(*entries)
    figure.legend(
        marks,
        [plain(name) for name in names],
        loc="upper left",
        ncol=len(entries),
        frameon=False,
        fontsize=8.5,
        labelcolor=colours.soft,
        handletextpad=0.5,
        columnspacing=1.6,
        borderaxespad=0.5,
    )


def plain(text: str) -> str:
    """A text of the user's files, in which nothing is a formula."""
    return text.replace("$", r"\$")


def shortened(text: str, most: int) -> str:
    """At most so many letters of it."""
    return text if len(text) <= most else text[: most - 1] + "…"
