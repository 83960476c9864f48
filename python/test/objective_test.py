"""The objective: exact, the same from everywhere, and of use to others."""

import gc
import threading

import numpy as np
import pytest
from program import example

import salvo

NAMES = ["lotka-volterra", "enzyme", "receptor", "theophylline", "school-influenza", "repeated-doses"]


@pytest.fixture(scope="module", params=NAMES)
def f(request):
    return salvo.read(example(request.param)).objective()


@pytest.fixture(scope="module")
def enzyme():
    return salvo.read(example("enzyme")).objective(rtol=1e-11)


# A point near the guess that is none of its special ones, within the bounds.
def generic(f):
    start = f.from_dict({"p1": 0.8, "p2": 0.9, "p3": 0.7, "p4": 0.9}) if "p4" in f.names else f.start  # the guess explodes
    theta = start + 0.01 * np.cos(np.arange(len(f)) + 1.0)
    lower, upper = f.bounds.T
    return np.clip(theta, lower + 1e-3, upper - 1e-3)


def test_gradients_are_those_of_differences(f):
    exact = f.problem.objective(rtol=1e-11)
    theta = generic(f)
    value, gradient = exact.value_and_gradient(theta)
    assert value == exact(theta)
    for k in range(len(f)):
        h = 1e-4 * max(1.0, abs(theta[k]))
        points = np.array([theta] * 4)
        points[:, k] += np.array([-2, -1, 1, 2]) * h
        a, b, c, d = exact.many(points)
        difference = (a - 8 * b + 8 * c - d) / (12 * h)  # of fourth order
        assert gradient[k] == pytest.approx(difference, rel=1e-6, abs=1e-6 * np.abs(gradient).max())


def test_rows_make_the_gradient(f):
    theta = generic(f)
    rows, jacobian = f.rows(theta), f.jacobian(theta)
    assert jacobian.shape == (len(rows), len(f))
    gradient = f.gradient(theta)
    assert np.allclose(jacobian.T @ rows, gradient, rtol=1e-6, atol=1e-6 * np.abs(gradient).max())


def test_information_and_hessian_are_symmetric_and_near_each_other_at_the_minimum():
    problem = salvo.read(example("enzyme"))
    f = problem.objective(rtol=1e-11)
    theta = problem.fit(rtol=1e-11).theta
    fisher, hessian = f.fisher(theta), f.hessian(theta)
    assert np.array_equal(fisher, fisher.T) and np.array_equal(hessian, hessian.T)
    assert np.all(np.linalg.eigvalsh(hessian) > 0)
    gradient = [f.gradient(theta + h) for h in (1e-4 * np.eye(len(f))[0], -1e-4 * np.eye(len(f))[0])]
    assert np.allclose(hessian[0], (gradient[0] - gradient[1]) / 2e-4, rtol=1e-4, atol=1e-5 * np.abs(hessian).max())


def test_it_is_the_negative_posterior_of_a_fit():
    for name in NAMES:
        problem = salvo.read(example(name))
        fit = problem.fit()
        f = problem.objective()
        assert f.names == fit.names
        assert f(f.from_dict(fit.to_dict())) == pytest.approx(fit.objective, rel=1e-6, abs=1e-6)


def test_names_scales_and_bounds_are_those_of_the_problem():
    f = salvo.read(example("receptor")).objective()
    assert len(f) == len(f.names) == len(f.scales) == len(f.start) == len(f.bounds)
    assert np.array_equal(f.from_dict(f.to_dict(f.start)), f.start) or np.allclose(f.from_dict(f.to_dict(f.start)), f.start)
    values = f.to_dict(f.start)
    table = f.problem.parameters
    for name in f.names:
        assert values[name] == pytest.approx(table.loc[name, "value"] if hasattr(table, "loc") else values[name])


@pytest.mark.parametrize(
    "shape",
    [list, tuple, lambda x: x.astype(np.float64)[::1], lambda x: np.repeat(x, 2)[::2], lambda x: np.array([x, x]).T[:, 0]],
)
def test_vectors_come_in_any_shape_that_numpy_knows(enzyme, shape):
    theta = generic(enzyme)
    assert enzyme(shape(theta)) == enzyme(theta)
    assert np.array_equal(enzyme.gradient(shape(theta)), enzyme.gradient(theta))


def test_single_precision_and_whole_numbers_are_taken_as_they_are(enzyme):
    theta = generic(enzyme).astype(np.float32)
    assert enzyme(theta) == enzyme(theta.astype(np.float64))
    ones = np.ones(len(enzyme), dtype=int)
    assert enzyme(ones) == enzyme(ones.astype(float))


def test_a_frozen_array_is_read_and_not_changed(enzyme):
    theta = generic(enzyme)
    theta.setflags(write=False)
    before = theta.copy()
    enzyme(theta), enzyme.rows(theta), enzyme.many(np.array([theta]))
    assert np.array_equal(theta, before)


def test_vectors_of_another_length_are_refused(enzyme):
    for theta in ([], [1.0], np.ones(len(enzyme) + 1), np.ones((len(enzyme), 1)), np.float64(3)):
        for call in (enzyme, enzyme.gradient, enzyme.rows, enzyme.jacobian, enzyme.fisher, enzyme.hessian, enzyme.why):
            with pytest.raises(ValueError, match="given"):
                call(theta)
    with pytest.raises(ValueError):
        enzyme.many(np.ones((3, len(enzyme) + 1)))
    with pytest.raises(ValueError):
        enzyme.many(generic(enzyme))
    with pytest.raises((TypeError, ValueError)):
        enzyme("theta")
    with pytest.raises((TypeError, ValueError)):
        enzyme(None)


def test_where_there_is_no_value_it_is_infinite_and_says_why(enzyme):
    theta = generic(enzyme)
    for number in (np.nan, np.inf, -np.inf, 1e300):
        theta[0] = number
        assert enzyme(theta) == np.inf
        assert enzyme.names[0] in enzyme.why(theta) or enzyme.why(theta)
        assert np.isnan(enzyme.gradient(theta)).all()
        assert np.isinf(enzyme.rows(theta)).all()
        assert np.isnan(enzyme.jacobian(theta)).all()
        assert np.isnan(enzyme.fisher(theta)).all() and np.isnan(enzyme.hessian(theta)).all()
    assert enzyme.why(generic(enzyme)) is None


def test_beyond_a_bound_there_is_no_probability():
    m = salvo.Model("decay")
    k = m.parameter("k", guess=1, lower=0, upper=2)
    x = m.state("x", initial=1)
    m.dt[x] = -k * x
    m.observable("seen", x, noise=0.1)
    f = m.problem({"time": [1, 2], "seen": [0.4, 0.2]}).objective()
    assert np.isfinite(f([0.0])) and np.isfinite(f([2.0]))
    values, reasons = f.many([[-0.1], [1.0], [2.1]], reasons=True)
    assert np.isinf(values[[0, 2]]).all() and np.isfinite(values[1])
    assert reasons == ["k is below its lower bound", "", "k is above its upper bound"]


def test_many_points_are_many_values_with_any_number_of_threads(f):
    random = np.random.default_rng(1)
    points = f.start + 0.05 * random.standard_normal((20, len(f)))
    alone = np.array([f(point) for point in points])
    for threads in (None, 1, 2, 7):
        assert np.array_equal(f.many(points, threads=threads), alone)
    assert f.many(np.empty((0, len(f)))).shape == (0,)


def test_threads_share_it_and_find_the_same_bits(enzyme):
    points = enzyme.start + 0.05 * np.random.default_rng(2).standard_normal((40, len(enzyme)))
    alone = [(enzyme(point), enzyme.gradient(point).tobytes()) for point in points]
    found = [None] * 8

    def work(k):
        found[k] = [(enzyme(point), enzyme.gradient(point).tobytes()) for point in points]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(each == alone for each in found)


def test_arrays_outlive_what_they_came_from():
    f = salvo.read(example("enzyme")).objective()
    theta = f.start
    arrays = [f.gradient(theta), f.rows(theta), f.jacobian(theta), f.fisher(theta), f.bounds, f.start, f.simulations(theta)]
    copies = [array.copy() for array in arrays]
    del f
    gc.collect()
    junk = [np.random.default_rng(0).standard_normal(1000) for _ in range(100)]
    assert all(np.array_equal(a, b) for a, b in zip(arrays, copies)) and junk


def test_results_of_one_call_are_not_those_of_the_next(enzyme):
    first = enzyme.gradient(enzyme.start)
    kept = first.copy()
    enzyme.gradient(generic(enzyme))
    assert np.array_equal(first, kept)
    first[:] = 0
    assert np.array_equal(enzyme.gradient(enzyme.start), kept)
    start = enzyme.start
    start[:] = 7
    assert not np.array_equal(enzyme.start, start)


@pytest.mark.parametrize("name", ["enzyme", "lotka-volterra", "repeated-doses"])
def test_scipy_reaches_the_optimum_of_fit(name):
    optimize = pytest.importorskip("scipy.optimize", reason="python3-scipy is missing")
    problem = salvo.read(example(name))
    fit = problem.fit().raise_if_failed()
    f = problem.objective()
    near = np.clip(fit.theta + 0.05 * np.abs(fit.theta), *f.bounds.T)  # fit has other ways to come there from afar
    found = optimize.minimize(f.value_and_gradient, near, jac=True, bounds=f.bounds, method="L-BFGS-B",
                              options={"maxiter": 5000, "ftol": 1e-14, "gtol": 1e-8})
    assert found.fun == pytest.approx(fit.objective, abs=1e-4)
    by_rows = optimize.least_squares(f.rows, near, jac=f.jacobian, bounds=f.bounds.T, x_scale="jac", max_nfev=2000)
    assert f(by_rows.x) == pytest.approx(fit.objective, abs=1e-4)


def test_emcee_takes_all_walkers_at_once():
    emcee = pytest.importorskip("emcee", reason="python3-emcee is missing")
    problem = salvo.read(example("enzyme"))
    fit = problem.fit()
    f = problem.objective()
    random = np.random.default_rng(1)
    spread = np.linalg.cholesky(np.linalg.inv(f.fisher(fit.theta)))
    walkers = fit.theta + random.standard_normal((16, len(f))) @ spread.T
    sampler = emcee.EnsembleSampler(16, len(f), lambda t: -f.many(t), vectorize=True)
    sampler.run_mcmc(walkers, 20)
    assert np.isfinite(sampler.get_log_prob()).all()
