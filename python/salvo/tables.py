"""Tables that users bring along, as the text of the files that Salvo reads."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping
from typing import Any

from salvo.errors import ProblemError
from salvo.formula import Formula, text_of


def csv_text(table: Any, what: str = "data", separator: str = ",") -> str:
    """A frame, or a dict of columns, as CSV. Missing values become NA; numbers read back as the same doubles."""
    columns = _columns(table, what)
    lengths = {name: len(cells) for name, cells in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ProblemError(f"{what}: the columns differ in length: " + ", ".join(f"{n} has {k}" for n, k in lengths.items()))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values()):
        writer.writerow([_cell(value) for value in row])
    return text.getvalue()


def is_table(value: Any) -> bool:
    """Whether it is a frame or a dict of columns, and not the path of a file."""
    return not isinstance(value, (str, bytes, os.PathLike)) and (isinstance(value, Mapping) or hasattr(value, "columns"))


def renamed(table: Any, names: Mapping[str, str], what: str = "data") -> dict[str, list[Any]]:
    """The columns of a table, some of them under other names."""
    return {names.get(name, name): cells for name, cells in _columns(table, what).items()}


def _columns(table: Any, what: str) -> dict[str, list[Any]]:
    if not is_table(table):
        raise ProblemError(f"{what} must be a frame, a dict of columns or the path of a file, not {type(table).__name__}")
    columns: dict[str, list[Any]] = {}
    for name in table if isinstance(table, Mapping) else table.columns:
        if str(name) in columns:
            raise ProblemError(f"{what}: there are two columns '{name}'")
        cells = table[name]
        if isinstance(cells, (str, bytes)) or not isinstance(cells, Iterable):
            raise ProblemError(f"{what}: the column '{name}' must be a list or an array, not {type(cells).__name__}")
        columns[str(name)] = list(cells)
    return columns


def _cell(value: Any) -> str:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return "NA"
    if isinstance(value, Formula):
        return text_of(value)
    if isinstance(value, (str, bool, int)):
        return str(value)
    if type(value).__name__ == "datetime64":
        value = value.astype("datetime64[s]").item()  # None where there is no date
    if value is None:
        return "NA"
    if hasattr(value, "isoformat"):
        return str(value).replace("T", " ")
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return "NA" if number != number else repr(number)
