"""The tables of a fit, made of its fit.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salvo import frames
from salvo.estimate import Estimate, number


def names_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """What was estimated, as the covariance calls it; where that is too large to be there, experiments are named if it takes that."""
    ids = record["covariance"]["ids"]
    rows = record["parameters"] + record["initial"]
    if len(ids) == len(rows):
        return tuple(ids)
    several = len({row["experiment"] for row in record["initial"]}) > 1
    return tuple(f"{row['experiment']}:{row['id']}" if several and "experiment" in row else row["id"] for row in rows)


def estimates_frame(estimates: Mapping[str, Estimate]) -> frames.Frame:
    """A row for each estimate, by name."""
    rows = list(estimates.values())
    intervals = [row.interval for row in rows]
    columns: dict[str, list[Any]] = {
        "name": list(estimates),
        "estimate": [float(row) for row in rows],
        "standard_error": [row.standard_error for row in rows],
        "lower": [interval[0] for interval in intervals],
        "upper": [interval[1] for interval in intervals],
        "interval_kind": [row.interval_kind or "" for row in rows],
        "scale": [row.scale for row in rows],
        "at_bound": [row.at_bound or "" for row in rows],
        "identifiable": [row.identifiable for row in rows],
        "unit": [row.unit for row in rows],
    }
    return frames.from_columns(columns, index="name")


def starts_columns(record: Mapping[str, Any]) -> dict[str, list[Any]]:
    """A row for each start, with the optimum that it found."""
    rows = record.get("starts", [])
    optimum = {start: k + 1 for k, found in enumerate(record.get("optima", [])) for start in found["starts"]}
    columns: dict[str, list[Any]] = {
        "start": [row["start"] for row in rows],
        "status": [row["status"] for row in rows],
        "objective": [number(row["objective"]) for row in rows],
        "optimum": [number(optimum.get(row["start"])) for row in rows],
    }
    for key in ("gap", "seconds"):
        columns[key] = [number(row[key]) for row in rows]
    for key in ("iterations", "points", "message"):
        columns[key] = [row[key] for row in rows]
    for name in rows[0]["parameters"] if rows else ():
        columns[f"guess:{name}"] = [number(row["guess"].get(name)) for row in rows]
    _add_parameters(columns, rows)
    return columns


def optima_columns(record: Mapping[str, Any]) -> dict[str, list[Any]]:
    """A row for each distinct optimum."""
    rows = record.get("optima", [])
    columns: dict[str, list[Any]] = {
        "objective": [number(row["objective"]) for row in rows],
        "count": [row["count"] for row in rows],
    }
    _add_parameters(columns, rows)
    return columns


# A parameter that has the name of another column is called parameter:NAME.
def _add_parameters(columns: dict[str, list[Any]], rows: list[Mapping[str, Any]]) -> None:
    for name in rows[0]["parameters"] if rows else ():
        column = f"parameter:{name}" if name in columns else name
        columns[column] = [number(row["parameters"].get(name)) for row in rows]
