"""Problems: what is to be estimated, and what can be done with it."""

from __future__ import annotations

import html
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Callable, Optional, Union

from salvo import _core, frames
from salvo.designs import Design, section_of, split_over
from salvo.errors import Issue, ProblemError, ProblemWarning, unknown_names
from salvo.fit_files import FitFiles
from salvo.objective import Objective
from salvo.profiles import Profiles
from salvo.progress import Event, shown
from salvo.results import Fit
from salvo.simulation import Simulation
from salvo.source import Source
from salvo.studies import Check, Evaluation, Study
from salvo.tables import csv_text, is_table, renamed

PathLike = Union[str, "os.PathLike[str]"]
# Numbers by name: a dict, or a fit, whose estimates are meant.
Values = Union[Mapping[str, float], Fit]
Callback = Callable[[Event], object]
Nodes = Union[str, int, Sequence[float]]


class Problem:
    """What is to be estimated from which data: `read` gives one, and `Model.problem`.

    A problem never changes; `with_` gives another one. It can be pickled, copied and shared by threads.
    """

    def __init__(self, core: Any, source: Source) -> None:
        self._core = core
        self._source = source

    # What it is

    @property
    def title(self) -> str:
        """What stands above results."""
        return str(self._core.title)

    @property
    def file(self) -> str:
        """The file that it was read from, as it was named."""
        return str(self._core.file)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all that is estimated: parameters, and initial values as ``state`` or ``experiment:state``."""
        table = self._contents()["parameters"]
        return tuple(name for name, estimated in zip(table["name"], table["estimated"]) if estimated)

    @property
    def states(self) -> tuple[str, ...]:
        """The names of the states."""
        return tuple(self._contents()["states"])

    @property
    def parameters(self) -> frames.Frame:
        """A row for each parameter and estimated initial value: value (the guess, or the constant), bounds, scale, prior."""
        return self._frame("parameters", index="name")

    @property
    def measurements(self) -> frames.Frame:
        """A row for each measurement, in the order of the files."""
        return self._frame("measurements")

    @property
    def experiments(self) -> frames.Frame:
        """A row for each experiment: start, what is set otherwise, how many measurements."""
        return self._frame("experiments", index="name")

    @property
    def observables(self) -> frames.Frame:
        """A row for each observable: formula, distribution, unit, label."""
        return self._frame("observables", index="name")

    @property
    def remarks(self) -> list[str]:
        """What was assumed where the files say nothing, in sentences."""
        return list(self._core.remarks)

    @property
    def warnings(self) -> list[Issue]:
        """What looks odd, and is no reason to stop."""
        return list(self._core.warnings)

    # Another problem

    def with_(
        self,
        *,
        fix: Optional[Values] = None,
        guess: Optional[Values] = None,
        data: Any = None,
        only: Union[str, Sequence[str], None] = None,
        until: Optional[float] = None,
    ) -> Problem:
        """A new problem: with quantities held at values, other guesses, other data, the data of some experiments only, or
        curves that go on until a time.

        `data` is a frame, a dict of columns, or the path of a file, and is read as the problem's own data are: of a PEtab
        problem, it is a measurement table.
        """
        source = self._source
        core = self._core
        if data is not None:
            source = _with_data(source, data, core)
            core = _read(source)
        for kind, content in (
            ("fix", None if fix is None else self._numbers("fix", fix)),
            ("guess", None if guess is None else self._numbers("guess", guess)),
            ("only", [only] if isinstance(only, str) else only),
            ("until", until),
        ):
            if content is not None:
                core = _core.changed(core, {kind: content})
                source = source.changed(kind, tuple(content.items()) if isinstance(content, dict) else content)
        return Problem(core, source)

    # What can be done with it

    def fit(
        self,
        *,
        starts: Optional[int] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        guess: Optional[Values] = None,
        max_time: Optional[float] = None,
        max_iterations: Optional[int] = None,
        tolerance: Optional[float] = None,
        effort: Optional[float] = None,
        method: Optional[str] = None,
        derivatives: Optional[str] = None,
        nodes: Optional[Nodes] = None,
        start: Optional[str] = None,
        integrator: Optional[str] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        intervals: Optional[str] = None,
        memory: Optional[float] = None,
        cells: Optional[int] = None,
        accept_grid_error: bool = False,
        profiles: bool = False,
        out: Optional[PathLike] = None,
        resume: bool = False,
        progress: bool = True,
        callback: Optional[Callback] = None,
    ) -> Fit:
        """Estimates everything that the problem leaves open, and says how sure that is.

        Options are those of ``salvo fit`` (docs/commands/fit.md). `threads` is the number of cores unless stated, and changes no
        bit of the result. `out` is a folder for the files that the program writes, and for a journal of what is finished on the
        way; `resume` goes on from there after the process was killed, and ends with the same bytes. Ctrl-C gives the best that was reached, with
        the status ``interrupted``; a second one raises. `callback` is called with each event, in this thread; an exception that
        it raises stops the fit, and is raised here.
        """
        keywords = self._fit_keywords({**locals(), "command": "fit"})
        finished = _run(_core.fit, self._core, keywords, "starts", progress, callback)
        return self._finished(finished)

    def fit_iter(
        self,
        *,
        starts: Optional[int] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        guess: Optional[Values] = None,
        max_time: Optional[float] = None,
        max_iterations: Optional[int] = None,
        tolerance: Optional[float] = None,
        effort: Optional[float] = None,
        method: Optional[str] = None,
        derivatives: Optional[str] = None,
        nodes: Optional[Nodes] = None,
        start: Optional[str] = None,
        integrator: Optional[str] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        intervals: Optional[str] = None,
        memory: Optional[float] = None,
        cells: Optional[int] = None,
        accept_grid_error: bool = False,
        profiles: bool = False,
    ) -> FitEvents:
        """The events of a fit, one by one: ``for event in problem.fit_iter(starts=100)``. Leaving the loop stops the fit.

        ``events.result()`` is the fit: what was reached, if it was stopped.
        """
        return FitEvents(self, _core.FitRun(self._core, self._fit_keywords(locals())))

    def profile(
        self,
        values: Optional[Values] = None,
        names: Union[str, Sequence[str], None] = None,
        *,
        predict: Union[str, Sequence[str], None] = None,
        level: Optional[float] = None,
        starts: Optional[int] = None,
        seed: int = 1,
        threads: Optional[int] = None,
        max_time: Optional[float] = None,
        max_iterations: Optional[int] = None,
        tolerance: Optional[float] = None,
        effort: Optional[float] = None,
        method: Optional[str] = None,
        derivatives: Optional[str] = None,
        nodes: Optional[Nodes] = None,
        start: Optional[str] = None,
        integrator: Optional[str] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        memory: Optional[float] = None,
        out: Optional[PathLike] = None,
        resume: bool = False,
        progress: bool = True,
        callback: Optional[Callback] = None,
    ) -> Profiles:
        """The profile likelihoods of these quantities, or of all, from a fit or from guesses.

        `predict` names observables, or formulas, at times: ``"prey@12,14"``, ``"low:prey@12"``. ``.fit`` of what is returned is the
        fit that they belong to: a better one, where following them has led to it. `out` and `resume` as in `fit`.
        """
        keywords = self._fit_keywords(
            {**locals(), "command": "profile", "guess": values, "intervals": None, "parameters": names}
        )
        wanted = [names] if isinstance(names, str) else [str(name) for name in names or ()]
        if unknown := _core.without_profile(self._core, wanted):
            raise unknown_names("names", unknown, [*self.names, *self._contents()["derived"]])
        finished = _run(_core.fit, self._core, keywords, "sides", progress, callback)
        fit = self._finished(finished)
        return Profiles(finished.profiles_json(), finished.profiles_summary(), fit)

    def study(
        self,
        truth: Optional[Values] = None,
        *,
        replicates: int = 100,
        seed: int = 1,
        threads: Optional[int] = None,
        guess: Optional[Values] = None,
        starts: Optional[int] = None,
        max_time: Optional[float] = None,
        max_iterations: Optional[int] = None,
        tolerance: Optional[float] = None,
        effort: Optional[float] = None,
        method: Optional[str] = None,
        derivatives: Optional[str] = None,
        nodes: Optional[Nodes] = None,
        start: Optional[str] = None,
        integrator: Optional[str] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        intervals: Optional[str] = None,
        memory: Optional[float] = None,
        cells: Optional[int] = None,
        accept_grid_error: bool = False,
        out: Optional[PathLike] = None,
        resume: bool = False,
        progress: bool = True,
        callback: Optional[Callback] = None,
    ) -> Study:
        """Draws data from the model at a truth (the guesses, unless stated) and fits them, many times.

        With a fit as the truth, its estimates are the guess of every replicate, too, unless another one is stated. `out` and
        `resume` as in `fit`; more replicates go on where fewer have ended.
        """
        keywords = self._fit_keywords({**locals(), "command": "study"})
        keywords["truth"] = None if truth is None else self._numbers("truth", truth)
        keywords["replicates"] = replicates
        if isinstance(truth, Fit) and guess is None:
            keywords["guess"] = keywords["truth"]
        json_text, text, notes = _run(_core.study, self._core, keywords, "replicates", progress, callback)
        _tell(notes)
        return Study(json_text, text)

    def evaluate(
        self,
        values: Optional[Values] = None,
        *,
        gradient: bool = False,
        integrator: Optional[str] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        memory: Optional[float] = None,
    ) -> Evaluation:
        """The likelihood at these values, or at the guesses, and what the model says of every measurement."""
        keywords: dict[str, Any] = dict(gradient=gradient, integrator=integrator, rtol=rtol, atol=atol, memory=memory)
        keywords["values"] = self._numbers("values", values or {})
        return Evaluation(*_core.evaluate(self._core, keywords))

    def simulate(
        self,
        times: Optional[Sequence[float]] = None,
        values: Optional[Values] = None,
        *,
        until: Optional[float] = None,
        sensitivities: bool = False,
        integrator: Optional[str] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
    ) -> Simulation:
        """Trajectories at these values, or at the guesses, of every experiment: at these times, or at 201 until a time."""
        keywords: dict[str, Any] = dict(
            times=times, until=until, sensitivities=sensitivities, integrator=integrator, rtol=rtol, atol=atol
        )
        keywords["values"] = self._numbers("values", values or {})
        ok, message, arcs, quantities, derivatives = _core.simulate(self._core, keywords)
        contents = self._contents()
        experiments = list(contents["experiments"]["name"])
        observables = list(contents["observables"]["name"])
        return Simulation.of_arcs(ok, message, arcs, (experiments, list(contents["states"]), observables), quantities, derivatives)

    def design(
        self,
        values: Optional[Values] = None,
        *,
        measure: Optional[Sequence[Mapping[str, Any]]] = None,
        budget: Optional[float] = None,
        criterion: Optional[str] = None,
        for_: Union[str, Sequence[str], None] = None,
        experiments: Optional[Mapping[str, Any]] = None,
        like: Optional[str] = None,
        over: Any = None,
        seed: Optional[int] = None,
        integrator: Optional[str] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        out: Optional[PathLike] = None,
    ) -> Design:
        """Which experiment next? The samples that tell most, at these values, or at the guesses; the data count.

        Keywords are those of the section ``design`` of a problem file, and take its place:
        ``measure=[dict(observables=["prey"], times=dict(**{"from": 0}, to=10, step=0.1), at_most=1)], budget=4``. Without any,
        the file's own section is meant. ``over`` may also be a list of dicts, or a table: points over which the criterion is
        averaged; of a fit as `values`, ``"starts"`` and ``"profile"`` are what it has found.
        """
        word, points = split_over(over)
        said = dict(measure=measure, budget=budget, criterion=criterion, experiments=experiments, like=like, over=word)
        section = section_of({**said, "for": for_})
        keywords: dict[str, Any] = dict(seed=seed, integrator=integrator, rtol=rtol, atol=atol)
        keywords["values"] = self._numbers("values", values or {})
        keywords["fit_json"] = values.to_json() if isinstance(values, Fit) else None
        draws = [self._numbers("over", point) for point in points]
        design = Design(*_core.design(self._core, section, draws, keywords))
        if out is not None:
            design.save(out)
        return design

    def check(self, *, max_time: Optional[float] = None) -> Check:
        """Whether the problem is sound: sizes, a check of derivatives, what can be identified, what will be hard."""
        return Check(*_core.check(self._core, {"max_time": max_time}))

    def objective(
        self, *, integrator: Optional[str] = None, rtol: Optional[float] = None, atol: Optional[float] = None
    ) -> Objective:
        """The negative logarithm of likelihood times prior as a function for any optimiser or sampler."""
        return Objective(self, integrator=integrator, rtol=rtol, atol=atol)

    # Files

    def convert(self, out: PathLike, *, replace: bool = False) -> list[str]:
        """Writes the problem in the other format, PEtab or Salvo's own, into a folder, or as a file that ends in .yaml.

        What that format cannot say is returned, in sentences.
        """
        path = Path(out)
        folder, stem = (path.parent, path.stem) if path.suffix in (".yaml", ".yml") else (path, path.name)
        if not stem or stem.startswith((".", "-")):
            raise ProblemError([Issue(f"'{path}' cannot be the name of a problem", "name a folder or a file that ends in .yaml")])
        files, lost = _core.written(self._core, stem)
        there = [folder / name for name, _ in files if (folder / name).exists()]
        if there and not replace:
            raise ProblemError([Issue(f"{file} is there already", "choose another name, or say replace=True") for file in there])
        _core.write_folder(os.fspath(folder), dict(files), [name for name, _ in files])
        return list(lost)

    def save(self, folder: PathLike) -> str:
        """Writes the files that the problem was made of into a folder; the path of the one that `read` takes.

        What `with_` has changed besides the data stands in no file, and is refused: pickle holds it.
        """
        if self._source.changes or self._source.data is not None:
            raise ProblemError("what was changed by with_() stands in none of its files; pickle the problem instead")
        for name in self._source.files:
            if os.path.isabs(name) or ".." in Path(name).parts:
                raise ProblemError(f"the problem was read with a file outside of its folder: {name}")
            (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
        for name, content in self._source.files.items():
            (Path(folder) / name).write_bytes(content)
        return os.fspath(Path(folder) / self._source.main)

    @property
    def text(self) -> str:
        """The text of the problem file."""
        return self._source.files[self._source.main].decode()

    # What Python asks of it

    def __repr__(self) -> str:
        counts = self._counts()
        return f"{self.title or self.file}: {counts}"

    def _repr_html_(self) -> str:
        rows = self.parameters
        table = rows.to_html(max_rows=30) if hasattr(rows, "to_html") else ""
        return f"<p><b>{html.escape(self.title or self.file)}</b>: {html.escape(self._counts())}</p>{table}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._source, self._source.digest()))

    def __copy__(self) -> Problem:
        return self

    def __deepcopy__(self, memo: object) -> Problem:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and self._source.digest() == other._source.digest()

    def __hash__(self) -> int:
        return hash(self._source.digest())

    def _contents(self) -> dict[str, Any]:
        contents: dict[str, Any] = self._core.contents()
        return contents

    def _counts(self) -> str:
        contents = self._contents()
        fitted = sum(1 for word in contents["measurements"]["set"] if word == "fit")
        counts = [
            (len(contents["states"]), "state"),
            (len(self.names), "estimated quantity"),
            (fitted, "measurement"),
            (len(contents["experiments"]["name"]), "experiment"),
        ]
        return ", ".join(f"{count} {_plural(word, count)}" for count, word in counts)

    def _frame(self, name: str, index: Optional[str] = None) -> frames.Frame:
        import numpy as np

        columns = self._contents()[name]
        return frames.from_columns(
            {key: np.asarray(column) if isinstance(column, _core.Numbers) else column for key, column in columns.items()}, index
        )

    # Numbers by name, each of which the problem has.
    def _numbers(self, keyword: str, values: Any) -> dict[str, float]:
        if isinstance(values, Fit):
            return values.to_dict()
        if not isinstance(values, Mapping):
            raise ProblemError(f"{keyword} must be a dict of names and numbers, or a fit, not {type(values).__name__}")
        names = [str(name) for name in values]
        odd = [name for name in names if "," in name or "=" in name]
        if unknown := sorted({*_core.unknown_names(self._core, names), *odd}):
            raise unknown_names(keyword, unknown, self._contents()["parameters"]["name"])
        return {str(name): _as_number(keyword, name, value) for name, value in values.items()}

    def _fit_keywords(self, given: Mapping[str, Any]) -> dict[str, Any]:
        keywords = {key: value for key, value in given.items() if key in _FIT_KEYWORDS}
        if keywords.get("guess") is not None:
            keywords["guess"] = self._numbers("guess", keywords["guess"])
        if keywords.get("out") is not None:
            keywords["out"] = os.fspath(keywords["out"])
        # What a journal depends on, and where others who join find it.
        if self._source.changes or self._source.data is not None:
            keywords["changes"] = self._source.digest()
        elif os.path.isfile(self._core.file):
            keywords["file"] = self._core.file
        return keywords

    def _finished(self, finished: Any) -> Fit:
        _tell(finished.notes)
        return Fit(finished.json(), FitFiles(finished), finished.summary(), self)


class FitEvents(Iterator[Event]):
    """The events of a fit that is under way; `result` is the fit."""

    def __init__(self, problem: Problem, run: Any) -> None:
        self._problem = problem
        self._run = run
        self._waiting: list[Event] = []
        self._fit: Optional[Fit] = None

    def __next__(self) -> Event:
        if not self._waiting:
            self._waiting = list(self._run.next())
        if not self._waiting:
            raise StopIteration
        return self._waiting.pop(0)

    def stop(self) -> None:
        """Asks the fit to stop; `result` has what it has reached."""
        self._run.stop()

    def result(self) -> Fit:
        """The fit, once it is finished."""
        if self._fit is None:
            self._fit = self._problem._finished(self._run.result())
        return self._fit


def read(path: PathLike) -> Problem:
    """The problem of a file, Salvo's own or PEtab's; ProblemError tells everything that is wrong with it."""
    core, main, files = _core.read(os.fspath(path))
    for warning in core.warnings:
        warnings.warn(str(warning), ProblemWarning, stacklevel=2)
    return Problem(core, Source(main, files))


def from_source(source: Source) -> Problem:
    """The problem that these files make."""
    return Problem(_read(source), source)


_FIT_KEYWORDS = frozenset(
    """starts seed threads guess max_time max_iterations tolerance effort method derivatives nodes start integrator rtol atol
    intervals memory cells accept_grid_error profiles parameters predict level out resume command""".split()
)


def _tell(notes: Sequence[str]) -> None:
    for note in notes:
        warnings.warn(note, ProblemWarning, stacklevel=4)


def _run(work: Any, core: Any, keywords: dict[str, Any], what: str, progress: bool, callback: Optional[Callback]) -> Any:
    with shown(what, progress, callback) as listener:
        return work(core, keywords, listener)


def _read(source: Source) -> Any:
    core = _core.read_given(source.main, dict(source.files), source.data)
    for kind, content in source.changes:
        core = _core.changed(core, {kind: dict(content) if kind in ("fix", "guess") else content})
    return core


def _restored(source: Source, digest: str) -> Problem:
    if source.digest() != digest:
        raise ProblemError("this pickled problem is damaged: its text is not what was written")
    return from_source(source)


def _with_data(source: Source, data: Any, core: Any) -> Source:
    if not is_table(data) and not isinstance(data, (str, os.PathLike)):
        raise ProblemError(f"data must be a frame, a dict of columns or the path of a file, not {type(data).__name__}")
    if core.is_petab:
        tables = list(core.data_files)
        if len(tables) != 1:
            raise ProblemError("the PEtab problem has several measurement tables; it is not clear which one is to be replaced")
        name = os.path.relpath(tables[0], os.path.dirname(core.file) or ".") if os.path.dirname(core.file) else tables[0]
        content = csv_text(data, "data", "\t").encode() if is_table(data) else Path(data).read_bytes()
        return source.with_file(name, content)
    if is_table(data):
        content = csv_text(renamed(data, {"sigma": "noise"}), "data").encode()
        name = "data"
    else:
        content = Path(data).read_bytes()
        name = Path(data).stem
    suffix = ".csv" if is_table(data) else Path(data).suffix
    while f"{name}{suffix}" in source.files and f"{name}{suffix}" != source.data:
        name += "_"
    changed = source.with_file(f"{name}{suffix}", content)
    return Source(changed.main, changed.files, f"{name}{suffix}", changed.changes)


def _as_number(keyword: str, name: object, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ProblemError(f"{keyword}: the value of {name} must be a number, not {value!r}") from None
    if not abs(number) < float("inf"):
        raise ProblemError(f"{keyword}: the value of {name} is {number}; it must be finite")
    return number


def _plural(word: str, count: int) -> str:
    if count == 1:
        return word
    return word[:-1] + "ies" if word.endswith("y") else word + "s"
