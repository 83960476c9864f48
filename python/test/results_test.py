"""A fit that the program has written, as an object."""

import copy
import json
import math
import pickle
import subprocess

import numpy as np
import pytest
from program import PROGRAM, example, fitted

import salvo
from salvo import frames
from salvo.results import Fit, Study, load

pandas = pytest.importorskip("pandas", reason="python3-pandas is missing")


@pytest.fixture(scope="module")
def hares():
    return load(fitted("hare-and-lynx", "--starts", "6"))


@pytest.fixture(scope="module")
def predators():
    return load(fitted("lotka-volterra", "--profiles"))


@pytest.fixture(scope="module")
def failed():
    return load(fitted("lotka-volterra", "--nodes", "measurements", "--max-iterations", "1"))


@pytest.mark.parametrize("example", [("hare-and-lynx", "--starts", "6"), ("lotka-volterra", "--profiles")])
def test_a_loaded_fit_prints_what_the_terminal_printed(example):
    printed = (fitted(*example) / "printed.txt").read_text()
    assert printed.partition("Results: ")[0].rstrip("\n") == repr(load(fitted(*example)))


def test_estimates_are_numbers_that_know_their_error(hares):
    record = json.loads(hares.to_json())
    alpha = record["parameters"][0]
    assert hares["alpha"] == alpha["estimate"]
    assert 2 * hares["alpha"] == 2 * alpha["estimate"]
    assert hares["alpha"].standard_error == alpha["standard_error"]
    assert hares["alpha"].interval == tuple(alpha["interval"])
    assert hares["alpha"].unit == "1/year"
    assert repr(hares["alpha"]) == "alpha = 0.540 ± 0.060 1/year"
    assert float(str(hares["alpha"])) == alpha["estimate"]
    assert hares["noise_hare"].bounds == (-math.inf, math.inf)
    assert hares["period"].label == "of small cycles"


def test_a_fit_is_a_mapping_from_names_to_estimates(hares):
    assert list(hares) == ["alpha", "beta", "gamma", "delta", "noise_hare", "noise_lynx", "hare", "lynx"]
    assert hares.to_dict() == {name: float(value) for name, value in hares.items()}
    assert "period" in hares and "period" not in list(hares)  # derived, not estimated
    assert hares.get("nobody", 3) == 3


def test_an_unknown_name_is_told_with_the_nearest(hares):
    with pytest.raises(salvo.UnknownName, match="alpa") as raised:
        hares["alpa"]
    assert raised.value.nearest == ["alpha"]
    with pytest.raises(KeyError):
        hares["nothing like it"]


def test_theta_holds_the_estimates_on_their_scales(hares):
    expected = [math.log(hares[name]) if hares[name].scale == "log" else hares[name] for name in hares]
    assert hares["noise_hare"].scale == "log"
    np.testing.assert_allclose(hares.theta, expected, rtol=1e-15)


def test_tables_hold_what_the_files_hold(hares):
    folder = fitted("hare-and-lynx", "--starts", "6")
    for name, table in (("trajectories.csv", hares.trajectories), ("bands.csv", hares.bands)):
        expected = pandas.read_csv(folder / name, float_precision="round_trip")
        pandas.testing.assert_frame_equal(table, expected, check_dtype=False, check_exact=True)
    expected = pandas.read_csv(folder / "residuals.csv", float_precision="round_trip")
    pandas.testing.assert_frame_equal(hares.residuals.drop(columns="censored"), expected, check_dtype=False)
    starts = pandas.read_csv(folder / "starts.csv", float_precision="round_trip", index_col="start")
    for column in ("status", "objective", "optimum", "iterations", "guess:beta", "delta"):
        assert list(hares.starts[column]) == list(starts[column])
    estimates = pandas.read_table(folder / "estimates.tsv", float_precision="round_trip", index_col="id")
    for column in ("estimate", "standard_error", "lower", "upper", "scale", "identifiable"):
        assert list(hares.estimates[column]) == list(estimates[column])


def test_optima_count_the_starts_that_found_them(hares):
    assert hares.optima["count"].sum() == (hares.starts["status"] == "converged").sum()
    assert hares.optima.objective.is_monotonic_increasing


def test_covariance_and_correlation_have_names(hares):
    record = json.loads(hares.to_json())["covariance"]
    assert list(hares.covariance.index) == list(hares.covariance.columns) == record["ids"]
    np.testing.assert_array_equal(hares.covariance.to_numpy(), record["matrix"])
    errors = hares.estimates.standard_error
    expected = hares.covariance.loc["alpha", "gamma"] / errors["alpha"] / errors["gamma"]
    assert hares.correlation.loc["alpha", "gamma"] == pytest.approx(expected, rel=1e-12)


def test_other_answers_are_told(hares):
    (other,) = hares.alternatives
    assert "oscillations" in repr(other)
    assert other["alpha"] > 5 * hares["alpha"]
    assert other.objective == pytest.approx(hares.objective, abs=1e-3)


def test_tables_are_copies(hares):
    table = hares.estimates
    table.loc["alpha", "estimate"] = 7
    assert hares.estimates.loc["alpha", "estimate"] == hares["alpha"] != 7
    hares.record["parameters"].clear()
    assert len(hares.record["parameters"]) == 6


def test_profiles_come_with_a_sentence_each(predators):
    profiles = predators.profiles
    assert list(profiles) == ["p1", "p2", "p3", "p4", "x1", "x2"]
    assert "lies between" in profiles["p1"].sentence and profiles["p1"].sentence in repr(profiles)
    lower, upper = profiles["p1"].interval
    assert lower < predators["p1"] < upper
    ends = profiles["p1"].points.iloc[[0, -1]]
    np.testing.assert_allclose(ends.objective - predators.objective, profiles["p1"].rise, rtol=1e-2)
    assert list(profiles.table.index) == list(profiles)
    with pytest.raises(salvo.UnknownName):
        profiles["p9"]


def test_a_fit_without_an_answer_says_so_and_raises_on_request(failed, predators):
    assert not failed.ok and failed.status == "max_iterations"
    assert math.isnan(failed["p1"].standard_error) and math.isnan(failed["p1"].interval[0])
    assert repr(failed["p1"]).startswith("p1 = ") and "±" not in repr(failed["p1"])
    with pytest.raises(salvo.FitFailed) as raised:
        failed.raise_if_failed()
    assert str(raised.value) == failed.message
    assert predators.raise_if_failed() is predators


def test_pickle_and_deepcopy_keep_every_text(hares, predators):
    for fit in (hares, predators):
        for other in (pickle.loads(pickle.dumps(fit)), copy.deepcopy(fit)):
            assert other == fit and hash(other) == hash(fit)
            assert other.to_json() == fit.to_json() and repr(other) == repr(fit) and other.page == fit.page
    assert pickle.loads(pickle.dumps(hares["alpha"])).standard_error == hares["alpha"].standard_error
    assert pickle.loads(pickle.dumps(predators.profiles)) == predators.profiles


def test_a_damaged_pickle_is_refused(hares):
    text = pickle.dumps(hares)
    damaged = text.replace(b'"iterations": ', b'"iterations":  ', 1)
    assert len(damaged) == len(text) + 1
    changed = text.replace(b"Hare and lynx", b"Hare and Lynx")
    with pytest.raises(salvo.ProblemError, match="damaged"):
        pickle.loads(changed)


def test_save_writes_the_folder_that_the_program_writes(hares, tmp_path):
    original = fitted("hare-and-lynx", "--starts", "6")
    target = tmp_path / "deep" / "run"
    hares.save(target)
    mine = {file.name: file.read_bytes() for file in target.iterdir()}
    others = ("printed.txt", "run.jsonl", "journal.")  # from which a run goes on: none of its results
    assert mine == {file.name: file.read_bytes() for file in original.iterdir() if not file.name.startswith(others)}
    assert load(target) == hares
    done = subprocess.run([PROGRAM, "report", str(target)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_save_takes_files_of_an_earlier_fit_away_and_leaves_others(hares, predators, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    hares.save(tmp_path)
    predators.save(tmp_path)
    assert not (tmp_path / "starts.csv").exists() and (tmp_path / "profiles.csv").exists()
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert load(tmp_path) == predators


def test_the_page_is_shown_in_a_frame_that_can_do_no_harm(hares, tmp_path):
    shown = hares._repr_html_()
    assert shown.startswith("<iframe sandbox=") and "allow-same-origin" not in shown
    assert "<script" not in shown and "&lt;script" in shown
    assert "about:srcdoc" in shown  # else links within the page would leave it
    hares.report(tmp_path / "fit.html")
    assert (tmp_path / "fit.html").read_text() == hares.page
    assert [file.name for file in tmp_path.iterdir()] == ["fit.html"]


def test_what_is_no_folder_of_a_fit_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(salvo.ProblemError, match="fit.json"):
        load(tmp_path)
    (tmp_path / "fit.json").write_text('{"status": "converged"}')
    with pytest.raises(salvo.ProblemError, match="fit.json"):
        load(tmp_path)
    (tmp_path / "fit.json").write_text("[1, 2")
    with pytest.raises(salvo.ProblemError, match="fit.json"):
        load(tmp_path)


def test_a_study_is_loaded_too(tmp_path):
    truth = "p1=1,p2=1,p3=1,p4=1,x1=0.4,x2=1"
    command = [PROGRAM, "study", example("lotka-volterra"), "--truth", truth, "--replicates", "5", "--out", str(tmp_path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    study = load(tmp_path)
    assert isinstance(study, Study) and study.ok and study.replicates == 5
    assert repr(study) == printed.rstrip("\n")
    assert list(study.table.columns) == ["truth", "mean", "sd", "expected_sd", "coverage95"]
    assert study.table.loc["p1", "sd"] == json.loads(study.to_json())["sd"]["p1"]
    study.save(tmp_path / "again")
    assert load(tmp_path / "again") == study == pickle.loads(pickle.dumps(study))


def test_initial_values_of_several_experiments_bear_their_names():
    record = json.loads((fitted("lotka-volterra", "--profiles") / "fit.json").read_text())
    other = json.loads(json.dumps(record["initial"]))
    for row in other:
        row["experiment"] = "second"
    record["initial"] += other
    record["covariance"] = {"ids": [], "matrix": []}
    fit = Fit(json.dumps(record), {}, "")
    assert fit.names[4:] == ("default:x1", "default:x2", "second:x1", "second:x2")


def test_without_pandas_tables_are_dicts_of_arrays(hares, monkeypatch):
    monkeypatch.setattr(frames, "_pandas", lambda: None)
    assert list(hares.estimates["name"]) == list(hares)
    assert isinstance(hares.residuals["value"], np.ndarray)
    np.testing.assert_array_equal(hares.covariance["alpha"], hares._covariance_matrix()[:, 0])
    assert hares.starts["start"].dtype == np.int64
