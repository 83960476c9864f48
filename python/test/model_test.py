"""Models written in Python say what problem files say."""

import inspect
import math

import numpy as np
import pytest
from fit_test import without_seconds
from program import example

import salvo


def bare():
    m = salvo.Model()
    return m, m.state("x"), m.state("y"), m.parameter("k", guess=1)


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda x, y, k: -k * x, "-k*x"),
        (lambda x, y, k: -(k * x), "-(k*x)"),
        (lambda x, y, k: x - (y - k), "x - (y - k)"),
        (lambda x, y, k: (x - y) - k, "x - y - k"),
        (lambda x, y, k: x / (y * k), "x/(y*k)"),
        (lambda x, y, k: x / y / k, "x/y/k"),
        (lambda x, y, k: (x + y) * k, "(x + y)*k"),
        (lambda x, y, k: 2 - x, "2 - x"),
        (lambda x, y, k: 1 / x, "1/x"),
        (lambda x, y, k: x**2, "x^2"),
        (lambda x, y, k: (-x) ** 2, "(-x)^2"),
        (lambda x, y, k: -(x**2), "-x^2"),
        (lambda x, y, k: (x**y) ** k, "(x^y)^k"),
        (lambda x, y, k: x ** (y**k), "x^(y^k)"),
        (lambda x, y, k: 2**-x, "2^(-x)"),
        (lambda x, y, k: x * -2.5, "x*-2.5"),
        (lambda x, y, k: x + -2, "x + -2"),
        (lambda x, y, k: abs(x), "abs(x)"),
        (lambda x, y, k: (x > 1) & (y <= 2), "x > 1 && y <= 2"),
        (lambda x, y, k: ((x > 1) | (y <= 2)) & (k > 0), "(x > 1 || y <= 2) && k > 0"),
        (lambda x, y, k: ~(x > 1), "!(x > 1)"),
        (lambda x, y, k: (x > 1) + y, "(x > 1) + y"),
        (lambda x, y, k: salvo.where(x == 1, y, 0), "piecewise(y, x == 1, 0)"),
        (lambda x, y, k: salvo.maximum(x, 0, k), "max(x, 0, k)"),
        (lambda x, y, k: np.exp(-k * x), "exp(-k*x)"),
        (lambda x, y, k: np.float64(0.1) * x, "0.1*x"),
        (lambda x, y, k: x * np.float32(0.5), "x*0.5"),
        (lambda x, y, k: np.sqrt(x) + np.log(y), "sqrt(x) + ln(y)"),
        (lambda x, y, k: np.maximum(x, 1) - np.square(y), "max(x, 1) - y^2"),
        (lambda x, y, k: salvo.log(x, 3), "log(x, 3)"),
        (lambda x, y, k: sum([x, y, k]), "0 + x + y + k"),
    ],
)
def test_operators_write_formulas(make, text):
    _, x, y, k = bare()
    assert repr(make(x, y, k)) == text


# The value of a formula by Salvo itself: an observable at the start.
def value_of(make, x0, y0, k0):
    m = salvo.Model()
    k = m.parameter("k", guess=k0)
    x, y = m.state("x", initial=x0), m.state("y", initial=y0)
    m.dt[x] = m.dt[y] = 0
    m.observable("seen", make(x, y, k), noise=1)
    return m.problem({"time": [0, 1], "seen": [0, 0]}).simulate(times=[0])["seen"][0]


@pytest.mark.parametrize(
    "make",
    [
        lambda x, y, k: -(x**2) + (-x) ** 2 * 3,
        lambda x, y, k: x - (y - (k - x)) - y,
        lambda x, y, k: x / (y / (k / x)) / y,
        lambda x, y, k: (x**y) ** k + x ** (y**k),
        lambda x, y, k: -x * -y + -(-x) - -2 * k,
        lambda x, y, k: 2 ** (-x) ** 2 * -k,
    ],
)
def test_formulas_mean_what_python_means(make):
    numbers = (1.3, 0.7, 2.1)
    assert value_of(make, *numbers) == pytest.approx(make(*numbers), rel=1e-14)


def predators():
    m = salvo.Model("Predator and prey")
    p1 = m.parameter("p1", guess=0.5, lower=-2, upper=5)
    p2, p3, p4 = m.parameter("p2", guess=0.5), m.parameter("p3", guess=0.5), m.parameter("p4", guess=-0.2)
    x1, x2 = m.state("x1", m.estimated(0.4)), m.state("x2", m.estimated(1))
    m.dt[x1] = -p1 * x1 + p2 * x1 * x2
    m.dt[x2] = p3 * x2 - p4 * x1 * x2
    m.observable("predator", x1, noise=0.05)
    m.observable("prey", x2, noise=0.05)
    return m


def test_the_fit_is_that_of_the_file():
    of_file = salvo.read(example("lotka-volterra"))
    table = of_file.measurements
    data = {name: list(table[name]) for name in ("time", "observable", "value")}
    fit, same = of_file.fit(), m_from(of_file, data).fit()
    assert fit.to_dict() == same.to_dict()
    assert fit.objective == same.objective


def m_from(of_file, data):
    m = salvo.Model("Predator and prey")
    quantities = of_file._contents()["parameters"]
    guesses = dict(zip(quantities["name"], np.asarray(quantities["value"])))
    bounds = {n: (lo, hi) for n, lo, hi in zip(quantities["name"], np.asarray(quantities["lower"]), np.asarray(quantities["upper"]))}
    p = {n: m.parameter(n, guess=guesses[n], lower=bounds[n][0], upper=bounds[n][1]) for n in ("p1", "p2", "p3", "p4")}
    x1, x2 = m.state("x1", m.estimated(guesses["x1"])), m.state("x2", m.estimated(guesses["x2"]))
    m.dt[x1] = -p["p1"] * x1 + p["p2"] * x1 * x2
    m.dt[x2] = p["p3"] * x2 - p["p4"] * x1 * x2
    m.observable("predator", x1, noise=0.05)
    m.observable("prey", x2, noise=0.05)
    m.section("shooting", {"nodes": "measurements", "start": "data"})
    return m.problem(data)


def test_everything_a_file_can_say_can_be_said(tmp_path):
    m = salvo.Model("All of it", start=0)
    m.axis(unit="h", label="Time since dose")
    dose = m.parameter("dose", 100)
    ka = m.parameter("ka", guess=1, lower=0.01, upper=10, scale="log", prior="log-normal(0, 1)", unit="1/h", label="uptake")
    ke = m.parameter("ke", guess=0.2, lower=0, prior={"normal": [0.2, 0.1], "on": "scale"}, starts="uniform(0.1, 0.5)")
    tlag = m.parameter("tlag", guess=0.1, lower=0, upper=1)
    bio = m.parameter("F", guess=0.8, lower=0, upper=1)
    s = m.parameter("s", guess=0.1, lower=1e-3)
    size = m.parameter("size", guess=5, lower=0.1, upper=1e6, scale="log10")
    gut, blood, heat = m.state("gut", 0), m.state("blood", m.estimated(0.5, lower=0)), m.state("heat", 1)
    count = m.state("count", initial=m.initial(blood) * 2)
    room = m.input("room", {"time": [0, 5, 20], "temp": [20, 25, 15]}, column="temp", interpolation="cubic")
    (learnt,) = m.network("net", [blood / 100], 1, hidden=[2], seed=3, prior="normal(0, 1)")
    flux = m.definition("flux", ka * gut)
    m.dt[gut] = -flux
    m.dt[blood] = flux - ke * blood + 1e-3 * learnt
    m.dt[heat] = 0.01 * (room - heat) + salvo.where(m.time > 2, 0.1, 0)
    m.dt[count] = 1e-3 * blood
    m.observable("conc", blood / 10, noise=s, distribution="log-normal", unit="mg/L", label="Plasma")
    m.observable("warm", heat, noise=0.5, distribution="student-t(4)")
    m.observable("cells", count + 5, distribution=f"negative-binomial({size})")
    m.derived("half_life", salvo.log(2) / ke, unit="h")
    m.constraint(ka + ke <= 20)
    m.experiment("low", set={dose: 50}, initial={heat: 2})
    m.experiment("high", equilibrate={"set": {dose: 0}})
    m.dose(gut, dose, time=0.5)
    m.dose(gut, dose / 2, time=8 + tlag, experiment="low")
    m.dose(blood, 20, time=3, duration=2, experiment="high")
    m.dosing(bioavailability={gut: bio}, lag={gut: tlag})
    m.event(at=[4, 6], add={count: 1})
    m.event(every=5, start=5, until=15, set={heat: heat / 2}, experiment="high")
    m.event(when=heat > 40, set={heat: 20})
    m.section("method", "gauss-newton")
    m.section("integrator", {"name": "dopri5", "rtol": 1e-7})
    m.section("shooting", {"nodes": "single", "start": "simulate"})
    rows = [(e, t, o, v) for e in ("low", "high") for t in (1.0, 4.0, 9.0, 12.0) for o, v in (("conc", 2.0), ("warm", 5.0), ("cells", 6))]
    data = dict(zip(("experiment", "time", "observable", "value"), (list(column) for column in zip(*rows))))
    problem = m.problem(data, validation={"experiment": ["low"], "time": [10], "conc": [1.5]}, until=20)
    assert problem.states == ("gut", "blood", "heat", "count") or set(problem.states) == {"gut", "blood", "heat", "count"}
    assert {"ka", "ke", "tlag", "F", "s", "size", "low:blood", "high:blood", "net_w1_1_1"} <= set(problem.names)
    assert math.isfinite(problem.evaluate().llh)
    assert salvo.read(problem.save(tmp_path)).names == problem.names
    assert problem.check().findings is not None


def test_mistakes_are_told_all_at_once_with_the_line_that_made_them():
    m = salvo.Model("wrong")
    k = m.parameter("k", guess=1, lower=2); line = inspect.currentframe().f_lineno
    x = m.state("x", initial=1)
    m.dt[x] = -k * salvo.Formula("kk") * x
    m.observable("seen", x, noise=0.1, distribution="normall")
    with pytest.raises(salvo.ProblemError) as caught:
        m.problem({"time": [1, 2], "observable": ["seen", "sean"], "value": [1, "a"]})
    issues = caught.value.issues
    assert len(issues) >= 3
    assert {issue.line for issue in issues if issue.file == __file__} >= {line, line + 2, line + 3}
    assert any(issue.file.startswith("data, row 1") for issue in issues) or any("normall" in issue.message for issue in issues)
    assert any("did you mean" in issue.hint for issue in issues)


def test_rows_of_a_frame_are_named():
    with pytest.raises(salvo.ProblemError) as caught:
        predators().problem({"time": [0, 1, 2], "predator": [1, "x", 2], "prey": [1, 1, 1]})
    assert caught.value.issues[0].file == "data, row 1"


def test_what_is_no_formula_is_refused():
    m, x, y, k = bare()
    for wrong in (lambda: x + "1", lambda: x * [1], lambda: x + np.ones(3)):
        with pytest.raises((TypeError, salvo.ProblemError)):
            wrong()
    with pytest.raises(TypeError, match="neither true nor false"):
        0 < x < 1
    with pytest.raises(TypeError, match="math"):
        math.exp(x)
    with pytest.raises(salvo.ProblemError, match="finite"):
        x + float("nan")
    with pytest.raises(salvo.ProblemError, match="two models"):
        x + bare()[1]
    with pytest.raises(salvo.ProblemError, match="another model"):
        m.observable("seen", bare()[1])
    huge = x
    with pytest.raises(salvo.ProblemError, match="definition"):
        for _ in range(40):
            huge = huge * huge + huge


def test_names_that_yaml_would_tear_apart_are_told(tmp_path):
    for name in ("a b", "1x", "x: y", "{", "\n", "", "yes", "null", "'", "e", "t", "time"):
        m = predators()
        m.parameter(name, 1)
        try:
            m.problem({"time": [0, 1], "predator": [1, 1], "prey": [1, 1]})
        except salvo.ProblemError as error:
            assert error.issues


def test_data_come_as_frames_dicts_and_files(tmp_path):
    times = [0.0, 1.0, 2.0]
    wide = {"time": times, "predator": [0.4, 0.41, None], "prey": [1.0, float("nan"), 1.1]}
    problem = predators().problem(wide)
    assert len(np.asarray(problem._contents()["measurements"]["value"])) == 4
    path = tmp_path / "table.csv"
    path.write_text("time,predator,prey\n0,0.4,1\n1,0.41,NA\n2,NA,1.1\n")
    assert without_seconds(predators().problem(path).fit().to_json()) == without_seconds(problem.fit().to_json())
    long = {"time": [0, 1], "observable": ["prey", "prey"], "value": ["<0.1", 1.0], "sigma": [0.1, 0.2]}
    table = predators().problem(long)._contents()["measurements"]
    assert list(table["censored"]) == ["below", ""] and list(np.asarray(table["sigma"])) == [0.1, 0.2]
    years = {"year": [0, 1], "Hare": [1.0, 1.1], "who": ["a", "b"]}
    renamed = predators().problem(years, time="year", columns={"prey": "Hare"}, ignore=["who"])
    assert list(np.asarray(renamed._contents()["measurements"]["value"])) == [1.0, 1.1]
    pandas = pytest.importorskip("pandas", reason="python3-pandas is missing")
    frame = pandas.DataFrame(wide)
    assert predators().problem(frame) == problem
    assert list(predators().problem([frame, frame.assign(time=[3, 4, 5])]).measurements["time"])[-1] == 5


def test_numbers_of_data_keep_their_bits():
    values = [0.1, 1 / 3, 1e-300, 123456789.123456789, np.float32(0.1)]
    problem = predators().problem({"time": np.arange(5), "prey": values})
    assert list(np.asarray(problem._contents()["measurements"]["value"])) == [float(value) for value in values]


def test_a_model_may_go_on_after_a_problem_was_made():
    m = predators()
    first = m.problem({"time": [0, 1], "prey": [1, 1]})
    m.constraint(salvo.Formula("p1") <= 3)
    assert first == predators().problem({"time": [0, 1], "prey": [1, 1]})
    assert "constraints" in m.text() and "constraints" not in first.text



def enzyme():
    m = salvo.Model()
    kcat, K = m.parameter("kcat", guess=0.5), m.parameter("K", guess=1)
    St = m.state("St", initial=2)
    C = m.algebraic("C", near=0.7)
    m.algebraic(C, (1 - C) * (St - C) - K * C)
    m.observable("S", St - C, noise=0.02)
    m.observable("P", 2 - St, noise=0.02)
    return m, St, C, kcat


def test_algebraic_equations_are_those_of_a_problem_file():
    m, St, C, kcat = enzyme()
    m.dt[St] = -kcat * C
    data = {
        "time": [0.5 * (i + 1) for i in range(12)],
        "S": [1.0672, 0.8164, 0.6703, 0.497, 0.3757, 0.307, 0.2248, 0.1613, 0.1592, 0.0446, 0.0637, 0.0446],
        "P": [0.3115, 0.5298, 0.7856, 0.977, 1.2157, 1.3472, 1.4219, 1.5899, 1.6429, 1.7787, 1.8047, 1.8362],
    }
    fit = m.problem(data).fit()
    assert fit["kcat"] == pytest.approx(0.8013442652, abs=1e-7)
    assert fit["K"] == pytest.approx(0.5050924077, abs=1e-7)


def test_delays_and_histories_are_those_of_a_problem_file():
    m = salvo.Model()
    k = m.parameter("k", 1)
    x = m.state("x", initial=1)
    m.dt[x] = -k * salvo.delay(x, 1)
    m.history(x, 1 + m.time)
    m.observable("seen", x, noise=0.1)
    evaluation = m.problem({"time": [3.0], "seen": [-0.375]}).evaluate()  # the closed form
    assert evaluation.llh == pytest.approx(-math.log(0.1) - 0.5 * math.log(2 * math.pi), rel=1e-8)


def test_a_history_may_be_a_table():
    m = salvo.Model()
    x = m.state("x", initial=1)
    m.dt[x] = -salvo.delay(x, 1)
    m.history(x, {"time": [-1.0, 0.0], "x": [0.0, 1.0]})
    m.observable("seen", x, noise=0.1)
    assert "history_x.csv" in m.text()


def test_a_row_of_mass_multiplies_the_rates():
    m = salvo.Model()
    k = m.parameter("k", guess=1)
    x = m.state("x", initial=2)
    m.dt[x] = -k * x
    m.mass(x, {x: 2 * k})
    m.observable("seen", x, noise=0.1)
    evaluation = m.problem({"time": [2.0], "seen": [1.0]}).evaluate()
    expected = -0.5 * ((2 * math.exp(-1) - 1) / 0.1) ** 2 - math.log(0.1) - 0.5 * math.log(2 * math.pi)
    assert evaluation.llh == pytest.approx(expected, rel=1e-6)
