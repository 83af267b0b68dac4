"""Rulesets that are written in Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterable
from typing import Any, ClassVar

from ._answers import Sum
from ._errors import InputError
from ._expressions import value
from ._limits import BUDGET
from ._loopy import LoopyGame
from ._native import Value
from ._progress import Progress

# The names of positions that are given as objects; what cannot be typed is in no expression.
_OBJECT = "\N{SYMBOL FOR RECORD SEPARATOR}"


class BaseRuleset:
    """What rulesets of both kinds have: a name, symmetry, words, and positions as text."""

    name: str = ""
    _is_partizan: ClassVar[bool] = False

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "name" not in cls.__dict__:
            cls.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower().replace("_", "-")

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
        return False

    @property
    def _is_symmetric(self) -> bool:
        return type(self).canonical is not BaseRuleset.canonical


class Ruleset(BaseRuleset):
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

    def options(self, position: Any) -> Iterable[Any]:
        """The options of a position, always in the same order."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `options`")

    def components(self, position: Any) -> Iterable[Any]:
        """The independent parts of a position: no move in one changes what can be done in another."""
        return [position]

    @property
    def _splits(self) -> bool:
        return type(self).components is not Ruleset.components

    def sum(
        self,
        *positions: Hashable,
        theory: str | None = None,
        turns: bool = False,
        limit: int = 100,
        explain: bool = False,
        budget: int = BUDGET,
        progress: Progress = None,
        memory: int | None = None,
        time: float | None = None,
    ) -> Sum:
        """What there is to tell about a sum of positions."""
        expression, given = _given(self, positions)
        return value(
            expression, theory, turns, limit, explain, budget, [given], progress=progress, memory=memory, time=time
        )

    def value(
        self,
        position: Hashable,
        theory: str | None = None,
        budget: int = BUDGET,
        *,
        memory: int | None = None,
        time: float | None = None,
    ) -> Value | None:
        """The value of a position; None where no algebra is known for it."""
        return self.sum(position, theory=theory, budget=budget, memory=memory, time=time).components[0].value

    def outcome(
        self,
        position: Hashable,
        theory: str | None = None,
        budget: int = BUDGET,
        *,
        memory: int | None = None,
        time: float | None = None,
    ) -> str:
        """Who wins a position."""
        return str(self.sum(position, theory=theory, budget=budget, memory=memory, time=time).outcome)


class PartizanRuleset(BaseRuleset):
    """A game of your own in which Left and Right have moves of their own, and which may go round in circles.

    A subclass has ``left_options`` and ``right_options``. Values are loopy games:

    >>> from nimoon import PartizanRuleset
    >>> class Counter(PartizanRuleset):
    ...     '''Left takes one from the counter, Right may leave it as it is.'''
    ...     def left_options(self, counter):
    ...         return [counter - 1] if counter else []
    ...     def right_options(self, counter):
    ...         return [counter] if counter else []
    >>> Counter().value(1)
    LoopyGame('over')
    >>> Counter().outcome(1)
    {'left_first': 'L', 'right_first': 'L'}

    ``canonical``, ``words``, ``read`` and ``write`` are those of ``Ruleset``. Positions stand beside those of impartial
    rulesets with ordinary moves:

    >>> import nimoon
    >>> nimoon.value("counter:1 + nim:1", rulesets=[Counter()]).loopy > 0
    True
    """

    _is_partizan: ClassVar[bool] = True

    def left_options(self, position: Any) -> Iterable[Any]:
        """Where Left can move to, always in the same order."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `left_options`")

    def right_options(self, position: Any) -> Iterable[Any]:
        """Where Right can move to, always in the same order."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `right_options`")

    def sum(
        self,
        *positions: Hashable,
        budget: int = BUDGET,
        progress: Progress = None,
        memory: int | None = None,
        time: float | None = None,
    ) -> Sum:
        """What there is to tell about a sum of positions."""
        expression, given = _given(self, positions)
        return value(expression, budget=budget, rulesets=[given], progress=progress, memory=memory, time=time)

    def value(
        self,
        position: Hashable,
        budget: int = BUDGET,
        *,
        memory: int | None = None,
        time: float | None = None,
    ) -> LoopyGame | None:
        """The value of a position; None if its sides were not found."""
        return self.sum(position, budget=budget, memory=memory, time=time).loopy

    def outcome(
        self,
        position: Hashable,
        budget: int = BUDGET,
        *,
        memory: int | None = None,
        time: float | None = None,
    ) -> dict[str, str]:
        """Who wins a position if Left starts, and if Right does: L, R or D."""
        found: dict[str, str] = self.sum(position, budget=budget, memory=memory, time=time).outcome
        return found


def _given(rules: BaseRuleset, positions: tuple[Hashable, ...]) -> tuple[str, Any]:
    """An expression for positions that are objects, and the rules, which read it."""
    if not positions:
        raise InputError("expected at least one position")
    expression = " + ".join(f"{rules.name}:{_OBJECT}{number}" for number in range(len(positions)))
    return expression, _Given(rules, positions)


class _Given:
    """A ruleset that reads the numbers of positions which were given as objects; all else is that of the rules."""

    def __init__(self, rules: BaseRuleset, positions: tuple[Hashable, ...]) -> None:
        self._rules = rules
        self._positions = positions

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._rules, name)
        # Looked up once: methods are called for each position.
        self.__dict__[name] = found
        return found

    def read(self, text: str) -> Hashable:
        if text.startswith(_OBJECT):
            return self._positions[int(text.removeprefix(_OBJECT))]
        return self._rules.read(text)
