"""Fits from Python are those of the program, and speak with their caller while they run."""

import json
import pathlib
import re
import subprocess
import threading

import pytest
from program import PROGRAM, example

import salvo


TRUTH = {"p1": 1.0, "p2": 1.0, "p3": 1.0, "p4": 1.0, "x1": 0.4, "x2": 1.0}  # at the guesses trajectories explode


# Seconds differ from run to run; the name of the problem file is as the caller wrote it.
def without_seconds(text):
    return re.sub(r'("seconds": ?)[-+.e\d]+', r"\g<1>0", text)


def fit_by_program(folder, name, *options):
    done = subprocess.run(
        [PROGRAM, "fit", example(name), "--quiet", "--out", str(folder), *options], capture_output=True, text=True
    )
    assert done.returncode in (0, 4), done.stderr
    return folder


@pytest.mark.parametrize("name", ["lotka-volterra", "enzyme", "theophylline", "receptor", "robertson", "school-influenza"])
def test_the_bytes_of_a_fit_are_those_of_the_program(name, tmp_path):
    theirs = fit_by_program(tmp_path / "program", name)
    fit = salvo.read(example(name)).fit(out=tmp_path / "python")
    written = {path.name for path in theirs.iterdir()}
    assert written == {path.name for path in (tmp_path / "python").iterdir()} == set(fit._files)
    for file in written - {"report.html", "pictures.json", "summary.txt"}:  # which hold the command and seconds
        ours = (tmp_path / "python" / file).read_text()
        assert without_seconds(ours) == without_seconds((theirs / file).read_text()), file
        assert without_seconds(fit._files[file].decode()) == without_seconds(ours), file


def test_several_starts_are_those_of_the_program_with_any_number_of_threads(tmp_path):
    theirs = fit_by_program(tmp_path / "program", "enzyme", "--starts", "5", "--seed", "7", "--threads", "1")
    for threads in (1, 3):
        fit = salvo.read(example("enzyme")).fit(starts=5, seed=7, threads=threads)
        assert without_seconds(fit.to_json()) == without_seconds((theirs / "fit.json").read_text())


def test_studies_and_profiles_are_those_of_the_program(tmp_path):
    problem = salvo.read(example("lotka-volterra"))
    study = problem.study(TRUTH, replicates=6, seed=3)
    truth = ",".join(f"{name}={value}" for name, value in TRUTH.items())
    done = subprocess.run(
        [PROGRAM, "study", example("lotka-volterra"), "--truth", truth, "--replicates", "6", "--seed", "3", "--json"],
        capture_output=True,
    )
    assert study.converged == 6
    assert study.to_json() == done.stdout.decode()
    fit = problem.fit()
    profile = problem.profile(fit, "p1")["p1"]
    fit.save(tmp_path / "fit")
    done = subprocess.run(
        [PROGRAM, "profile", example("lotka-volterra"), "--from", str(tmp_path / "fit"), "--parameters", "p1", "--json"]
        + ["--out", str(tmp_path / "profile")],
        capture_output=True,
    )
    theirs = json.loads(done.stdout)["profiles"][0]
    assert profile.interval == tuple(theirs["interval"])
    assert profile.sentence == theirs["sentence"]


def test_every_option_that_is_wrong_is_told_by_its_keyword():
    problem = salvo.read(example("lotka-volterra"))
    with pytest.raises(salvo.ProblemError) as caught:
        problem.fit(starts=0, method="gauss", nodes="some", max_time=-1, threads=2.5, seed=-1, tolerance=2)
    messages = [issue.message for issue in caught.value.issues]
    assert len(messages) == 7
    assert all("--" not in message for message in messages)
    assert "starts wants a whole number from 1 to 100000, not '0'" in messages
    assert "method does not know 'gauss'" in messages


def test_a_name_that_is_unknown_comes_with_the_nearest():
    problem = salvo.read(example("lotka-volterra"))
    for call in (lambda: problem.fit(guess={"p11": 1}), lambda: problem.with_(fix={"p11": 1}),
                 lambda: problem.evaluate({"p11": 1}), lambda: problem.simulate(values={"p11": 1}),
                 lambda: problem.study(truth={"p11": 1}), lambda: problem.profile(names="p11"),
                 lambda: problem.objective().from_dict({"p11": 1})):
        with pytest.raises(salvo.UnknownName) as caught:
            call()
        assert caught.value.names == ["p11"]
        assert "p1" in caught.value.nearest


def test_hints_of_results_are_keywords():
    fit = salvo.read(example("lotka-volterra")).fit(max_iterations=1, nodes="measurements")
    assert not fit.ok
    assert "max_iterations=" in fit.message
    assert "--" not in fit.message
    with pytest.raises(salvo.FitFailed):
        fit.raise_if_failed()


def test_guesses_of_an_earlier_fit_are_taken():
    problem = salvo.read(example("enzyme"))
    first = problem.fit()
    again = problem.fit(guess=first)
    assert again.ok
    assert again.objective == pytest.approx(first.objective, abs=1e-6)
    assert again.record["trace"][0]["p"] == pytest.approx(list(first.to_dict().values()))


def test_what_happens_is_told_in_the_thread_that_asked():
    events, threads = [], set()

    def listen(event):
        events.append(event)
        threads.add(threading.get_ident())

    fit = salvo.read(example("lotka-volterra")).fit(callback=listen)
    steps = [event for event in events if isinstance(event, salvo.Iteration)]
    assert threads == {threading.get_ident()}
    assert len(steps) >= fit.record["iterations"]
    assert any(event.objective == fit.record["trace"][-1]["objective"] for event in steps)
    done = []
    salvo.read(example("lotka-volterra")).study(
        TRUTH, replicates=5, callback=lambda event: done.append(event) if isinstance(event, salvo.TaskDone) else None
    )
    assert [event.done for event in done] == [1, 2, 3, 4, 5]
    assert {event.of for event in done} == {5}


def test_an_exception_of_a_callback_stops_the_run_and_is_raised():
    problem = salvo.read(example("lotka-volterra"))

    def refuse(event):
        raise RuntimeError("enough of it")

    for run in (lambda: problem.fit(starts=1000, callback=refuse), lambda: problem.study(TRUTH, replicates=100000, callback=refuse),
                lambda: problem.profile(callback=refuse)):
        with pytest.raises(RuntimeError, match="enough of it"):
            run()
    assert problem.fit().ok


def test_events_can_be_asked_for_one_by_one():
    problem = salvo.read(example("lotka-volterra"))
    events = problem.fit_iter(starts=4)
    assert [event.done for event in events if isinstance(event, salvo.TaskDone)] == [1, 2, 3, 4]
    assert without_seconds(events.result().to_json()) == without_seconds(problem.fit(starts=4).to_json())


def test_leaving_the_loop_stops_the_fit():
    problem = salvo.read(example("lotka-volterra"))
    events = problem.fit_iter(starts=2000)
    for _ in events:
        break
    events.stop()
    assert events.result().status == "interrupted" and not events.result().ok
    for _ in problem.fit_iter(starts=2000):
        break  # and what nobody asks for any more ends by itself
    assert problem.fit().ok


def test_a_time_that_is_over_ends_a_fit_with_what_was_reached():
    fit = salvo.read(example("lotka-volterra")).fit(starts=2000, max_time=0.5)
    assert "max_time" in set(fit.starts["status"])
    assert "of 2000 starts" in fit.message


def test_threads_of_python_may_fit_at_the_same_time():
    problem = salvo.read(example("lotka-volterra"))
    alone = without_seconds(problem.fit().to_json())
    found = [None] * 8

    def work(k):
        found[k] = without_seconds(problem.fit(threads=2).to_json())

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 8


def test_a_folder_that_cannot_be_written_is_told_before_the_work(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(salvo.ProblemError, match="out: the folder"):
        salvo.read(example("lotka-volterra")).fit(out=tmp_path / "file" / "fit")


def test_results_are_saved_and_loaded(tmp_path):
    problem = salvo.read(example("lotka-volterra"))
    fit = problem.fit()
    fit.save(tmp_path / "run")
    again = salvo.load(tmp_path / "run", problem)
    assert again == fit
    assert repr(again) == repr(fit)
    assert again.profile("p1").interval == fit.profile("p1").interval
    study = problem.study(TRUTH, replicates=3, out=tmp_path / "study")
    assert salvo.load(tmp_path / "study") == study


def test_programs_read_what_python_saves(tmp_path):
    fit = salvo.read(example("enzyme")).fit(out=tmp_path / "run")
    (tmp_path / "run" / "report.html").unlink()
    assert subprocess.run([PROGRAM, "report", str(tmp_path / "run")], capture_output=True).returncode == 0
    assert pathlib.Path(tmp_path / "run" / "report.html").read_text() == fit.page
