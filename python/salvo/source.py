"""What a problem was made of, so that it can be made again elsewhere: the text of its files, and what was changed since."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Optional


@dataclass(frozen=True)
class Source:
    """Files by their names from the folder of the problem file `main`, and changes in their order."""

    main: str
    files: Mapping[str, bytes]
    data: Optional[str] = None  # of the files, in place of the one that `main` names
    changes: tuple[tuple[str, Any], ...] = field(default=())

    def changed(self, kind: str, content: Any) -> Source:
        """With one more change."""
        return replace(self, changes=(*self.changes, (kind, content)))

    def with_file(self, name: str, content: bytes) -> Source:
        """With another file, or another content of a file."""
        return replace(self, files={**self.files, name: content})

    def digest(self) -> str:
        """Tells whether anything was lost or altered on the way."""
        digest = hashlib.sha256()
        for name in sorted(self.files):
            for part in (name.encode(), self.files[name]):
                digest.update(len(part).to_bytes(8, "little") + part)
        digest.update(repr((self.main, self.data, self.changes)).encode())
        return digest.hexdigest()
