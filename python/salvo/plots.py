"""Plots of results, with matplotlib, that look like the page: axes in, axes out.

Every function takes ``axes=``, one axis or as many as there are panels, and gives back what it has drawn on: the axis that was
handed in, or a list. Without ``axes`` it makes a figure. On dark paper (``matplotlib.style.use("dark_background")``, or axes
that are dark) the colours are those of the dark page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from salvo import style
from salvo.errors import ProblemError, unknown_names
from salvo.panels import Observable, Pictures, draw_panel

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from salvo.designs import Design
    from salvo.profiles import Profile, Profiles
    from salvo.results import Fit

__all__ = ["correlation", "design", "profile", "profiles", "residuals", "starts", "trajectories"]

_MOST_PANELS = 24  # more can be had by name
_FLOOR = 1e-4  # of the waterfall: differences of objectives below it are the same answer


def trajectories(
    fit: Fit, *, experiment: Optional[str] = None, observable: Optional[str] = None, axes: Any = None
) -> Any:
    """Trajectories with their 95 % bands and the data: a panel for each observable of each experiment, or of those named."""
    pictures = Pictures(fit)
    panels = _chosen(pictures, experiment, observable)
    shown = panels if axes is not None else panels[:_MOST_PANELS]
    drawn = style.given_axes(axes, len(shown)) or style.make_axes(len(shown), _columns(shown), above=style.LEGEND)
    for axis, (where, what) in zip(drawn, shown):
        draw_panel(axis, pictures, where, what)
    if axes is None:
        _legend_of_panels(drawn[0], pictures, len(panels) - len(shown))
    return style.as_given(axes, drawn)


def _chosen(
    pictures: Pictures, experiment: Optional[str], observable: Optional[str]
) -> list[tuple[str, Observable]]:
    names = [each.name for each in pictures.observables]
    if experiment is not None and experiment not in pictures.experiments:
        raise unknown_names("experiment", [experiment], pictures.experiments)
    if observable is not None and observable not in names:
        raise unknown_names("observable", [observable], names)
    panels = [
        (e, o)
        for e, o in pictures.panels()
        if (experiment is None or e == experiment) and (observable is None or o.name == observable)
    ]
    if not panels:
        raise ProblemError(f"{observable or 'nothing'} was not measured in the experiment {experiment}")
    return panels


# Panels of an experiment stand in one row, where they are two or three.
def _columns(panels: list[tuple[str, Observable]]) -> int:
    observables = len({o.name for _, o in panels})
    experiments = len({e for e, _ in panels})
    if experiments > 1 and 2 <= observables <= 3 and len(panels) == observables * experiments:
        return observables
    return min(len(panels), 2 if len(panels) <= 4 else 3)


def _legend_of_panels(axis: Any, pictures: Pictures, left_out: int) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    colours = style.colours_of(axis)
    entries: list[tuple[Any, str]] = [
        (Line2D([], [], color=colours.ink, marker="o", markersize=4.6, linestyle="none"), "data ± σ"),
        (Line2D([], [], color=colours.line, linewidth=1.7), "trajectory"),
    ]
    if not pictures.fit.ok:
        entries.append((Line2D([], [], color=colours.gap, linewidth=1.2), "gaps"))
    if (pictures.bands["lower"] == pictures.bands["lower"]).any():
        entries.append((Patch(color=colours.line, alpha=colours.band, linewidth=0), "95 % band"))
    if pictures.has_new_bands:
        dashed = Line2D([], [], color=colours.line, linewidth=0.9, linestyle=(0, (3, 3)))
        entries.append((dashed, "95 % of new observations"))
    if (pictures.residuals["set"] == "validation").any():
        hollow = dict(marker="o", markersize=4.6, markerfacecolor=colours.paper, linestyle="none")
        entries.append((Line2D([], [], color=colours.validation, **hollow), "held out"))
    if left_out > 0:
        entries.append((Line2D([], [], linestyle="none"), f"and {left_out} more: name experiment= or observable="))
    style.legend(axis.figure, entries, colours)


def residuals(fit: Fit, *, axes: Any = None) -> Any:
    """Residuals against time, and their quantiles: without a pattern, and on the line, if noise and model are right."""
    import numpy as np

    columns = fit._residual_columns()
    known = (columns["set"] == "fit") & np.isfinite(columns["quantile_residual"])
    if not known.any():
        raise ProblemError("this fit has no residuals")
    names = list(dict.fromkeys(columns["observable"]))
    many = 1 < len(names) <= 7
    drawn = style.given_axes(axes, 2) or style.make_axes(2, 2, above=style.LEGEND if many else 0.0)
    value, time = columns["quantile_residual"][known], columns["time"][known]
    colours = style.dress(drawn[0], "Against time", "in standard deviations", Pictures(fit).time_label, "residual / σ")
    style.dress(drawn[1], "Quantiles", "on the line if the noise is as stated", "quantile of normal numbers")
    for level, opacity in ((0.0, 1.0), (1.96, 0.4), (-1.96, 0.4)):
        drawn[0].axhline(level, color=colours.faint, alpha=opacity, linewidth=0.9, zorder=1.5)
    size = 4.4 if known.sum() <= 500 else 2.8
    marks = []
    for k, name in enumerate(names):
        rows = columns["observable"][known] == name
        colour = colours.series[k % len(colours.series)]
        marks += drawn[0].plot(time[rows], value[rows], "o", color=colour, markersize=size)
    drawn[1].axline((0, 0), slope=1, color=colours.faint, linewidth=0.9, zorder=1.5)
    drawn[1].plot(_normal_quantiles(len(value)), np.sort(value), "o", color=colours.series[0], markersize=size)
    reach = max(2.2, 1.08 * float(np.abs(value).max()))
    for axis in drawn:
        axis.set_ylim(-reach, reach)
    if many and axes is None:
        style.legend(drawn[0].figure, list(zip(marks, names)), colours)
    return drawn


def _normal_quantiles(count: int) -> npt.NDArray[np.float64]:
    from statistics import NormalDist

    import numpy as np

    normal = NormalDist()
    return np.array([normal.inv_cdf((k + 0.5) / count) for k in range(count)])


def starts(fit: Fit, *, axes: Any = None) -> Any:
    """The waterfall: how far the objective of each start lies above the best, the best first, a colour for each optimum."""
    import numpy as np

    rows = fit._record.get("starts", [])
    if not rows:
        raise ProblemError("this fit has no starts; p.fit(starts=20) makes some")
    drawn = style.given_axes(axes, 1) or style.make_axes(1, 1, panel=(5.6, 3.1))
    axis = drawn[0]
    colours = style.dress(axis, "Waterfall", "objective above the best", "start, the best first")
    optimum = {start: k for k, found in enumerate(fit._record.get("optima", [])) for start in found["starts"]}
    objective = np.array([float(row["objective"] if row["objective"] is not None else "nan") for row in rows])
    known = np.isfinite(objective)
    above = np.maximum(objective - objective[known].min(initial=np.inf), _FLOOR)
    rank = np.arange(1, len(rows) + 1)
    last = len(colours.series) - 1
    paint = [
        colours.series[min(optimum[row["start"]], last)] if row["start"] in optimum else colours.faint for row in rows
    ]
    style.make_logarithmic(axis, "y")
    axis.plot(rank[known], above[known], color=colours.rule, linewidth=1.2, zorder=1.5)
    axis.scatter(rank[known], above[known], s=34, c=[p for p, k in zip(paint, known) if k], zorder=3, linewidth=0)
    axis.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
    top = above[known].max(initial=_FLOOR)
    axis.set_ylim(_FLOOR / 2, max(2 * top, 1.0))
    return axis


def profile(found: Profile, *, axes: Any = None) -> Any:
    """Twice the rise of the objective against the value, where the interval ends, and the parabola of the standard error."""
    import numpy as np

    drawn = style.given_axes(axes, 1) or style.make_axes(1, 1)
    axis = drawn[0]
    colours = style.dress(axis, found.name, found.verdict, found.name, "twice the rise")
    value, rise, nodes = _profile_curve(found)
    end = 2 * found.rise
    is_log = _spans_decades(value)
    if is_log:
        style.make_logarithmic(axis, "x")
    axis.axhline(end, color=colours.soft, linewidth=0.9)
    for limit in found.interval:
        if np.isfinite(limit):
            axis.vlines(limit, -0.04 * end, end, color=colours.soft, linewidth=0.9)
    error = found._standard_error()
    if error > 0 and not is_log:
        air = 0.04 * (value[-1] - value[0])
        x = np.linspace(value[0] - air, value[-1] + air, 61)
        axis.plot(x, ((x - found.estimate) / error) ** 2, color=colours.gap, linewidth=1.2, linestyle=(0, (5, 4)))
    axis.plot(value, rise, color=colours.line, linewidth=1.7)
    axis.plot(*nodes, "o", color=colours.line, markersize=4.4)
    axis.set(yscale="linear", ylim=(-0.04 * end, 1.45 * end))
    return axis


# Between two points the root of the rise is a straight line.
def _profile_curve(
    found: Profile,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], tuple[Any, Any]]:
    import numpy as np

    columns = found._columns()
    x, objective = np.array(columns["value"]), np.array(columns["objective"])
    if len(x) == 0:
        raise ProblemError(f"the profile of {found.name} has no points: {found.sentence}")
    root = np.sign(x - found.estimate) * np.sqrt(np.maximum(0.0, 2 * (objective - objective.min())))
    along = np.linspace(0, len(x) - 1, 8 * (len(x) - 1) + 1)
    is_log = _spans_decades(x)
    fine = np.interp(along, np.arange(len(x)), np.log(x) if is_log else x)
    rise = np.interp(along, np.arange(len(x)), root) ** 2
    return np.asarray(np.exp(fine) if is_log else fine), np.asarray(rise, dtype=np.float64), (x, root**2)


# Does a number go through so many powers of ten that only their logarithm shows it?
def _spans_decades(x: npt.NDArray[np.float64]) -> bool:
    return bool(x[0] > 0 and x[-1] / x[0] > 100)


def profiles(found: Profiles, *, axes: Any = None) -> Any:
    """A panel for each profile."""
    every = list(found.values())
    if not every:
        raise ProblemError("there are no profiles to be drawn")
    drawn = style.given_axes(axes, len(every)) or style.make_axes(len(every), min(3, len(every)), panel=(3.9, 2.7))
    for axis, one in zip(drawn, every):
        profile(one, axes=axis)
    return style.as_given(axes, drawn)


def design(found: Design, *, axes: Any = None) -> Any:
    """The sensitivity over time, which touches its level at the best times: a panel for each experiment and kind of sample used.

    Dots are the samples in whole numbers, larger where there are several.
    """
    record = found.record
    panels: dict[tuple[str, str], list[tuple[float, float, int]]] = {}
    for row, weight, sensitivity in zip(record["candidates"], record["weights"], record["sensitivity"]):
        key = (", ".join(row["observables"]), row["experiment"])
        panels.setdefault(key, []).append((row["time"], sensitivity, row["chosen"]))
    used = [key for key, points in panels.items() if any(chosen for _, _, chosen in points)]
    if not used:
        raise ProblemError(f"there is no design to be drawn: {found.message}")
    drawn = style.given_axes(axes, len(used)) or style.make_axes(len(used), min(2, len(used)))
    for axis, key in zip(drawn, used):
        observables, experiment = key
        title = observables if experiment == "default" else f"{observables}, {experiment}"
        colours = style.dress(axis, title, x="time", y="sensitivity")
        points = sorted(panels[key])
        axis.plot([time for time, _, _ in points], [value for _, value, _ in points], color=colours.line, linewidth=1.7)
        axis.axhline(found.certificate["level"], color=colours.gap, linewidth=1.2, linestyle=(0, (5, 4)))
        for time, value, chosen in points:
            if chosen:
                axis.plot([time], [value], "o", color=colours.ink, markersize=4.4 if chosen == 1 else 6.5)
        axis.set_ylim(bottom=0)
    return style.as_given(axes, drawn)


def correlation(fit: Fit, *, axes: Any = None) -> Any:
    """The correlations of the estimates: two near ±1 can hardly be told apart."""
    import numpy as np

    matrix = fit._correlation_matrix()
    keep = np.flatnonzero(np.isfinite(np.diagonal(matrix)))
    if len(keep) < 2:
        raise ProblemError("fewer than two estimates have an error: there is nothing to correlate")
    names = [style.shortened(fit.names[k], 18) for k in keep]
    matrix = matrix[np.ix_(keep, keep)]
    side = min(0.56 * len(keep), 8.0) + 1.4
    drawn = style.given_axes(axes, 1) or style.make_axes(1, 1, panel=(side, side))
    axis = drawn[0]
    colours = style.dress(axis)
    axis.grid(False)
    axis.imshow(_cells(matrix, colours), aspect="equal")
    named = len(keep) <= 60
    axis.set_xticks(range(len(keep)) if named else [], [style.plain(name) for name in names] if named else [])
    axis.set_yticks(range(len(keep)) if named else [], [style.plain(name) for name in names] if named else [])
    axis.xaxis.tick_top()
    axis.tick_params(length=0)
    for text in axis.get_xticklabels():
        text.set(rotation=30 if len(keep) <= 12 else 60, horizontalalignment="left", rotation_mode="anchor")
    for edge in range(1, len(keep)):
        axis.axhline(edge - 0.5, color=colours.paper, linewidth=1.6)
        axis.axvline(edge - 0.5, color=colours.paper, linewidth=1.6)
    if len(keep) <= 14:
        for (row, column), value in np.ndenumerate(matrix):
            ink = colours.paper if abs(value) > 0.72 else colours.ink
            words = f"{value:.2f}".replace("-", "−")
            axis.text(column, row, words, ha="center", va="center", fontsize=8, color=ink)
    return axis


# Blue where they grow together, orange where one falls, on the colour of the paper.
def _cells(matrix: npt.NDArray[np.float64], colours: style.Colours) -> npt.NDArray[np.float64]:
    import numpy as np
    from matplotlib.colors import to_rgb

    share = (0.95 * np.minimum(1.0, np.abs(matrix)) ** 1.3)[..., None]
    tint = np.where(matrix[..., None] < 0, np.array(to_rgb(colours.gap)), np.array(to_rgb(colours.line)))
    return np.asarray(share * tint + (1 - share) * np.array(to_rgb(colours.paper)), dtype=np.float64)
