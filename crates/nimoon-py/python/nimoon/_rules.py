"""Rulesets that are written in Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterable
from typing import Any

from ._answers import Sum
from ._digraph import BUDGET
from ._errors import InputError
from ._expressions import value
from ._native import Value
from ._progress import Progress

# The names of positions that are given as objects; what cannot be typed is in no expression.
_OBJECT = "\N{SYMBOL FOR RECORD SEPARATOR}"


class Ruleset:
    """A game of your own: a subclass with ``options``, which lists where a player can move to.

    Positions are any hashable objects. An option is a position, or ``again(position)`` if the player moves again,
    or ``entailing(position)`` if the opponent must answer there. The engine explores and labels:

    >>> from nimoon import Ruleset
    >>> class Nim(Ruleset):
    ...     def options(self, heap):
    ...         return range(heap)
    >>> Nim().value(5)
    Value('5')
    >>> Nim().sum(3, 5, 6).outcome
    'P'

    ``components(position)`` may split a position into independent parts, ``canonical(position)`` may give one
    position for all that a symmetry makes equal, ``words(position, to)`` says what a move does, and ``read`` and ``write``
    are the notation in expressions, where ``name`` is the name; without them positions are written as Python does.

    >>> import nimoon
    >>> nimoon.value("nim:3 + kayles:4", rulesets=[Nim()]).value
    Value('2')
    """

    name: str = ""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "name" not in cls.__dict__:
            cls.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower().replace("_", "-")

    def options(self, position: Any) -> Iterable[Any]:
        """The options of a position, always in the same order."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `options`")

    def components(self, position: Any) -> Iterable[Any]:
        """The independent parts of a position: no move in one changes what can be done in another."""
        return [position]

    def canonical(self, position: Any) -> Hashable:
        """One position for all that a symmetry makes equal; it is given single components."""
        found: Hashable = position
        return found

    def words(self, position: Any, to: Any) -> str:
        """What the player does who makes this move, in the imperative."""
        return f"move to {self.write(to)}"

    def read(self, text: str) -> Hashable:
        """The position that a text stands for: a literal of Python, or the text itself."""
        try:
            found: Hashable = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return text
        return found

    def write(self, position: Any) -> str:
        """The text of a position, which ``read`` reads."""
        return position if isinstance(position, str) else repr(position)

    @property
    def _splits(self) -> bool:
        return type(self).components is not Ruleset.components

    @property
    def _is_symmetric(self) -> bool:
        return type(self).canonical is not Ruleset.canonical

    def sum(
        self,
        *positions: Hashable,
        theory: str | None = None,
        turns: bool = False,
        limit: int = 100,
        explain: bool = False,
        budget: int = BUDGET,
        progress: Progress = None,
    ) -> Sum:
        """What there is to tell about a sum of positions."""
        if not positions:
            raise InputError("expected at least one position")
        given = _Given(self, positions)
        expression = " + ".join(f"{self.name}:{_OBJECT}{number}" for number in range(len(positions)))
        return value(expression, theory, turns, limit, explain, budget, [given], progress)

    def value(self, position: Hashable, theory: str | None = None, budget: int = BUDGET) -> Value | None:
        """The value of a position; None where no algebra is known for it."""
        return self.sum(position, theory=theory, budget=budget).components[0].value

    def outcome(self, position: Hashable, theory: str | None = None, budget: int = BUDGET) -> str:
        """Who wins a position."""
        return str(self.sum(position, theory=theory, budget=budget).outcome)


class _Given(Ruleset):
    """A ruleset that reads the numbers of positions which were given as objects."""

    def __init__(self, rules: Ruleset, positions: tuple[Hashable, ...]) -> None:
        self.name = rules.name
        self._positions = positions
        self.options = rules.options  # type: ignore[method-assign]
        self.components = rules.components  # type: ignore[method-assign]
        self.canonical = rules.canonical  # type: ignore[method-assign]
        self.words = rules.words  # type: ignore[method-assign]
        self.write = rules.write  # type: ignore[method-assign]
        self._rules = rules

    def read(self, text: str) -> Hashable:
        if text.startswith(_OBJECT):
            return self._positions[int(text.removeprefix(_OBJECT))]
        return self._rules.read(text)

    @property
    def _splits(self) -> bool:
        return self._rules._splits

    @property
    def _is_symmetric(self) -> bool:
        return self._rules._is_symmetric
