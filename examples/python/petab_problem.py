"""A PEtab problem with its SBML model: no compiler in between."""

from pathlib import Path

import salvo

problem = salvo.read(Path(__file__).parent.parent / "receptor" / "receptor.yaml")
fit = problem.fit(starts=10, seed=1)
print(fit.status, fit.objective)
print(fit.estimates)

# How sure is the rate of uptake? The likelihood itself says so.
print(fit.profile("k_int").sentence)
