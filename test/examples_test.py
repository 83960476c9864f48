"""Fits every example: converged, and the table on its page as printed. Of drawn data the truth (truth.tsv) is within four
standard errors; of published data the answer is that of the literature (published.tsv), as exactly as that tells it.

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
    yield from far_from_truth(example, found)
    yield from far_from_literature(program, example, scratch)
    page = (example / "README.md").read_text()
    table = [line for line in fit(program, problem, scratch).stdout.splitlines() if " .. " in line]
    if len(table) != len(found) + len(result["derived"]):
        yield "the table does not show every estimate"
    yield from (f"README.md does not show '{line.strip()}' (make pages)" for line in table if line not in page)


def far_from_truth(example, found):
    if not (example / "truth.tsv").exists():
        return
    for line in (example / "truth.tsv").read_text().splitlines()[1:]:
        name, value = line.split("\t")
        estimate, error = found[name]["estimate"], found[name]["standard_error"]
        if error is None or abs(estimate - float(value)) > 4 * error:
            yield f"{name} is {estimate} +- {error}, but {value} in truth"

def far_from_literature(program, example, scratch):
    """`options` are those of the fit that was published."""
    if not (example / "published.tsv").exists():
        return
    for line in (example / "published.tsv").read_text().splitlines()[1:]:
        options, name, value, tolerance = line.split("\t")
        result = json.loads(fit(program, example / f"{example.name}.yaml", scratch, "--json", *options.split()).stdout)
        found = {entry["id"]: entry["estimate"] for entry in result["parameters"] + result["derived"]}
        if not abs(found[name] - float(value)) <= float(tolerance):
            yield f"{name} is {found[name]}, but {value} in the literature"


def main(program, project):
    troubles = []
    known = [name for kind in ("truth.tsv", "published.tsv") for name in (pathlib.Path(project) / "examples").glob(f"*/{kind}")]
    examples = sorted({path.parent for path in known})
    with tempfile.TemporaryDirectory() as scratch:
        for example in examples:
            troubles += [f"{example.name}: {trouble}" for trouble in troubles_of(program, example, scratch)]
    print("\n".join(troubles) or f"{len(examples)} examples found their truth, or what was published.")
    return 1 if troubles or len(examples) < 6 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
