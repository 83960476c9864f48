"""Runs one file of tests with pytest, and says so where that is missing."""

import os
import sys


def main() -> int:
    try:
        import pytest
    except ImportError:
        print(f"skipped: {sys.executable} has no pytest (Debian: python3-pytest)")
        return 77
    os.environ.setdefault("MPLBACKEND", "Agg")
    sys.dont_write_bytecode = True
    code = pytest.main(["-q", "-rs", "-p", "no:cacheprovider", *sys.argv[1:]])
    return 77 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)


if __name__ == "__main__":  # processes that are spawned import this file, too
    sys.exit(main())
