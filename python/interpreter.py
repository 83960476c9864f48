"""Prints what this interpreter lacks for the package to be built for it; nothing if it lacks nothing."""
import os
import sys
import sysconfig

lacks = []
if sys.version_info < (3, 9):
    lacks.append("it is older than Python 3.9")
try:
    import numpy  # noqa: F401
except ImportError:
    lacks.append("it has no numpy (Debian: python3-numpy)")
if not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")):
    lacks.append("its headers are missing (Debian: python3-dev)")
print(" and ".join(lacks))
