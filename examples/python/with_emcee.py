"""A posterior, sampled by emcee: all walkers in one call, without a pool of processes."""

from pathlib import Path

import emcee
import numpy as np

import salvo

problem = salvo.read(Path(__file__).parent.parent / "enzyme" / "enzyme.yaml")
fit = problem.fit(seed=1)
f = problem.objective()

# Walkers begin around the answer, where its standard errors are wide on the scales of the objective.
random = np.random.default_rng(1)
spread = np.linalg.cholesky(np.linalg.inv(f.fisher(fit.theta)))
walkers = fit.theta + random.standard_normal((32, len(f))) @ spread.T

# f.many says inf where there is no likelihood, beyond a bound for example: emcee stays away from there.
sampler = emcee.EnsembleSampler(len(walkers), len(f), lambda theta: -f.many(theta), vectorize=True)
sampler.random_state = np.random.RandomState(1).get_state()
sampler.run_mcmc(walkers, 600)

draws = sampler.get_chain(discard=200, flat=True)
for k, name in enumerate(f.names):
    values = [f.to_dict(draw)[name] for draw in draws[::20]]
    print(f"{name:6} {np.mean(values):9.4f} ± {np.std(values):.4f}   fit: {fit[name]!r}")
