"""Annotations are complete and true, where mypy is there to say so."""

import pathlib
import subprocess
import sys

import pytest
from documents_test import PACKAGE, SCRIPTS, run
from program import SOURCE

pytest.importorskip("mypy", reason="mypy is missing (Debian: python3-mypy)")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """What mypy has learnt of numpy, for all tests."""
    return tmp_path_factory.mktemp("cache")


def mypy(cache: pathlib.Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    options = ["--strict", "--config-file", str(SOURCE / "python/mypy.ini"), "--cache-dir", str(cache)]
    return run([sys.executable, "-m", "mypy", *options, *arguments], cache, MYPYPATH=str(PACKAGE))


def test_the_package_is_typed_strictly(cache):
    done = mypy(cache, str(PACKAGE / "salvo"))
    assert done.returncode == 0, done.stdout


def test_the_examples_are_typed_strictly(cache):
    done = mypy(cache, *map(str, SCRIPTS))
    assert done.returncode == 0, done.stdout


def test_a_wrong_type_is_seen(cache, tmp_path):
    (tmp_path / "wrong.py").write_text('import salvo\nfit = salvo.read("x.yaml").fit(seed=1)\nwords: str = fit.objective\n')
    done = mypy(cache, str(tmp_path / "wrong.py"))
    assert done.returncode == 1 and "Incompatible types" in done.stdout


def test_the_stub_says_what_the_extension_has(tmp_path):
    known = str(SOURCE / "python/test/stubtest.txt")
    done = run([sys.executable, "-m", "mypy.stubtest", "--allowlist", known, "salvo._core"], tmp_path, MYPYPATH=str(PACKAGE))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "salvo/py.typed").exists() and (PACKAGE / "salvo/_core.pyi").exists()
