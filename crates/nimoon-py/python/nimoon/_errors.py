"""What can go wrong. ``exit_code`` is that of the command line for the same failure."""

from __future__ import annotations

from typing import Any, ClassVar


class NimoonError(Exception):
    """Every exception of nimoon; itself raised only for a bug, or where somebody asked to stop."""

    exit_code: ClassVar[int] = 1


class InputError(NimoonError, ValueError):
    """What was given is wrong: a text, a digraph, a node, a theory that does not fit.

    ``line`` and ``column`` tell the place in the text, where there is one.

    >>> import nimoon
    >>> try:
    ...     nimoon.value("nim:3 + kayles:x")
    ... except nimoon.InputError as error:
    ...     print(error.line, error.column)
    1 16
    """

    exit_code: ClassVar[int] = 2
    line: int | None = None
    column: int | None = None


class BudgetError(NimoonError):
    """A budget was hit. ``known`` is the answer as far as it is known, or None."""

    exit_code: ClassVar[int] = 3
    known: Any = None
    _known: tuple[str, str] | None = None


class FileError(NimoonError, OSError):
    """A file cannot be read."""
