"""Parameters of differential-equation models from noisy data, by multiple shooting.

    import salvo

    problem = salvo.read("lotka-volterra.yaml")   # or salvo.Model, written in Python
    fit = problem.fit(starts=20)
    print(fit)                                    # what the terminal prints
    fit["p1"].interval, fit.estimates, fit.plot()
"""

import atexit as _atexit
import os as _os

from salvo import _core
from salvo._core import version as __version__
from salvo.designs import Design
from salvo.errors import FitFailed, InternalError, Issue, ProblemError, ProblemWarning, UnknownName
from salvo.formula import (
    Formula,
    arccos,
    arcsin,
    arctan,
    call,
    cos,
    cosh,
    delay,
    exp,
    log,
    log2,
    log10,
    maximum,
    minimum,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    where,
)
from salvo.model import Estimated, Model
from salvo.objective import Objective
from salvo.problem import FitEvents, Problem, read
from salvo.progress import Iteration, Remark, TaskDone
from salvo.results import Alternative, Check, Estimate, Evaluation, Fit, Profile, Profiles, RunStatus, Study, gather, load, status
from salvo.simulation import Simulation

__all__ = [
    "Alternative",
    "Check",
    "Design",
    "Estimate",
    "Estimated",
    "Evaluation",
    "Fit",
    "FitEvents",
    "FitFailed",
    "Formula",
    "InternalError",
    "Issue",
    "Iteration",
    "Model",
    "Objective",
    "Problem",
    "ProblemError",
    "ProblemWarning",
    "Profile",
    "Profiles",
    "Remark",
    "RunStatus",
    "Simulation",
    "Study",
    "TaskDone",
    "UnknownName",
    "__version__",
    "arccos",
    "arcsin",
    "arctan",
    "call",
    "cos",
    "cosh",
    "delay",
    "exp",
    "gather",
    "load",
    "log",
    "log10",
    "log2",
    "maximum",
    "minimum",
    "read",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "status",
    "tan",
    "tanh",
    "where",
]

# Runs in threads that Python does not wait for are asked to stop before it goes away.
_atexit.register(_core.stop_all)
# A copy of the process has none of its threads: it works on one of its own, with the same bits.
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_core.after_fork_in_child)
