"""The folder of a result: read whole, and written all at once."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Union

from salvo import _core
from salvo.errors import ProblemError

PathLike = Union[str, "os.PathLike[str]"]

# All that a fit may write: what it does not write this time is of an earlier one.
FILES_OF_A_FIT = (
    "bands.csv",
    "estimates.tsv",
    "petab_parameters.tsv",
    "petab_simulations.tsv",
    "pictures.json",
    "profiles.csv",
    "report.html",
    "residuals.csv",
    "solution.svg",
    "start.svg",
    "starts.csv",
    "summary.txt",
    "trajectories.csv",
    "fit.json",
)
FILES_OF_A_STUDY = ("summary.txt", "study.json")
FILES_OF_A_DESIGN = ("design.csv", "summary.txt", "report.html", "design.json")


def read_folder(folder: PathLike) -> dict[str, bytes]:
    """The files of a fit or of a study in this folder, by name; what else lies there is left alone."""
    path = Path(folder)
    if not path.is_dir():
        trouble = "this is not a folder" if path.exists() else "there is no such folder"
        raise FileNotFoundError(f"{path}: {trouble}; name the folder that a fit was saved into")
    for names in (FILES_OF_A_FIT, FILES_OF_A_STUDY):
        if (path / names[-1]).is_file():
            return {name: (path / name).read_bytes() for name in names if (path / name).is_file()}
    raise ProblemError(f"{path}: neither a fit nor a study was saved into this folder: there is no fit.json or study.json")


def write_folder(folder: PathLike, files: Mapping[str, bytes], names: tuple[str, ...]) -> None:
    """Writes these files all at once; those of `names` that are not among them go, everything else in the folder stays."""
    ordered = {name: files[name] for name in names if name in files}
    _core.write_folder(os.fspath(folder), ordered, list(names))


def write_text(file: PathLike, text: str) -> None:
    """Puts a text into a file at once: an interruption leaves the old one or the new one."""
    path = Path(file)
    stage = Path(tempfile.mkdtemp(prefix=".salvo-", dir=path.parent))
    try:
        (stage / path.name).write_text(text, encoding="utf-8", newline="")
        os.replace(stage / path.name, path)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
