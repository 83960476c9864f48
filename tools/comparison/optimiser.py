"""The yardstick: the best of many runs of scipy's L-BFGS-B from points within the bounds, each polished by Newton's method."""
import numpy as np
from scipy.optimize import minimize

from comparison.likelihood import Likelihood

# Corners are rounded by so many units of the noise, less and less. The paths lead to different valleys at times.
PATHS = [[1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 2e-9], [1e-2, 1e-4, 1e-6, 1e-7, 1e-8, 2e-9]]
SMOOTH = [[0.0]]  # no corners: one path of one step
SAME = 1e-6  # objectives that are taken for one


def best_of(problem, runs, seed):
    """The least objective that was found, where, and how many of the runs came within 1e-6 of it."""
    rng = np.random.default_rng([seed, problem.number, 1])
    fine = Likelihood(problem)
    coarse = fine if problem.model.solve else Likelihood(problem, rtol=1e-7)
    ends = [descend(coarse, start) for start in draw_starts(rng, problem, runs)]
    ends = sorted((polish_all(fine, worth_polishing(coarse, ends))), key=lambda pair: pair[0])
    best, where = ends[0]
    return {"objective": float(best), "runs": int(sum(value < best + SAME for value, _ in ends)),
            "at": {unknown.name: float(unknown.from_scale(x)) for unknown, x in zip(problem.unknowns, where)}}


def worth_polishing(likelihood, ends):
    """All of them, where that costs little; else the best."""
    ends = sorted(ends, key=likelihood.value)
    return ends if likelihood.problem.model.solve else ends[:6]


def polish_all(likelihood, ends):
    """Values and points; a point that another has reached before is polished only once."""
    first = paths_of(likelihood)[0][0]
    known = []
    for point in [newton(likelihood, end, first) for end in ends]:
        value = likelihood.smooth_value(point, first)
        twin = next((pair for before, pair in known if abs(before - value) < 1e-9 * (1 + abs(value))), None)
        known.append((value, twin or polish(likelihood, point)))
    return [pair for _, pair in known]


def paths_of(likelihood):
    return PATHS if np.any(likelihood.corner) else SMOOTH


def draw_starts(rng, problem, runs):
    for n in range(runs):
        regions = [unknown.start_region() for unknown in problem.unknowns]
        drawn = [rng.uniform(low, high) for low, high in regions]
        guessed = [(low + high) / 2 if unknown.guess is None else unknown.to_scale(unknown.guess)
                   for unknown, (low, high) in zip(problem.unknowns, regions)]
        yield np.array(guessed if n == 0 else drawn)


def sizes_of(problem):
    return np.array([unknown.size if unknown.scale == "lin" else 1.0 for unknown in problem.unknowns])


def limits_of(problem):
    """Lower and upper bounds on the scales."""
    pairs = [tuple(u.to_scale(np.array(u.bounds))) if u.bounds else (-np.inf, np.inf) for u in problem.unknowns]
    return np.array(pairs, dtype=float).T


def descend(likelihood, start):
    """scipy's L-BFGS-B, with well rounded corners."""
    sizes, (lower, upper) = sizes_of(likelihood.problem), limits_of(likelihood.problem)
    start = np.clip(start, lower, upper)
    fence = Fence(likelihood, sizes, paths_of(likelihood)[0][0])
    with np.errstate(all="ignore"):
        done = minimize(fence, start / sizes, jac=True, method="L-BFGS-B", bounds=list(zip(lower / sizes, upper / sizes)),
                        options={"maxiter": 150, "maxls": 40, "ftol": 1e-10, "gtol": 1e-6})
    return np.clip(done.x * sizes, lower, upper)


class Fence:
    """The objective for a search that wants finite numbers: where there is none, a value above all that were seen."""

    def __init__(self, likelihood, sizes, smoothing):
        self.likelihood, self.sizes, self.smoothing = likelihood, sizes, smoothing
        self.worst = -np.inf

    def __call__(self, x):
        value, gradient = self.likelihood.value_and_gradient(x * self.sizes, self.smoothing)
        if not np.isfinite(value):
            return (self.worst + 10 * (1 + abs(self.worst)) if np.isfinite(self.worst) else 1e10), np.zeros(len(x))
        self.worst = max(self.worst, value)
        return value, gradient * self.sizes


def polish(likelihood, start):
    """The best end of the paths along which corners become sharp, and its value."""
    ends = []
    for path in paths_of(likelihood):
        point = start
        for smoothing in path:
            point = newton(likelihood, point, smoothing)
        ends.append((likelihood.value(point), point))
    return min(ends, key=lambda pair: pair[0])


def newton(likelihood, point, smoothing, most=60):
    """Newton's method with true second derivatives, damped where it must be, within the bounds."""
    sizes, (lower, upper) = sizes_of(likelihood.problem), limits_of(likelihood.problem)
    damping = 0.0
    enough = 1e-13 if smoothing == 0 else 1e-11  # of the objective to be gained by a step
    value, gradient, bent = likelihood.curvature(point, 1e-5 * sizes, smoothing)
    for _ in range(most):
        if not np.isfinite(value):
            break
        step = newton_step(point, gradient * sizes, bent * np.outer(sizes, sizes), damping, lower, upper, sizes)
        trial = np.clip(point + step * sizes, lower, upper)
        promised = -gradient @ (trial - point)
        if not promised > enough * (1 + abs(value)):
            break
        if likelihood.smooth_value(trial, smoothing) < value:
            point, (value, gradient, bent) = trial, likelihood.curvature(trial, 1e-5 * sizes, smoothing)
            damping = damping / 10 if damping > 1e-6 else 0.0
        else:
            damping = max(10 * damping, 1e-4)
            if damping > 1e8:
                break
    return point


def newton_step(point, gradient, bent, damping, lower, upper, sizes):
    """-(|H| + damping D)^-1 g on what is free to move; on a bound, what wants to cross it stays."""
    free = ~(((point <= lower) & (gradient > 0)) | ((point >= upper) & (gradient < 0)))
    step = np.zeros(len(point))
    for _ in range(len(point)):
        if not np.any(free):
            break
        step[:] = 0
        step[free] = solve_modified(bent[np.ix_(free, free)], gradient[free], damping)
        crossing = free & ((point + step * sizes < lower) | (point + step * sizes > upper))
        stuck = crossing & ((point <= lower) | (point >= upper))
        if not np.any(stuck):
            break
        free &= ~stuck
    return step


def solve_modified(bent, gradient, damping):
    diagonal = np.sqrt(np.maximum(np.abs(np.diag(bent)), 1e-12))
    values, vectors = np.linalg.eigh(bent / np.outer(diagonal, diagonal))
    values = np.maximum(np.abs(values), 1e-13) + damping
    return -(vectors @ ((vectors.T @ (gradient / diagonal)) / values)) / diagonal
