"""What a fit says: the text of its fit.json and the files of its folder, with names."""

from __future__ import annotations

import hashlib
import html
import json
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

from salvo import _core, frames
from salvo import folder as folders
from salvo.errors import FitFailed, ProblemError, unknown_names
from salvo.estimate import Alternative, Estimate, number, number_or_none
from salvo.fit_tables import estimates_frame, names_of, optima_columns, starts_columns
from salvo.profiles import Profile, Profiles
from salvo.studies import Check, Evaluation, RunStatus, Study

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from salvo.problem import Problem

__all__ = [
    "Alternative",
    "Check",
    "Estimate",
    "Evaluation",
    "Fit",
    "Profile",
    "Profiles",
    "RunStatus",
    "Study",
    "gather",
    "load",
    "status",
]

_PAGE_HEIGHT = 720  # of the page in a notebook, in pixels


class Fit(Mapping[str, Estimate]):
    """The result of a fit: estimates by name, tables, plots and the page.

    ``fit["k"]`` is an estimate with its error, ``fit.estimates`` the table of all, ``print(fit)`` what the terminal
    prints. A fit never changes. It can be copied, pickled, and saved into the folder that the program writes.

    A fit whose numbers did not work out is a fit too: ``fit.ok`` is false, ``fit.status`` and ``fit.message`` say why, and
    ``fit.raise_if_failed()`` makes an exception of it.
    """

    def __init__(
        self, json_text: str, files: Mapping[str, bytes], text: str, problem: Optional[Problem] = None
    ) -> None:
        self._json_text = json_text
        self._files = files
        self._text = text
        self._problem = problem
        self._record: dict[str, Any] = json.loads(json_text)
        self._names = names_of(self._record)
        self._rows = {
            **dict(zip(self._names, self._record["parameters"] + self._record["initial"])),
            **{row["id"]: row for row in self._record["derived"]},
        }

    # How it ended

    @property
    def ok(self) -> bool:
        """Whether it converged: the point is a minimum, and that was proved."""
        return self.status == "converged"

    @property
    def status(self) -> str:
        """``converged``, ``interrupted`` (also where some of the starts were not done), or why there is no answer:
        ``max_iterations``, ``max_time``, ``stalled``, ``infeasible``, ``numerical_failure``."""
        is_cut_short = any(row["status"] == "interrupted" for row in self._record.get("starts", ()))
        return "interrupted" if is_cut_short else str(self._record["status"])

    @property
    def ended(self) -> str:
        """Why the run ended, whatever was proved of the point later: ``tolerance``, ``deadline``, ``interrupted``, ..."""
        return str(self._record["ended"])

    @property
    def message(self) -> str:
        """What happened, in plain sentences."""
        return str(self._record["message"])

    def raise_if_failed(self) -> Fit:
        """The fit itself, if it converged; else `FitFailed` with its message."""
        if not self.ok:
            raise FitFailed(self.message, self)
        return self

    # Numbers

    @property
    def title(self) -> str:
        """Of the problem."""
        return str(self._record["title"])

    @property
    def objective(self) -> float:
        """-(log-likelihood + log prior) at the answer."""
        return number(self._record["objective"])

    @property
    def llh(self) -> float:
        """The log-likelihood."""
        return number(self._record["llh"])

    @property
    def chi2(self) -> float:
        """The sum of squared residuals, in standard deviations."""
        return number(self._record["chi2"])

    @property
    def degrees_of_freedom(self) -> float:
        """Measurements less what was estimated; effective ones where there are priors."""
        return number(self._record["degrees_of_freedom"])

    @property
    def p_value(self) -> Optional[float]:
        """How probable residuals as large as these are; None where the noise was estimated."""
        return number_or_none(self._record["p_value"])

    @property
    def aic(self) -> Optional[float]:
        """Akaike's criterion; None where trajectories are not joined, as the two below."""
        return number_or_none(self._record["aic"])

    @property
    def aicc(self) -> Optional[float]:
        """Akaike's criterion, corrected for few measurements."""
        return number_or_none(self._record["aicc"])

    @property
    def bic(self) -> Optional[float]:
        """Schwarz's criterion."""
        return number_or_none(self._record["bic"])

    @property
    def seconds(self) -> float:
        """How long it took, without reading and writing."""
        return number(self._record["work"]["seconds"])

    @property
    def record(self) -> dict[str, Any]:
        """All of fit.json, as plain Python; a copy."""
        record: dict[str, Any] = json.loads(self._json_text)
        return record

    # Estimates by name

    @property
    def names(self) -> tuple[str, ...]:
        """What was estimated: parameters, then initial values, ``experiment:state`` where several experiments have one."""
        return self._names

    def __getitem__(self, name: str) -> Estimate:
        """The estimate, or derived quantity, of this name."""
        row = self._rows.get(name)
        if row is None:
            raise unknown_names("fit", [name], self._rows)
        return Estimate(name, row)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def to_dict(self) -> dict[str, float]:
        """The estimates as plain floats, by name, in the units of the problem."""
        return {name: float(self[name]) for name in self._names}

    @property
    def theta(self) -> npt.NDArray[np.float64]:
        """The estimates on their scales, in the order of `names`: what ``problem.objective()`` takes."""
        import numpy as np

        values = np.array([float(self[name]) for name in self._names], dtype=np.float64)
        for k, name in enumerate(self._names):
            if self[name].scale != "lin":
                values[k] = np.log(values[k]) if self[name].scale == "log" else np.log10(values[k])
        return values

    # Tables

    @property
    def estimates(self) -> frames.Frame:
        """A row for each estimate, by name: estimate, standard_error, lower, upper, ..."""
        return estimates_frame({name: self[name] for name in self._names})

    @property
    def derived(self) -> frames.Frame:
        """A row for each quantity that the problem derives from the estimates; the columns of `estimates`."""
        return estimates_frame({row["id"]: self[row["id"]] for row in self._record["derived"]})

    @property
    def residuals(self) -> frames.Frame:
        """A row for each measurement: value, simulation, sigma, residual (in sigmas), ...

        Of a measured limit, ``value`` is the limit, and ``censored`` says ``below`` or ``above``.
        """
        return frames.from_columns(self._residual_columns())

    @property
    def trajectories(self) -> frames.Frame:
        """States and observables along the solution, interval by interval."""
        return frames.from_columns(self._columns("trajectories.csv"))

    @property
    def bands(self) -> frames.Frame:
        """The 95 % bands of the curves (lower, upper) and of new observations (lower_new, upper_new)."""
        return frames.from_columns(self._columns("bands.csv"))

    @property
    def starts(self) -> frames.Frame:
        """A row for each start, the best first: status, objective, optimum (1 is the best), guesses and estimates."""
        return frames.from_columns(starts_columns(self._record), index="start")

    @property
    def optima(self) -> frames.Frame:
        """A row for each distinct optimum that starts found, the best first: objective, count, and the parameters."""
        return frames.from_columns(optima_columns(self._record))

    @property
    def trace(self) -> frames.Frame:
        """A row for each iteration: objective, gap, step, phase, rule."""
        rows = self._record["trace"]
        columns: dict[str, list[Any]] = {key: [row[key] for row in rows] for key in ("iteration", "phase", "rule")}
        for key in ("objective", "gap", "step"):
            columns[key] = [number(row[key]) for row in rows]
        return frames.from_columns(columns, index="iteration")

    @property
    def covariance(self) -> frames.Frame:
        """The covariance of the estimates, in the units of the problem; NaN where one has no error."""
        return frames.square(self._record["covariance"]["ids"], self._covariance_matrix())

    @property
    def correlation(self) -> frames.Frame:
        """The correlation of the estimates; NaN where one has no error."""
        return frames.square(self._record["covariance"]["ids"], self._correlation_matrix())

    @property
    def alternatives(self) -> list[Alternative]:
        """Other answers that fit as well, or nearly, the best first."""
        return [Alternative(row) for row in self._record["alternatives"]]

    @property
    def null_directions(self) -> list[dict[str, float]]:
        """What the data cannot see, by name; empty if nothing."""
        return [{name: number(part) for name, part in row.items()} for row in self._record["null_directions"]]

    @property
    def profiles(self) -> Optional[Profiles]:
        """The profiles that were computed with the fit; None if there were none. `profile` computes some."""
        if "profiles" not in self._record:
            return None
        keys = ("status", "message", "objective", "next_measurement")
        record = {key: self._record[key] for key in keys if key in self._record}
        record["level"] = self._record["profile_level"]
        record["sentence"] = self._record["profile_sentence"]
        record["profiles"] = self._record["profiles"]
        return Profiles(json.dumps(record), fit=self)

    # Pictures

    def plot(self, *, experiment: Optional[str] = None, observable: Optional[str] = None, axes: Any = None) -> Any:
        """Trajectories with data and bands: an axis for each observable of each experiment. See `salvo.plots`."""
        from salvo import plots

        return plots.trajectories(self, experiment=experiment, observable=observable, axes=axes)

    def plot_residuals(self, *, axes: Any = None) -> Any:
        """Residuals against time, and their quantiles."""
        from salvo import plots

        return plots.residuals(self, axes=axes)

    def plot_starts(self, *, axes: Any = None) -> Any:
        """The objectives of all starts, the best first."""
        from salvo import plots

        return plots.starts(self, axes=axes)

    def plot_correlation(self, *, axes: Any = None) -> Any:
        """The correlations of the estimates."""
        from salvo import plots

        return plots.correlation(self, axes=axes)

    def plot_profiles(self, *, axes: Any = None) -> Any:
        """The profiles that were computed with the fit."""
        if self.profiles is None:
            raise ProblemError("this fit has no profiles; fit.profile_all() computes them")
        return self.profiles.plot(axes=axes)

    # Files

    @property
    def page(self) -> str:
        """The interactive page, as HTML."""
        return self._file("report.html").decode("utf-8")

    def report(self, file: folders.PathLike) -> None:
        """Writes the interactive page into this file."""
        folders.write_text(file, self.page)

    def save(self, folder: folders.PathLike) -> None:
        """Writes the folder that the program writes; `salvo.load` reads it again."""
        files = {name: self._files[name] for name in self._files}
        files.update({"fit.json": self._json_text.encode("utf-8"), "summary.txt": self._text.encode("utf-8")})
        folders.write_folder(folder, files, folders.FILES_OF_A_FIT)

    def to_json(self) -> str:
        """The text of fit.json."""
        return self._json_text

    @property
    def problem(self) -> Problem:
        """The problem that was fitted."""
        if self._problem is None:
            raise ProblemError("this fit does not know its problem; say  salvo.load(folder, problem=salvo.read(file))")
        return self._problem

    # More work

    def profile(self, name: str, **options: Any) -> Profile:
        """The profile likelihood of one quantity: ``fit.profile("k", threads=8)``. Options are those of `profile_all`."""
        return self.profile_all([name], **options)[name]

    def profile_all(self, names: Optional[list[str]] = None, **options: Any) -> Profiles:
        """The profile likelihoods of these quantities, or of all: `Problem.profile` from this fit, with its options."""
        return self.problem.profile(self, names, **options)

    # What Python asks of it

    def __repr__(self) -> str:
        return self._text.rstrip("\n") or "\n".join([*(repr(self[name]) for name in self), self.message])

    def _repr_html_(self) -> str:
        if "report.html" not in self._files:
            return f"<pre>{html.escape(repr(self))}</pre>"
        # Links within the page lead there, and not to the notebook around it.
        page = self.page.replace("<head>", '<head><base href="about:srcdoc">', 1)
        return (
            '<iframe sandbox="allow-scripts allow-downloads" style="width: 100%; border: 0" '
            f'height="{_PAGE_HEIGHT}" title="{html.escape(self.title or "fit")}" '
            f'srcdoc="{html.escape(page)}"></iframe>'
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fit) and self._json_text == other._json_text

    def __hash__(self) -> int:
        return hash(self._json_text)

    def __reduce__(self) -> tuple[Any, ...]:
        files = {name: self._files[name] for name in self._files}
        return (_restored, (self._json_text, files, self._text, self._problem, _digest(self._json_text, files)))

    # What the files hold

    def _file(self, name: str) -> bytes:
        if name not in self._files:
            raise ProblemError(f"this fit has no file {name}")
        return self._files[name]

    def _columns(self, name: str) -> dict[str, npt.NDArray[Any]]:
        return frames.columns_from_csv(self._file(name))

    def _residual_columns(self) -> dict[str, npt.NDArray[Any]]:
        return frames.columns_from_csv(self._file("residuals.csv"), limits="value")

    def _covariance_matrix(self) -> npt.NDArray[np.float64]:
        import numpy as np

        count = len(self._record["covariance"]["ids"])
        rows = self._record["covariance"]["matrix"]
        return np.array([number(cell) for row in rows for cell in row], dtype=np.float64).reshape(count, count)

    def _correlation_matrix(self) -> npt.NDArray[np.float64]:
        import numpy as np

        covariance = self._covariance_matrix()
        variance = np.diagonal(covariance)
        root = np.sqrt(np.where(variance > 0, variance, np.nan))
        return np.asarray(covariance / np.outer(root, root), dtype=np.float64)


def load(folder: folders.PathLike, problem: Optional[Problem] = None) -> Union[Fit, Study]:
    """The fit, or the study, that the program or `save` wrote into this folder.

    With ``problem`` the fit can be profiled and simulated; tables and plots need only the folder.
    """
    files = folders.read_folder(folder)
    text = files.get("summary.txt", b"").decode("utf-8")
    name = "study.json" if "study.json" in files else "fit.json"
    try:
        json_text = files[name].decode("utf-8")
        return Study(json_text, text) if name == "study.json" else Fit(json_text, files, text, problem)
    except (ValueError, KeyError, TypeError) as trouble:
        raise ProblemError(f"{folder}: {name} is not what a fit has written ({trouble!r})") from trouble


def status(folder: folders.PathLike) -> RunStatus:
    """How far the run in this folder has come, whoever works on it: see docs/long-runs.md."""
    return RunStatus(*_core.status(os.fspath(folder)))


def gather(folder: folders.PathLike, problem: Optional[Problem] = None) -> Union[Fit, Study]:
    """Writes the results of what is finished of a run into its folder, and loads them. Others may work meanwhile."""
    _core.gather(os.fspath(folder))
    return load(folder, problem)


def _digest(json_text: str, files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256(json_text.encode("utf-8"))
    for name in sorted(files):
        digest.update(name.encode("utf-8") + b"\0" + files[name])
    return digest.hexdigest()


def _restored(
    json_text: str, files: dict[str, bytes], text: str, problem: Optional[Problem], digest: str
) -> Fit:
    if _digest(json_text, files) != digest:
        raise ProblemError("this pickled fit is damaged: its text is not what was written")
    return Fit(json_text, files, text, problem)
