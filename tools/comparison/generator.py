"""Draws problem N from (seed, N): a model, experiments, unknowns with scales, bounds and priors, noise laws, and data."""
import dataclasses

import numpy as np

from comparison.costs import argument, is_count
from comparison.likelihood import Likelihood, is_logarithmic
from comparison.models import around, draw_model, either
from comparison.problem import Experiment, Measured, Prior, Problem, Row, Unknown

MOST_UNKNOWNS = 6


def draw_problem(seed, number):
    rng = np.random.default_rng([seed, number])
    model = draw_model(rng)
    wanted = int(rng.integers(1, MOST_UNKNOWNS + 1))
    experiments = draw_experiments(rng, model)
    problem = Problem(number, model, draw_start(rng, model), [], dict(model.initial), [], experiments, [])
    draw_laws(rng, problem, wanted)
    draw_unknowns(rng, problem, wanted)
    draw_data(rng, problem)
    return problem


def draw_start(rng, model):
    return 0.0 if model.uses_time or rng.random() < 0.85 else around(rng, 0.3 * model.span)


# Experiments


def draw_experiments(rng, model):
    count = int(rng.choice([1, 2, 3], p=[0.6, 0.3, 0.1]))
    if count == 1:
        return [Experiment("only", {}, {})]
    lever = either(rng, *model.levers) if model.levers else None
    state = either(rng, *model.initial)
    numbers = isinstance(model.initial[state], float) and model.initial[state] != 0
    own_start = numbers and (lever is None or rng.random() < 0.4)
    experiments = []
    for name in ("low", "middle", "high")[:count]:
        factor = around(rng, 1, 2.5 if state not in model.narrow else 1.3)
        change = {lever: float(f"{model.parameters[lever] * factor:.3g}")} if lever and not own_start else {}
        initial = {state: float(f"{model.initial[state] * factor:.3g}")} if own_start else {}
        experiments.append(Experiment(name, change, initial))
    return experiments


# Unknowns


def draw_unknowns(rng, problem, wanted):
    """Parameters and initial values, until there are as many as wanted; noise has drawn its own already."""
    model = problem.model
    set_somewhere = {name for experiment in problem.experiments for name in experiment.set}
    pool = [name for name in used_parameters(problem) if name not in set_somewhere]
    pool += [state for state, value in model.initial.items() if can_be_estimated(model, state, value)]
    rng.shuffle(pool)
    estimates_something = False
    for name in pool:
        room = MOST_UNKNOWNS if not estimates_something else wanted
        if name in model.parameters and len(problem.unknowns) < room:
            problem.unknowns.append(draw_unknown(rng, model, name, model.parameters[name]))
            estimates_something = True
        elif name in model.initial and len(problem.unknowns) + len(owners(problem, name)) <= room and owners(problem, name):
            estimate_initial(rng, problem, name)
            estimates_something = True


def used_parameters(problem):
    model = problem.model
    texts = [*model.equations.values(), *(v for v in model.initial.values() if isinstance(v, str)),
             *(seen.formula for seen in problem.observables)]
    words = set(" ".join("".join(c if c.isalnum() or c == "_" else " " for c in text) for text in texts).split())
    return [name for name in model.parameters if name in words]


def can_be_estimated(model, state, value):
    return isinstance(value, float) and (value != 0 or state in model.any_sign)


def owners(problem, state):
    return [experiment for experiment in problem.experiments if state not in experiment.initial]


def estimate_initial(rng, problem, state):
    unknown = draw_unknown(rng, problem.model, state, problem.model.initial[state])
    problem.initial[state] = unknown
    for experiment in owners(problem, state):
        problem.unknowns.append(dataclasses.replace(unknown, name=problem.name_of_initial(experiment, state)))


def draw_unknown(rng, model, name, truth):
    signed = name in model.any_sign
    scale = "lin" if signed else str(rng.choice(["lin", "log", "log10"], p=[0.5, 0.25, 0.25]))
    unknown = Unknown(name, truth, scale, size=max(abs(truth), 0.3) if signed else abs(truth))
    widest = 1.6 if name in model.narrow else 30.0
    if rng.random() < 0.85 or name in model.narrow:
        unknown.bounds = draw_bounds(rng, unknown, signed, widest, name in model.zero)
    unknown.guess = draw_guess(rng, unknown, signed, widest)
    if rng.random() < 0.25:
        unknown.prior = draw_prior(rng, unknown, signed)
    if unknown.bounds and rng.random() < 0.1:
        unknown.guess = None  # then it is the middle of the bounds
    return unknown


def draw_bounds(rng, unknown, signed, widest, may_be_zero):
    """Around the truth, or (one in seven) beside it, so that one will be active."""
    beside = rng.random() < 0.15
    if signed:
        below, above = rng.uniform(1.2, 2.8, 2) * unknown.size
        shift = either(rng, -1, 1) * (max(below, above) + 0.2 * unknown.size) if beside else 0
        return float(f"{unknown.truth + shift - below:.3g}"), float(f"{unknown.truth + shift + above:.3g}")
    low, high = unknown.truth / widest ** rng.uniform(0.4, 1), unknown.truth * widest ** rng.uniform(0.4, 1)
    if beside and rng.random() < 0.5:
        high = 0.85 * unknown.truth
    elif beside:
        low = 1.15 * unknown.truth
    elif may_be_zero and unknown.scale == "lin" and rng.random() < 0.5:
        low = 0.0
    low, high = float(f"{low:.3g}"), float(f"{high:.3g}")
    return (low, high) if low < high else (low, 2 * low)


def draw_guess(rng, unknown, signed, widest):
    if signed and unknown.truth == 0:
        guess = rng.uniform(0.1, 0.5)
    else:
        guess = unknown.truth * min(widest, 4) ** rng.uniform(-1, 1)
    low, high = unknown.bounds or (-np.inf, np.inf)
    return float(f"{min(max(guess, low), high):.6g}")


def draw_prior(rng, unknown, signed):
    law = either(rng, "normal", "laplace")
    if unknown.scale != "lin" and rng.random() < 0.6:
        spread = rng.uniform(0.05, 0.5) * (1 if unknown.scale == "log" else np.log10(np.e))
        return Prior(law, float(f"{unknown.to_scale(unknown.truth) + spread * rng.normal():.4g}"), float(f"{spread:.3g}"), True)
    spread = rng.uniform(0.05, 0.4) * unknown.size
    return Prior(law, float(f"{unknown.truth + spread * rng.normal():.4g}"), float(f"{spread:.3g}"), rng.random() < 0.2)


# Noise


def draw_laws(rng, problem, wanted):
    typical = typical_sizes(problem)
    column = rng.random() < 0.15  # the noise of every value stands in the data
    for seen, size in zip(problem.model.observables, typical):
        laws = ["normal", "laplace", "student-t(4)"]
        laws += ["log-normal", "log-laplace", "poisson", "negative-binomial(5)"] if seen.positive else []
        weights = np.array([0.35, 0.15, 0.1, 0.15, 0.1, 0.08, 0.07][:len(laws)])
        law = str(rng.choice(laws, p=weights / weights.sum()))
        if is_count(law):
            formula = f"{around(rng, 30 / size)!r}*({seen.formula})"
            problem.observables.append(Measured(seen.name, formula, law, "1", None))
        elif column:
            problem.observables.append(Measured(seen.name, seen.formula, law, None, None))
        else:
            problem.observables.append(draw_noise(rng, problem, seen, law, size, len(problem.unknowns) + 1 < wanted))


def draw_noise(rng, problem, seen, law, size, may_be_estimated):
    relative = around(rng, 0.05, 2.5)
    sigma = relative if is_logarithmic(law) else float(f"{relative * size:.3g}")
    in_proportion = seen.positive and not is_logarithmic(law) and rng.random() < 0.35
    if not may_be_estimated or rng.random() < 0.5:
        text = f"{0.2 * sigma:.3g} + {relative!r}*({seen.formula})" if in_proportion else repr(sigma)
        return Measured(seen.name, seen.formula, law, text, text)
    if not in_proportion and rng.random() < 0.35:  # stated nowhere
        name = f"noise_{seen.name}"
        problem.unknowns.append(Unknown(name, sigma, "log", guess=sigma))
        return Measured(seen.name, seen.formula, law, name, None)
    name = f"s_{seen.name}"
    unknown = draw_unknown(rng, problem.model, name, relative if in_proportion else sigma)
    problem.unknowns.append(unknown)
    text = f"{0.2 * sigma:.3g} + {name}*({seen.formula})" if in_proportion else name
    return Measured(seen.name, seen.formula, law, text, text)


def typical_sizes(problem):
    times = problem.start + np.linspace(0.1, 1, 8) * problem.model.span
    return [np.max(np.abs(means)) for means in true_means(problem, times, 0)]


def true_means(problem, times, experiment):
    """What every observable would show there without noise."""
    plain = [Measured(s.name, s.formula, "normal", "1", "1") for s in problem.observables or problem.model.observables]
    rows = [Row(experiment, float(t), o, 0.0) for o in range(len(plain)) for t in times]
    true = dataclasses.replace(problem, observables=plain, rows=rows, unknowns=[Unknown("nothing", 1.0)],
                               initial=dict(problem.model.initial))
    u, _ = Likelihood(true).rows(np.ones((1, 1)))
    return u[:, 0].real.reshape(len(plain), len(times))


# Data


def draw_data(rng, problem):
    unknowns, experiments = len(problem.unknowns), len(problem.experiments)
    fewest = int(np.ceil((2 * unknowns + 5) / experiments))
    count = max(fewest, int(rng.integers(6, 15)))
    replicates = 2 if rng.random() < 0.2 else 1
    gaps = rng.random() < 0.3
    censors = rng.random() < 0.15
    positive = [seen.positive for seen in problem.model.observables]
    for k in range(experiments):
        times = draw_times(rng, problem, count)
        means = true_means(problem, times, k)
        for n, t in enumerate(times):
            for o in range(len(problem.observables)):
                if gaps and len(problem.observables) > 1 and rng.random() < 0.25:
                    continue
                for _ in range(replicates):
                    largest = np.max(np.abs(means[o]))
                    limit = float(f"{0.25 * largest:.2g}") if censors and positive[o] else None
                    add_row(rng, problem, Row(k, float(t), o, 0.0), means[o, n], largest, limit)


def draw_times(rng, problem, count):
    ends = either(rng, np.linspace(0, 1, count + 1)[1:], np.sort(rng.uniform(0.02, 1, count)), np.linspace(0, 1, count),
                  np.linspace(0.15, 1, count) ** 2)
    return np.array([float(f"{problem.start + problem.model.span * x:.4g}") for x in ends])


def add_row(rng, problem, row, mean, largest, limit):
    seen = problem.observables[row.observable]
    if is_logarithmic(seen.law) and mean < 0.01 * largest:
        return
    if is_count(seen.law):
        rate = mean * rng.gamma(argument(seen.law)) / argument(seen.law) if seen.law != "poisson" else mean
        row.value = float(rng.poisson(max(rate, 0)))
        problem.rows.append(row)
        return
    if seen.noise is None:
        row.noise = around(rng, 0.05, 2) * (1 if is_logarithmic(seen.law) else largest)
    sigma = row.noise if seen.noise is None else true_sigma(problem, seen, mean)
    error = sigma * (rng.laplace() if "laplace" in seen.law else rng.standard_t(4) if "student" in seen.law else rng.normal())
    row.value = float(f"{mean * np.exp(error) if is_logarithmic(seen.law) else mean + error:.5g}")
    if limit and row.value < limit and seen.law in ("normal", "log-normal"):
        row.value, row.side = limit, "<"
    problem.rows.append(row)


def true_sigma(problem, seen, mean):
    """Noise is a number, a name, or a + b*(formula), where b may be a name."""
    truths = {unknown.name: unknown.truth for unknown in problem.unknowns}
    floor, _, slope = seen.noise.partition(" + ")
    if not slope:
        return truths[floor] if floor in truths else float(floor)
    factor = slope.split("*(")[0]
    return float(floor) + (truths[factor] if factor in truths else float(factor)) * mean
