"""Runs Salvo on a problem and reads what it says."""
import json
import subprocess
import time

from comparison.problem import write

NUMBERS = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}


def number(value):
    return NUMBERS[value] if isinstance(value, str) else float("nan") if value is None else value


def run(words, folder, limit):
    """Exit code (None: out of time), what was printed on stdout as JSON, and the seconds it took."""
    began = time.monotonic()
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, {}, time.monotonic() - began
    try:
        result = json.loads(done.stdout)
    except json.JSONDecodeError:
        result = {"status": "no JSON", "message": done.stderr.strip()[-200:]}
    return done.returncode, result, time.monotonic() - began


def fit(salvo, problem, folder, starts, limit):
    """What a fit ended with."""
    write(problem, folder)
    words = [salvo, "fit", "problem.yaml", "--starts", str(starts), "--threads", "1", "--json", "--quiet", "--out", "fit"]
    code, result, seconds = run(words, folder, limit)
    issues = "; ".join(issue["message"] for issue in result.get("issues", []))
    return {"exit": code, "status": result.get("status", "out of time"), "message": result.get("message", issues),
            "objective": number(result.get("objective")), "at": estimates(problem, result), "seconds": seconds}


def estimates(problem, result):
    found = {row["id"]: number(row["estimate"]) for row in result.get("parameters", [])}
    for row in result.get("initial", []):
        name = row["id"] if len(problem.experiments) == 1 or ":" in row["id"] else f"{row['experiment']}:{row['id']}"
        found[name] = number(row["estimate"])
    return found


def evaluate(salvo, problem, folder, point):
    """Minus (log-likelihood + log-prior) at a point given by name."""
    write(problem, folder)
    (folder / "point.tsv").write_text("parameterId\tvalue\n" + "".join(f"{name}\t{x!r}\n" for name, x in point.items()))
    words = [salvo, "evaluate", "problem.yaml", "--parameters", "point.tsv", "--json", "--rtol", "1e-11"]
    code, result, _ = run(words, folder, 60)
    return -(number(result["llh"]) + number(result.get("log_prior_sum", 0.0))) if code == 0 else float("nan")
