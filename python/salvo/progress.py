"""What a run tells while it goes on, and how that is shown."""

from __future__ import annotations

from typing import NamedTuple


class Iteration(NamedTuple):
    """The solver has made a step."""

    iteration: int
    objective: float
    gap: float
    step: float
    phase: str


class TaskDone(NamedTuple):
    """One of several starts, replicates or sides of profiles is finished."""

    done: int
    of: int
    converged: bool


class Remark(NamedTuple):
    """A choice that was made, with its reason."""

    text: str
