"""Runs that keep a journal: killed, resumed, shared with the program, and gathered."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from program import PROGRAM, example

import salvo

TRUTH = {"p1": 1.0, "p2": 1.0, "p3": 1.0, "p4": 1.0, "x1": 0.4, "x2": 1.0}


def without_seconds(text):
    return re.sub(r'("seconds": ?)[-+.e\d]+', r"\g<1>0", text)


def journals(folder):
    return sorted(folder.glob("journal.*.jsonl"))


def torn(folder, into, lines):
    """What a process has left that was killed after so many lines of its journal."""
    into.mkdir()
    whole = journals(folder)[0].read_bytes().splitlines(keepends=True)
    (into / "journal.a.1.jsonl").write_bytes(b"".join(whole[:lines]) + whole[lines][:40])
    return into


@pytest.fixture(name="problem")
def predator_and_prey():
    return salvo.read(example("lotka-volterra"))


def test_starts_are_resumed_to_the_same_bytes(problem, tmp_path):
    whole = problem.fit(starts=6, out=tmp_path / "whole", threads=1)
    part = torn(tmp_path / "whole", tmp_path / "part", 4)
    with pytest.raises(salvo.ProblemError, match="was cut off: 2 tasks are finished there"):
        problem.fit(starts=6, out=part)
    again = problem.fit(starts=6, out=part, resume=True)
    assert without_seconds(again.to_json()) == without_seconds(whole.to_json())
    assert without_seconds((part / "fit.json").read_text()) == without_seconds((tmp_path / "whole/fit.json").read_text())


def test_studies_and_profiles_are_resumed_and_extended(problem, tmp_path):
    study = problem.study(TRUTH, replicates=9, out=tmp_path / "study", threads=1)
    part = torn(tmp_path / "study", tmp_path / "part", 5)
    assert problem.study(TRUTH, replicates=9, out=part, resume=True) == study
    more = problem.study(TRUTH, replicates=12, out=part, resume=True)
    assert more == problem.study(TRUTH, replicates=12)
    profiles = problem.profile(names="p1", out=tmp_path / "profile", threads=1)
    part = torn(tmp_path / "profile", tmp_path / "other", 4)
    again = problem.profile(names="p1", out=part, resume=True)
    assert without_seconds(again.to_json()) == without_seconds(profiles.to_json())


def test_another_run_is_not_resumed(problem, tmp_path):
    problem.fit(starts=3, out=tmp_path / "run")
    with pytest.raises(salvo.ProblemError, match="seed was 1 and is 2"):
        problem.fit(starts=3, seed=2, out=tmp_path / "run", resume=True)
    with pytest.raises(salvo.ProblemError, match="problem as it was changed"):
        problem.with_(guess={"p1": 0.7}).fit(starts=3, out=tmp_path / "run", resume=True)
    with pytest.raises(salvo.ProblemError, match="resume needs the folder"):
        problem.fit(starts=3, resume=True)


def test_a_killed_process_loses_nothing(problem, tmp_path):
    code = f"import salvo; salvo.read({example('lotka-volterra')!r}).study({TRUTH!r}, replicates=4000, out='run', threads=1)"
    child = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
    while child.poll() is None and sum(file.read_bytes().count(b"\n") for file in journals(tmp_path / "run")) < 20:
        time.sleep(0.02)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    before = salvo.status(tmp_path / "run")
    assert not before.done and not before.written and before.processes == 0 and math.isnan(before.seconds_left)
    done = json.loads(before.to_json())["lists"][0]["done"]
    assert 18 <= done < 4000
    stopped = salvo.gather(tmp_path / "run")
    assert stopped.replicates == done and stopped.status == "interrupted"
    assert salvo.status(tmp_path / "run").written


def test_runs_are_shared_with_the_program(problem, tmp_path):
    expected = problem.study(TRUTH, replicates=20)
    truth = ",".join(f"{name}={value}" for name, value in TRUTH.items())
    words = ["study", example("lotka-volterra"), "--truth", truth, "--replicates", "20", "--out", "run"]
    subprocess.run([PROGRAM, *words, "--prepare", "--quiet"], cwd=tmp_path, check=True)
    assert salvo.status(tmp_path / "run").lists["of"][0] == 20
    subprocess.run([PROGRAM, "work", "run", "--quiet"], cwd=tmp_path, check=True)
    assert "20 of 20 finished" in repr(salvo.status(tmp_path / "run"))
    assert salvo.gather(tmp_path / "run") == expected
    # And what Python has begun is gone on with by the program.
    problem.fit(starts=4, out=tmp_path / "mine")
    done = subprocess.run([PROGRAM, "gather", "mine", "--json"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert without_seconds(done.stdout) == without_seconds((tmp_path / "mine/fit.json").read_text())


def test_a_folder_without_a_run_is_told(tmp_path):
    with pytest.raises(salvo.ProblemError, match="holds no run"):
        salvo.status(tmp_path)
    with pytest.raises(salvo.ProblemError, match="there is no folder"):
        salvo.gather(tmp_path / "nowhere")
