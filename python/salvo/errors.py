"""What can go wrong, as exceptions: wrong input raises; numbers that do not work out are a status of a result."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Issue(NamedTuple):
    """One thing that is wrong: what, what to do about it, and where (0 where the place is not known)."""

    message: str
    hint: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    kind: str = "invalid"

    def __str__(self) -> str:
        place = self.file
        if self.line:
            place += f":{self.line}"
            if self.column:
                place += f":{self.column}"
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class ProblemError(ValueError):
    """The input is wrong. `issues` holds everything that was found, not only the first of it."""

    def __init__(self, issues: Sequence[Issue] | str) -> None:
        if isinstance(issues, str):
            issues = [Issue(issues)]
        self.issues = [Issue(*issue) for issue in issues]
        super().__init__(self.issues)  # from which it is pickled

    def __str__(self) -> str:
        return "\n".join(str(issue) for issue in self.issues)


class UnknownName(ProblemError, KeyError):
    """A name that the problem does not have. `names` are those that were given, `nearest` what may have been meant."""

    def __init__(self, issues: Sequence[Issue] | str, names: Sequence[str] = (), nearest: Sequence[str] = ()) -> None:
        super().__init__(issues)
        self.names = list(names)
        self.nearest = list(nearest)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.issues, self.names, self.nearest))


class ProblemWarning(UserWarning):
    """Something about a problem looks odd, and is no reason to stop."""


class FitFailed(RuntimeError):
    """Raised by `raise_if_failed` of a result that has no converged answer; `result` is that result."""

    def __init__(self, message: str, result: object = None) -> None:
        super().__init__(message)
        self.result = result


class InternalError(RuntimeError):
    """Salvo broke a rule of its own. This is a defect; nothing of what was asked for has been done."""


def unknown_names(keyword: str, names: Iterable[str], known: Iterable[str]) -> UnknownName:
    """The exception for names that are none of those that are known, each with those that may have been meant."""
    every = list(known)
    issues, nearest = [], []
    for name in names:
        near = difflib.get_close_matches(str(name), every, n=3)
        nearest += [word for word in near if word not in nearest]
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(every[:12])}{', ...' if len(every) > 12 else ''}"
        issues.append(Issue(f"{keyword}: there is no '{name}'", hint, kind="unreadable"))
    return UnknownName(issues, [str(name) for name in names], nearest)
