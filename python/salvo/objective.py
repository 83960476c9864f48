"""A problem as a function: for optimisers, samplers, and whoever wants its numbers."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Optional, Union, overload

from salvo import _core
from salvo.errors import ProblemError, unknown_names

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from salvo.problem import Problem

    Array = npt.NDArray[np.float64]
    Theta = npt.ArrayLike


class Objective:
    """The negative logarithm of likelihood times prior along unbroken trajectories, compiled once.

    It takes a vector of all that is estimated, in the order of `names`, each on its scale. The same vector gives the same bits,
    whatever was asked before, and threads may call it at the same time. Beyond a bound, and where the equations cannot be
    integrated, the value is inf, and derivatives are NaN; `why` says why. Constraints besides bounds are left to the optimiser.
    """

    def __init__(self, problem: Problem, **integration: Any) -> None:
        self._problem = problem
        self._integration = {key: value for key, value in integration.items() if value is not None}
        self._core = _core.Objective(problem._core, self._integration)
        self._quantities: list[tuple[str, str, float, float, float]] = self._core.quantities()

    @property
    def problem(self) -> Problem:
        """The problem whose objective it is."""
        return self._problem

    @property
    def names(self) -> tuple[str, ...]:
        """What is estimated, in the order of its vectors."""
        return tuple(quantity[0] for quantity in self._quantities)

    @property
    def scales(self) -> tuple[str, ...]:
        """The scale of each: ``lin``, ``log`` (natural) or ``log10``."""
        return tuple(quantity[1] for quantity in self._quantities)

    @property
    def bounds(self) -> Array:
        """Lower and upper bound of each, on its scale: an array of two columns."""
        import numpy as np

        return np.array([quantity[2:4] for quantity in self._quantities], dtype=np.float64).reshape(len(self), 2)

    @property
    def start(self) -> Array:
        """The guesses of the problem, on the scales."""
        import numpy as np

        return np.array([quantity[4] for quantity in self._quantities], dtype=np.float64)

    def __len__(self) -> int:
        return len(self._quantities)

    def __call__(self, theta: Theta) -> float:
        """The value at theta; inf where there is none."""
        value: float = self._core.value(_vector(theta))
        return value

    def gradient(self, theta: Theta) -> Array:
        """The exact gradient, by one adjoint for each trajectory."""
        return self.value_and_gradient(theta)[1]

    def value_and_gradient(self, theta: Theta) -> tuple[float, Array]:
        """Both at once, as ``scipy.optimize.minimize(..., jac=True)`` wants them."""
        import numpy as np

        gradient: Array = np.empty(len(self._quantities))
        value: float = self._core.gradient(_vector(theta), gradient)
        return value, gradient

    def rows(self, theta: Theta) -> Array:
        """Rows r with J'r the gradient. Where the noise is normal and known, sum(r**2)/2 is the value but for a constant, so that
        ``scipy.optimize.least_squares`` finds what `fit` finds; where it is estimated, or of another law, take `minimize`."""
        import numpy as np

        return np.asarray(self._core.rows(_vector(theta)))

    def jacobian(self, theta: Theta) -> Array:
        """The derivatives of the rows."""
        import numpy as np

        return np.asarray(self._core.jacobian(_vector(theta)))

    def fisher(self, theta: Theta) -> Array:
        """The expected information."""
        import numpy as np

        return np.asarray(self._core.fisher(_vector(theta)))

    def hessian(self, theta: Theta) -> Array:
        """The second derivatives, by central differences of the exact gradient."""
        import numpy as np

        return np.asarray(self._core.hessian(_vector(theta)))

    def simulations(self, theta: Theta) -> Array:
        """What theta says of every measurement: its value and its sigma, an array of two columns."""
        import numpy as np

        return np.asarray(self._core.simulations(_vector(theta)))

    def why(self, theta: Theta) -> Optional[str]:
        """Why there is no value at theta, in a sentence; None where there is one."""
        reason: Optional[str] = self._core.why(_vector(theta))
        return reason

    @overload
    def many(self, thetas: Theta, threads: Optional[int] = None, *, reasons: Literal[False] = False) -> Array: ...

    @overload
    def many(self, thetas: Theta, threads: Optional[int] = None, *, reasons: Literal[True]) -> tuple[Array, list[str]]: ...

    def many(
        self, thetas: Theta, threads: Optional[int] = None, *, reasons: bool = False
    ) -> Union[Array, tuple[Array, list[str]]]:
        """The value of each row of `thetas`; with ``reasons=True`` also why each has none, empty where it has one.

        `threads` is the number of cores unless stated; it changes no bit.
        """
        import numpy as np

        points = np.ascontiguousarray(thetas, dtype=np.float64)
        if points.ndim != 2:
            raise ProblemError(f"many takes an array of rows, one for each point, not one of {points.ndim} dimensions")
        values: Array = np.empty(len(points))
        found: list[str] = self._core.many(points, values, _thread_count(threads))
        return (values, found) if reasons else values

    def to_dict(self, theta: Theta) -> dict[str, float]:
        """The values of theta by name, in the units of the problem."""
        vector = _vector(theta)
        self._check_length(len(vector))
        return {name: _from_scale(scale, float(x)) for (name, scale, *_), x in zip(self._quantities, vector)}

    def from_dict(self, values: Mapping[str, float]) -> Array:
        """The vector of these values, in the units of the problem; what is left out stands at its guess."""
        import numpy as np

        if unknown := [name for name in values if name not in self.names]:
            raise unknown_names("values", unknown, self.names)
        theta = self.start
        for k, (name, scale, *_) in enumerate(self._quantities):
            if name in values:
                theta[k] = _to_scale(name, scale, float(values[name]))
        return np.asarray(theta)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._problem, self._integration))

    def __copy__(self) -> Objective:
        return self

    def __deepcopy__(self, memo: object) -> Objective:
        return self

    def __repr__(self) -> str:
        return f"objective of {self._problem.title or self._problem.file} by {len(self)} quantities: {', '.join(self.names[:8])}" + (
            ", ..." if len(self) > 8 else ""
        )

    def _check_length(self, given: int) -> None:
        if given != len(self):
            raise ProblemError(f"{given} values are given, but the objective has {len(self)}")


def _restored(problem: Problem, integration: dict[str, Any]) -> Objective:
    return Objective(problem, **integration)


def _vector(theta: Any) -> Any:
    import numpy as np

    return np.ascontiguousarray(theta, dtype=np.float64)


def _thread_count(threads: Optional[int]) -> int:
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise ProblemError(f"threads wants a whole number of at least 1, not {threads!r}")
    return min(threads, 2**31 - 1)


def _from_scale(scale: str, x: float) -> float:
    try:
        return x if scale == "lin" else math.exp(x) if scale == "log" else math.pow(10.0, x)
    except OverflowError:
        return math.inf


def _to_scale(name: str, scale: str, value: float) -> float:
    if scale == "lin":
        return value
    if not value > 0:
        raise ProblemError(f"the value {value!r} of {name} has no logarithm, but its scale is {scale}")
    return math.log(value) if scale == "log" else math.log10(value)
