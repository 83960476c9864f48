"""Every table of a fit is read by Python's csv as it stands: one header, rows of equal length, numbers or NA.

tables_test.py PROGRAM PROJECT_FOLDER
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

# What pandas and R take for numbers without being told, and for numbers that are missing.
MISSING = {"NA"}
COLUMNS = {
    "estimates.tsv": ["estimate", "standard_error", "lower", "upper"],
    "trajectories.csv": ["interval", "time", "gut", "blood", "concentration"],
    "residuals.csv": ["time", "value", "simulation", "sigma", "residual", "llh"],
    "starts.csv": ["start", "objective", "uptake", "clearance", "volume"],
}


def rows_of(file):
    with open(file, newline="") as text:
        header, *rows = csv.reader(text, delimiter="\t" if file.suffix == ".tsv" else ",")
    assert len(set(header)) == len(header), f"{file.name}: two columns have the same name"
    assert rows and all(len(row) == len(header) for row in rows), f"{file.name}: rows of different lengths"
    return [dict(zip(header, row)) for row in rows]


def check_table(file, columns):
    rows = rows_of(file)
    for row in rows:
        for column in columns:
            assert row[column] in MISSING or math.isfinite(float(row[column])), f"{file.name}: {column} is {row[column]}"
    return rows


def main(program, project):
    problem = pathlib.Path(project) / "examples/pharmacokinetics/pharmacokinetics.yaml"
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        subprocess.run([program, "fit", problem, "--starts", "3", "--out", folder, "--quiet"], check=True)
        tables = {name: check_table(folder / name, columns) for name, columns in COLUMNS.items()}
        fit = json.loads((folder / "fit.json").read_text())
    # The same doubles as in fit.json.
    assert [float(row["estimate"]) for row in tables["estimates.tsv"]] == [p["estimate"] for p in fit["parameters"]]
    assert len(tables["residuals.csv"]) == fit["measurements"]
    chi2 = sum(float(row["residual"]) ** 2 for row in tables["residuals.csv"])
    assert math.isclose(chi2, fit["chi2"], rel_tol=1e-12)
    print("Every table can be read.")


if __name__ == "__main__":
    main(*sys.argv[1:])
