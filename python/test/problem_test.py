"""Problems: read with all their mistakes, looked at, changed, converted, simulated."""

import pathlib
import pickle

import numpy as np
import pytest
from fit_test import without_seconds
from program import EXAMPLES, example

import salvo


def test_every_mistake_of_a_file_is_an_issue_with_its_place(tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("equations:\n  x: -kk*x\nparameters:\n  k: {guess: a}\nobservables:\n  seen: {formula: x, nois: 1}\ndata: data.csv\n")
    (tmp_path / "data.csv").write_text("time,seen\n1,0,5\n2,b\n")
    with pytest.raises(salvo.ProblemError) as caught:
        salvo.read(file)
    places = {(pathlib.Path(issue.file).name, issue.line) for issue in caught.value.issues}
    assert {("wrong.yaml", 2), ("wrong.yaml", 4), ("wrong.yaml", 6), ("data.csv", 2)} <= places
    assert all(issue.column > 0 for issue in caught.value.issues)
    assert any("did you mean 'k'?" in issue.hint for issue in caught.value.issues)
    assert str(caught.value).count("\n") >= 4
    assert pickle.loads(pickle.dumps(caught.value)).issues == caught.value.issues
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("path", ["nowhere.yaml", ".", "/dev/null", ""])
def test_what_cannot_be_read_is_told(path):
    with pytest.raises(salvo.ProblemError):
        salvo.read(path)


def test_paths_that_are_none_are_refused():
    for path in (None, 3, b"\xff\xfe", "a\0b"):
        with pytest.raises((TypeError, ValueError)):
            salvo.read(path)


def test_what_looks_odd_is_a_warning(tmp_path):
    (tmp_path / "p.yaml").write_text(
        "equations:\n  x: -k*x\ninitial: {x: 1}\nparameters:\n  k: {guess: 1}\nobservables:\n  seen: {formula: x, noise: 0.1}\ndata: data.csv\n")
    (tmp_path / "data.csv").write_text("time,seen\n1900,0.5\n1901,0.3\n")
    with pytest.warns(salvo.ProblemWarning, match="start"):
        problem = salvo.read(tmp_path / "p.yaml")
    assert problem.warnings[0].line > 0 or problem.warnings[0].message


def test_tables_of_a_problem_are_copies():
    pytest.importorskip("pandas", reason="python3-pandas is missing")
    problem = salvo.read(example("lotka-volterra"))
    assert list(problem.parameters.index) == ["p1", "p2", "p3", "p4", "x1", "x2"]
    assert len(problem.measurements) == 22
    problem.measurements.loc[0, "value"] = 7
    problem.parameters.loc["p1", "value"] = 7
    assert problem.measurements.loc[0, "value"] != 7 and problem.parameters.loc["p1", "value"] != 7
    assert "22 measurements" in repr(problem) and "22 measurements" in problem._repr_html_()
    assert list(salvo.read(example("theophylline")).experiments.columns) == ["start", "set", "begins_at_rest", "measurements"]
    assert list(problem.observables.index) == ["predator", "prey"]


def test_with_gives_another_problem_and_leaves_this_one():
    problem = salvo.read(example("lotka-volterra"))
    before = without_seconds(problem.fit().to_json())
    held = problem.with_(fix={"p4": 1.0}, guess={"p1": 0.7})
    assert "p4" not in held.names and "p4" in problem.names
    assert held.objective().to_dict(held.objective().start)["p1"] == 0.7
    assert held.fit().ok
    assert without_seconds(problem.fit().to_json()) == before
    assert held != problem and held == problem.with_(fix={"p4": 1.0}, guess={"p1": 0.7})
    assert problem.with_() == problem


def test_a_fit_can_be_held_and_guessed():
    problem = salvo.read(example("enzyme"))
    fit = problem.fit()
    assert problem.with_(guess=fit).objective().to_dict(problem.with_(guess=fit).objective().start) == pytest.approx(fit.to_dict())
    name = fit.names[0]
    assert problem.with_(fix={name: fit[name]}).fit().objective == pytest.approx(fit.objective, abs=1e-6)


def test_other_data_take_the_place_of_those_of_the_file():
    problem = salvo.read(example("lotka-volterra"))
    table = problem.measurements
    same = problem.with_(data={name: list(table[name]) for name in ("time", "observable", "value")})
    assert same.fit().to_dict() == problem.fit().to_dict()
    fewer = problem.with_(data={"time": [0, 1, 2, 3], "prey": [1.0, 0.7, 0.8, 1.2], "predator": [0.4, 0.45, 0.5, 0.6]})
    assert len(fewer.measurements) == 8
    again = fewer.with_(data={"time": [0, 1, 2], "prey": [1.0, 0.7, 0.8]})
    assert len(again.measurements) == 3
    with pytest.raises(salvo.ProblemError):
        problem.with_(data={"time": [0], "wolves": [1]})
    with pytest.raises(salvo.ProblemError, match="differ in length"):
        problem.with_(data={"time": [0, 1], "prey": [1]})
    with pytest.raises(salvo.ProblemError, match="frame"):
        problem.with_(data=[1, 2, 3])


def test_measurements_of_petab_are_replaced_by_such_a_table():
    problem = salvo.read(example("receptor"))
    folder = pathlib.Path(example("receptor")).parent
    table = pathlib.Path(problem._core.data_files[0])
    rows = [line.split("\t") for line in table.read_text().splitlines() if line]
    columns = {name: [row[k] for row in rows[1:]] for k, name in enumerate(rows[0])}
    assert problem.with_(data=columns).fit().to_dict() == problem.fit().to_dict()
    assert len(problem.with_(data={name: cells[:-2] for name, cells in columns.items()}).measurements) == len(problem.measurements) - 2
    assert folder.is_dir()


def test_some_experiments_alone():
    problem = salvo.read(example("theophylline"))
    name = problem.experiments.index[0] if hasattr(problem.experiments, "index") else problem.experiments["name"][0]
    assert set(problem.with_(only=name).measurements["experiment"]) == {name}
    with pytest.raises(salvo.ProblemError, match="only"):
        problem.with_(only="nobody")


def test_problems_are_converted_there_and_back(tmp_path):
    problem = salvo.read(example("enzyme"))
    problem.convert(tmp_path / "petab")
    there = salvo.read(next((tmp_path / "petab").glob("*.yaml")))
    assert there.fit().objective == pytest.approx(problem.fit().objective, abs=1e-5)
    there.convert(tmp_path / "back" / "again.yaml")
    assert salvo.read(tmp_path / "back" / "again.yaml").fit().objective == pytest.approx(problem.fit().objective, abs=1e-5)
    with pytest.raises(salvo.ProblemError, match="there already") as caught:
        problem.convert(tmp_path / "petab")
    assert "replace=True" in caught.value.issues[0].hint
    problem.convert(tmp_path / "petab", replace=True)


def test_evaluations_are_those_of_the_objective():
    problem = salvo.read(example("receptor"))
    f = problem.objective()
    values = f.to_dict(f.start)
    found = problem.evaluate(values, gradient=True)
    assert -(found.llh + sum(found.log_prior.values())) == pytest.approx(f(f.start), rel=1e-9)
    assert list(found.gradient) == list(f.names)
    assert problem.evaluate({next(iter(values)): 1e-300}).ok in (True, False)


def test_simulations_have_rows_and_derivatives():
    for name in ("lotka-volterra", "repeated-doses", "signalling", "receptor", "bouncing-ball"):
        problem = salvo.read(example(name))
        start = problem.fit().to_dict()
        times = np.linspace(0.25, 5, 7)
        simulation = problem.simulate(times=times, values=start, sensitivities=True, rtol=1e-10)
        assert simulation.ok, (name, simulation.message)
        assert set(simulation.quantities) == set(problem.names)
        for by in simulation.quantities[:3]:
            scale = dict(zip(problem.objective().names, problem.objective().scales))[by]
            step = 1e-5 * max(1.0, abs(start[by])) if scale == "lin" else 1e-5
            ends = []
            for sign in (-1, 1):
                moved = {"lin": start[by] + sign * step, "log": start[by] * np.exp(sign * step), "log10": start[by] * 10 ** (sign * step)}
                ends.append(problem.simulate(times=times, values={**start, by: moved[scale]}, rtol=1e-10))
            for of in simulation.names:
                difference = (ends[1][of] - ends[0][of]) / (2 * step)
                exact = simulation.sensitivity(of, by)
                assert np.allclose(exact, difference, rtol=2e-4, atol=2e-5 * max(1e-3, np.abs(difference).max())), (name, of, by)


def test_a_simulation_is_a_table_and_can_be_an_xarray():
    problem = salvo.read(example("theophylline"))
    simulation = problem.simulate(times=[1, 2, 3], sensitivities=True)
    table = simulation.table
    assert len(simulation) == len(table["time"]) == 3 * len(problem.experiments)
    assert len(simulation.sensitivities["time"]) == len(simulation) * len(simulation.names)
    with pytest.raises(salvo.UnknownName):
        simulation["nothing"]
    with pytest.raises(salvo.ProblemError):
        problem.simulate().sensitivities
    with pytest.raises(salvo.ProblemError, match="times"):
        problem.simulate(times=[-1e9])
    pytest.importorskip("xarray", reason="python3-xarray is missing")
    data = simulation.to_xarray()
    assert data.sizes["time"] == 3 and data.sizes["experiment"] == len(problem.experiments)
    assert "sensitivity" in data


def test_a_simulation_that_breaks_off_says_so():
    m = salvo.Model("blows up")
    k = m.parameter("k", guess=1)
    x = m.state("x", initial=1)
    m.dt[x] = k * x**2
    m.observable("seen", x, noise=1)
    problem = m.problem({"time": [0.5], "seen": [2]})
    simulation = problem.simulate(times=[0.5, 2])
    assert not simulation.ok and simulation.message
    assert problem.objective().why([3.0])


def test_checks_say_what_will_be_hard():
    check = salvo.read(example("lotka-volterra")).check()
    assert "note" in list(check.findings["level"]) and check.ok
    assert repr(check).endswith("The problem is sound.")
    assert "--" not in repr(check)


def test_examples_are_read_without_a_word(recwarn):
    for file in sorted(EXAMPLES.glob("*/*.yaml")):
        salvo.read(file)
    assert not [warning for warning in recwarn if issubclass(warning.category, salvo.ProblemWarning)]
