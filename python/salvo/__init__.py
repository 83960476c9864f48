"""Parameters of differential-equation models from noisy data, by multiple shooting."""

from salvo._core import version as __version__
from salvo.errors import FitFailed, InternalError, Issue, ProblemError, UnknownName
from salvo.problem import Problem, load, read
from salvo.results import Fit

__all__ = [
    "Fit",
    "FitFailed",
    "InternalError",
    "Issue",
    "Problem",
    "ProblemError",
    "UnknownName",
    "__version__",
    "load",
    "read",
]
