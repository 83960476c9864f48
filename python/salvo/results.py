"""What runs have come to, as objects."""

from __future__ import annotations

import json
from typing import Any, Mapping


class Fit:
    """A finished fit: the text of fit.json and the files of the folder that the program writes."""

    def __init__(self, json_text: str, files: Mapping[str, bytes], problem: Any = None, text: str = "") -> None:
        self._json_text = json_text
        self._files = files
        self._text = text
        self.problem = problem
        self.record = json.loads(json_text)

    @property
    def status(self) -> str:
        return self.record["status"]

    @property
    def ok(self) -> bool:
        return self.status == "converged"

    def __repr__(self) -> str:
        return self._text
