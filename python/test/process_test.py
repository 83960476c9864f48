"""Other processes and folders: everything is pickled, and gives the same bits there."""

import copy
import multiprocessing
import os
import pathlib
import pickle
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from fit_test import without_seconds
from program import example

import salvo

PACKAGE = str(pathlib.Path(salvo.__file__).parents[1])


def decay():
    m = salvo.Model("decay")
    k = m.parameter("k", guess=1, lower=0, scale="lin", prior="normal(1, 0.5)")
    x = m.state("x", initial=m.estimated(1.0))
    m.dt[x] = -k * x
    m.observable("seen", x, noise=m.parameter("sd", guess=0.1, lower=1e-3, scale="log"))
    times = np.linspace(0, 3, 12)
    return m.problem({"time": times, "seen": 2 * np.exp(-0.7 * times) + 0.02 * np.cos(9 * times)})


PROBLEMS = {
    "file": lambda: salvo.read(example("lotka-volterra")),
    "petab": lambda: salvo.read(example("receptor")),
    "doses": lambda: salvo.read(example("repeated-doses")),
    "input": lambda: salvo.read(example("recorded-temperature")),
    "model": decay,
    "changed": lambda: decay().with_(fix={"x": 2}, guess={"k": 0.5}),
    "other data": lambda: salvo.read(example("enzyme")).with_(data=str(pathlib.Path(example("enzyme")).parent / data_of("enzyme"))),
}


def data_of(name):
    return pathlib.Path(salvo.read(example(name))._core.data_files[0]).name


@pytest.fixture(params=PROBLEMS)
def problem(request):
    return PROBLEMS[request.param]()


# In a process that begins with nothing, in another folder.
def elsewhere(script, folder, content):
    (folder / "pickle").write_bytes(pickle.dumps(content))
    program = "import pickle, sys\ncontent = pickle.load(open('pickle', 'rb'))\n" + textwrap.dedent(script)
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": PACKAGE})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_problem_is_the_same_in_another_process_and_folder(problem, tmp_path):
    here = problem.fit()
    there = elsewhere("print(content.fit(threads=1).to_json(), end='')", tmp_path, problem)
    assert without_paths(without_seconds(there)) == without_paths(without_seconds(here.to_json()))
    assert pickle.loads(pickle.dumps(problem)) == problem


# The name of the problem file is all of a result that depends on where it was read.
def without_paths(text):
    return re.sub(r'"problem": "[^"]*"', "", text)


def test_an_objective_is_the_same_in_another_process(problem, tmp_path):
    f = problem.objective()
    theta = f.start
    there = elsewhere("print(content[0].gradient(content[1]).tobytes().hex(), content[0](content[1]).hex())", tmp_path, (f, theta))
    assert there.split() == [f.gradient(theta).tobytes().hex(), f(theta).hex()]
    assert copy.deepcopy(f)(theta) == f(theta)


def test_results_are_the_same_in_another_process(tmp_path):
    problem = PROBLEMS["file"]()
    fit = problem.fit(profiles=True)
    results = {"fit": fit, "study": problem.study(fit, replicates=2), "evaluation": problem.evaluate(), "check": problem.check(),
               "profiles": fit.profiles, "simulation": problem.simulate(values=fit, sensitivities=True)}
    there = elsewhere("""
    import hashlib
    fit = content["fit"]
    print(fit.to_json() + repr(fit) + repr(content["study"]) + repr(content["check"]) + content["evaluation"].to_json(), end="")
    assert len(fit.page) > 1000 and fit.problem.fit().ok
    assert content["simulation"].sensitivity("x1", "p1").shape == content["simulation"].time.shape
    """, tmp_path, results)
    assert there == fit.to_json() + repr(fit) + repr(results["study"]) + repr(results["check"]) + results["evaluation"].to_json()
    assert copy.deepcopy(results)["fit"] == fit


def test_a_damaged_pickle_is_refused():
    problem = decay()
    text = pickle.dumps(problem)
    with pytest.raises(salvo.ProblemError, match="damaged"):
        pickle.loads(text.replace(b"normal(1, 0.5)", b"normal(1, 0.6)"))
    fit = problem.fit()
    with pytest.raises(salvo.ProblemError, match="damaged"):
        pickle.loads(pickle.dumps(fit).replace(b'"converged"', b'"convergad"', 1))


def test_pickles_name_no_folders():
    here = str(pathlib.Path(example("lotka-volterra")).parent)
    for make in PROBLEMS.values():
        assert here.encode() not in pickle.dumps(make())


def fit_and_value(problem):
    f = problem.objective()
    return without_seconds(problem.fit(starts=3, threads=2).to_json()), f.many(np.tile(f.start, (3, 1)), threads=2).tobytes()


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools_of_processes_find_the_same_bits_after_threads_have_run(method):
    problem = decay()
    here = fit_and_value(problem)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(fit_and_value, [problem] * 4) == [here] * 4
    assert fit_and_value(problem) == here


def test_a_fork_in_the_middle_of_fits_of_other_threads_can_fit(tmp_path):
    script = """
    import os, threading
    problem = content
    over = threading.Event()
    def work():
        while not over.is_set(): problem.fit(starts=4, threads=2)
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads: thread.start()
    for _ in range(10):
        child = os.fork()
        if child == 0:
            os._exit(0 if problem.fit(starts=4, threads=2).ok else 1)
        assert os.waitpid(child, 0)[1] == 0
    over.set()
    for thread in threads: thread.join()
    print("done")
    """
    assert elsewhere(script, tmp_path, decay()).strip() == "done"


def test_joblib_finds_the_same_bits():
    joblib = pytest.importorskip("joblib", reason="python3-joblib is missing")
    problem = decay()
    here = fit_and_value(problem)
    for backend in ("loky", "multiprocessing", "threading"):
        found = joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(fit_and_value)(problem) for _ in range(4))
        assert found == [here] * 4


def test_fits_in_a_loop_keep_no_memory(tmp_path):
    script = """
    import os
    problem = content
    def resident():
        with open("/proc/self/statm") as file: return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    for _ in range(200): problem.fit(threads=1)
    before = resident()
    for _ in range(400): problem.fit(threads=1)
    print((resident() - before) / 1e6)
    """
    assert float(elsewhere(script, tmp_path, decay())) < 1
