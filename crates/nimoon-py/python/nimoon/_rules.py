"""Rulesets written in Python."""

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

# The prefix of names for positions given as objects. Users cannot type it, so it does not occur in their expressions.
_OBJECT = "\N{SYMBOL FOR RECORD SEPARATOR}"


class BaseRuleset:
    """The common base of both kinds of rulesets: names, symmetry, words, and the notation of positions."""

    name: str = ""
    _is_partizan: ClassVar[bool] = False

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "name" not in cls.__dict__:
            cls.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower().replace("_", "-")

    def canonical(self, position: Any) -> Hashable:
        """Return one position for all that a symmetry makes equal. The argument is a single component."""
        found: Hashable = position
        return found

    def words(self, position: Any, to: Any) -> str:
        """Describe a move in the imperative, from the positions before and after it."""
        return f"move to {self.write(to)}"

    def read(self, text: str) -> Hashable:
        """Parse a position: a literal of Python, or the text itself."""
        try:
            found: Hashable = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return text
        return found

    def write(self, position: Any) -> str:
        """Return the text of a position, which ``read`` parses."""
        return position if isinstance(position, str) else repr(position)

    @property
    def _splits(self) -> bool:
        return False

    @property
    def _is_symmetric(self) -> bool:
        return type(self).canonical is not BaseRuleset.canonical


class Ruleset(BaseRuleset):
    """A game of your own. Write a subclass with a method ``options``, which lists the options of a position.

    Positions are any hashable objects. An option is a position, ``again(position)`` if the player moves again, or
    ``entailing(position)`` if the opponent must answer there. The engine explores the positions and labels them:

    >>> from nimoon import Ruleset
    >>> class Nim(Ruleset):
    ...     def options(self, heap):
    ...         return range(heap)
    >>> Nim().value(5)
    Value('5')
    >>> Nim().sum(3, 5, 6).outcome
    'P'

    These methods are optional. ``components(position)`` splits a position into independent components.
    ``canonical(position)`` returns one position for all that a symmetry makes equal. ``words(position, to)`` describes a
    move. ``read`` and ``write`` define the notation in expressions; the default is the notation of Python. The attribute
    ``name`` is the name in expressions.

    >>> import nimoon
    >>> nimoon.value("nim:3 + kayles:4", rulesets=[Nim()]).value
    Value('2')
    """

    def options(self, position: Any) -> Iterable[Any]:
        """Return the options of a position, always in the same order."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `options`")

    def components(self, position: Any) -> Iterable[Any]:
        """Split a position into independent components: a move in one does not change the options of another.

        An empty list is the empty sum, in which no player can move.
        """
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
        """Evaluate a sum of positions.

        - ``positions``: the positions, as objects.
        - All other parameters are those of ``nimoon.value``.
        """
        expression, given = _expression_for(self, positions)
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
        """Return the value of a position, or None if no algebra is known for it.

        - ``position``: the position, as an object.
        - ``theory``: the name of a theory; default: the smallest theory that fits.
        - ``budget``, ``memory``, ``time``: the limits of the call, as for ``nimoon.value``.
        """
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
        """Return the outcome of a position: N, P or D.

        - ``position``: the position, as an object.
        - ``theory``: the name of a theory; default: the smallest theory that fits.
        - ``budget``, ``memory``, ``time``: the limits of the call, as for ``nimoon.value``.
        """
        return str(self.sum(position, theory=theory, budget=budget, memory=memory, time=time).outcome)


class PartizanRuleset(BaseRuleset):
    """A game of your own in which Left and Right have different moves, and in which play may repeat positions.

    Write a subclass with ``left_options`` and ``right_options``. Values are loopy games:

    >>> from nimoon import PartizanRuleset
    >>> class Counter(PartizanRuleset):
    ...     '''Left takes one from the counter, and Right can pass.'''
    ...     def left_options(self, counter):
    ...         return [counter - 1] if counter else []
    ...     def right_options(self, counter):
    ...         return [counter] if counter else []
    >>> Counter().value(1)
    LoopyGame('over')
    >>> Counter().outcome(1)
    {'left_first': 'L', 'right_first': 'L'}

    ``canonical``, ``words``, ``read`` and ``write`` work as for ``Ruleset``. A sum may also have positions of impartial
    rulesets with ordinary moves:

    >>> import nimoon
    >>> nimoon.value("counter:1 + nim:1", rulesets=[Counter()]).loopy > 0
    True
    """

    _is_partizan: ClassVar[bool] = True

    def left_options(self, position: Any) -> Iterable[Any]:
        """Return the options of Left, always in the same order."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `left_options`")

    def right_options(self, position: Any) -> Iterable[Any]:
        """Return the options of Right, always in the same order."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `right_options`")

    def sum(
        self,
        *positions: Hashable,
        budget: int = BUDGET,
        progress: Progress = None,
        memory: int | None = None,
        time: float | None = None,
    ) -> Sum:
        """Evaluate a sum of positions.

        - ``positions``: the positions, as objects.
        - ``progress``: as for ``nimoon.value``.
        - ``budget``, ``memory``, ``time``: the limits of the call, as for ``nimoon.value``.
        """
        expression, given = _expression_for(self, positions)
        return value(expression, budget=budget, rulesets=[given], progress=progress, memory=memory, time=time)

    def value(
        self,
        position: Hashable,
        budget: int = BUDGET,
        *,
        memory: int | None = None,
        time: float | None = None,
    ) -> LoopyGame | None:
        """Return the value of a position, or None if its sides are unknown.

        - ``position``: the position, as an object.
        - ``budget``, ``memory``, ``time``: the limits of the call, as for ``nimoon.value``.
        """
        return self.sum(position, budget=budget, memory=memory, time=time).loopy

    def outcome(
        self,
        position: Hashable,
        budget: int = BUDGET,
        *,
        memory: int | None = None,
        time: float | None = None,
    ) -> dict[str, str]:
        """Return the outcome of a position if Left starts and if Right starts: L, R or D.

        - ``position``: the position, as an object.
        - ``budget``, ``memory``, ``time``: the limits of the call, as for ``nimoon.value``.
        """
        found: dict[str, str] = self.sum(position, budget=budget, memory=memory, time=time).outcome
        return found


def _expression_for(rules: BaseRuleset, positions: tuple[Hashable, ...]) -> tuple[str, Any]:
    """Return an expression for positions given as objects, and a ruleset that reads it."""
    if not positions:
        raise InputError("expected at least one position")
    expression = " + ".join(f"{rules.name}:{_OBJECT}{number}" for number in range(len(positions)))
    return expression, _ByNumber(rules, positions)


class _ByNumber:
    """A ruleset that reads the numbers of positions given as objects, and otherwise behaves like the original rules."""

    def __init__(self, rules: BaseRuleset, positions: tuple[Hashable, ...]) -> None:
        self._rules = rules
        self._positions = positions

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._rules, name)
        # Cache the attribute, because methods are called for each position.
        self.__dict__[name] = found
        return found

    def read(self, text: str) -> Hashable:
        if text.startswith(_OBJECT):
            return self._positions[int(text.removeprefix(_OBJECT))]
        return self._rules.read(text)
