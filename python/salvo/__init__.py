"""Parameters of differential-equation models from noisy data, by multiple shooting."""

from salvo._core import version as __version__
from salvo.errors import FitFailed, InternalError, Issue, ProblemError, UnknownName
from salvo.problem import Problem, read
from salvo.results import Alternative, Check, Estimate, Evaluation, Fit, Profile, Profiles, Study, load

__all__ = [
    "Alternative",
    "Check",
    "Estimate",
    "Evaluation",
    "Fit",
    "FitFailed",
    "InternalError",
    "Issue",
    "Problem",
    "ProblemError",
    "Profile",
    "Profiles",
    "Study",
    "UnknownName",
    "__version__",
    "load",
    "read",
]
