"""One observable of one experiment: trajectory, gaps, bands and data, as the page draws them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from salvo import style

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from salvo.results import Fit

    Numbers = npt.NDArray[np.float64]
    Columns = dict[str, npt.NDArray[Any]]

_MOST_NODES = 80  # beyond it circles would hide the line
_MANY_DATA = 150  # beyond it data would hide the line, and lie under it


@dataclass(frozen=True)
class Observable:
    """What the page knows of an observable."""

    name: str
    label: str
    is_logarithmic: bool


class Pictures:
    """The tables that the panels of a fit are drawn from, read once."""

    def __init__(self, fit: Fit) -> None:
        drawn = json.loads(fit._file("pictures.json"))
        self.fit = fit
        self.time_label: str = drawn["time"] or "time"
        self.experiments: list[str] = drawn["experiments"]
        self.observables = [
            Observable(each["id"], each["axis"], each["distribution"].startswith("log-"))
            for each in drawn["observables"]
        ]
        self.has_new_bands = any("lower_new" in curve for curve in drawn["solution"])
        self.residuals = fit._residual_columns()
        self.curves = fit._columns("trajectories.csv")
        self.bands = fit._columns("bands.csv")
        self.is_time_logarithmic = huddle(self.residuals["time"][self.residuals["set"] == "fit"])

    def panels(self) -> list[tuple[str, Observable]]:
        """Experiments and observables that have data; all observables of the first one, if none has."""
        measured = set(zip(self.residuals["experiment"], self.residuals["observable"]))
        every = [(e, o) for e in self.experiments for o in self.observables if (e, o.name) in measured]
        return every or [(e, o) for e in self.experiments[:1] for o in self.observables]

    def of(self, table: Columns, experiment: str, observable: str = "") -> Columns:
        """The rows of a table that belong to a panel."""
        rows = table["experiment"] == experiment
        if observable:
            rows &= table["observable"] == observable
        return {name: column[rows] for name, column in table.items()}


def huddle(values: Numbers) -> bool:
    """Whether more than half of these positive numbers lie in the first fiftieth of their range."""
    import numpy as np

    if len(values) < 3 or not np.all(values > 0):
        return False
    ordered = np.sort(values)
    return bool(ordered[(len(ordered) - 1) // 2] < 0.02 * ordered[-1])


def error_bars(data: Columns, is_logarithmic: bool) -> tuple[Numbers, Numbers]:
    """From where to where one sigma reaches; a limit has none."""
    import numpy as np

    sigma = np.where((data["censored"] == "") & np.isfinite(data["sigma"]), data["sigma"], 0.0)
    value = data["value"]
    if is_logarithmic:
        return value * np.exp(-sigma), value * np.exp(sigma)
    return value - sigma, value + sigma


def draw_panel(axis: Any, pictures: Pictures, experiment: str, observable: Observable) -> None:
    """Everything of one panel."""
    several = len(pictures.experiments) > 1
    colours = style.dress(
        axis, observable.name, experiment if several else "", x=pictures.time_label, y=observable.label
    )
    data = pictures.of(pictures.residuals, experiment, observable.name)
    curve = pictures.of(pictures.curves, experiment)
    band = pictures.of(pictures.bands, experiment, observable.name)
    value = curve.get(observable.name, curve["time"] * float("nan"))
    limits = _value_range(data, value, band, observable, pictures)
    if pictures.is_time_logarithmic:
        style.make_logarithmic(axis, "x")
        span = _extent([data["time"]], is_log=True)
        if span is not None:
            axis.set_xlim(*_with_air(span, 0.02, is_log=True))
    if observable.is_logarithmic and huddle(data["value"]):
        style.make_logarithmic(axis, "y")
    _draw_bands(axis, band, colours, pictures.has_new_bands)
    _draw_curve(axis, curve, value, colours, with_nodes=not pictures.fit.ok)
    for chosen, colour in (("validation", colours.validation), ("fit", colours.ink)):
        _draw_data(axis, {name: column[data["set"] == chosen] for name, column in data.items()}, observable, colour)
    if limits is not None:
        axis.set_ylim(*limits)


def _draw_bands(axis: Any, band: Columns, colours: style.Colours, has_new_bands: bool) -> None:
    import numpy as np

    known = np.isfinite(band["lower"]) & np.isfinite(band["upper"])
    axis.fill_between(
        band["time"], band["lower"], band["upper"], where=known, color=colours.line, alpha=colours.band, linewidth=0
    )
    for end in ("lower_new", "upper_new") if has_new_bands else ():
        axis.plot(band["time"], band[end], color=colours.line, linewidth=0.9, linestyle=(0, (3, 3)))


# Every interval has a line of its own; where two of them do not meet there is a gap.
def _draw_curve(axis: Any, curve: Columns, value: Numbers, colours: style.Colours, with_nodes: bool) -> None:
    import numpy as np

    time = curve["time"]
    begins = [0, *(np.flatnonzero(np.diff(curve["interval"])) + 1)] if len(time) else []
    for begin, end in zip(begins, [*begins[1:], len(time)]):
        axis.plot(time[begin:end], value[begin:end], color=colours.line, linewidth=1.7, solid_joinstyle="round")
    for begin in begins[1:]:
        if time[begin - 1] == time[begin]:
            axis.plot(time[[begin, begin]], value[[begin - 1, begin]], color=colours.gap, linewidth=1.2)
    if with_nodes and 1 < len(begins) <= _MOST_NODES:
        axis.plot(
            time[begins], value[begins], "o", markersize=5, markerfacecolor=colours.paper, markeredgecolor=colours.line
        )


def _draw_data(axis: Any, data: Columns, observable: Observable, colour: str) -> None:
    if len(data["time"]) == 0:
        return
    crowded = len(data["time"]) > _MANY_DATA
    low, high = error_bars(data, observable.is_logarithmic)
    is_number = data["censored"] == ""
    layer = 1.5 if crowded else 3
    axis.vlines(data["time"], low, high, color=colour, linewidth=0.9, alpha=0.22 if crowded else 0.55, zorder=layer)
    is_held_out = bool(data["set"][0] == "validation")
    axis.plot(
        data["time"][is_number],
        data["value"][is_number],
        "o",
        color=colour,
        markersize=3 if crowded else 4.6,
        markerfacecolor=style.colours_of(axis).paper if is_held_out else colour,
        alpha=0.55 if crowded else 1,
        zorder=layer,
        linestyle="none",
    )
    for side, mark in (("below", 11), ("above", 10)):  # carets that point to where the value lies
        rows = data["censored"] == side
        axis.plot(data["time"][rows], data["value"][rows], marker=mark, color=colour, linestyle="none", zorder=layer)


# All data with their error bars, and the curve if it is the answer; of a band that is far wider, as much as keeps
# company with them.
def _value_range(
    data: Columns, value: Numbers, band: Columns, observable: Observable, pictures: Pictures
) -> tuple[float, float] | None:
    is_log = observable.is_logarithmic and huddle(data["value"])
    ends = [*error_bars(data, observable.is_logarithmic), data["value"]]
    wide = [*ends, value, band["lower"], band["upper"]]
    if pictures.has_new_bands:
        wide += [band["lower_new"], band["upper_new"]]
    core = _extent(ends + ([value] if pictures.fit.ok or len(data["value"]) == 0 else []), is_log)
    whole = _extent(wide, is_log)
    if core is None or whole is None:
        return None
    room = 0.6 * (core[1] - core[0])
    low, high = max(whole[0], core[0] - room), min(whole[1], core[1] + room)
    return _with_air((low, high), 0.05, is_log)


# Room on both sides of a range; on a logarithmic scale the range of logarithms becomes one of numbers.
def _with_air(ends: tuple[float, float], share: float, is_log: bool = False) -> tuple[float, float]:
    import math

    low, high = ends
    air = share * ((high - low) or abs(high) or 1.0)
    return (math.exp(low - air), math.exp(high + air)) if is_log else (low - air, high + air)


def _extent(lists: list[Numbers], is_log: bool) -> tuple[float, float] | None:
    import numpy as np

    every = np.concatenate(lists) if lists else np.empty(0)
    if is_log:
        every = np.log(every[every > 0])
    every = every[np.isfinite(every) & (np.abs(every) < 1e150)]
    return (float(every.min()), float(every.max())) if len(every) else None
