"""Ctrl-C: what was reached is handed back, a second one raises, and everything can be used afterwards."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from fit_test import TRUTH
from program import example

import salvo

PACKAGE = str(pathlib.Path(salvo.__file__).parents[1])
PATIENCE = 60  # seconds, on a machine that has other things to do


# Runs a script, sends it Ctrl-C as often as it says "now", and gives back what it has printed since.
def interrupted(script, signals=1):
    prelude = f"import sys, time, threading, numpy as np, salvo\nproblem = salvo.read({example('lotka-volterra')!r})\ntruth = {TRUTH}\n"
    process = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-c", prelude + textwrap.dedent(script)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "PYTHONPATH": PACKAGE},
    )
    try:
        lines = []
        for line in process.stdout:
            lines.append(line.strip())
            if lines[-1] == "now":
                for _ in range(signals):
                    time.sleep(0.1)
                    process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0, "\n".join(lines)
        return [line for line in lines if line != "now"]
    finally:
        process.kill()


# Says "now" once the run is under way.
SAY_NOW = """
    said = []
    def say(event):
        if not said:
            said.append(print("now", flush=True))
"""


@pytest.mark.parametrize(
    "run, seen",
    [
        ("problem.fit(starts=2000, callback=say)", "result.status, 'of 2000 starts' in result.message"),
        ("problem.study(truth, replicates=1000000, callback=say)", "result.status, result.replicates < 1000000"),
    ],
)
def test_what_was_reached_is_the_result(run, seen):
    lines = interrupted(SAY_NOW + f"""
    begun = time.monotonic()
    result = {run}
    print(*({seen}))
    print(problem.fit().status)
    """)
    assert lines == ["interrupted True", "converged"]


def test_a_profile_that_is_stopped_keeps_its_fit():
    lines = interrupted("""
    def say(event):
        if isinstance(event, salvo.TaskDone) and event.done == 1:
            print("now", flush=True)
            time.sleep(0.3)
    problem = salvo.read("%s")
    profiles = problem.profile(callback=say, threads=1)
    print(profiles.complete, profiles.fit.status)
    """ % example("lorenz"))
    assert lines == ["False converged"]


def test_a_second_one_raises():
    lines = interrupted(SAY_NOW + """
    try:
        problem.fit(starts=2000, callback=lambda event: (say(event), time.sleep(0.5)))
        print("no exception")
    except KeyboardInterrupt:
        print("raised")
    print(problem.fit().status)
    """, signals=2)
    assert lines == ["raised", "converged"]


def test_a_handler_of_the_user_is_obeyed():
    lines = interrupted(SAY_NOW + """
    import signal
    class Enough(Exception): pass
    def handler(number, frame): raise Enough
    signal.signal(signal.SIGINT, handler)
    try:
        problem.fit(starts=2000, callback=say)
    except Enough:
        print("obeyed")
    heard = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    said.clear()
    fit = problem.fit(starts=30, callback=say)  # this one only listens
    print(len(heard), len(fit.starts))
    """)
    assert lines == ["obeyed", "1 30"]


STUBBORN = """
    m = salvo.Model("slow")
    k = m.parameter("k", guess=1.0)
    x, y = m.state("x", initial=1), m.state("y", initial=0)
    m.dt[x] = 1e3 * y * k
    m.dt[y] = -1e3 * x
    m.observable("seen", x, noise=0.1)
    for each in range(300):
        m.experiment(f"e{each}")
    names = [f"e{each}" for each in range(300)]
    f = m.problem({"experiment": names, "time": [5.0] * 300, "seen": [0.0] * 300}).objective(integrator="dopri5")
"""  # a quarter of a million periods


@pytest.mark.parametrize("call", ["f(f.start)", "f.value_and_gradient(f.start)", "f.many(np.tile(f.start, (4, 1)), threads=2)"])
def test_an_objective_is_interrupted_and_can_be_called_again(call):
    lines = interrupted(STUBBORN + f"""
    begun = time.monotonic()
    {call}
    whole = time.monotonic() - begun
    threading.Timer(whole / 10, lambda: print("now", flush=True)).start()
    begun = time.monotonic()
    try:
        {call}
        print("no exception")
    except KeyboardInterrupt:
        print("raised", time.monotonic() - begun < whole / 2)  # it did not go on to its end
    g = problem.objective()
    print(g(g.start) == problem.objective()(g.start))
    """)
    assert lines == ["raised True", "True"]


def test_threads_that_share_an_objective_do_not_hear_of_it():
    lines = interrupted("""
    f = problem.objective()
    points = f.start + 0.01 * np.random.default_rng(1).standard_normal((200, len(f)))
    alone = [f(point) for point in points]
    found, over = [], threading.Event()
    def work():
        while not over.is_set():
            found.append([f(point) for point in points] == alone)
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads: thread.start()
    raised = 0
    for _ in range(5):
        print("now", flush=True)
        begun = time.monotonic()
        try:
            while time.monotonic() - begun < 5: f.hessian(points[0])
        except KeyboardInterrupt:
            raised += 1
    over.set()
    for thread in threads: thread.join()
    print(raised, all(found), len(found) > 0)
    """)
    assert lines == ["5 True True"]


def test_simulations_and_evaluations_are_interrupted():
    lines = interrupted(STUBBORN + """
    threading.Timer(0.3, lambda: print("now", flush=True)).start()
    try:
        f.problem.evaluate(integrator="dopri5")
        print("no exception")
    except KeyboardInterrupt:
        print("raised")
    """)
    assert lines == ["raised"]


def test_a_fit_in_another_thread_goes_on_when_the_main_thread_is_interrupted():
    lines = interrupted("""
    found = []
    thread = threading.Thread(target=lambda: found.append(problem.fit(starts=20)))
    thread.start()
    try:
        print("now", flush=True)
        time.sleep(30)
    except KeyboardInterrupt:
        print("raised")
    thread.join()
    print(len(found[0].starts))
    """)
    assert lines == ["raised", "20"]


def test_an_interpreter_ends_while_a_daemon_still_fits():
    lines = interrupted("""
    threading.Thread(target=lambda: problem.fit(starts=2000), daemon=True).start()
    f = problem.objective()
    def call():
        while True: f(f.start)
    threading.Thread(target=call, daemon=True).start()
    time.sleep(0.3)
    print("over", flush=True)
    """)
    assert lines == ["over"]


def test_a_notebook_kernel_is_interrupted_like_a_terminal():
    client = pytest.importorskip("jupyter_client", reason="python3-jupyter-client is missing")
    pytest.importorskip("ipykernel", reason="python3-ipykernel is missing")
    manager = client.KernelManager()
    manager.kernel_spec.argv[0] = sys.executable
    manager.start_kernel(env={**os.environ, "PYTHONPATH": PACKAGE})
    kernel = manager.blocking_client()
    try:
        kernel.start_channels()
        kernel.wait_for_ready(timeout=PATIENCE)
        text = f"import salvo; p = salvo.read({example('lotka-volterra')!r}); fit = p.fit(starts=2000); print(fit.status)"
        asked = kernel.execute(text)
        time.sleep(5)
        manager.interrupt_kernel()
        printed, drawn = [], []
        while True:
            message = kernel.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != asked:
                continue
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])
            if message["msg_type"] in ("display_data", "update_display_data"):
                drawn.append(message["content"]["data"]["text/html"])
            if message["msg_type"] == "error":
                printed.append(message["content"]["evalue"])
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
        assert "".join(printed).strip() == "interrupted"
        assert any("starts [" in each and "/2000" in each for each in drawn)  # how far it was
        assert "starts [" not in drawn[-1]
    finally:
        kernel.stop_channels()
        manager.shutdown_kernel(now=True)
