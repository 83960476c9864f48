"""What Salvo maximises, computed a second time: own simulation, own noise laws, derivatives by complex steps.

Every measurement and every prior is a row: u, its residual in units of its spread, and log_sigma; for a count u is its mean, for
a limit how many spreads the mean lies on the side that was seen, and log_sigma is 0. The objective is
    sum of cost(u) + log_sigma + a constant.
"""
import numpy as np
from scipy.integrate import solve_ivp

from comparison.costs import Costs, is_count

TINY = 1e-25  # the complex step
MOST_CALLS = 8000  # of the equations for one trajectory; a good one takes a tenth
FUNCTIONS = {name: getattr(np, name) for name in ("exp", "log", "sqrt", "sin", "cos", "tanh")}


def compiled(formula):
    return compile(formula.replace("^", "**"), formula, "eval")


def value_of(code, names):
    return eval(code, {"__builtins__": {}, **FUNCTIONS}, names)


def slopes_of(equations, parameters):
    """The right-hand sides as one function of time, states and parameters."""
    arguments = ", ".join(["t", *equations, *parameters])
    results = ", ".join(formula.replace("^", "**") for formula in equations.values())
    return eval(f"lambda {arguments}: ({results},)", dict(FUNCTIONS))


def is_logarithmic(law):
    return law.startswith("log-")


class Likelihood:
    """The rows of a problem as functions of its unknowns, each on its scale."""

    def __init__(self, problem, rtol=1e-11):
        self.problem = problem
        self.rtol = rtol
        self.slopes_names = list(problem.model.parameters)
        self.slopes = slopes_of(problem.model.equations, self.slopes_names)
        self.formulas = [compiled(seen.formula) for seen in problem.observables]
        self.noises = [compiled(seen.noise) if seen.noise else None for seen in problem.observables]
        self.places = [places_of(problem, k) for k in range(len(problem.experiments))]
        self.priors = [unknown for unknown in problem.unknowns if unknown.prior]
        laws = [problem.observables[row.observable].law for row in problem.rows] + [p.prior.law for p in self.priors]
        values = [row.value for row in problem.rows] + [0.0] * len(self.priors)
        sides = [row.side for row in problem.rows] + [""] * len(self.priors)
        self.costs = Costs(laws, values, sides)
        self.corner = self.costs.corner
        self.constant = self.costs.constant + sum(
            np.log(row.value) for row, law in zip(problem.rows, laws) if is_logarithmic(law) and not row.side)

    def rows(self, batch):
        """u and log_sigma, a column for each column of the batch; nan where there is no solution."""
        with np.errstate(all="ignore"):
            return self.rows_in_silence(np.asarray(batch))

    def rows_in_silence(self, batch):
        unknowns = {u.name: u.from_scale(batch[k]) for k, u in enumerate(self.problem.unknowns)}
        u = np.full((len(self.corner), batch.shape[1]), np.nan, dtype=complex)
        log_sigma = np.zeros_like(u)
        for k in range(len(self.problem.experiments)):
            self.measured_rows(k, unknowns, u, log_sigma)
        for n, unknown in enumerate(self.priors, start=len(self.problem.rows)):
            scaled = batch[self.problem.unknowns.index(unknown)]
            value = scaled if unknown.prior.on_scale else unknown.from_scale(scaled)
            u[n] = (value - unknown.prior.location) / unknown.prior.spread
            log_sigma[n] = np.log(unknown.prior.spread)
        wrong = ~np.isfinite(u) | ~np.isfinite(log_sigma) | (abs(u.imag) > 1e-6) | (abs(log_sigma.imag) > 1e-6)
        u[wrong] = np.nan
        return u, log_sigma

    def measured_rows(self, k, unknowns, u, log_sigma):
        times, index = self.places[k]
        if not len(times):
            return
        names, states = self.simulate(k, unknowns, times)
        for o, seen in enumerate(self.problem.observables):
            rows = [n for n, row in enumerate(self.problem.rows) if row.experiment == k and row.observable == o]
            if not rows:
                continue
            at = index[rows]
            here = {**names, **{state: x[at] for state, x in states.items()}, "t": times[at][:, None]}
            mean = value_of(self.formulas[o], here) + np.zeros_like(u[rows])
            if is_count(seen.law):
                u[rows] = mean
                continue
            sigma = self.sigma(o, rows, here) + np.zeros_like(mean)
            eta = np.array([self.problem.rows[n].value for n in rows])[:, None]
            sigma = np.where(sigma.real > 0, sigma, np.nan)
            if is_logarithmic(seen.law):
                mean, eta = np.log(np.where(mean.real > 0, mean, np.nan)), np.log(eta)
            sides = np.array([self.problem.rows[n].side for n in rows])[:, None]
            u[rows] = np.where(sides == "<", -1, 1) * (mean - eta) / sigma
            log_sigma[rows] = np.where(sides == "", np.log(sigma), 0)

    def sigma(self, o, rows, here):
        if self.noises[o]:
            return value_of(self.noises[o], here)
        return np.array([self.problem.rows[n].noise for n in rows])[:, None]

    def simulate(self, k, unknowns, times):
        """All names an observable may use, and the states at the times (rows) of every point (columns)."""
        problem, experiment = self.problem, self.problem.experiments[k]
        names = {**problem.constants, **experiment.set, **{n: x for n, x in unknowns.items() if ":" not in n}}
        width = len(next(iter(unknowns.values())))
        start = {state: self.initial_value(experiment, state, names, unknowns) + np.zeros(width, dtype=complex)
                 for state in problem.model.equations}
        names = {name: x for name, x in names.items() if name not in start}
        if problem.model.solve:
            states = problem.model.solve(names, start, times[:, None] - problem.start)
            return names, {state: x + np.zeros((len(times), width), dtype=complex) for state, x in states.items()}
        return names, self.integrate(names, start, times)

    def initial_value(self, experiment, state, names, unknowns):
        if state in experiment.initial:
            return experiment.initial[state]
        own = self.problem.name_of_initial(experiment, state)
        if own in unknowns:
            return unknowns[own]
        value = self.problem.initial[state]
        return value_of(compiled(value), names) if isinstance(value, str) else value

    def integrate(self, names, start, times):
        states = list(start)
        begin = np.concatenate([start[state] for state in states])
        width = len(begin) // len(states)
        values = [names[name] for name in self.slopes_names]
        calls = 0

        def slope(t, flat):
            nonlocal calls
            calls += 1
            if calls > MOST_CALLS or not np.abs(flat).max() < 1e6:
                raise RunsAway
            return np.concatenate(self.slopes(t, *flat.reshape(len(states), width), *values))

        try:
            done = solve_ivp(slope, (self.problem.start, times[-1] + 1e-9), begin, "DOP853", t_eval=times, rtol=self.rtol,
                             atol=1e-2 * self.rtol)
        except RunsAway:
            done = None
        if done is None or not done.success:
            return {state: np.full((len(times), width), np.nan, dtype=complex) for state in states}
        return dict(zip(states, done.y.T.reshape(len(times), len(states), width).transpose(1, 0, 2)))

    def value(self, scaled):
        """The objective itself, with its corners."""
        return self.smooth_value(scaled, 0.0)

    def smooth_value(self, scaled, smoothing):
        u, log_sigma = self.rows(np.asarray(scaled, dtype=float)[:, None])
        return self.total(u[:, 0].real, log_sigma[:, 0].real, smoothing)

    def total(self, u, log_sigma, smoothing):
        with np.errstate(over="ignore"):
            cost = self.costs.value(u, smoothing)
        total = np.sum(cost) + np.sum(log_sigma) + self.constant
        return total if np.isfinite(total) else np.inf

    def jacobian(self, scaled):
        """Rows and their derivatives at one point."""
        u, log_sigma = self.rows(np.asarray(scaled, dtype=float)[:, None] + 1j * TINY * np.eye(len(scaled)))
        return u[:, 0].real, log_sigma[:, 0].real, u.imag / TINY, log_sigma.imag / TINY

    def value_and_gradient(self, scaled, smoothing):
        u, log_sigma, du, dlog = self.jacobian(scaled)
        value = self.total(u, log_sigma, smoothing)
        if not value < 1e100:  # too large to have a gradient
            return np.inf, np.zeros(len(scaled))
        return value, du.T @ self.costs.first(u, smoothing) + np.sum(dlog, axis=0)

    def curvature(self, scaled, steps, smoothing):
        """Value, gradient and second derivatives; those of the rows are differences of exact first ones."""
        n = len(scaled)
        base = np.repeat(np.asarray(scaled, dtype=float)[:, None], n, axis=1)
        shifts = [base + 1j * TINY * np.eye(n)]
        shifts += [shifts[0] + steps[k] * np.eye(n)[:, k:k + 1] for k in range(n)]
        u, log_sigma = self.rows(np.concatenate(shifts, axis=1))
        value = self.total(u[:, 0].real, log_sigma[:, 0].real, smoothing)
        if not np.isfinite(value):
            return np.inf, None, None
        du, dlog = (x.imag.reshape(len(u), n + 1, n) / TINY for x in (u, log_sigma))
        first, second = self.costs.first(u[:, 0].real, smoothing), self.costs.second(u[:, 0].real, smoothing)
        gradient = du[:, 0].T @ first + np.sum(dlog[:, 0], axis=0)
        rows = [(first @ (du[:, k + 1] - du[:, 0]) + np.sum(dlog[:, k + 1] - dlog[:, 0], axis=0)) / steps[k] for k in range(n)]
        bent = np.array(rows)
        return value, gradient, du[:, 0].T @ (second[:, None] * du[:, 0]) + 0.5 * (bent + bent.T)


class RunsAway(Exception):
    """A trajectory that is not worth following any further."""


def places_of(problem, k):
    """The distinct times of an experiment, and for each row of the problem which of them is its."""
    times = np.unique([row.time for row in problem.rows if row.experiment == k])
    index = np.array([np.searchsorted(times, row.time) if row.experiment == k else 0 for row in problem.rows])
    return times, index
