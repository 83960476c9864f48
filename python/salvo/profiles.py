"""Profile likelihoods: how the fit gets worse when one number is held at other values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional

from salvo import frames
from salvo.errors import unknown_names
from salvo.estimate import ends, number

if TYPE_CHECKING:
    from salvo.results import Fit


class Profile:
    """The profile likelihood of one parameter, initial value, derived quantity or prediction."""

    def __init__(self, record: Mapping[str, Any], fit: Optional[Fit] = None) -> None:
        self._record = dict(record)
        self._fit = fit

    @property
    def name(self) -> str:
        """Of the quantity."""
        return str(self._record["id"])

    @property
    def estimate(self) -> float:
        """Where the fit is best."""
        return number(self._record["estimate"])

    @property
    def interval(self) -> tuple[float, float]:
        """Where the likelihood falls below its level; infinite at an end that there is not."""
        return ends(self._record["interval"])

    @property
    def verdict(self) -> str:
        """``identifiable``, ``one-sided``, ``flat`` or ``several minima``."""
        return str(self._record["verdict"])

    @property
    def sentence(self) -> str:
        """What the profile says, in words."""
        return str(self._record["sentence"])

    @property
    def points(self) -> frames.Frame:
        """A row for each point: value, objective, and the best value of every other quantity there."""
        return frames.from_columns(self._columns())

    @property
    def rise(self) -> float:
        """By how much the objective rises to the ends of the interval."""
        return number(self._record["rise"])

    def plot(self, *, axes: Any = None) -> Any:
        """Twice the rise of the objective against the value."""
        from salvo import plots

        return plots.profile(self, axes=axes)

    def _columns(self) -> dict[str, list[Any]]:
        points = self._record["points"]
        columns: dict[str, list[Any]] = {key: [number(point[key]) for point in points] for key in ("value", "objective")}
        for name in points[0]["others"] if points else ():
            column = f"quantity:{name}" if name in columns else name
            columns[column] = [number(point["others"][name]) for point in points]
        return columns

    # The standard error of the quantity in the fit, whose parabola the profile is compared with.
    def _standard_error(self) -> float:
        if self._fit is None or self.name not in self._fit:
            return float("nan")
        return self._fit[self.name].standard_error

    def __repr__(self) -> str:
        return self.sentence


class Profiles(Mapping[str, Profile]):
    """Profiles by name, with a sentence for each."""

    def __init__(self, json_text: str, text: str = "", fit: Optional[Fit] = None) -> None:
        self._json_text = json_text
        self._text = text
        self._fit = fit
        self._record: dict[str, Any] = json.loads(json_text)
        self._profiles = {row["id"]: Profile(row, fit) for row in self._record["profiles"]}

    def __getitem__(self, name: str) -> Profile:
        if name not in self._profiles:
            raise unknown_names("profiles", [name], self._profiles)
        return self._profiles[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._profiles)

    def __len__(self) -> int:
        return len(self._profiles)

    @property
    def level(self) -> float:
        """Of the intervals: 0.95 unless another was asked for."""
        return number(self._record["level"])

    @property
    def complete(self) -> bool:
        """Whether all sides were followed to their end."""
        return bool(self._record.get("complete", True))

    @property
    def message(self) -> str:
        """What happened to the fit that they begin with."""
        return str(self._record["message"])

    @property
    def fit(self) -> Optional[Fit]:
        """The fit that they belong to."""
        return self._fit

    @property
    def table(self) -> frames.Frame:
        """A row for each profile: estimate, lower, upper, verdict, sentence."""
        every = list(self._profiles.values())
        columns: dict[str, list[Any]] = {
            "name": list(self._profiles),
            "estimate": [profile.estimate for profile in every],
            "lower": [profile.interval[0] for profile in every],
            "upper": [profile.interval[1] for profile in every],
            "verdict": [profile.verdict for profile in every],
            "sentence": [profile.sentence for profile in every],
        }
        return frames.from_columns(columns, index="name")

    def plot(self, *, axes: Any = None) -> Any:
        """An axis for each profile."""
        from salvo import plots

        return plots.profiles(self, axes=axes)

    def to_json(self) -> str:
        """The text that ``salvo profile --json`` prints."""
        return self._json_text

    def __repr__(self) -> str:
        if self._text:
            return self._text.rstrip("\n")
        lines = [f"Profiles ({100 * self.level:g} %)", *(f"  {profile.sentence}" for profile in self.values())]
        return "\n".join(lines + ([str(self._record["sentence"])] if self._record.get("sentence") else []))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Profiles, (self._json_text, self._text, self._fit))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Profiles) and self._json_text == other._json_text

    def __hash__(self) -> int:
        return hash(self._json_text)
