"""Tables: pandas frames where pandas is there, dicts of numpy arrays where it is not.

Nothing here imports pandas before a table is asked for, and whoever has no pandas gets the same columns as
``dict[str, numpy.ndarray]``.
"""

from __future__ import annotations

import csv
import functools
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# A pandas.DataFrame, or a dict of numpy arrays where pandas is missing.
Frame = Any
# What a column is made of.
Column = Union[Sequence[Any], "npt.NDArray[Any]"]

# Columns of the files of a fit that hold words or whole numbers; all others hold numbers.
_WORDS = frozenset(
    {"id", "name", "experiment", "observable", "status", "message", "set", "scale", "at_bound", "censored", "sentence"}
)
_WHOLE = frozenset({"interval", "start", "iterations", "points", "row"})
_MISSING = frozenset({"", "NA"})


@functools.lru_cache(maxsize=None)
def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        return None
    return pandas


def have_pandas() -> bool:
    """Whether tables are pandas frames."""
    return _pandas() is not None


def from_columns(columns: Mapping[str, Column], index: str | None = None) -> Frame:
    """A table of these columns.

    With pandas the column ``index`` becomes the index of the frame; without, it stays a column.
    """
    arrays = {name: as_array(column) for name, column in columns.items()}
    pandas = _pandas()
    if pandas is None:
        return arrays
    frame = pandas.DataFrame({name: array for name, array in arrays.items() if name != index})
    if index is not None:
        frame.index = pandas.Index(arrays[index], name=index, dtype=object)
    return frame


def square(names: Sequence[str], matrix: npt.NDArray[np.float64]) -> Frame:
    """A matrix whose rows and columns have these names; without pandas a dict of its columns."""
    pandas = _pandas()
    if pandas is None:
        return {name: matrix[:, k].copy() for k, name in enumerate(names)}
    return pandas.DataFrame(matrix.copy(), index=list(names), columns=list(names))


def as_array(column: Column) -> npt.NDArray[Any]:
    """A copy of a column: numbers as doubles, whole ones as integers, truth values as such, everything else as objects."""
    import numpy as np

    if isinstance(column, np.ndarray):
        return column.copy()
    values = list(column)
    if values and all(isinstance(value, bool) for value in values):
        return np.array(values, dtype=bool)
    if values and all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return np.array(values, dtype=np.int64)
    if all(value is None or isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def columns_from_csv(text: bytes | str, separator: str = ",", limits: str | None = None) -> dict[str, npt.NDArray[Any]]:
    """The columns of a table that Salvo wrote, bit for bit.

    Cells of the column ``limits`` may be ``<0.1`` or ``>50``: the number is kept, and a column ``censored`` says which.
    """
    decoded = text.decode("utf-8") if isinstance(text, bytes) else text
    rows = csv.reader(io.StringIO(decoded, newline=""), delimiter=separator, strict=True)
    header = _distinct(next(rows, []))
    cells: dict[str, Sequence[str]] = dict(zip(header, zip(*rows))) or {name: () for name in header}
    if limits is not None:
        sides = {"<": "below", ">": "above"}
        cells["censored"] = [sides.get(cell[:1], "") for cell in cells[limits]]
        cells[limits] = [cell.lstrip("<>") for cell in cells[limits]]
    return {name: _column(name, column) for name, column in cells.items()}


def from_csv(text: bytes | str, separator: str = ",", index: str | None = None) -> Frame:
    """A table that Salvo wrote, as a frame."""
    return from_columns(columns_from_csv(text, separator), index)


# A state may have the name of another column: the second one is numbered, as pandas does.
def _distinct(names: Iterable[str]) -> list[str]:
    distinct: list[str] = []
    for name in names:
        count = 0
        other = name
        while other in distinct:
            count += 1
            other = f"{name}.{count}"
        distinct.append(other)
    return distinct


def _column(name: str, cells: Sequence[str]) -> npt.NDArray[Any]:
    import numpy as np

    if name in _WORDS:
        words = np.empty(len(cells), dtype=object)
        words[:] = [_unmarked(cell) for cell in cells]
        return words
    if name == "identifiable":
        return np.array([cell == "true" for cell in cells], dtype=bool)
    if name in _WHOLE:
        return np.array([int(cell) for cell in cells], dtype=np.int64)
    return np.array([np.nan if cell in _MISSING else float(cell) for cell in cells], dtype=np.float64)


# An apostrophe stands before words that a spreadsheet would compute.
def _unmarked(cell: str) -> str:
    return cell[1:] if len(cell) > 1 and cell[0] == "'" and cell[1] in "=+-@" else cell
