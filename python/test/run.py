"""Runs one file of tests with pytest, and says so where that is missing."""

import os
import sys

try:
    import pytest
except ImportError:
    print(f"skipped: {sys.executable} has no pytest (Debian: python3-pytest)")
    sys.exit(77)

os.environ.setdefault("MPLBACKEND", "Agg")
sys.dont_write_bytecode = True
code = pytest.main(["-q", "-rs", "-p", "no:cacheprovider", *sys.argv[1:]])
sys.exit(77 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code)
