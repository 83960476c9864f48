"""Every page, script and notebook in Python does what it says."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import pytest
from program import SOURCE

PACKAGE = pathlib.Path(importlib.util.find_spec("salvo").origin).parent.parent
PAGES = sorted([SOURCE / "docs/python.md", SOURCE / "docs/tutorial-python.md", *(SOURCE / "docs/python").glob("from-*.md")])
SCRIPTS = sorted((SOURCE / "examples/python").glob("*.py"))
# What a script needs beside the package.
NEEDS = {"hare_and_lynx": ["matplotlib"], "with_scipy": ["scipy"], "with_emcee": ["emcee"], "petab_problem": ["pandas"]}


def skip_without(*packages):
    for name in packages:
        pytest.importorskip(name, reason=f"{name} is missing (Debian: python3-{name})")


def run(command, folder, **environment):
    paths = os.pathsep.join([str(PACKAGE), os.environ.get("PYTHONPATH", "")])
    settings = {**os.environ, "PYTHONPATH": paths, "MPLBACKEND": "Agg", **environment}
    return subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_says_is_what_python_says(page, tmp_path):
    done = run([sys.executable, str(SOURCE / "tools/run_python_pages"), "--check", str(page)], tmp_path)
    if "skipped" in done.stdout:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_an_example_runs(script, tmp_path):
    skip_without(*NEEDS.get(script.stem, []))
    done = run([sys.executable, "-W", "error::DeprecationWarning:salvo", str(script)], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_hundred_data_sets_are_covered_as_often_as_they_should(tmp_path):
    done = run([sys.executable, str(SOURCE / "examples/python/many_data_sets.py")], tmp_path)
    covered = int(re.search(r"(\d+) of 100 intervals", done.stdout)[1])
    assert 89 <= covered <= 100  # 95 expected; a binomial number is outside once in a hundred times


def test_the_gallery_runs_from_beginning_to_end(tmp_path):
    skip_without("nbconvert", "ipykernel", "matplotlib", "pandas", "scipy", "emcee")
    notebook = SOURCE / "examples/python/gallery.ipynb"
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "--output-dir", str(tmp_path), str(notebook)]
    done = run(command, tmp_path, JUPYTER_RUNTIME_DIR=str(tmp_path), IPYTHONDIR=str(tmp_path), JUPYTER_PLATFORM_DIRS="0")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "gallery.html").stat().st_size > 100_000


def test_the_gallery_is_kept_without_its_outputs():
    import json

    cells = json.loads((SOURCE / "examples/python/gallery.ipynb").read_text())["cells"]
    assert all(not cell.get("outputs") for cell in cells)


def test_the_reference_is_what_the_docstrings_say(tmp_path):
    tool = SOURCE / "tools/make_python_reference.py"
    done = run([sys.executable, str(tool), "--check", str(SOURCE / "docs/python/reference.md")], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
