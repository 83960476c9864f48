"""Plots take axes and give them back, and show what the page shows."""

import numpy as np
import pytest
from program import fitted

import salvo
from salvo import plots, style
from salvo.results import load

matplotlib = pytest.importorskip("matplotlib", reason="python3-matplotlib is missing")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(scope="module")
def hares():
    return load(fitted("hare-and-lynx", "--starts", "6"))


@pytest.fixture(scope="module")
def predators():
    return load(fitted("lotka-volterra", "--profiles"))


@pytest.fixture(autouse=True)
def no_figure_is_left_open():
    yield
    plt.close("all")


def test_every_observable_has_a_panel_with_its_data_and_its_curve(hares):
    hare, lynx = hares.plot()
    assert hare.get_title("left") == "hare" and lynx.get_ylabel() == "lynx (thousand pelts)"
    assert hare.get_xlabel() == "time (year)"
    residuals = hares.residuals
    expected = residuals[residuals.observable == "lynx"]
    drawn = [line for line in lynx.lines if line.get_marker() == "o" and line.get_linestyle() == "None"]
    points = np.concatenate([line.get_xydata() for line in drawn])
    np.testing.assert_array_equal(points, expected[["time", "value"]].to_numpy())
    curve = np.concatenate([line.get_ydata() for line in lynx.lines if line.get_linewidth() == 1.7])
    np.testing.assert_array_equal(curve, hares.trajectories["lynx"])


def test_axes_go_in_and_come_out(hares, predators):
    figure, axes = plt.subplots(1, 2)
    assert list(hares.plot(axes=axes)) == list(axes)
    figure, axis = plt.subplots()
    for draw in (
        lambda: hares.plot(observable="hare", axes=axis),
        lambda: hares.plot_starts(axes=axis),
        lambda: hares.plot_correlation(axes=axis),
        lambda: predators.profiles["p1"].plot(axes=axis),
    ):
        assert draw() is axis
    assert len(predators.plot_profiles()) == 6


def test_a_wrong_number_of_axes_and_unknown_names_are_refused(hares):
    figure, axis = plt.subplots()
    with pytest.raises(salvo.ProblemError, match="1 were handed in, but 2"):
        hares.plot(axes=axis)
    with pytest.raises(salvo.UnknownName) as raised:
        hares.plot(observable="hares")
    assert raised.value.nearest == ["hare"]


def test_what_is_not_there_cannot_be_drawn(predators):
    with pytest.raises(salvo.ProblemError, match="starts=20"):
        predators.plot_starts()


def test_the_waterfall_shows_how_far_each_start_is_above_the_best(hares):
    axis = hares.plot_starts()
    above = axis.collections[0].get_offsets()[:, 1]
    expected = np.maximum(np.sort(hares.starts.objective) - hares.starts.objective.min(), 1e-4)
    np.testing.assert_allclose(above, expected)


def test_a_profile_ends_where_the_interval_does(predators):
    profile = predators.profiles["p1"]
    axis = profile.plot()
    nodes = next(line for line in axis.lines if line.get_marker() == "o")
    np.testing.assert_allclose(nodes.get_xdata()[[0, -1]], profile.interval, rtol=1e-3)
    np.testing.assert_allclose(nodes.get_ydata()[[0, -1]], 2 * profile.rise, rtol=1e-2)


def test_residuals_lie_at_the_quantiles_of_as_many_normal_numbers(hares):
    against_time, quantiles = hares.plot_residuals()
    points = next(line for line in quantiles.lines if line.get_marker() == "o")
    assert len(points.get_xdata()) == len(hares.residuals)
    assert np.all(np.diff(points.get_xdata()) > 0) and np.all(np.diff(points.get_ydata()) >= 0)


def test_dark_paper_has_the_colours_of_the_dark_page(hares):
    assert style.colours_of(hares.plot_starts()) is style.LIGHT
    with plt.style.context("dark_background"):
        axis = hares.plot_starts()
    assert style.colours_of(axis) is style.DARK
    assert matplotlib.colors.to_hex(axis.figure.get_facecolor()) == style.DARK.paper


def test_the_colours_are_those_of_the_page():
    from program import SOURCE

    css = (SOURCE / "src/report/page/page.css").read_text()
    scripts = (SOURCE / "src/report/page/colours.js").read_text()
    light, dark = css.split('[data-theme="dark"]', 1)
    for text, colours in ((light, style.LIGHT), (dark, style.DARK)):
        for name in ("paper", "ink", "soft", "faint", "rule", "grid", "line", "gap", "validation"):
            assert f"--{name}: {getattr(colours, name)};" in text
        assert ", ".join(f'"{colour}"' for colour in colours.series) in scripts


def test_every_plot_is_drawn_without_a_warning(hares, predators, recwarn):
    broken = load(fitted("lotka-volterra", "--nodes", "measurements", "--max-iterations", "1"))
    drawn = [hares.plot(), broken.plot(), hares.plot_residuals(), hares.plot_starts(), hares.plot_correlation()]
    for axes in [*drawn, predators.plot_profiles()]:
        (axes[0] if isinstance(axes, list) else axes).figure.canvas.draw()
    assert [str(warning.message) for warning in recwarn] == []
    assert any(line.get_color() == style.LIGHT.gap for line in broken.plot()[0].lines)


def test_names_are_no_formulas():
    assert style.plain("cost $x$") == r"cost \$x\$"


def test_the_modules_functions_are_those_of_the_fit():
    assert set(plots.__all__) == {"correlation", "design", "profile", "profiles", "residuals", "starts", "trajectories"}
