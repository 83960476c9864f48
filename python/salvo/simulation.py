"""Trajectories, and how they change with what is estimated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from salvo import frames
from salvo.errors import ProblemError, unknown_names

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


class Simulation:
    """States and observables over time, experiment by experiment.

    Where the equations could not be integrated to the end, `ok` is false, `message` says why, and the table ends there.
    """

    def __init__(
        self,
        ok: bool,
        message: str,
        columns: dict[str, Any],
        quantities: Sequence[str] = (),
        derivatives: Optional[Array] = None,
    ) -> None:
        self.ok = ok
        self.message = message
        self._columns = columns  # experiment, time, and one for each state and observable
        self._quantities = tuple(quantities)
        self._derivatives = derivatives  # by row, by state or observable, by quantity

    @classmethod
    def of_arcs(
        cls, ok: bool, message: str, arcs: Sequence[Any], names: tuple[list[str], list[str], list[str]],
        quantities: Sequence[str], derivatives: Sequence[Any],
    ) -> Simulation:
        """From what the extension gives: for each experiment times and matrices, with names of experiments, states, observables."""
        import numpy as np

        experiments, states, observables = names
        times = [np.asarray(arc["time"]) for arc in arcs]
        columns: dict[str, Any] = {
            "experiment": [experiments[arc["experiment"]] for arc, time in zip(arcs, times) for _ in time],
            "time": np.concatenate(times) if times else np.empty(0),
        }
        for kind, every in (("states", states), ("observables", observables)):
            for k, name in enumerate(every):
                column = name if name not in columns else f"observable:{name}" if kind == "observables" else f"state:{name}"
                parts = [np.asarray(arc[kind])[k] for arc in arcs]
                columns[column] = np.concatenate(parts) if parts else np.empty(0)
        if not derivatives:
            return cls(ok, message, columns)
        blocks = [np.asarray(part).reshape(len(time), -1, len(quantities)) for part, time in zip(derivatives, times)]
        return cls(ok, message, columns, quantities, np.concatenate(blocks))

    @property
    def names(self) -> tuple[str, ...]:
        """Of the states, and then of the observables."""
        return tuple(self._columns)[2:]

    @property
    def quantities(self) -> tuple[str, ...]:
        """By what derivatives were taken, each on its scale; empty where none were asked for."""
        return self._quantities

    @property
    def table(self) -> frames.Frame:
        """A row for each time of each experiment, a column for each state and observable."""
        return frames.from_columns(self._columns)

    @property
    def time(self) -> Array:
        """The times of the rows."""
        import numpy as np

        return np.array(self._columns["time"])

    def __getitem__(self, name: str) -> Array:
        """The values of a state or observable, row by row."""
        import numpy as np

        if name not in self.names:
            raise unknown_names("simulation", [name], self.names)
        return np.array(self._columns[name])

    @property
    def sensitivities(self) -> frames.Frame:
        """A row for each time and each state or observable, a column for each quantity: its exact derivatives by them."""
        derivatives = self._need_derivatives()
        rows = len(self._columns["time"])
        columns: dict[str, Any] = {
            "experiment": [experiment for experiment in self._columns["experiment"] for _ in self.names],
            "time": [float(time) for time in self._columns["time"] for _ in self.names],
            "of": list(self.names) * rows,
        }
        for k, name in enumerate(self._quantities):
            columns[name if name not in columns else f"quantity:{name}"] = derivatives[:, :, k].reshape(-1)
        return frames.from_columns(columns)

    def sensitivity(self, of: str, by: str) -> Array:
        """The derivative of one state or observable by one quantity, row by row."""
        import numpy as np

        derivatives = self._need_derivatives()
        for name, known in ((of, self.names), (by, self._quantities)):
            if name not in known:
                raise unknown_names("sensitivity", [name], known)
        return np.array(derivatives[:, self.names.index(of), self._quantities.index(by)])

    def to_xarray(self) -> Any:
        """The same as an xarray.Dataset by experiment and time; derivatives are the variable ``sensitivity``."""
        import numpy as np
        import xarray

        experiments = list(dict.fromkeys(self._columns["experiment"]))
        times = np.unique(self._columns["time"])
        place = (
            np.array([experiments.index(experiment) for experiment in self._columns["experiment"]], dtype=int),
            np.searchsorted(times, self._columns["time"]),
        )

        def laid_out(values: Any, shape: tuple[int, ...]) -> Any:
            whole = np.full((len(experiments), len(times), *shape), np.nan)
            whole[place] = values
            return whole

        variables: dict[str, Any] = {name: (("experiment", "time"), laid_out(self._columns[name], ())) for name in self.names}
        coordinates: dict[str, Any] = {"experiment": experiments, "time": times}
        if self._derivatives is not None:
            shape = (len(self.names), len(self._quantities))
            variables["sensitivity"] = (("experiment", "time", "of", "by"), laid_out(self._derivatives, shape))
            coordinates.update({"of": list(self.names), "by": list(self._quantities)})
        return xarray.Dataset(variables, coordinates)

    def _need_derivatives(self) -> Array:
        if self._derivatives is None:
            raise ProblemError(self.message or "ask for them: simulate(..., sensitivities=True)")
        return self._derivatives

    def __len__(self) -> int:
        return len(self._columns["time"])

    def __repr__(self) -> str:
        ending = "" if self.ok else f"; {self.message}"
        return f"simulation of {', '.join(self.names)} at {len(self)} times{ending}"

    def _repr_html_(self) -> str:
        table = self.table
        return str(table._repr_html_()) if hasattr(table, "_repr_html_") else repr(self)
