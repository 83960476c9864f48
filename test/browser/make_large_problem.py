#!/usr/bin/env python3
"""Writes a problem with 100 experiments and 100,000 measurements: make_large_problem.py FOLDER"""
import math
import pathlib
import random
import sys

EXPERIMENTS, TIMES = 100, 500

HEAD = """title: A hundred pendulums
equations:
  angle: speed
  speed: -stiffness*sin(angle) - friction*speed
parameters:
  stiffness: {guess: 3, bounds: [0.1, 20]}
  friction: {guess: 0.3, bounds: [0, 2]}
observables:
  angle_seen: {formula: angle, noise: 0.05}
  speed_seen: {formula: speed, noise: 0.1}
data: data.csv
experiments:
"""


def step(x, h):
    def slope(angle, speed):
        return speed, -4 * math.sin(angle) - 0.2 * speed
    a = slope(*x)
    b = slope(x[0] + h / 2 * a[0], x[1] + h / 2 * a[1])
    c = slope(x[0] + h / 2 * b[0], x[1] + h / 2 * b[1])
    d = slope(x[0] + h * c[0], x[1] + h * c[1])
    return tuple(x[k] + h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]) for k in range(2))


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(1).gauss
    problem, data = [HEAD], ["experiment,time,angle_seen,speed_seen"]
    for e in range(EXPERIMENTS):
        x = (0.2 + 0.02 * e, 0.0)
        problem.append(f"  swing_{e + 1}: {{initial: {{angle: {x[0]:.2f}, speed: 0}}}}\n")
        for k in range(1, TIMES + 1):
            x = step(x, 0.02)
            data.append(f"swing_{e + 1},{0.02 * k:.2f},{x[0] + draw(0, 0.05):.5f},{x[1] + draw(0, 0.1):.5f}")
    (folder / "large.yaml").write_text("".join(problem))
    (folder / "data.csv").write_text("\n".join(data) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
