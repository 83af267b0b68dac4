"""Literal forms over ∞ and −∞."""

from __future__ import annotations

import functools

from . import _native
from ._answers import Answer, answered, value_of
from ._errors import InputError
from ._expressions import Rules
from ._limits import BUDGET, limits
from ._native import Value


class Affine(Answer):
    """What there is to say about a literal form {Left's options | Right's options} over ∞ and −∞.

    Forms add and compare, as far as the theory can tell; where it cannot, comparing raises an InputError.

    >>> from nimoon import affine
    >>> moon = affine("{{oo|0},0|...}")
    >>> moon.value, (moon + affine("*2")).value, affine("*") + affine("*") == affine("0")
    (Value('moon'), Value('moon'), True)
    """

    @property
    def form(self) -> str:
        """The form as it is written."""
        return str(self._data["form"])

    @property
    def value(self) -> Value | None:
        """The value of an affine impartial form: a nimber or the moon."""
        return value_of(self._data["value"])

    @property
    def outcome(self) -> str:
        """Who wins: L, N, P or R."""
        return str(self._data["outcome"])

    def __add__(self, other: Affine | str) -> Affine:
        return affine(f"({self}) + ({other})")

    def __sub__(self, other: Affine | str) -> Affine:
        return affine(f"({self}) - ({other})")

    def __neg__(self) -> Affine:
        return affine(f"-({self})")

    def _holds(self, sign: str, other: Affine | str) -> bool:
        told = compare_affine(f"{self} {sign} {other}")
        if told["holds"] is None:
            raise InputError(f"whether {self} {sign} {other} is not known: {told['reason']}")
        return bool(told["holds"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Affine, str)) and self._holds("=", other)

    def __ge__(self, other: Affine | str) -> bool:
        return self._holds(">=", other)

    def __le__(self, other: Affine | str) -> bool:
        return self._holds("<=", other)

    def __gt__(self, other: Affine | str) -> bool:
        return self._holds(">", other)

    def __lt__(self, other: Affine | str) -> bool:
        return self._holds("<", other)

    def __hash__(self) -> int:
        # Equal games have equal outcomes; forms may differ.
        return hash(self.outcome)

    def __str__(self) -> str:
        return self.form

    def __repr__(self) -> str:
        return f"Affine({self.form!r})"


def affine(
    form: str | None = None,
    of: str | None = None,
    more: bool = False,
    budget: int = BUDGET,
    rulesets: Rules = (),
    *,
    memory: int | None = None,
    time: float | None = None,
) -> Affine:
    """A literal form, or the form of positions given by ``of``; ``more`` tells more in its JSON.

    >>> from nimoon import affine
    >>> affine(of="top-entails:1").value
    Value('moon')
    """
    if (form is None) == (of is None):
        raise InputError("expected either a form, or positions by `of`")
    asked = form if form is not None else of
    if form is not None and any(sign in form for sign in "<>=~≥≤"):
        raise InputError("this compares two forms: use `compare_affine`")
    allowed = limits(budget, memory, time)
    ask = functools.partial(_native.affine, str(asked), form is None, more, allowed, list(rulesets))
    return answered(Affine, ask)


def compare_affine(
    question: str, budget: int = BUDGET, *, memory: int | None = None, time: float | None = None
) -> Answer:
    """Whether a relation of two forms holds, such as ``{oo|0} >= *``; ``holds`` is None where nobody knows.

    >>> from nimoon import compare_affine
    >>> compare_affine("oo > 100")["holds"]
    True
    """
    allowed = limits(budget, memory, time)
    return answered(Answer, functools.partial(_native.affine, question, False, False, allowed, []))
