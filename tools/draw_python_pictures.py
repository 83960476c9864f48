#!/usr/bin/env python3
"""Draws the picture of the pages about Python again: draw_python_pictures.py FOLDER. The package must be importable."""
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")

import salvo


def main(folder):
    examples = pathlib.Path(__file__).resolve().parent.parent / "examples"
    fit = salvo.read(examples / "hare-and-lynx" / "hare-and-lynx.yaml").fit(starts=20, seed=1, progress=False)
    file = pathlib.Path(folder) / "python-trajectories.png"
    fit.plot()[0].figure.savefig(file, dpi=100)
    print(file)


if __name__ == "__main__":
    main(*sys.argv[1:])
