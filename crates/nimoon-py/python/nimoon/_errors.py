"""The exceptions. ``exit_code`` is the exit code of the command line for the same error."""

from __future__ import annotations

from typing import Any, ClassVar


class NimoonError(Exception):
    """The base class of the exceptions. It is raised itself only for a bug or a cancelled call."""

    exit_code: ClassVar[int] = 1


class InputError(NimoonError, ValueError):
    """An argument is invalid, for example a text, a digraph, a node, or a theory that does not fit.

    ``line`` and ``column`` are the place of the error in a text, or None.

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
    """A limit was reached. ``known`` is the partial answer, or None."""

    exit_code: ClassVar[int] = 3
    known: Any = None
    _known: tuple[str, str] | None = None


class FileError(NimoonError, OSError):
    """A file cannot be opened or read."""
