"""Results beside fits: studies, evaluations and checks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from salvo import folder as folders
from salvo import frames
from salvo.estimate import number


class _Text:
    """A result that is a JSON text, and a text for people that `repr` gives back."""

    def __init__(self, json_text: str, text: str) -> None:
        self._json_text = json_text
        self._text = text
        self._record: dict[str, Any] = json.loads(json_text)

    @property
    def record(self) -> dict[str, Any]:
        """All of its JSON, as plain Python; a copy."""
        record: dict[str, Any] = json.loads(self._json_text)
        return record

    def to_json(self) -> str:
        """The text that the program prints with ``--json``."""
        return self._json_text

    def __repr__(self) -> str:
        return self._text.rstrip("\n") or super().__repr__()

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._json_text, self._text))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._json_text == other._json_text  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self._json_text)


class Study(_Text):
    """Data drawn from a known truth and fitted again, many times: are the estimates as good as they claim?"""

    @property
    def ok(self) -> bool:
        """Whether all replicates were done, and some of them converged."""
        return self.status == "done"

    @property
    def status(self) -> str:
        """``done``, ``interrupted`` or, where no fit has an answer, ``failed``: `message` says why."""
        if self._record["interrupted"]:
            return "interrupted"
        return "done" if self.converged > 0 else "failed"

    @property
    def message(self) -> str:
        """What happened, where there is something to say."""
        return str(self._record["message"])

    @property
    def replicates(self) -> int:
        """How many data sets were drawn and fitted."""
        return int(self._record["replicates"])

    @property
    def converged(self) -> int:
        """How many of them converged."""
        return int(self._record["converged"])

    @property
    def table(self) -> frames.Frame:
        """A row for each quantity: truth, mean, sd, expected_sd (the Cramér-Rao bound), coverage95."""
        keys = ("truth", "mean", "sd", "expected_sd", "coverage95")
        columns: dict[str, list[Any]] = {"name": list(self._record["truth"])}
        for key in keys:
            columns[key] = [number(self._record[key].get(name)) for name in columns["name"]]
        return frames.from_columns(columns, index="name")

    def save(self, folder: folders.PathLike) -> None:
        """Writes study.json and what the terminal prints into this folder; `salvo.load` reads it again."""
        files = {"study.json": self._json_text.encode("utf-8"), "summary.txt": self._text.encode("utf-8")}
        folders.write_folder(folder, files, folders.FILES_OF_A_STUDY)


class RunStatus(_Text):
    """How far a run has come that keeps a journal: ``salvo.status(folder)``."""

    @property
    def done(self) -> bool:
        """Whether all tasks that are known are finished, or were given up."""
        return bool(self._record["done"])

    @property
    def written(self) -> bool:
        """Whether all that is finished stands in the results."""
        return bool(self._record["written"])

    @property
    def lists(self) -> frames.Frame:
        """A row for each list of tasks: tasks (start, replicate, ...), done, of, given_up, seconds."""
        rows = self._record["lists"]
        return frames.from_columns({key: [row[key] for row in rows] for key in ("tasks", "done", "of", "given_up", "seconds")})

    @property
    def processes(self) -> int:
        """How many processes are at work."""
        return int(self._record["processes"])

    @property
    def seconds_left(self) -> float:
        """How long the list that is worked on will take; NaN if nobody is at work, or nothing is finished."""
        left = self._record["seconds_left"]
        return float("nan") if left is None else number(left)


class Evaluation(_Text):
    """The likelihood at given values, with what the model says of every measurement."""

    @property
    def ok(self) -> bool:
        """Whether the likelihood could be computed; `message` says why not."""
        return bool(self._record["status"] == "ok")

    @property
    def message(self) -> str:
        """Why there is no number, where there is none."""
        return " ".join(self._record["messages"])

    @property
    def llh(self) -> float:
        """The log-likelihood."""
        return number(self._record["llh"])

    @property
    def chi2(self) -> float:
        """The sum of squared residuals, in standard deviations."""
        return number(self._record["chi2"])

    @property
    def log_prior(self) -> dict[str, float]:
        """The logarithm of each prior, by name."""
        return _numbers(self._record.get("log_prior", {}))

    @property
    def gradient(self) -> dict[str, float]:
        """d llh / d theta, each on its scale, by name; empty unless it was asked for."""
        return _numbers(self._record.get("gradient", {}))

    @property
    def simulations(self) -> frames.Frame:
        """A row for each measurement: what the model says of it."""
        rows = self._record["simulations"]
        columns: dict[str, list[Any]] = {}
        for key in rows[0] if rows else ():
            values = [row[key] for row in rows]
            is_number = key in ("time", "simulation", "sigma", "llh")
            columns[key] = [number(value) for value in values] if is_number else values
        return frames.from_columns(columns)


class Check(_Text):
    """Whether a problem is sound, and what will be hard."""

    @property
    def ok(self) -> bool:
        """Whether nothing stands in the way."""
        return bool(self._record["status"] == "sound")

    @property
    def findings(self) -> frames.Frame:
        """A row for each finding: level and text."""
        rows = self._record["findings"]
        return frames.from_columns({key: [row[key] for row in rows] for key in ("level", "text")})


def _numbers(entries: Mapping[str, Any]) -> dict[str, float]:
    return {name: number(value) for name, value in entries.items()}
