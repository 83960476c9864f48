"""Which experiment next?"""

import pickle
import subprocess

import numpy as np
import pytest
from program import EXAMPLES, PROGRAM, example

import salvo

pandas = pytest.importorskip("pandas", reason="python3-pandas is missing")

MEASURE = [{"observables": ["predator", "prey"], "times": {"from": 0, "to": 10, "step": 0.25}}]


@pytest.fixture(scope="module")
def four_times():
    return salvo.read(EXAMPLES / "lotka-volterra" / "plan" / "four-times.yaml")


@pytest.fixture(scope="module")
def predators():
    return salvo.read(example("lotka-volterra"))


def test_a_design_is_that_of_the_program(four_times, tmp_path):
    design = four_times.design()
    assert design.ok
    printed = subprocess.run(
        [PROGRAM, "design", four_times.file, "--out", tmp_path / "by_program", "--json"],
        capture_output=True, text=True, check=True,
    )
    assert design.to_json() == printed.stdout
    design.save(tmp_path / "by_python")
    for name in ("design.json", "design.csv", "report.html", "summary.txt"):
        assert (tmp_path / "by_python" / name).read_bytes() == (tmp_path / "by_program" / name).read_bytes()


def test_tables_have_the_samples_and_what_they_promise(four_times):
    design = four_times.design()
    times = design.measurements.time
    assert list(times) == [2.65, 2.65, 2.65, 2.65, 8.25, 8.25, 8.65, 8.65]
    assert list(design.measurements.observable[:2]) == ["predator", "prey"]
    np.testing.assert_allclose(design.errors.then, [0.03610, 0.03379, 0.03639, 0.04271], atol=1e-5)
    np.testing.assert_allclose(design.errors.equidistant, [0.09273, 0.09130, 0.08292, 0.09276], atol=1e-5)
    assert design.errors.now.isna().all()
    assert design.efficiency == pytest.approx(0.99716, abs=1e-5)
    assert design.certificate["largest"] == pytest.approx(design.certificate["level"], rel=1e-6)
    assert design.candidates.weight.sum() == pytest.approx(4)
    assert design.candidates.chosen.sum() == 4
    assert len(design.refined) == 8


def test_a_fit_designs_what_comes_after_it(predators):
    fit = predators.fit(progress=False)
    design = fit.design(measure=MEASURE, budget=3)
    assert design.ok
    errors = design.errors
    np.testing.assert_allclose(errors.now, fit.estimates.standard_error, rtol=1e-4)
    assert (errors.then < errors.now).all()
    once = fit.design(measure=[{**MEASURE[0], "at_most": 1}], budget=3, criterion="A", for_=["p1", "p2"])
    assert once.candidates.chosen.max() == 1
    assert "units" in once.remarks[0]


def test_points_may_be_tables_lists_or_what_starts_have_found(predators):
    points = [{"p1": 1.0}, {"p1": 1.1}]
    at = {"p1": 1, "p2": 1, "p3": 1, "p4": 1}
    several = predators.design(at, measure=MEASURE, budget=3, over=points)
    assert several.record["points"] == 2
    assert several == predators.design(at, measure=MEASURE, budget=3, over=pandas.DataFrame(points))
    fit = predators.fit(starts=3, progress=False)
    assert fit.design(measure=MEASURE, budget=3, over="starts").record["points"] >= 1
    with pytest.raises(salvo.UnknownName):
        predators.design(at, measure=MEASURE, budget=3, over=[{"p9": 1.0}])


def test_what_is_wrong_is_told(predators):
    with pytest.raises(salvo.ProblemError, match="is not an observable"):
        predators.design(measure=[{"observables": ["pray"], "times": [1]}], budget=2)
    with pytest.raises(salvo.ProblemError, match="what could be measured next"):
        predators.design()
    with pytest.raises(salvo.ProblemError, match="no budget"):
        predators.design(measure=MEASURE)


def test_what_no_candidate_can_determine_is_a_status():
    model = salvo.Model("product")
    p, q = model.parameter("p", guess=2), model.parameter("q", guess=3)
    x = model.state("x", initial=1)
    model.dt[x] = -x
    model.observable("y", p * q * x, noise=0.1)
    design = model.problem({"time": [0, 1], "y": [6, 2]}).design(measure=[{"observables": "y", "times": np.linspace(0, 3, 7)}], budget=2)
    assert not design.ok and design.status == "not_identifiable"
    assert "No candidate can determine p and q" in design.message
    assert design.refined is None and design.value is None


def test_designs_pickle_and_show_themselves(four_times):
    design = four_times.design()
    again = pickle.loads(pickle.dumps(design))
    assert again == design and again.page == design.page
    assert "at least 99.72 %" in repr(design)
    assert "<iframe" in design._repr_html_()


def test_a_plot_touches_its_level_where_samples_are(four_times):
    pytest.importorskip("matplotlib", reason="python3-matplotlib is missing")
    (axis,) = four_times.design().plot()
    curve = axis.lines[0].get_ydata()
    level = axis.lines[1].get_ydata()[0]
    assert max(curve) == pytest.approx(level, rel=1e-6)
    assert [line.get_xdata()[0] for line in axis.lines[2:]] == [2.65, 8.25, 8.65]
