"""Partizan games with cycles, and other theories beside the impartial ones."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping
from typing import Any, overload

from . import _native
from ._answers import Answer, Rows, answered
from ._errors import BudgetError, InputError
from ._limits import BUDGET, STATES, Limits, limits, within
from ._progress import Progress, told


class LoopyGame:
    """A game in which Left and Right have moves of their own, and which may go round in circles.

    ``loopy`` makes them. They add, subtract and compare as games do:

    >>> from nimoon import loopy
    >>> on, off, dud = loopy("on"), loopy("off"), loopy("dud")
    >>> on + off == dud, on > off, loopy("0").confused_with(loopy("*"))
    (True, True, True)
    >>> loopy("a{1||a|0}").onside, loopy("a{1||a|0}").offside
    (LoopyGame('2'), LoopyGame('+-1'))
    """

    def __init__(self, native: _native.Loopy) -> None:
        self._native = native
        self._answer = Answer(native.told())

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
        """The value in the usual notation, by its sides if it equals no stopper; None if they were not found."""
        found: str | None = self._answer["text"]
        return found

    @property
    def is_stopper(self) -> bool:
        """Whether the graph as given has no alternating cycle."""
        return bool(self._answer["stopper"])

    @property
    def outcome(self) -> dict[str, str]:
        """Who wins if Left starts and if Right does: L, R or D."""
        found: dict[str, str] = self._answer["outcome"]
        return found

    @property
    def canonical(self) -> dict[str, Any] | None:
        """The graph of the canonical form, if the game equals a stopper."""
        found: dict[str, Any] | None = self._answer["canonical"]
        return found

    @property
    def onside(self) -> LoopyGame | None:
        """The onside: the game, with endless play won by Left. None if it was not found."""
        return self._side("onside")

    @property
    def offside(self) -> LoopyGame | None:
        """The offside: the game, with endless play won by Right. None if it was not found."""
        return self._side("offside")

    def _side(self, name: str) -> LoopyGame | None:
        side = self._answer["sides"][name]
        return None if side is None else _game(side["graph"], self._native.limits())

    def _expression(self) -> str:
        found = self._native.expression()
        if found is None:
            raise InputError("a game that is given by a graph and has no sides cannot be added to others")
        return f"({found})"

    def _combined(self, other: LoopyGame | int | str, sign: str, swapped: bool = False) -> LoopyGame:
        them = loopy(other)
        first, second = (them, self) if swapped else (self, them)
        return _game(f"{first._expression()} {sign} {second._expression()}", self._native.larger(them._native))

    def __add__(self, other: LoopyGame | int | str) -> LoopyGame:
        return self._combined(other, "+")

    def __radd__(self, other: int | str) -> LoopyGame:
        return self._combined(other, "+", swapped=True)

    def __sub__(self, other: LoopyGame | int | str) -> LoopyGame:
        return self._combined(other, "-")

    def __rsub__(self, other: int | str) -> LoopyGame:
        return self._combined(other, "-", swapped=True)

    def __neg__(self) -> LoopyGame:
        return _game(f"-{self._expression()}", self._native.limits())

    def __rmul__(self, times: int) -> LoopyGame:
        return _game(f"{times}*{self._expression()}", self._native.limits())

    def compare(
        self,
        other: LoopyGame | int | str,
        *,
        budget: int | None = None,
        memory: int | None = None,
        time: float | None = None,
    ) -> Answer:
        """How two games compare, with endless play won by either player.

        Limits that are not told are the larger ones of those under which the games were made.
        """
        them = loopy(other)._native
        allowed = within(self._native.larger(them), budget, memory, time)
        return answered(Answer, lambda: self._native.compare(them, allowed))

    def _relation(self, other: object) -> str:
        if not isinstance(other, (LoopyGame, int, str)):
            return ""
        relation = self.compare(other)["relation"]
        return str(relation)

    def __eq__(self, other: object) -> bool:
        return self._relation(other) == "="

    def __ge__(self, other: LoopyGame | int | str) -> bool:
        return self._relation(other) in ("=", ">")

    def __le__(self, other: LoopyGame | int | str) -> bool:
        return self._relation(other) in ("=", "<")

    def __gt__(self, other: LoopyGame | int | str) -> bool:
        return self._relation(other) == ">"

    def __lt__(self, other: LoopyGame | int | str) -> bool:
        return self._relation(other) == "<"

    def confused_with(self, other: LoopyGame | int | str) -> bool:
        """Whether neither is better for Left in all sums."""
        return self._relation(other) == "||"

    def __hash__(self) -> int:
        sides = [self._answer["sides"][name] for name in ("onside", "offside")]
        if None in sides:
            raise TypeError("a game whose sides were not found cannot be hashed")
        # Canonical forms are unique but for the order of their nodes.
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
        """A picture of the canonical form, or of the graph as given: svg or dot.

        Limits that are not told are those under which the game was made.
        """
        return self._native.draw(format, as_given, within(self._native.limits(), budget, memory, time))

    def __str__(self) -> str:
        return self.name if self.name is not None else "a game whose sides were not found"

    def __repr__(self) -> str:
        return f"LoopyGame({self.name!r})" if self.name is not None else "<LoopyGame without sides>"

    def _repr_svg_(self) -> str | None:
        try:
            return self.draw("svg")
        except InputError:
            return None

    def _repr_html_(self) -> str:
        return self._answer._repr_html_()


def loopy(
    game: LoopyGame | int | str | Mapping[str, Any],
    budget: int = BUDGET,
    *,
    memory: int | None = None,
    time: float | None = None,
) -> LoopyGame:
    """A loopy game: from an expression in the usual notation, or from a graph with Left and Right edges.

    >>> loopy("{0|upon}").name, loopy({"left": [["a", "a"]], "right": [], "start": "a"}).name
    ('{0|upon}', 'on')
    """
    return game if isinstance(game, LoopyGame) else _game(game, limits(budget, memory, time))


def _game(game: int | str | Mapping[str, Any], allowed: Limits) -> LoopyGame:
    try:
        if isinstance(game, Mapping):
            return LoopyGame(_native.Loopy.of_graph(json.dumps(dict(game)), allowed))
        return LoopyGame(_native.Loopy.of_expression(str(game), allowed))
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
    """A loopy game from a file with a graph, as JSON."""
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
    """How far the end is from each node of a graph with Left and Right edges."""
    text, allowed = json.dumps(dict(graph)), limits(BUDGET, memory, time)
    return answered(Rows, lambda: _native.Loopy.remoteness(text, misere, strategy, allowed))


EXITS = "0,*,*2,*3"
"""The games that exits are chosen from, unless told otherwise; as on the command line."""


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
    """Canonical forms with a single cycle of a pattern, and exits chosen from a list of games.

    ``count`` counts all choices, ``limit`` also lists so many, and ``construct`` builds one without a search. With ``length``
    in place of a pattern, the answers for all admissible patterns of that length are listed, up to rotation.

    >>> from nimoon import unicycle
    >>> unicycle("LLLRLRRRLR", "0,-1")["exits"]
    ['-1', '-1', '-1', '0', '0', '0', '0', '0', '-1', '-1']
    >>> [found["pattern"] for found in unicycle(length=5)]
    ['LLLRR', 'LLRLR', 'LLRRR', 'LRLRR']
    """
    if (pattern is None) == (length is None):
        raise InputError("expected either a pattern, or a length by `length`")
    if length is not None and (limit is not None or not 1 <= length <= 20):
        raise InputError(f"`length` is from 1 to 20, without `limit`: {length}")
    if construct and (exits != EXITS or count or limit is not None):
        raise InputError("`construct` cannot be used with `exits`, `count` or `limit`")
    allowed = limits(budget, memory, time)
    ask = functools.partial(_native.unicycle, pattern, length or 0, exits, count, limit, construct, allowed)
    return answered(lambda told: json.loads(told[0]), lambda: (ask(), ""))


class Ordinal(Answer):
    """What an expression of ordinals is worth. Ordinals add, multiply and compare.

    >>> from nimoon import ordinal
    >>> w = ordinal("w")
    >>> 1 + w == w, w + 1 > w, str(w + 1 + w)
    (True, True, 'w*2')
    """

    @property
    def value(self) -> str | bool:
        """The ordinal as it is written; for a comparison whether it holds."""
        found: str | bool = self._data["value"]
        return found

    @property
    def outcome(self) -> str | None:
        """Who wins, for a game of ordinals."""
        return self._data.get("outcome")

    def __add__(self, other: Ordinal | int | str) -> Ordinal:
        return ordinal(f"({self}) + ({_ordinal_text(other)})")

    def __radd__(self, other: int | str) -> Ordinal:
        return ordinal(f"({_ordinal_text(other)}) + ({self})")

    def __mul__(self, other: Ordinal | int | str) -> Ordinal:
        return ordinal(f"({self}) * ({_ordinal_text(other)})")

    def __rmul__(self, other: int | str) -> Ordinal:
        return ordinal(f"({_ordinal_text(other)}) * ({self})")

    def _compared(self, sign: str, other: Ordinal | int | str) -> bool:
        return ordinal(f"{self} {sign} {_ordinal_text(other)}").value is True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Ordinal, int, str)) and self._compared("=", other)

    def __lt__(self, other: Ordinal | int | str) -> bool:
        return self._compared("<", other)

    def __gt__(self, other: Ordinal | int | str) -> bool:
        return self._compared(">", other)

    def __le__(self, other: Ordinal | int | str) -> bool:
        return not self > other

    def __ge__(self, other: Ordinal | int | str) -> bool:
        return not self < other

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f"Ordinal({self.value!r})"


def _ordinal_text(other: Ordinal | int | str) -> str:
    return str(other)


def ordinal(
    expression: str | int, budget: int = BUDGET, *, memory: int | None = None, time: float | None = None
) -> Ordinal:
    """An ordinal below ε₀, a game of ordinals, or a comparison.

    >>> from nimoon import ordinal
    >>> ordinal("nim(w^2, w*3 + 5, w)").outcome, ordinal("1 + w = w").value
    ('N', True)
    """
    return Ordinal(_native.ordinal(str(expression), limits(budget, memory, time)))


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
    """Sets the theories against brute force: on all digraphs of so many nodes, or on random ones.

    ``seed`` and ``nodes``, the size of the largest, are for random ones. ``as_printed`` audits Algorithm 8 of the carry-on
    theory as the paper prints it, with ``frozen`` in the reading of the proof, that assignments never change. ``budget``
    bounds the comparisons with brute force, and ``memory`` what that may take.

    >>> from nimoon import audit
    >>> audit(exhaustive=2)["wrong"]
    0
    >>> audit(random=3000, seed=1, as_printed=True)["wrong"]
    81
    """
    if exhaustive is not None and random is not None:
        raise InputError("`exhaustive` cannot be used with `random`")
    if random is None and (seed is not None or nodes is not None):
        raise InputError("`seed` and `nodes` are for random digraphs: tell how many by `random`")
    if frozen and not as_printed:
        raise InputError("`frozen` is a reading of the printed algorithm: use it with `as_printed`")
    algorithm = "frozen" if frozen else "as-printed" if as_printed else "engine"
    allowed = limits(budget, memory, time)
    with told(progress) as tell:
        ask = functools.partial(
            _native.audit, exhaustive, random, seed, nodes, theory, algorithm, allowed, tell
        )
        return answered(Answer, ask)
