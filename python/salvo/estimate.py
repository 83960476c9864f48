"""Estimates: numbers that know their errors, and other answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import floor, isfinite, log10
from typing import Any, Optional

from salvo.errors import unknown_names


def number(value: Any) -> float:
    """A number of fit.json: one that is not finite is a text there, and one that does not exist is null."""
    return float("nan") if value is None else float(value)


def number_or_none(value: Any) -> Optional[float]:
    """As `number`, but None for one that does not exist."""
    return None if value is None else float(value)


def ends(value: Any) -> tuple[float, float]:
    """The two ends of an interval: infinite where there is none, not a number where there is no interval."""
    if value is None:
        return (float("nan"), float("nan"))
    lower, upper = value
    return (float("-inf") if lower is None else float(lower), float("inf") if upper is None else float(upper))


class Estimate(float):
    """An estimate, its error and its interval.

    It is a float, so ``2 * fit["k"]`` is one too; ``fit["k"].standard_error`` and ``fit["k"].interval`` say how sure it is.
    """

    name: str
    _record: dict[str, Any]

    def __new__(cls, name: str, record: Mapping[str, Any]) -> Estimate:
        self = super().__new__(cls, number(record["estimate"]))
        self.name = name
        self._record = dict(record)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (Estimate, (self.name, self._record))

    @property
    def standard_error(self) -> float:
        """Not a number at a bound, and where the data do not determine the quantity."""
        return number(self._record["standard_error"])

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval. An end that the likelihood does not have within the bounds is infinite; without an interval both
        are not a number."""
        return ends(self._record["interval"])

    @property
    def interval_kind(self) -> Optional[str]:
        """``wald`` (of the standard error), ``likelihood`` or ``unbounded``."""
        kind: Optional[str] = self._record["interval_kind"]
        return kind

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the problem, infinite where there is none."""
        return ends(self._record["bounds"])

    @property
    def at_bound(self) -> Optional[str]:
        """``lower``, ``upper`` or None."""
        bound: Optional[str] = self._record["at_bound"]
        return bound

    @property
    def identifiable(self) -> bool:
        """Whether the data determine it."""
        return bool(self._record["identifiable"])

    @property
    def scale(self) -> str:
        """``lin``, ``log`` or ``log10``: the scale that it was searched on."""
        return str(self._record["scale"])

    @property
    def unit(self) -> str:
        """As the problem states it, or nothing."""
        return str(self._record.get("unit", ""))

    @property
    def label(self) -> str:
        """As the problem states it, or nothing."""
        return str(self._record.get("label", ""))

    def __str__(self) -> str:
        return float.__repr__(self)

    def __repr__(self) -> str:
        error = self.standard_error
        words = f"{self.name} = {rounded(self, error)}"
        if isfinite(error):
            words += f" ± {rounded(error, error)}"
        return words + (f" {self.unit}" if self.unit else "")


class Alternative(Mapping[str, float]):
    """Another answer that fits as well, or nearly: its values by name, its objective, and how it differs."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._values = {name: number(value) for name, value in record["parameters"].items()}
        self.objective = number(record["objective"])
        self.sentence = str(record["sentence"])

    def __getitem__(self, name: str) -> float:
        if name not in self._values:
            raise unknown_names("alternative", [name], self._values)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return self.sentence


def rounded(value: float, error: float) -> str:
    """As many digits as an error of this size leaves, which shows two of its own; six without one."""
    if not (error > 0 and isfinite(error) and isfinite(value)):
        return f"{float(value):.6g}"
    last = floor(log10(error)) - 1
    if not -12 <= last <= 6:
        return f"{float(value):.6g}"
    return f"{float(value):.{max(0, -last)}f}"
