"""salvo-mpi writes the bytes of salvo for any number of processes and threads, and after the death of one of them.

mpi_test.py SALVO [SALVO_MPI MPIRUN]; without the latter two, which come with OpenMPI, the test is skipped.
"""
import math
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

PROBLEM = """\
equations: {x: -k*x, y: k*x - m*y}
initial: {x: 1, y: 0}
parameters: {k: {guess: 1, bounds: [0.01, 10], scale: log10}, m: {guess: 0.1, bounds: [0.01, 10], scale: log10}}
observables: {seen: {formula: y, noise: 0.02}}
data: data.csv
"""
# One fit of many experiments, whose evaluations are shared.
LARGE = """\
equations: {x: -k*x*y + a*exp(-x), y: k*x - m*y + dose*sin(t)^2}
initial: {x: {guess: 1}, y: 0.1}
parameters:
  k: {guess: 1.5, bounds: [0.01, 10], scale: log10}
  m: {guess: 0.2, bounds: [0.01, 10], scale: log10}
  a: {guess: 0.3, bounds: [0.01, 10], scale: log10}
  dose: 1
observables: {seen: {formula: y, noise: 0.02}}
data: {file: many.csv, covariates: {dose: dose}}
"""
DATA = "time,seen\n0.5,0.59\n1,0.33\n2,0.36\n3,0.28\n5,0.15\n8,0.06\n"
METHODS = ["", "--nodes single", "--method lagrangian", "--method scalar --max-iterations 20",
           "--integrator rodas5p --max-iterations 5"]
RUNS = [("fit p.yaml --starts 12", "fit.json"), ("study p.yaml --replicates 60", "study.json"),
        ("profile p.yaml --starts 3", "profiles.csv")]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
ALL_SIZES = [(ranks, threads) for ranks in (1, 2, 3, 4) for threads in (1, 2)]
MOST_SECONDS = 240


def many_experiments(count):
    """Each with a dose of its own and twelve measurements, from steps small enough for this purpose."""
    draw = random.Random(7)
    lines = ["experiment,time,dose,seen"]
    for n in range(count):
        dose, x, y, h = 0.5 + n / count, 0.8 + 0.01 * (n % 120), 0.1, 0.01
        for step in range(1, 1201):
            t = h * step
            x, y = (x + h * (-1.1 * x * y + 0.5 * math.exp(-x)), y + h * (1.1 * x - 0.4 * y + dose * math.sin(t) ** 2))
            if step % 100 == 0:
                lines.append(f"e{n},{t:.2f},{dose:.4f},{y + draw.gauss(0, 0.02):.5f}")
    return "\n".join(lines) + "\n"


class Machine:
    def __init__(self, home, salvo, salvo_mpi, mpirun):
        self.home, self.salvo, self.salvo_mpi, self.mpirun = home, salvo, salvo_mpi, mpirun

    def alone(self, words):
        return subprocess.run([self.salvo, *words.split()], cwd=self.home, timeout=MOST_SECONDS).returncode

    def begin(self, ranks, words, **how):
        return subprocess.Popen([self.mpirun, "-n", str(ranks), self.salvo_mpi, *words.split()], cwd=self.home,
                                env=ENVIRONMENT, **how)

    def together(self, ranks, words):
        return self.begin(ranks, words).wait(MOST_SECONDS)

    def result(self, name):
        return re.sub(r'"seconds": ?[-+.e0-9]+', "", (self.home / name).read_text())

    def journals(self, folder):
        return sorted((self.home / folder).glob("journal.*.jsonl"))

    def processes_of(self, job):
        processes = sorted(int(pid) for pid in subprocess.run(
            ["pgrep", "-P", str(job.pid)], capture_output=True, text=True).stdout.split())
        check(len(processes) == 2, f"two processes, not {processes}")
        return processes

    def lines(self, folder):
        return sum(journal.read_bytes().count(b"\n") for journal in self.journals(folder))


def check(is_right, sentence):
    if not is_right:
        raise SystemExit(f"FAILED: {sentence}")


def any_number_of_processes_and_threads(machine):
    for number, (words, file) in enumerate(RUNS):
        check(machine.alone(f"{words} --out whole{number} --quiet") == 0, words)
        for ranks, threads in ALL_SIZES if words.startswith("study") else [(2, 1), (3, 2)]:
            out = f"mpi{number}.{ranks}.{threads}"
            code = machine.together(ranks, f"{words} --threads {threads} --out {out} --quiet")
            check(code == 0, f"{words} on {ranks} processes ends with {code}")
            check(machine.result(f"{out}/{file}") == machine.result(f"whole{number}/{file}"),
                  f"{words} has other bytes on {ranks} processes with {threads} threads")


def seconds_of_processor(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def one_fit_on_any_number(machine):
    """The others evaluate parts of what the first asks for."""
    for number, method in enumerate(METHODS):
        words = f"fit large.yaml --max-time 10m --quiet {method}"
        expected = machine.alone(f"{words} --out alone{number}")
        check(expected != 1, words)
        for ranks, threads in [(1, 2), (2, 1), (3, 2)]:
            out = f"large{number}.{ranks}.{threads}"
            code = machine.together(ranks, f"{words} --threads {threads} --out {out}")
            check(code == expected, f"{words} on {ranks} processes ends with {code}, not {expected}")
            check(machine.result(f"{out}/fit.json") == machine.result(f"alone{number}/fit.json"),
                  f"{words} has other bytes on {ranks} processes with {threads} threads")


def death_of_a_process(machine):
    """Whichever dies, the job ends; another number of processes goes on with what was finished."""
    words = "study p.yaml --replicates 12000 --threads 1"
    check(machine.alone(f"{words} --out long --quiet") == 0, words)
    for victim in (0, 1):
        out = f"torn{victim}"
        job = machine.begin(2, f"{words} --out {out} --quiet", stderr=subprocess.DEVNULL)
        until = time.monotonic() + MOST_SECONDS
        while machine.lines(out) < 200 and time.monotonic() < until:
            time.sleep(0.02)
        processes = machine.processes_of(job)
        os.kill(processes[victim], signal.SIGKILL)
        check(job.wait(MOST_SECONDS) != 0, "a job ends whose process was killed")
        finished = machine.lines(out)
        check(200 < finished < 12000, "it was killed on its way, and what was finished was kept")
        check(len(machine.journals(out)) == 2, "both have finished something")
        check(machine.together(3, f"{words} --out {out} --resume --quiet") == 0, "it is gone on with")
        check(machine.result(f"{out}/study.json") == machine.result("long/study.json"), f"{out} has other bytes")


def a_schedulers_time_is_over(machine):
    """mpirun passes SIGUSR1 on to all; the run of `death_of_a_process` is there to compare with."""
    words = "study p.yaml --replicates 12000 --threads 1 --out asked --quiet"
    job = machine.begin(2, words, stderr=subprocess.DEVNULL)
    until = time.monotonic() + MOST_SECONDS
    while machine.lines("asked") < 200 and time.monotonic() < until:
        time.sleep(0.02)
    job.send_signal(signal.SIGUSR1)
    code = job.wait(MOST_SECONDS)
    check(code == 75, f"a job that was asked to stop ends with 75, not {code}")
    check(200 < machine.lines("asked") < 12000, "it was asked on its way, and what was finished was kept")
    check(machine.together(2, f"{words} --resume") == 0, "it comes again")
    check(machine.result("asked/study.json") == machine.result("long/study.json"), "it has other bytes then")


def ends(machine):
    check(machine.together(2, "fit nowhere.yaml --starts 3") == 1, "the exit code is that of the first process")
    check(machine.together(2, "study p.yaml --replicates 1000000 --max-time 1 --out late --quiet") == 0, "it ends in time")
    check(machine.together(2, "eval-math 1+1") == 0, "other commands are those of salvo")


def main(salvo, salvo_mpi="", mpirun=""):
    if not salvo_mpi or not mpirun:
        print("skipped: OpenMPI is missing (Debian: libopenmpi-dev openmpi-bin)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        (home / "p.yaml").write_text(PROBLEM)
        (home / "data.csv").write_text(DATA)
        machine = Machine(home, salvo, salvo_mpi, mpirun)
        (home / "large.yaml").write_text(LARGE)
        (home / "many.csv").write_text(many_experiments(40))
        one_fit_on_any_number(machine)
        any_number_of_processes_and_threads(machine)
        ends(machine)
        death_of_a_process(machine)
        a_schedulers_time_is_over(machine)
    print("The same bytes on any number of processes and threads, and after the death of any.")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
