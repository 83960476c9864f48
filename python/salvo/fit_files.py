"""The files of a fit, as the program would write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class FitFiles(Mapping[str, bytes]):
    """The files that the program would write, each made when it is first asked for."""

    def __init__(self, finished: Any) -> None:
        self._finished = finished
        self._made: dict[str, bytes] = {}
        self._names = finished.names()

    def __getitem__(self, name: str) -> bytes:
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._finished.file(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __reduce__(self) -> tuple[Any, ...]:
        return (dict, (dict(self),))
