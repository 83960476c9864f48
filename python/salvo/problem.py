"""Problems: what is to be estimated, and what can be done with it."""

from __future__ import annotations

import os
from typing import Any, Iterator, Mapping

from salvo import _core
from salvo.results import Fit


class _FitFiles(Mapping[str, bytes]):
    """The files that the program would write, each made when it is first asked for."""

    def __init__(self, finished: Any) -> None:
        self._finished = finished
        self._made: dict[str, bytes] = {}

    def __getitem__(self, name: str) -> bytes:
        if name not in self._made:
            if name not in self._finished.names():
                raise KeyError(name)
            self._made[name] = self._finished.file(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._finished.names())

    def __len__(self) -> int:
        return len(self._finished.names())

    def __reduce__(self) -> tuple:
        return (dict, (dict(self),))


class Problem:
    """A problem; it never changes."""

    def __init__(self, core: Any) -> None:
        self._core = core

    def fit(self, *, out: str | os.PathLike | None = None, **keywords: Any) -> Fit:
        finished = _core.fit(self._core, keywords, None)
        if out is not None:
            finished.write(os.fspath(out))
        return Fit(finished.json(), _FitFiles(finished), problem=self, text=finished.summary())


def read(path: str | os.PathLike) -> Problem:
    """The problem of a file, Salvo's own or PEtab's; ProblemError tells everything that is wrong with it."""
    return Problem(_core.read(os.fspath(path)))


def load(folder: str | os.PathLike) -> Fit:
    """The fit in a folder that the program or `Fit.save` has written."""
    files = {}
    for entry in os.scandir(folder):
        if entry.is_file():
            with open(entry.path, "rb") as file:
                files[entry.name] = file.read()
    return Fit(files["fit.json"].decode(), files)
