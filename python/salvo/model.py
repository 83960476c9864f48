"""Problems written in Python: the sections of a problem file, with operators in place of texts.

A model is written down as the text of a problem file, and that is read: so it can say whatever a file can, is checked as files
are, and pickles as text. What is wrong is told with the line of Python that said it.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Optional, Union

from salvo.errors import Issue, ProblemError
from salvo.formula import Formula, FormulaLike, belongs_to, call, text_of
from salvo.problem import Problem, from_source
from salvo.source import Source
from salvo.tables import csv_text, is_table, renamed

Symbol = Union[Formula, str]
_HERE = os.path.dirname(__file__)


class _Place(NamedTuple):
    file: str
    line: int


class _Entry(NamedTuple):
    key: str  # empty in a list
    content: Any
    place: _Place


class Estimated:
    """What is estimated: where the search begins, and what is known beforehand."""

    def __init__(
        self,
        guess: Optional[float] = None,
        *,
        lower: Optional[float] = None,
        upper: Optional[float] = None,
        scale: str = "lin",
        prior: Union[str, Mapping[str, Any], None] = None,
        starts: Optional[str] = None,
        unit: Optional[str] = None,
        label: Optional[str] = None,
    ) -> None:
        bounds = None
        if lower is not None or upper is not None:
            bounds = [-math.inf if lower is None else lower, math.inf if upper is None else upper]
        stated = {"guess": guess, "bounds": bounds, "prior": prior, "starts": starts, "unit": unit, "label": label}
        if scale != "lin":
            stated["scale"] = scale
        self.content = {key: value for key, value in stated.items() if value is not None}

    def __repr__(self) -> str:
        return f"Estimated({_flow(self.content)})"


class _Rates:
    """``m.dt[x] = formula``: the derivative of a state by time."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __setitem__(self, state: Symbol, rate: FormulaLike) -> None:
        self._model._add("equations", state, rate)

    def __getitem__(self, state: Symbol) -> Formula:
        for entry in self._model._sections.get("equations", ()):
            if entry.key == _name(state):
                return Formula(f"({text_of(entry.content)})", model=self._model)
        raise KeyError(f"nothing was said yet of the rate of {_name(state)}")


class Model:
    """A model, put together step by step; `problem` makes a problem of it and of data.

        m = salvo.Model("decay")
        k = m.parameter("k", guess=1, lower=0)
        x = m.state("x", initial=2)
        m.dt[x] = -k * x
        m.observable("seen", x, noise=0.1)
        fit = m.problem(frame).fit()
    """

    def __init__(self, title: str = "", *, start: Optional[float] = None) -> None:
        self._sections: dict[str, list[_Entry]] = {}
        self._single: dict[str, _Entry] = {}
        self._tables: dict[str, str] = {}
        self._doses: list[dict[str, Any]] = []
        self.dt = _Rates(self)
        if title:
            self._say("title", title)
        if start is not None:
            self._say("start", start)

    # Symbols

    @property
    def time(self) -> Formula:
        """The time."""
        return Formula("t", model=self)

    def state(
        self,
        name: str,
        initial: Union[FormulaLike, Estimated, None] = None,
        *,
        rate: Optional[FormulaLike] = None,
    ) -> Formula:
        """A state. Its initial value is a number or formula, `estimated`, or left out: then it is estimated, too."""
        symbol = Formula(str(name), model=self)
        if initial is not None:
            self._add("initial", name, initial)
        if rate is not None:
            self._add("equations", name, rate)
        return symbol

    def algebraic(self, name: Symbol, zero: Optional[FormulaLike] = None, *, near: Optional[float] = None) -> Formula:
        """A variable that follows from ``0 = zero`` at all times; `near` says where its root is looked for at the start.

        It is declared by its name, so that its equation can use it:

            C = m.algebraic("C", near=0.7)
            m.algebraic(C, (E0 - C) * (St - C) - K * C)
        """
        symbol = Formula(_name(name), model=self)
        if near is not None:
            self._add("initial", symbol, {"near": near})
        if zero is not None:
            self._add("algebraic", symbol, zero)
        return symbol

    def history(self, state: Symbol, before: Union[FormulaLike, Estimated, Any]) -> None:
        """What a state was before the start, for `delay`: a number, a formula of time and parameters, `estimated`, or a table.

        A table has the columns `time` and the name of the state. Without a history, a state was what it is at the start.
        """
        if isinstance(before, (int, float, Formula, Estimated)):
            self._add("history", state, before)
        else:
            self._add("history", state, {"data": self._keep(before, f"history_{_name(state)}")})

    def mass(self, state: Symbol, row: Mapping[Symbol, FormulaLike]) -> None:
        """The row of M in ``M x' = f`` that belongs to the equation of a state: by what the rates of states are multiplied."""
        self._add("mass", state, {_name(other): factor for other, factor in row.items()})

    def parameter(
        self,
        name: str,
        value: Optional[float] = None,
        *,
        guess: Optional[float] = None,
        lower: Optional[float] = None,
        upper: Optional[float] = None,
        scale: str = "lin",
        prior: Union[str, Mapping[str, Any], None] = None,
        starts: Optional[str] = None,
        unit: Optional[str] = None,
        label: Optional[str] = None,
    ) -> Formula:
        """A parameter: estimated, or a constant where it is given a value."""
        content: Any = value
        if value is None:
            content = Estimated(
                guess, lower=lower, upper=upper, scale=scale, prior=prior, starts=starts, unit=unit, label=label
            )
        elif (guess, lower, upper, prior, starts) != (None,) * 5:
            raise ProblemError(f"the parameter '{name}' has a value and is estimated, too; say value or guess")
        self._add("parameters", name, content)
        return Formula(str(name), model=self)

    def estimated(
        self,
        guess: Optional[float] = None,
        *,
        lower: Optional[float] = None,
        upper: Optional[float] = None,
        scale: str = "lin",
        prior: Union[str, Mapping[str, Any], None] = None,
    ) -> Estimated:
        """An initial value that is estimated, one for each experiment."""
        return Estimated(guess, lower=lower, upper=upper, scale=scale, prior=prior)

    def definition(self, name: str, formula: FormulaLike) -> Formula:
        """A name for a part of formulas."""
        self._add("definitions", name, formula)
        return Formula(str(name), model=self)

    def initial(self, state: Symbol) -> Formula:
        """The initial value of a state, in formulas of other initial values, constraints and derived quantities."""
        return call("initial", Formula(_name(state), model=self))

    def input(
        self, name: str, table: Any, *, column: Optional[str] = None, interpolation: str = "linear"
    ) -> Formula:
        """A known function of time: a table with the columns `time`, `column` (or `name`) and, where there is one, `experiment`."""
        content = {"data": self._keep(table, f"input_{name}"), "interpolation": interpolation}
        if column is not None:
            content["column"] = column
        self._add("inputs", name, content)
        return Formula(str(name), model=self)

    def network(
        self,
        name: str,
        inputs: Sequence[FormulaLike],
        outputs: int,
        *,
        hidden: Sequence[int] = (),
        activation: str = "tanh",
        seed: int = 1,
        prior: Union[str, Mapping[str, Any], None] = None,
    ) -> tuple[Formula, ...]:
        """A network whose weights are estimated; what it gives, one formula for each output."""
        content = {"inputs": list(inputs), "outputs": outputs, "activation": activation, "seed": seed}
        if hidden:
            content["hidden"] = list(hidden)
        if prior is not None:
            content["prior"] = prior
        self._add("networks", name, content)
        return tuple(Formula(f"{name}{k + 1}", model=self) for k in range(outputs))

    # What is seen, and what follows

    def observable(
        self,
        name: str,
        formula: FormulaLike,
        *,
        noise: Optional[FormulaLike] = None,
        distribution: str = "normal",
        unit: Optional[str] = None,
        label: Optional[str] = None,
    ) -> None:
        """What is measured, with its noise: a number, a formula or a parameter; estimated where nothing is said."""
        stated = {"noise": noise, "unit": unit, "label": label}
        content: dict[str, Any] = {"formula": formula, **{key: value for key, value in stated.items() if value is not None}}
        if distribution != "normal":
            content["distribution"] = distribution
        self._add("observables", name, content)

    def derived(self, name: str, formula: FormulaLike, *, unit: Optional[str] = None, label: Optional[str] = None) -> None:
        """A number that follows from the estimates and is reported with them."""
        stated = {"formula": formula, "unit": unit, "label": label}
        self._add("derived", name, {key: value for key, value in stated.items() if value is not None})

    def constraint(self, comparison: Formula) -> None:
        """What has to hold: ``m.constraint(a + b <= 3)``, ``m.constraint(m.initial(x) == 2 * m.initial(y))``."""
        self._add("constraints", "", comparison)

    # What is done to it

    def experiment(
        self,
        name: str,
        *,
        set: Optional[Mapping[Symbol, FormulaLike]] = None,
        initial: Optional[Mapping[Symbol, Any]] = None,
        start: Optional[float] = None,
        equilibrate: Optional[Mapping[str, Any]] = None,
    ) -> None:
        """An experiment and what differs in it. ``equilibrate={"set": {ligand: 0}}``: it begins in that steady state."""
        stated = {"set": set, "initial": initial, "start": start, "equilibrate": equilibrate}
        self._add("experiments", name, {key: value for key, value in stated.items() if value is not None})

    def event(
        self,
        *,
        at: Union[FormulaLike, Sequence[FormulaLike], None] = None,
        every: Optional[FormulaLike] = None,
        start: Optional[FormulaLike] = None,
        until: Optional[FormulaLike] = None,
        when: Optional[Formula] = None,
        set: Optional[Mapping[Symbol, FormulaLike]] = None,
        add: Optional[Mapping[Symbol, FormulaLike]] = None,
        experiment: Optional[str] = None,
    ) -> None:
        """States that change at once: at times, every so often, or when a condition turns true; in one experiment or in all."""
        stated = {"at": at, "every": every, "from": start, "until": until, "when": when, "set": set, "add": add}
        content = {key: value for key, value in stated.items() if value is not None}
        self._add("events" if experiment is None else f"events of {experiment}", "", content)

    def dose(
        self,
        state: Symbol,
        amount: FormulaLike,
        *,
        time: FormulaLike,
        duration: Optional[FormulaLike] = None,
        experiment: Optional[str] = None,
    ) -> None:
        """An amount that is put into a state at once, or that flows into it for a while."""
        cells = {"time": time, "state": _name(state), "amount": amount, "experiment": experiment or "", "duration": duration}
        self._doses.append({key: "" if cell is None else cell for key, cell in cells.items()})

    def dosing(
        self,
        *,
        bioavailability: Union[FormulaLike, Mapping[Symbol, FormulaLike], None] = None,
        lag: Union[FormulaLike, Mapping[Symbol, FormulaLike], None] = None,
    ) -> None:
        """What amounts of doses are multiplied by, and by how much they come later; for all states or for each."""
        stated = {"bioavailability": bioavailability, "lag": lag}
        self._say("dosing", {key: value for key, value in stated.items() if value is not None})

    # The rest of a problem file

    def axis(self, *, unit: Optional[str] = None, label: Optional[str] = None, origin: Optional[str] = None) -> None:
        """Unit and label of the time; `origin` is the date from which dates count."""
        stated = {"unit": unit, "label": label, "from": origin}
        self._say("time", {key: value for key, value in stated.items() if value is not None})

    def section(self, name: str, content: Any) -> None:
        """Any section of the problem file, for what has no verb here: ``m.section("method", "gauss-newton")``."""
        if name in self._sections:
            raise ProblemError(f"the section '{name}' was begun by the verbs of the model already")
        self._say(name, content)

    # What comes of it

    def problem(self, data: Any = None, *, validation: Any = None, until: Optional[float] = None, **reading: Any) -> Problem:
        """The problem of this model and of data: a frame, a dict of columns, the path of a file, or a list of these.

        Columns are `time`, `observable`, `value` and, where there are, `sigma` and `experiment`; or `time` and one for each
        observable. `reading` says how else a table is read, as the section `data` of a file does: ``columns={"prey": "Hare"}``,
        ``time="year"``, ``ignore=["observer"]``. ProblemError tells everything that is wrong.
        """
        given = Model.__new__(Model)
        given.__dict__.update(self.__dict__)
        given._single = dict(self._single)
        given._tables = dict(self._tables)
        for section, tables, name in (("data", data, "data"), ("validation", validation, "validation")):
            if tables is not None:
                given._say(section, given._named_tables(tables, name, reading))
        if until is not None:
            given._say("until", until)
        text, places = given._written()
        main = (re.sub(r"[^A-Za-z0-9_-]+", "-", self.title).strip("-").lower() or "model") + ".yaml"
        files = {main: text.encode(), **{name: table.encode() for name, table in given._tables.items()}}
        try:
            return from_source(Source(main, files))
        except ProblemError as error:
            issues = [_where_it_was_said(issue, main, places, given._tables) for issue in error.issues]
            raise ProblemError(issues) from None

    @property
    def title(self) -> str:
        """What stands above results."""
        return str(self._single["title"].content) if "title" in self._single else ""

    def text(self) -> str:
        """The model as a problem file."""
        return self._written()[0]

    def __repr__(self) -> str:
        return self.text()

    def _add(self, section: str, key: Symbol, content: Any) -> None:
        self._refuse_others(content)
        self._sections.setdefault(section, []).append(_Entry(_name(key), content, _caller()))

    def _say(self, section: str, content: Any) -> None:
        self._refuse_others(content)
        self._single[section] = _Entry(section, content, _caller())

    def _refuse_others(self, content: Any) -> None:
        for part in _parts(content):
            if not belongs_to(part, self):
                raise ProblemError(f"{part!r} is of another model")

    def _keep(self, table: Any, name: str) -> str:
        if is_table(table):
            file = f"{name}.csv"
            self._tables[file] = csv_text(renamed(table, {"sigma": "noise"}, name), name)
            return file
        if not isinstance(table, (str, os.PathLike)):
            raise ProblemError(f"{name} must be a frame, a dict of columns or the path of a file, not {type(table).__name__}")
        path = os.fspath(table)
        file = os.path.basename(path)
        with open(path, encoding="utf-8") as source:
            self._tables[file] = source.read()
        return file

    def _named_tables(self, tables: Any, name: str, reading: Mapping[str, Any]) -> Any:
        every = tables if isinstance(tables, (list, tuple)) else [tables]
        names = [self._keep(table, name if len(every) == 1 else f"{name}_{k + 1}") for k, table in enumerate(every)]
        files: list[Any] = [{"file": file, **reading} for file in names] if reading else list(names)
        return files[0] if len(files) == 1 else files

    # The text of the problem file, and the place in Python of each of its lines.
    def _written(self) -> tuple[str, list[_Place]]:
        lines: list[tuple[str, _Place]] = []
        tables = dict(self._single)
        if self._doses:
            names = ("time", "state", "amount", "experiment", "duration")
            self._tables["doses.csv"] = csv_text({name: [dose[name] for dose in self._doses] for name in names}, "doses")
            dosing = tables.pop("dosing", _Entry("", {}, _Place("", 0)))
            tables["doses"] = _Entry("doses", {"file": "doses.csv", **dosing.content}, dosing.place)
        for name, entry in tables.items():
            lines.append((f"{name}: {_flow(entry.content)}", entry.place))
        for name, entries in self._sections.items():
            if not name.startswith("events of "):
                lines.append((f"{name}:", entries[0].place))
                lines += [self._line(name, entry) for entry in entries]
        return "".join(line + "\n" for line, _ in lines), [place for _, place in lines]

    def _line(self, section: str, entry: _Entry) -> tuple[str, _Place]:
        content = entry.content
        if section == "experiments" and f"events of {entry.key}" in self._sections:
            content = {**content, "events": [event.content for event in self._sections[f"events of {entry.key}"]]}
        mark = f"{json.dumps(entry.key, ensure_ascii=False)}: " if entry.key else "- "
        return f"  {mark}{_flow(content)}", entry.place


def _name(symbol: Symbol) -> str:
    return text_of(symbol) if isinstance(symbol, Formula) else str(symbol)


# The line of the user's own code that is being run.
def _caller() -> _Place:
    frame = sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _HERE:
        frame = frame.f_back
    return _Place(frame.f_code.co_filename, frame.f_lineno)


def _parts(content: Any) -> Iterable[Any]:
    if isinstance(content, Formula):
        yield content
    elif isinstance(content, Mapping):
        for key, value in content.items():
            yield from _parts(key)
            yield from _parts(value)
    elif isinstance(content, (list, tuple)):
        for value in content:
            yield from _parts(value)


# What YAML writes within braces, in one line.
def _flow(content: Any) -> str:
    if isinstance(content, Estimated):
        return _flow(content.content)
    if isinstance(content, Mapping):
        return "{" + ", ".join(f"{json.dumps(_name(key), ensure_ascii=False)}: {_flow(value)}" for key, value in content.items()) + "}"
    if isinstance(content, (list, tuple)) or type(content).__name__ == "ndarray":
        return "[" + ", ".join(_flow(value) for value in content) + "]"
    if isinstance(content, str):
        return json.dumps(content, ensure_ascii=False)
    if isinstance(content, Formula):
        return json.dumps(text_of(content))
    if isinstance(content, float) and math.isinf(content):
        return ".inf" if content > 0 else "-.inf"
    return text_of(content)


# An issue of the text that was made, as one of the code that said it; of a frame, with the row.
def _where_it_was_said(issue: Issue, main: str, places: Sequence[_Place], tables: Mapping[str, str]) -> Issue:
    if issue.file == main and 0 < issue.line <= len(places):
        return issue._replace(file=places[issue.line - 1].file, line=places[issue.line - 1].line, column=0)
    if issue.file == main:
        return issue._replace(file="")
    if issue.file in tables and issue.line > 1:
        return issue._replace(file=f"{issue.file.removesuffix('.csv')}, row {issue.line - 2}", line=0, column=0)
    return issue
