"""Hare and lynx: fit a problem file from twenty starts, look at the answer, and draw it."""

from pathlib import Path

import salvo

problem = salvo.read(Path(__file__).parent.parent / "hare-and-lynx" / "hare-and-lynx.yaml")
fit = problem.fit(starts=20, seed=1).raise_if_failed()
print(fit)

print(f"A cycle takes {fit['period']:.2f} years, give or take {fit['period'].standard_error:.2f}.")
for other in fit.alternatives:
    print(other.sentence)

axes = fit.plot()
axes[0].figure.savefig("hare-and-lynx.png")
fit.save("hare-and-lynx.fit")
