"""A problem: a model, what of it is unknown, noise laws, experiments and data; written as a problem file with its data."""
import dataclasses
import typing

import numpy as np

from comparison.models import Model


@dataclasses.dataclass
class Prior:
    law: str  # normal, laplace
    location: float
    spread: float
    on_scale: bool = False

    def text(self):
        if self.on_scale:
            return f"{{{self.law}: [{self.location!r}, {self.spread!r}], on: scale}}"
        return f'"{self.law}({self.location!r}, {self.spread!r})"'


@dataclasses.dataclass
class Unknown:
    name: str  # as in results: an initial value is called by its state, or experiment:state
    truth: float
    scale: str = "lin"
    guess: typing.Optional[float] = None
    bounds: typing.Optional[tuple] = None
    prior: typing.Optional[Prior] = None
    size: float = 1.0  # what a step is measured by on the linear scale

    def to_scale(self, value):
        return {"lin": lambda x: x, "log": np.log, "log10": np.log10}[self.scale](value)

    def from_scale(self, scaled):
        return {"lin": lambda x: x, "log": np.exp, "log10": lambda x: 10.0**x}[self.scale](scaled)

    def text(self):
        parts = [] if self.guess is None else [f"guess: {self.guess!r}"]
        if self.scale != "lin":
            parts.append(f"scale: {self.scale}")
        if self.bounds:
            parts.append(f"bounds: [{self.bounds[0]!r}, {self.bounds[1]!r}]")
        if self.prior:
            parts.append(f"prior: {self.prior.text()}")
        return "{" + ", ".join(parts) + "}"

    def start_region(self):
        """Where starts are drawn, on the scale: within the bounds, or within a factor of ten of the guess."""
        low, high = self.bounds or sorted((0.1 * self.guess, 10 * self.guess))
        return self.to_scale(low), self.to_scale(high)


@dataclasses.dataclass
class Measured:
    """What is measured of one observable, and how it errs."""

    name: str
    formula: str
    law: str
    noise: typing.Optional[str]  # a formula; None: not stated in the problem file
    noise_of_file: typing.Optional[str]  # what is written there; None with noise: estimated without being named


@dataclasses.dataclass
class Experiment:
    name: str
    set: dict
    initial: dict


@dataclasses.dataclass
class Row:
    experiment: int
    time: float
    observable: int
    value: float
    noise: typing.Optional[float] = None
    side: str = ""  # "<" or ">": the value is a limit

    def cell(self):
        return self.side + repr(self.value)


@dataclasses.dataclass
class Problem:
    number: int
    model: Model
    start: float
    unknowns: list
    initial: dict  # state: a number, a formula, or an Unknown that every experiment has for itself
    observables: list
    experiments: list
    rows: list

    @property
    def constants(self):
        names = {unknown.name for unknown in self.unknowns}
        return {name: value for name, value in self.model.parameters.items() if name not in names}

    def name_of_initial(self, experiment, state):
        return state if len(self.experiments) == 1 else f"{experiment.name}:{state}"


def write(problem, folder):
    (folder / "problem.yaml").write_text(problem_text(problem))
    (folder / "data.csv").write_text(data_text(problem))
    return folder / "problem.yaml"


def problem_text(problem):
    lines = [f"title: Problem {problem.number}, {problem.model.family}"]
    if problem.start:
        lines.append(f"start: {problem.start!r}")
    lines.append("equations:")
    lines += [f"  {state}: {formula}" for state, formula in problem.model.equations.items()]
    lines.append("initial:")
    lines += [f"  {state}: {value.text() if isinstance(value, Unknown) else value}" for state, value in problem.initial.items()]
    lines.append("parameters:")
    lines += parameter_lines(problem)
    lines.append("observables:")
    lines += [f"  {seen.name}: {observable_text(seen)}" for seen in problem.observables]
    lines.append("data: data.csv")
    if len(problem.experiments) > 1:
        lines.append("experiments:")
        lines += [f"  {experiment.name}: {experiment_text(experiment)}" for experiment in problem.experiments]
    return "\n".join(lines) + "\n" + problem.model.events


def parameter_lines(problem):
    unnamed = {f"noise_{seen.name}" for seen in problem.observables if seen.noise and not seen.noise_of_file}
    initial = {problem.name_of_initial(experiment, state) for experiment in problem.experiments for state in problem.initial}
    for unknown in problem.unknowns:
        if unknown.name not in unnamed and unknown.name not in initial:
            yield f"  {unknown.name}: {unknown.text()}"
    for name, value in problem.constants.items():
        yield f"  {name}: {value!r}"


def observable_text(seen):
    noise = f", noise: {seen.noise_of_file}" if seen.noise_of_file else ""
    law = "" if seen.law == "normal" else f", distribution: {seen.law}"
    return f"{{formula: {seen.formula}{noise}{law}}}"


def experiment_text(experiment):
    parts = []
    for title, values in ("set", experiment.set), ("initial", experiment.initial):
        if values:
            parts.append(f"{title}: {{{', '.join(f'{name}: {value!r}' for name, value in values.items())}}}")
    return "{" + ", ".join(parts) + "}"


def data_text(problem):
    return long_text(problem) if any(row.noise for row in problem.rows) else wide_text(problem)


def long_text(problem):
    several = len(problem.experiments) > 1
    lines = [("experiment," if several else "") + "time,observable,value,noise"]
    for row in problem.rows:
        cells = [problem.experiments[row.experiment].name] if several else []
        cells += [repr(row.time), problem.observables[row.observable].name, row.cell(), repr(row.noise) if row.noise else ""]
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


def wide_text(problem):
    """One line for what is measured at once; replicates stand on further lines."""
    several = len(problem.experiments) > 1
    lines = []
    for row in problem.rows:
        key = (row.experiment, row.time)
        line = next((cells for place, cells in lines if place == key and row.observable not in cells), None)
        if line is None:
            line = {}
            lines.append((key, line))
        line[row.observable] = row.cell()
    count = len(problem.observables)
    text = [",".join((["experiment"] if several else []) + ["time"] + [seen.name for seen in problem.observables])]
    for (experiment, time), cells in lines:
        start = [problem.experiments[experiment].name] if several else []
        text.append(",".join(start + [repr(time)] + [cells.get(k, "NA" if count > 1 else "") for k in range(count)]))
    return "\n".join(text) + "\n"
