"""Fits every example that has a truth: converged, the truth within four standard errors, and the table on its page as printed.

examples_test.py PROGRAM PROJECT_FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def fit(program, problem, folder, *more):
    return subprocess.run([program, "fit", problem, "--out", folder, *more], capture_output=True, text=True)


def troubles_of(program, example, scratch):
    problem = example / f"{example.name}.yaml"
    result = json.loads(fit(program, problem, scratch, "--json").stdout)
    if result["status"] != "converged":
        yield result["message"]
        return
    if result["p_value"] is not None and not 1e-3 < result["p_value"] < 0.999:
        yield f"p = {result['p_value']}: the stated noise does not explain the residuals"
    found = {entry["id"]: entry for entry in result["parameters"] + result["initial"]}
    for line in (example / "truth.tsv").read_text().splitlines()[1:]:
        name, value = line.split("\t")
        estimate, error = found[name]["estimate"], found[name]["standard_error"]
        if error is None or abs(estimate - float(value)) > 4 * error:
            yield f"{name} is {estimate} +- {error}, but {value} in truth"
    page = (example / "README.md").read_text()
    table = [line for line in fit(program, problem, scratch).stdout.splitlines() if " .. " in line]
    if len(table) != len(found):
        yield "the table does not show every estimate"
    yield from (f"README.md does not show '{line.strip()}' (make pages)" for line in table if line not in page)


def main(program, project):
    troubles = []
    examples = sorted(path.parent for path in (pathlib.Path(project) / "examples").glob("*/truth.tsv"))
    with tempfile.TemporaryDirectory() as scratch:
        for example in examples:
            troubles += [f"{example.name}: {trouble}" for trouble in troubles_of(program, example, scratch)]
    print("\n".join(troubles) or f"{len(examples)} examples found their truth.")
    return 1 if troubles or len(examples) < 6 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
