"""Partizan games with cycles, unicycles, ordinals and audits."""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Mapping
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, Union, overload

from . import _native
from ._answers import Answer, Rows, answered
from ._errors import BudgetError, InputError
from ._limits import BUDGET, STATES, Limits, limits, within
from ._native import Value
from ._progress import Progress, reporting

Operand = Union["LoopyGame", Value, Fraction, float]
"""The other operand of an operator: a loopy game, a nimber, or a number over a power of two."""


class LoopyGame:
    """A game in which Left and Right have different moves, and in which play may repeat positions.

    ``loopy`` creates these games. They add, subtract and compare as games do:

    >>> import nimoon
    >>> from nimoon import loopy
    >>> on, off, dud = loopy("on"), loopy("off"), loopy("dud")
    >>> on + off == dud, on > off, loopy("0").confused_with(loopy("*"))
    (True, True, True)
    >>> loopy("a{1||a|0}").onside, loopy("a{1||a|0}").offside
    (LoopyGame('2'), LoopyGame('+-1'))

    A number is a number here, and a ``Value`` is a nimber: ``loopy("0") + 2`` is 2, and ``loopy("0") + Value(2)`` is ∗2.
    Operators do not parse text: write ``loopy("over") > loopy("upon")``.

    >>> loopy("1") + 2, loopy("1") + nimoon.Value(2), loopy("1/2") == 0.5
    (LoopyGame('3'), LoopyGame('1+*2'), True)
    """

    def __init__(self, native: _native.Loopy) -> None:
        self._native = native
        self._answer = Answer(native.reply())

    @property
    def json(self) -> Any:
        """The JSON of the command line."""
        return self._answer.json

    @property
    def text(self) -> str:
        """The text of the command line."""
        return self._answer.text

    @property
    def name(self) -> str | None:
        """The value in the usual notation, or its two sides if it does not equal a stopper. None if the sides are unknown."""
        found: str | None = self._answer["text"]
        return found

    @property
    def is_stopper(self) -> bool:
        """Whether the given graph has no alternating cycle."""
        return bool(self._answer["stopper"])

    @property
    def outcome(self) -> dict[str, str]:
        """The outcome if Left starts and if Right starts: L, R or D."""
        found: dict[str, str] = self._answer["outcome"]
        return found

    @property
    def canonical(self) -> dict[str, Any] | None:
        """The graph of the canonical form, if the game equals a stopper."""
        found: dict[str, Any] | None = self._answer["canonical"]
        return found

    @property
    def onside(self) -> LoopyGame | None:
        """The onside: the value if endless play is a win for Left. None if it is unknown."""
        return self._side("onside")

    @property
    def offside(self) -> LoopyGame | None:
        """The offside: the value if endless play is a win for Right. None if it is unknown."""
        return self._side("offside")

    def _side(self, name: str) -> LoopyGame | None:
        side = self._answer["sides"][name]
        return None if side is None else _game(side["graph"], self._native.limits())

    def _expression(self) -> str:
        found = self._native.expression()
        if found is None:
            raise InputError("cannot add this game to others: it is given by a graph, and its sides are unknown")
        return f"({found})"

    def _combined(self, sign: str, other: LoopyGame) -> LoopyGame:
        return _game(f"{self._expression()} {sign} {other._expression()}", self._native.larger(other._native))

    def __add__(self, other: Operand) -> LoopyGame:
        them = _operand(other)
        if them is None:
            return NotImplemented
        return self._combined("+", them)

    def __radd__(self, other: Operand) -> LoopyGame:
        them = _operand(other)
        if them is None:
            return NotImplemented
        return them._combined("+", self)

    def __sub__(self, other: Operand) -> LoopyGame:
        them = _operand(other)
        if them is None:
            return NotImplemented
        return self._combined("-", them)

    def __rsub__(self, other: Operand) -> LoopyGame:
        them = _operand(other)
        if them is None:
            return NotImplemented
        return them._combined("-", self)

    def __neg__(self) -> LoopyGame:
        return _game(f"-{self._expression()}", self._native.limits())

    def __rmul__(self, times: int) -> LoopyGame:
        if not isinstance(times, Integral):
            return NotImplemented
        return _game(f"{int(times)}*{self._expression()}", self._native.limits())

    def compare(
        self,
        other: Operand | str,
        *,
        budget: int | None = None,
        memory: int | None = None,
        time: float | None = None,
    ) -> Answer:
        """Compare two games, for endless play as a win of Left and as a win of Right.

        - ``other``: the other game, also as an expression, a nimber or a number.
        - ``budget``, ``memory``, ``time``: the limits of the call. Each defaults to the larger limit under which one of the
          games was made.
        """
        them = loopy(other)._native
        allowed = within(self._native.larger(them), budget, memory, time)
        return answered(Answer, lambda: self._native.compare(them, allowed))

    @property
    def _number(self) -> Fraction | None:
        """The number that the game equals, or None."""
        return Fraction(self.name) if self.name is not None and _NUMBER.fullmatch(self.name) else None

    @property
    def _nimber(self) -> int | None:
        """The nimber that the game equals, or None."""
        found = _NIMBER.fullmatch(self.name or "")
        return None if found is None else 0 if self.name == "0" else int(found[1] or 1)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LoopyGame):
            return bool(self.compare(other)["relation"] == "=")
        if isinstance(other, Value):
            return other.nimber is not None and other.nimber == self._nimber
        exact = _exact(other)
        return NotImplemented if exact is None else exact == self._number

    def _relation(self, other: object) -> str | None:
        """Return the relation to an operand, or None for an object that is not an operand."""
        ours, theirs = self._number, _exact(other)
        if ours is not None and theirs is not None:
            return "=" if ours == theirs else "<" if ours < theirs else ">"
        them = _operand(other)
        return None if them is None else str(self.compare(them)["relation"])

    def __ge__(self, other: Operand) -> bool:
        relation = self._relation(other)
        return NotImplemented if relation is None else relation in ("=", ">")

    def __le__(self, other: Operand) -> bool:
        relation = self._relation(other)
        return NotImplemented if relation is None else relation in ("=", "<")

    def __gt__(self, other: Operand) -> bool:
        relation = self._relation(other)
        return NotImplemented if relation is None else relation == ">"

    def __lt__(self, other: Operand) -> bool:
        relation = self._relation(other)
        return NotImplemented if relation is None else relation == "<"

    def confused_with(self, other: Operand | str) -> bool:
        """Return whether the two games are incomparable."""
        return bool(self.compare(other)["relation"] == "||")

    def __hash__(self) -> int:
        # A game can equal a number or a nimber, so it needs the hash of the number or of the `Value`.
        plain = self._number if self._number is not None else self._nimber
        if plain is not None:
            return hash(plain)
        sides = [self._answer["sides"][name] for name in ("onside", "offside")]
        if None in sides:
            raise TypeError("cannot hash a game whose sides are unknown")
        # Canonical forms are unique except for the order of their nodes.
        sizes = [(len(s["graph"]["nodes"]), len(s["graph"]["left"]), len(s["graph"]["right"])) for s in sides]
        return hash((*sizes, *self.outcome.values()))

    def draw(
        self,
        format: str = "svg",
        as_given: bool = False,
        *,
        budget: int | None = None,
        memory: int | None = None,
        time: float | None = None,
    ) -> str:
        """Draw the canonical form, or the graph as given.

        - ``format``: svg or dot.
        - ``as_given``: draw the graph as given.
        - ``budget``, ``memory``, ``time``: the limits of the call. They default to those under which the game was made.
        """
        return self._native.draw(format, as_given, within(self._native.limits(), budget, memory, time))

    def __str__(self) -> str:
        return self.name if self.name is not None else "a game whose sides are unknown"

    def __repr__(self) -> str:
        return f"LoopyGame({self.name!r})" if self.name is not None else "<LoopyGame without sides>"

    def _repr_svg_(self) -> str | None:
        try:
            return self.draw("svg")
        except InputError:
            return None

    def _repr_html_(self) -> str:
        # Notebooks prefer HTML to a picture, so this includes both.
        return (self._repr_svg_() or "") + self._answer._repr_html_()


_NUMBER, _NIMBER = re.compile(r"-?\d+(/\d+)?"), re.compile(r"0|\*(\d*)")


def _exact(given: object) -> Fraction | None:
    """Convert an object to an exact number; return None if it is not a finite number."""
    try:
        if isinstance(given, Rational):
            return Fraction(int(given.numerator), int(given.denominator))
        if isinstance(given, Real):
            return Fraction(*given.as_integer_ratio())  # type: ignore[attr-defined]
    except (AttributeError, OverflowError, ValueError):
        pass
    return None


def _text(given: object) -> str | None:
    """Return the expression of a number or a nimber, or None for anything else."""
    if isinstance(given, Value):
        return None if given.nimber is None else f"*{given.nimber}"
    exact = _exact(given)
    return None if exact is None or exact.denominator.bit_count() != 1 else str(exact)


def _operand(given: object) -> LoopyGame | None:
    """Convert an operand to a game, or return None if it is not an operand."""
    if isinstance(given, LoopyGame):
        return given
    text = _text(given)
    return None if text is None else loopy(text)


def loopy(
    game: Operand | str | Mapping[str, Any],
    budget: int = BUDGET,
    *,
    memory: int | None = None,
    time: float | None = None,
) -> LoopyGame:
    """Create a loopy game from an expression in the usual notation, or from a graph with Left and Right edges.

    >>> import nimoon
    >>> from nimoon import loopy
    >>> loopy("{0|upon}").name, loopy({"left": [["a", "a"]], "right": [], "start": "a"}).name
    ('{0|upon}', 'on')

    A number is a number, and a ``Value`` is a nimber:

    >>> loopy(2), loopy(nimoon.Value(2)), loopy(0.75)
    (LoopyGame('2'), LoopyGame('*2'), LoopyGame('3/4'))

    - ``game``: an expression, a graph, a loopy game, a nimber, or a number over a power of two.
    - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    if isinstance(game, LoopyGame):
        return game
    given = game if isinstance(game, (str, Mapping)) else _text(game)
    if given is None:
        raise TypeError(
            f"expected an expression, a graph, a nimber or a number over a power of two, not {game!r}"
        )
    return _game(given, limits(budget, memory, time))


def _game(game: str | Mapping[str, Any], allowed: Limits) -> LoopyGame:
    try:
        if isinstance(game, Mapping):
            return LoopyGame(_native.Loopy.of_graph(json.dumps(dict(game)), allowed))
        return LoopyGame(_native.Loopy.of_expression(game, allowed))
    except BudgetError as error:
        error.known = None if error._known is None else Answer(error._known)
        raise


def read_loopy(
    path: str | os.PathLike[str],
    budget: int = BUDGET,
    *,
    memory: int | None = None,
    time: float | None = None,
) -> LoopyGame:
    """Read a loopy game from a JSON file with a graph.

    - ``path``: the file.
    - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    return loopy(_graph(path, limits(budget, memory, time)), budget, memory=memory, time=time)


def _graph(path: str | os.PathLike[str], allowed: Limits) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(_native.contents_of(path, allowed))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from error
    return found


def partizan_remoteness(
    graph: Mapping[str, Any],
    misere: bool = False,
    strategy: bool = False,
    *,
    memory: int | None = None,
    time: float | None = None,
) -> Rows:
    """Compute the remoteness of each node of a graph with Left and Right edges.

    - ``graph``: the graph, as for ``loopy``.
    - ``misere``: the player who cannot move wins.
    - ``strategy``: also return a good move for each node.
    - ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    text, allowed = json.dumps(dict(graph)), limits(BUDGET, memory, time)
    return answered(Rows, lambda: _native.Loopy.remoteness(text, misere, strategy, allowed))


EXITS = "0,*,*2,*3"
"""The default choice of exits, as on the command line."""


@overload
def unicycle(
    pattern: str,
    exits: str = EXITS,
    count: bool = False,
    limit: int | None = None,
    construct: bool = False,
    *,
    budget: int = STATES,
    memory: int | None = None,
    time: float | None = None,
) -> dict[str, Any]: ...
@overload
def unicycle(
    *,
    length: int,
    exits: str = EXITS,
    count: bool = False,
    construct: bool = False,
    budget: int = STATES,
    memory: int | None = None,
    time: float | None = None,
) -> list[dict[str, Any]]: ...
def unicycle(
    pattern: str | None = None,
    exits: str = EXITS,
    count: bool = False,
    limit: int | None = None,
    construct: bool = False,
    *,
    length: int | None = None,
    budget: int = STATES,
    memory: int | None = None,
    time: float | None = None,
) -> Any:
    """Search for canonical forms with a single cycle of a given pattern.

    >>> from nimoon import unicycle
    >>> unicycle("LLLRLRRRLR", "0,-1")["exits"]
    ['-1', '-1', '-1', '0', '0', '0', '0', '0', '-1', '-1']
    >>> [found["pattern"] for found in unicycle(length=5)]
    ['LLLRR', 'LLRLR', 'LLRRR', 'LRLRR']

    - ``pattern``: the players who move along the cycle, as letters L and R.
    - ``exits``: the games from which the search chooses exits, separated by commas.
    - ``count``: count all choices of exits.
    - ``limit``: count all choices, and list at most this many.
    - ``construct``: construct one form without a search.
    - ``length``: in place of ``pattern``, answer for all admissible patterns of this length, up to rotation.
    - ``budget``: stop after visiting this many states.
    - ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    if (pattern is None) == (length is None):
        raise InputError("expected either a pattern, or a length as `length`")
    if length is not None and (limit is not None or not 1 <= length <= 20):
        raise InputError(f"expected `length` from 1 to 20, and no `limit`, not {length}")
    if construct and (exits != EXITS or count or limit is not None):
        raise InputError("`construct` cannot be used with `exits`, `count` or `limit`")
    allowed = limits(budget, memory, time)
    ask = functools.partial(_native.unicycle, pattern, length or 0, exits, count, limit, construct, allowed)
    return answered(lambda reply: json.loads(reply[0]), lambda: (ask(), ""))


class Ordinal(Answer):
    """The value of an expression of ordinals. Ordinals add, multiply and compare.

    >>> from nimoon import ordinal
    >>> w = ordinal("w")
    >>> 1 + w == w, w + 1 > w, str(w + 1 + w)
    (True, True, 'w*2')

    Whole numbers are ordinals. To use text as an operand, pass it to ``ordinal`` first.
    """

    @property
    def value(self) -> str | bool:
        """The ordinal in its notation, or for a comparison whether it holds."""
        found: str | bool = self._data["value"]
        return found

    @property
    def outcome(self) -> str | None:
        """The outcome of a game of ordinals, otherwise None."""
        return self._data.get("outcome")

    def _combined(self, sign: str, other: str | None, swapped: bool = False) -> Ordinal:
        own = _ordinal_text(self)
        if own is None or other is None:
            return NotImplemented  # type: ignore[no-any-return]
        first, second = (other, own) if swapped else (own, other)
        return ordinal(f"({first}) {sign} ({second})")

    def __add__(self, other: Ordinal | int) -> Ordinal:
        return self._combined("+", _ordinal_text(other))

    def __radd__(self, other: int) -> Ordinal:
        return self._combined("+", _ordinal_text(other), swapped=True)

    def __mul__(self, other: Ordinal | int) -> Ordinal:
        return self._combined("*", _ordinal_text(other))

    def __rmul__(self, other: int) -> Ordinal:
        return self._combined("*", _ordinal_text(other), swapped=True)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Ordinal):
            # The notation of an ordinal is unique.
            return self.value == other.value
        text = _ordinal_text(other)
        return NotImplemented if text is None else self.value == text

    def _compared(self, sign: str, other: object) -> bool:
        own, text = _ordinal_text(self), _ordinal_text(other)
        if own is None or text is None:
            return NotImplemented  # type: ignore[no-any-return]
        return ordinal(f"{own} {sign} {text}").value is True

    def __lt__(self, other: Ordinal | int) -> bool:
        return self._compared("<", other)

    def __gt__(self, other: Ordinal | int) -> bool:
        return self._compared(">", other)

    def __le__(self, other: Ordinal | int) -> bool:
        return self._compared("<=", other)

    def __ge__(self, other: Ordinal | int) -> bool:
        return self._compared(">=", other)

    def __hash__(self) -> int:
        # A finite ordinal equals a number, so it needs the same hash.
        text = str(self.value)
        return hash(int(text) if text.isdecimal() else self.value)

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f"Ordinal({self.value!r})"


def _ordinal_text(given: object) -> str | None:
    """Return the notation of an ordinal or a whole number, or None for anything else, such as the answer to a comparison."""
    if isinstance(given, Ordinal):
        return given.value if isinstance(given.value, str) else None
    return str(int(given)) if isinstance(given, Integral) and int(given) >= 0 else None


def ordinal(
    expression: Ordinal | int | str, budget: int = BUDGET, *, memory: int | None = None, time: float | None = None
) -> Ordinal:
    """Evaluate an ordinal below ε₀, a game of ordinals, or a comparison.

    >>> from nimoon import ordinal
    >>> ordinal("nim(w^2, w*3 + 5, w)").outcome, ordinal("1 + w = w").value
    ('N', True)

    - ``expression``: the expression, an ordinal or a whole number.
    - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    text = expression if isinstance(expression, str) else _ordinal_text(expression)
    if text is None:
        raise TypeError(f"expected an expression or a whole number from 0 on, not {expression!r}")
    return Ordinal(_native.ordinal(text, limits(budget, memory, time)))


def audit(
    exhaustive: int | None = None,
    random: int | None = None,
    seed: int | None = None,
    nodes: int | None = None,
    theory: str | None = None,
    as_printed: bool = False,
    frozen: bool = False,
    budget: int = 10**12,
    memory: int | None = None,
    time: float | None = None,
    progress: Progress = None,
) -> Answer:
    """Check the theories against brute force, on all digraphs of a size or on random digraphs.

    >>> from nimoon import audit
    >>> audit(exhaustive=2)["wrong"]
    0
    >>> audit(random=3000, seed=1, as_printed=True)["wrong"]
    81

    - ``exhaustive``: check all digraphs of this many nodes.
    - ``random``: check this many random digraphs.
    - ``seed``: the seed of the random digraphs.
    - ``nodes``: the largest number of nodes of the random digraphs.
    - ``theory``: check only this theory.
    - ``as_printed``: check Algorithm 8 of the carry-on theory as the paper prints it.
    - ``frozen``: with ``as_printed``, assignments never change, as the proof in the paper assumes.
    - ``progress``: as for ``value``.
    - ``budget``: the largest number of comparisons with brute force.
    - ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    if exhaustive is not None and random is not None:
        raise InputError("`exhaustive` cannot be used with `random`")
    if random is None and (seed is not None or nodes is not None):
        raise InputError("`seed` and `nodes` need `random`, the number of random digraphs")
    if frozen and not as_printed:
        raise InputError("`frozen` is a variant of the printed algorithm: use it with `as_printed`")
    algorithm = "frozen" if frozen else "as-printed" if as_printed else "engine"
    allowed = limits(budget, memory, time)
    with reporting(progress) as report:
        ask = functools.partial(
            _native.audit, exhaustive, random, seed, nodes, theory, algorithm, allowed, report
        )
        return answered(Answer, ask)
