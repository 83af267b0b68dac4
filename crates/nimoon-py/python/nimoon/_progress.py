"""Reports the progress of long calls as a line on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Union

Progress = Union[bool, Callable[[str], object], None]
"""None prints a line if a person is watching, True or False always or never print it, and a function receives each text."""


class _Line:
    """Rewrites a line on standard error, starting one second after the call began."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._width = 0

    def __call__(self, text: str) -> None:
        if time.monotonic() - self._start > 1.0:
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()
            self._width = len(text)

    def clear(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


class reporting:
    """A context manager with the function that receives the progress of a call."""

    def __init__(self, progress: Progress) -> None:
        self._line: _Line | None = None
        self._call: Callable[[str], object] | None = None
        if callable(progress):
            self._call = progress
        elif progress or (progress is None and _is_watched()):
            self._call = self._line = _Line()

    def __enter__(self) -> Callable[[str], object] | None:
        return self._call

    def __exit__(self, *_: object) -> None:
        if self._line is not None:
            self._line.clear()


def _is_watched() -> bool:
    try:
        return sys.stderr.isatty() or "ipykernel" in sys.modules
    except (AttributeError, ValueError):
        return False
