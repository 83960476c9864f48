#!/usr/bin/env python3
"""Draws the measurements of the examples again: draw_data.py SALVO [EXAMPLE...]

The trajectories are those of `salvo simulate` at the values of the example's truth.tsv; noise comes from a seeded generator.
"""
import csv
import io
import math
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def times(first, last, count):
    return [round(first + (last - first) * k / (count - 1), 6) for k in range(count)]


def decades(first, last, count):
    return [float(f"{10 ** (first + (last - first) * k / (count - 1)):.3g}") for k in range(count)]


# Times, and for each observable its sigma (relative where the noise is log-normal).
PLANS = {
    "pharmacokinetics": {"times": [0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24], "relative": {"concentration": 0.1}},
    "epidemic": {"times": times(0, 14, 15), "plain": {"in_bed": 12}},
    "enzyme": {"times": times(0.5, 15, 30), "plain": {"product_seen": 0.02}},
    "nerve": {"times": times(0, 20, 41), "plain": {"electrode": 0.1}},
    "chemostat": {"times": times(0, 48, 17), "plain": {"dry_weight": 0.1, "glucose": 0.15}},
    "servo": {"times": times(0.1, 12, 120), "plain": {"encoder": 0.05}},
    "lorenz": {"times": times(0, 10, 101), "plain": {"convection": 0.5, "profile": 0.5}},
    "robertson": {"times": decades(-3, 5, 25), "plain": {"substrate": 0.01, "intermediate": 0.05, "product": 0.01}},
    "mechanism": {"times": decades(-6, 2, 33),
                  "plain": {"substrate": 0.01, "bound": 0.02, "blocked": 0.02, "product": 0.01}},
    "repeated-doses": {"times": [1, 1.5, 2, 3, 5, 8, 11.5, 13, 14, 18, 23.5, 25, 27, 32, 40, 48],
                       "relative": {"concentration": 0.08}},
    "bouncing-ball": {"times": times(0, 3, 61), "plain": {"camera": 0.02}},
    "signalling": {"times": [0, 1, 2, 4, 6, 9, 12, 16, 20, 30, 45, 60], "plain": {"active_kinase": 0.03, "response_seen": 0.05}},
    "recorded-temperature": {"times": times(10, 350, 18), "plain": {"educt_seen": 0.01, "intermediate_seen": 0.01}},
    "scratch-assay": {"times": [12, 24, 36, 48], "places": times(50, 1850, 37), "plain": {"confluence": 0.03}},
    "breakthrough": {"times": times(1, 30, 30), "plain": {"port": 0.15, "outlet": 0.15}},
    "blowflies": {"times": times(2, 120, 60), "relative": {"adults": 0.1}},
    "rectifier": {"times": times(1, 60, 60), "plain": {"voltage": 0.05, "current": 0.3}},
}


def simulate(salvo, folder, plan):
    problem = folder / f"{folder.name}.yaml"
    names = list(plan.get("plain", {})) + list(plan.get("relative", {}))
    experiments = "experiments:" in problem.read_text()
    data = folder / "measurements.csv"
    # The program wants data before it simulates; what they say does not matter yet.
    places = plan.get("places")
    first = experiment_names(problem)[0] + "," if experiments else ""
    if places:
        data.write_text(f"time,x,{','.join(names)}\n1,{places[0]},{','.join('1' * len(names))}\n")
    else:
        data.write_text(f"{'experiment,' if experiments else ''}time,{','.join(names)}\n{first}1,{','.join('1' * len(names))}\n")
    run = subprocess.run([salvo, "simulate", problem, "--at", ",".join(map(str, plan["times"])), "--parameters",
                          folder / "truth.tsv", "--rtol", "1e-10", "--atol", "1e-12",
                          *(["--places", ",".join(map(str, places))] if places else [])],
                         check=True, capture_output=True, text=True)
    return names, experiments, list(csv.DictReader(io.StringIO(run.stdout)))


def experiment_names(problem):
    lines = problem.read_text().split("experiments:\n")[1].splitlines()
    return [line.split(":")[0].strip() for line in lines]


def draw(salvo, folder, plan, seed):
    names, experiments, rows = simulate(salvo, folder, plan)
    noise = random.Random(seed).gauss

    def seen(name, value):
        if name in plan.get("relative", {}):
            return value * math.exp(noise(0, plan["relative"][name]))
        return value + noise(0, plan["plain"][name])

    header = (["experiment"] if experiments else []) + ["time", *(["x"] if "places" in plan else []), *names]
    lines = [",".join(header)]
    if "x" in rows[0] and "places" not in plan:  # a row for every cell, in which observables are the same
        rows = list({(row["experiment"], row["time"]): row for row in rows}.values())
    for row in rows:
        cells = ([row["experiment"]] if experiments else []) + [f"{float(row['time']):g}"]
        cells += [f"{float(row['x']):g}"] if "places" in plan else []
        lines.append(",".join(cells + [f"{seen(name, float(row[name])):.5g}" for name in names]))
    (folder / "measurements.csv").write_text("\n".join(lines) + "\n")


def main(salvo, *wanted):
    for seed, (name, plan) in enumerate(PLANS.items(), start=1):
        if not wanted or name in wanted:
            draw(salvo, HERE / name, plan, seed)
            print(f"Drew {name}/measurements.csv with seed {seed}")


if __name__ == "__main__":
    main(*sys.argv[1:])
