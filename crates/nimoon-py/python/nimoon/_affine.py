"""Literal forms over ∞ and −∞."""

from __future__ import annotations

import functools
from numbers import Integral
from typing import Union

from . import _native
from ._answers import Answer, answered, value_of
from ._errors import InputError
from ._expressions import Rules
from ._limits import BUDGET, limits
from ._native import Value

Operand = Union["Affine", Value, int]
"""The other operand of an operator: a form, a nimber or a whole number."""


class Affine(Answer):
    """A literal form {Left's options | Right's options} over ∞ and −∞, with its value and outcome.

    Forms add and compare. If the theory cannot decide a comparison, it raises an InputError, and therefore forms have no
    hash. A whole number is a number here, and a ``Value`` is a nimber. To use text as an operand, pass it to ``affine`` first.
    The moon is not a single form: two forms that are moons beside impartial games may differ beside other games.

    >>> from nimoon import Value, affine
    >>> moon = affine("{{oo|0},0|...}")
    >>> moon.value, (moon + affine("*2")).value, affine("*") + affine("*") == affine("0")
    (Value('moon'), Value('moon'), True)
    >>> affine("oo") > 100, affine("*2") + Value(2) == 0, moon == affine("moon")
    (True, True, False)
    """

    @property
    def form(self) -> str:
        """The form in its notation."""
        return str(self._data["form"])

    @property
    def value(self) -> Value | None:
        """The value of an affine impartial form: a nimber or the moon."""
        return value_of(self._data["value"])

    @property
    def outcome(self) -> str:
        """Who wins: L, N, P or R."""
        return str(self._data["outcome"])

    def _combined(self, sign: str, other: object, swapped: bool = False) -> Affine:
        text = _text(other)
        if text is None:
            return NotImplemented  # type: ignore[no-any-return]
        first, second = (text, self.form) if swapped else (self.form, text)
        return affine(f"({first}) {sign} ({second})")

    def __add__(self, other: Operand) -> Affine:
        return self._combined("+", other)

    def __radd__(self, other: Value | int) -> Affine:
        return self._combined("+", other, swapped=True)

    def __sub__(self, other: Operand) -> Affine:
        return self._combined("-", other)

    def __rsub__(self, other: Value | int) -> Affine:
        return self._combined("-", other, swapped=True)

    def __neg__(self) -> Affine:
        return affine(f"-({self.form})")

    def _holds(self, sign: str, other: object) -> bool:
        text = _text(other)
        if text is None:
            return NotImplemented  # type: ignore[no-any-return]
        answer = compare_affine(f"{self.form} {sign} {text}")
        if answer["holds"] is None:
            raise InputError(f"cannot decide whether {self.form} {sign} {text}: {answer['reason']}")
        return bool(answer["holds"])

    def __eq__(self, other: object) -> bool:
        return self._holds("=", other)

    def __ge__(self, other: Operand) -> bool:
        return self._holds(">=", other)

    def __le__(self, other: Operand) -> bool:
        return self._holds("<=", other)

    def __gt__(self, other: Operand) -> bool:
        return self._holds(">", other)

    def __lt__(self, other: Operand) -> bool:
        return self._holds("<", other)

    # Equality of forms may be undecided, and no canonical form is known that could provide a hash.
    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.form

    def __repr__(self) -> str:
        return f"Affine({self.form!r})"


def _text(given: object) -> str | None:
    """Return the notation of a form, a nimber or a whole number as a form, or None for anything else."""
    if isinstance(given, Affine):
        return given.form
    if isinstance(given, Value):
        return None if given.nimber is None else f"*{given.nimber}"
    return str(int(given)) if isinstance(given, Integral) else None


def affine(
    form: Operand | str | None = None,
    of: str | None = None,
    more: bool = False,
    budget: int = BUDGET,
    rulesets: Rules = (),
    *,
    memory: int | None = None,
    time: float | None = None,
) -> Affine:
    """Return a literal form, or the form of a sum of positions.

    >>> from nimoon import affine
    >>> affine(of="top-entails:1").value
    Value('moon')

    - ``form``: the form as text, or a form, a nimber or a whole number.
    - ``of``: a sum of positions, in place of ``form``.
    - ``more``: add further facts to the JSON of the answer.
    - ``rulesets``: rulesets for ``of``, in addition to the built-in ones.
    - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    if (form is None) == (of is None):
        raise InputError("expected either a form, or positions as `of`")
    given = of if of is not None else form
    text = given if isinstance(given, str) else _text(given)
    if text is None:
        raise TypeError(f"expected a form, a nimber or a whole number, not {given!r}")
    if of is None and any(sign in text for sign in "<>=~≥≤"):
        raise InputError("this is a comparison of two forms: use `compare_affine`")
    allowed = limits(budget, memory, time)
    ask = functools.partial(_native.affine, text, of is not None, more, allowed, list(rulesets))
    return answered(Affine, ask)


def compare_affine(
    question: str, budget: int = BUDGET, *, memory: int | None = None, time: float | None = None
) -> Answer:
    """Decide a relation between two forms. ``holds`` of the answer is None if the theory cannot decide it.

    >>> from nimoon import compare_affine
    >>> compare_affine("oo > 100")["holds"]
    True

    - ``question``: the relation, such as ``{oo|0} >= *``.
    - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    allowed = limits(budget, memory, time)
    return answered(Answer, functools.partial(_native.affine, question, False, False, allowed, []))
