"""What a run tells while it goes on, and how that is shown."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Any, Callable, NamedTuple, Optional, Union


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


Event = Union[Iteration, TaskDone, Remark]

_PATIENCE = 1.0  # seconds before anything is shown
_PAUSE = 0.1  # seconds between two pictures of it


class _Line:
    """One line that is drawn again and again: on a terminal, or in a notebook."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._began = self._drawn = time.monotonic()
        self._text = ""
        self._display: Any = None
        self._is_notebook = _in_notebook()

    @staticmethod
    def is_of_use() -> bool:
        """Whether somebody can see it."""
        return _in_notebook() or (sys.stderr is not None and sys.stderr.isatty())

    def show(self, event: Event) -> None:
        now = time.monotonic()
        is_last = isinstance(event, TaskDone) and event.done == event.of
        if isinstance(event, Remark) or now - self._began < _PATIENCE:
            return
        if now - self._drawn < _PAUSE and not is_last:
            return
        self._drawn = now
        self._draw(self._sentence(event, now - self._began))

    def close(self) -> None:
        """The line goes, since the result says all that there is to say."""
        if self._text:
            self._draw("")

    def _sentence(self, event: Union[Iteration, TaskDone], seconds: float) -> str:
        if isinstance(event, Iteration):
            return f"iteration {event.iteration}   objective {event.objective:.6g}   gap {event.gap:.1e}   {seconds:.0f} s"
        width = 24
        full = width * event.done // max(event.of, 1)
        left = seconds / event.done * (event.of - event.done) if event.done else 0.0
        return f"{self._what} [{'=' * full}{' ' * (width - full)}] {event.done}/{event.of}   {seconds:.0f} s, {left:.0f} s left"

    def _draw(self, text: str) -> None:
        self._text = text
        if not self._is_notebook:
            sys.stderr.write("\r\x1b[K" + text)
            sys.stderr.flush()
            return
        from IPython.display import HTML, display

        picture = HTML(f"<pre style='margin: 0'>{text}</pre>")
        if self._display is None:
            self._display = display(picture, display_id=True)
        else:
            self._display.update(picture)


@contextlib.contextmanager
def shown(
    what: str, progress: bool, callback: Optional[Callable[[Event], object]]
) -> Iterator[Optional[Callable[[Event], None]]]:
    """A listener that shows progress, where somebody can see it, and calls back; None if nobody listens."""
    line = _Line(what) if progress and _Line.is_of_use() else None
    if line is None and callback is None:
        yield None
        return

    def listen(event: Event) -> None:
        if line is not None:
            line.show(event)
        if callback is not None:
            callback(event)

    try:
        yield listen
    finally:
        if line is not None:
            line.close()


# Whether this is a kernel that a notebook talks to; IPython on a terminal is a terminal.
def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")
