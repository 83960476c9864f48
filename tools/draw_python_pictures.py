#!/usr/bin/env python3
"""Draws the pictures of the pages about Python again: draw_python_pictures.py FOLDER. The package must be importable."""
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")

import salvo


def main(folder):
    examples = pathlib.Path(__file__).resolve().parent.parent / "examples"
    fit = salvo.read(examples / "hare-and-lynx" / "hare-and-lynx.yaml").fit(starts=20, seed=1, progress=False)
    for name, axes in (("trajectories", fit.plot()), ("residuals", fit.plot_residuals())):
        file = pathlib.Path(folder) / f"python-{name}.png"
        axes[0].figure.savefig(file, dpi=100)
        print(file)


if __name__ == "__main__":
    main(*sys.argv[1:])
