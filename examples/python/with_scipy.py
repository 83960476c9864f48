"""The objective of a problem in the hands of scipy: two of its optimisers find what `fit` finds."""

from pathlib import Path

import numpy as np
import scipy.optimize

import salvo

problem = salvo.read(Path(__file__).parent.parent / "enzyme" / "enzyme.yaml")
fit = problem.fit(seed=1)

f = problem.objective()
quasi_newton = scipy.optimize.minimize(f.value_and_gradient, f.start, jac=True, bounds=f.bounds, method="L-BFGS-B")
least_squares = scipy.optimize.least_squares(f.rows, f.start, jac=f.jacobian, bounds=f.bounds.T)

print(f"fit           {fit.objective:.6f}  {fit.to_dict()}")
for name, x in (("minimize", quasi_newton.x), ("least_squares", least_squares.x)):
    print(f"{name:13} {f(x):.6f}  {f.to_dict(x)}")
    assert np.isclose(f(x), fit.objective, atol=1e-4)
