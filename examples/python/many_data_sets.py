"""A hundred data sets, each fitted with a model that is written in Python."""

import numpy as np

import salvo

model = salvo.Model("decay")
k = model.parameter("k", guess=1, lower=0)
x = model.state("x", initial=model.estimated(1.0))
model.dt[x] = -k * x
model.observable("seen", x, noise=0.05)

random = np.random.default_rng(1)
times = np.linspace(0, 4, 15)
truth = 0.7

found = []
for _ in range(100):
    seen = 2 * np.exp(-truth * times) + 0.05 * random.standard_normal(len(times))
    problem = model.problem({"time": times, "seen": seen})
    found.append(problem.fit(seed=1).raise_if_failed()["k"])

covered = sum(each.interval[0] <= truth <= each.interval[1] for each in found)
print(f"k is {np.mean(found):.4f} on average, {np.std(found):.4f} apart, and each says ± {found[0].standard_error:.4f}.")
print(f"{covered} of {len(found)} intervals hold the truth, {truth}.")
