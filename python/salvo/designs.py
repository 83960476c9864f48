"""Designs: the measurements that tell most."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any, Optional

from salvo import folder as folders
from salvo import frames
from salvo.errors import ProblemError
from salvo.estimate import number, number_or_none
from salvo.studies import _Text

_PAGE_HEIGHT = 720  # in a notebook, in pixels


class Design(_Text):
    """Which samples to take next, the errors they promise, and the proof of how good they are.

    ``print(design)`` is what the terminal prints, ``design.measurements`` the table of the samples. Where no candidate can
    determine what the design is for, ``design.ok`` is false and ``design.message`` says why.
    """

    def __init__(self, json_text: str, text: str, files: Mapping[str, bytes]) -> None:
        super().__init__(json_text, text)
        self._files = dict(files)

    @property
    def ok(self) -> bool:
        """Whether there is a design."""
        return self.status == "found"

    @property
    def status(self) -> str:
        """``found``, ``not_identifiable`` (no candidate can, or the budget is too small), ``failed`` or ``interrupted``."""
        return str(self._record["status"])

    @property
    def message(self) -> str:
        """What was found, in plain sentences."""
        return str(self._record["message"])

    @property
    def remarks(self) -> list[str]:
        """What should be known besides."""
        return list(self._record["remarks"])

    @property
    def value(self) -> Optional[float]:
        """log det F (D), the trace of its inverse (A), its least eigenvalue (E), or the variance (c) of the samples."""
        return number_or_none(self._record["value"])

    @property
    def efficiency(self) -> Optional[float]:
        """How good the samples are against the best possible weights, at least."""
        return number_or_none(self._record["efficiency"])

    @property
    def certificate(self) -> dict[str, float]:
        """The ``largest`` sensitivity and its ``level``: no weights are better if the first is not above the second."""
        return {key: number(value) for key, value in self._record["certificate"].items()}

    @property
    def measurements(self) -> frames.Frame:
        """A row for each value that is to be measured: observable, experiment, time. A repeated one stands there twice."""
        return _measurements(self._record["measurements"])

    @property
    def refined(self) -> Optional[frames.Frame]:
        """The same with times and levels off the grid; None where there is no design."""
        refined = self._record["refined"]
        return None if refined is None else _measurements(refined["measurements"])

    @property
    def errors(self) -> frames.Frame:
        """Standard errors by name: ``now``, ``then``, and with as many samples at ``equidistant`` times; NaN where unknown."""
        names = list(self._record["errors"])
        pairs = [self._record["errors"][name] for name in names]
        columns: dict[str, list[Any]] = {
            "name": names,
            "now": [number(pair[0]) for pair in pairs],
            "then": [number(pair[1]) for pair in pairs],
            "equidistant": [number(self._record["equidistant"][name]) for name in names],
        }
        return frames.from_columns(columns, index="name")

    @property
    def candidates(self) -> frames.Frame:
        """A row for each candidate: experiment, time, observables, cost, weight, sensitivity, and how often it is chosen."""
        rows = self._record["candidates"]
        columns: dict[str, list[Any]] = {
            "experiment": [row["experiment"] for row in rows],
            "time": [number(row["time"]) for row in rows],
            "observables": [", ".join(row["observables"]) for row in rows],
            "cost": [number(row["cost"]) for row in rows],
            "weight": [number(weight) for weight in self._record["weights"]],
            "sensitivity": [number(value) for value in self._record["sensitivity"]],
            "chosen": [int(row["chosen"]) for row in rows],
        }
        return frames.from_columns(columns)

    @property
    def null_directions(self) -> list[dict[str, float]]:
        """What the data do not see and the design does, by name."""
        return [{name: number(part) for name, part in row.items()} for row in self._record["null_directions"]]

    def plot(self, *, axes: Any = None) -> Any:
        """The sensitivity over time with its level: an axis for each experiment and kind of sample that is used."""
        from salvo import plots

        return plots.design(self, axes=axes)

    @property
    def page(self) -> str:
        """The page for the browser, as HTML."""
        return self._files["report.html"].decode("utf-8")

    def report(self, file: folders.PathLike) -> None:
        """Writes the page into this file."""
        folders.write_text(file, self.page)

    def save(self, folder: folders.PathLike) -> None:
        """Writes the folder that the program writes: design.json, design.csv (to fill in), summary.txt, report.html."""
        files = {**self._files, "design.json": self._json_text.encode("utf-8"), "summary.txt": self._text.encode("utf-8")}
        folders.write_folder(folder, files, folders.FILES_OF_A_DESIGN)

    def _repr_html_(self) -> str:
        return (
            f'<iframe sandbox="" style="width: 100%; border: 0" height="{_PAGE_HEIGHT}" title="design" '
            f'srcdoc="{html.escape(self.page)}"></iframe>'
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (Design, (self._json_text, self._text, self._files))


def section_of(given: Mapping[str, Any]) -> Optional[str]:
    """The section `design` that these keywords make up, as JSON; None where none is given."""
    section = {key: _plain(value) for key, value in given.items() if value is not None}
    if not section:
        return None
    for entry in section.get("measure", ()) if isinstance(section.get("measure"), list) else ():
        if isinstance(entry, dict) and "at_most" in entry:
            entry["at most"] = entry.pop("at_most")
    return json.dumps(section)


def split_over(over: Any) -> tuple[Optional[str], list[dict[str, float]]]:
    """A word or the name of a file, or points: a list of dicts, or a table with a column for each quantity."""
    if over is None or isinstance(over, str):
        return over, []
    if hasattr(over, "to_dict") and hasattr(over, "columns"):
        over = over.to_dict("records")
    if not isinstance(over, Sequence) or not all(isinstance(point, Mapping) for point in over):
        raise ProblemError("over must be a word, the name of a table, or a list of dicts of names and numbers")
    return "starts", [{str(name): float(value) for name, value in point.items()} for point in over]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (str, bool, int, float)):
        return value
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Sequence):
        return [_plain(item) for item in value]
    raise ProblemError(f"a design cannot hold {type(value).__name__}")


def _measurements(rows: Sequence[Mapping[str, Any]]) -> frames.Frame:
    columns: dict[str, list[Any]] = {key: [row[key] for row in rows] for key in ("observable", "experiment", "time")}
    columns["time"] = [number(time) for time in columns["time"]]
    return frames.from_columns(columns)
