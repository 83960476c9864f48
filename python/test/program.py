"""The program beside the package: what it writes is what Python reads."""

import functools
import os
import pathlib
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SALVO_PROGRAM", str(SOURCE / "build" / "release" / "salvo"))
EXAMPLES = SOURCE / "examples"

_kept = tempfile.TemporaryDirectory()


def example(name: str) -> str:
    """The problem file of an example."""
    return str(next((EXAMPLES / name).glob("*.yaml")))


@functools.lru_cache(maxsize=None)
def fitted(name: str, *options: str) -> pathlib.Path:
    """The folder of a fit by the program, made once."""
    folder = pathlib.Path(_kept.name) / "-".join([name, *options]).replace("/", "_")
    done = subprocess.run(
        [PROGRAM, "fit", example(name), "--out", str(folder), "--seed", "1", *options], capture_output=True, text=True
    )
    assert done.returncode in (0, 4), done.stderr
    (folder / "printed.txt").write_text(done.stdout)
    return folder
