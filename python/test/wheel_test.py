"""A wheel that is put into an empty environment brings all that it needs."""

import pathlib
import subprocess
import sys

import pytest
from program import PROGRAM, SOURCE, example

BUILD = pathlib.Path(PROGRAM).parent


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    pytest.importorskip("wheel", reason="wheel is missing (Debian: python3-wheel)")
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run([SOURCE / "tools" / "make_wheel", BUILD, folder / "out"], cwd=SOURCE, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made = subprocess.run([sys.executable, "-m", "venv", folder / "empty"], capture_output=True, text=True)
    if made.returncode != 0:
        pytest.skip("venv is missing (Debian: python3-venv)")
    wheel = next((folder / "out").glob("*.whl"))
    command = [folder / "empty/bin/python", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "empty/bin/python"


def run(python, script, folder):
    return subprocess.run([python, "-c", script], cwd=folder, env={}, capture_output=True, text=True)


@pytest.mark.parametrize("name", ["lotka-volterra", "receptor", "robertson"])  # plain; with SBML; with machine code
def test_a_fit_needs_nothing_else(environment, name, tmp_path):
    done = run(environment, f"import salvo; print(salvo.__file__, salvo.read({example(name)!r}).fit(starts=2).status)", tmp_path)
    assert done.returncode == 0, done.stderr
    place, status = done.stdout.split()
    assert pathlib.Path(place).is_relative_to(environment.parents[1]) and status == "converged"


def test_machine_code_is_found_in_the_wheel(environment, tmp_path):
    script = """
import salvo
print(salvo._core.why_no_machine_code() or "machine code")
print(any("salvo_jit" in line and "site-packages" in line for line in open("/proc/self/maps")))
"""
    done = run(environment, script, tmp_path)
    assert done.stdout.splitlines() == ["machine code", "True"], done.stderr


def test_what_needs_numpy_says_so(environment, tmp_path):
    done = run(environment, f"import salvo; salvo.read({example('lotka-volterra')!r}).objective().start", tmp_path)
    assert done.returncode == 1 and "numpy" in done.stderr
