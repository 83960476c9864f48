"""How fast the package is beside the program: run it on an otherwise idle machine.

    PYTHONPATH=build/release/python python3 python/test/measure.py [PROBLEM.yaml]

PROBLEM is fitted from 20 starts by both doors.
"""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np
from process_test import decay
from program import PROGRAM, example

import salvo


def least(call, repeats, rounds=7):
    """The least CPU time of one call, over rounds of many."""
    found = []
    for _ in range(rounds):
        begin = time.thread_time()
        for _ in range(repeats):
            call()
        found.append((time.thread_time() - begin) / repeats)
    return min(found)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def overhead():
    f = decay().objective()
    theta = f.start
    whole = least(lambda: f.value_and_gradient(theta), 5000, 20)
    inside = min(f._core.time_gradient(theta, 5000) for _ in range(20))
    print(f"value_and_gradient: {1e6 * whole:.2f} us from Python, {1e6 * inside:.2f} us in C++, {1e6 * (whole - inside):.2f} us between")


def scaling():
    import threading

    f = salvo.read(example("receptor")).objective()
    theta = f.start

    def work():
        for _ in range(2000):
            f.gradient(theta)

    begin = time.perf_counter()
    work()
    alone = time.perf_counter() - begin
    threads = [threading.Thread(target=work) for _ in range(8)]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cores = len(os.sched_getaffinity(0))
    print(f"8 threads of Python: {8 * alone / (time.perf_counter() - begin):.2f} times as much on {cores} cores")


def cpu_of(command):
    before = os.times()
    subprocess.run(command, check=False)
    return os.times().children_user + os.times().children_system - before.children_user - before.children_system


def both_doors(problem):
    folder = tempfile.mkdtemp()
    options = ["--starts", "20", "--seed", "1", "--threads", "1", "--quiet", "--out", folder]
    script = f"import salvo; salvo.read({problem!r}).fit(starts=20, seed=1, threads=1, out={folder!r})"
    program, python = (
        min(cpu_of(command) for _ in range(5)) for command in ([PROGRAM, "fit", problem, *options], [sys.executable, "-c", script])
    )
    print(f"20 starts: {program:.2f} s of CPU by the program, {python:.2f} s from Python, {python / program:.3f} of it")


def memory(fits):
    problem = decay()
    for _ in range(100):
        problem.fit(threads=1)
    before = resident()
    for _ in range(fits):
        problem.fit(threads=1)
    print(f"{fits} fits after the first hundred: {(resident() - before) / 1e6:+.2f} MB")


if __name__ == "__main__":
    np.seterr(all="ignore")
    overhead()
    scaling()
    both_doors(sys.argv[1] if len(sys.argv) > 1 else example("receptor"))
    memory(10000)
