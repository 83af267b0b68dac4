"""Sums of positions of rulesets, tables of their values, and periods."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Union

from . import _native
from ._answers import Answer, Sum, ValueMapping, answered
from ._errors import BudgetError, InputError
from ._limits import BUDGET, is_quickest, limits
from ._native import Value
from ._progress import Progress, reporting

if TYPE_CHECKING:
    import numpy

    from ._rules import BaseRuleset

Rules = Iterable[Union["BaseRuleset", str, "os.PathLike[str]"]]
"""Rulesets for expressions: instances of ``Ruleset`` or ``PartizanRuleset``, and paths of scripts."""


def value(
    expression: str,
    theory: str | None = None,
    turns: bool = False,
    limit: int = 100,
    explain: bool = False,
    budget: int = BUDGET,
    rulesets: Rules = (),
    store: str | os.PathLike[str] | None = None,
    progress: Progress = None,
    *,
    turn: str = "any",
    memory: int | None = None,
    time: float | None = None,
) -> Sum:
    """Evaluate a sum of positions, written as ``ruleset:position`` and joined by ``+``.

    >>> import nimoon
    >>> found = nimoon.value("top-entails:7 + nimstring:1x3 + kayles:9")
    >>> found.value, found.outcome
    (Value('4'), 'N')
    >>> print(found.turn)
    component 0: remove the top token of the heap of 7, which entails: top-entails:7 → top-entails:6

    If the call reaches a limit, the exception has the values of the components that are known:

    >>> try:
    ...     nimoon.value("kayles:5 + green-lime:lglglglglg", budget=100)
    ... except nimoon.BudgetError as error:
    ...     print([component.value for component in error.known.components])
    [Value('4'), None]

    - ``expression``: the sum of positions.
    - ``theory``: the name of a theory; default: the smallest theory that fits the sum.
    - ``turns``: also list the winning turns, or in a draw those that hold it, at most ``limit`` of them.
    - ``explain``: also explain the value of each component.
    - ``turn``: "any", or "quickest" to search for the turn that wins fastest.
    - ``rulesets``: your own rulesets and scripts, in addition to the built-in rulesets.
    - ``store``: a file that caches solved positions. It is created if necessary, and the command line can share it. Positions
      of rulesets in Python are not stored, because the rules may change between runs.
    - ``progress``: how to report progress. None prints a line if a person is watching, True and False always or never print
      it, and a function receives each text.
    - ``budget``: stop after visiting this many positions. ``memory`` and ``time`` limit the bytes and the seconds of the
      call. These three limits have the same meaning in all functions.
    """
    listed, allowed, quickest = list(rulesets), limits(budget, memory, time), is_quickest(turn)
    with reporting(progress) as report:
        max_turns = limit if turns else None
        ask = lambda: _native.value(  # noqa: E731
            expression, theory, allowed, max_turns, quickest, explain, listed, store, report
        )
        return answered(Sum, ask)


class Table(ValueMapping[int]):
    """The values of a family of positions, as a mapping from n. NumPy converts it to an array of the values.

    >>> import nimoon, numpy
    >>> found = nimoon.table("kayles", range(3, 8))
    >>> found[5], list(found), numpy.array(found)
    (Value('4'), [3, 4, 5, 6, 7], array([3, 1, 4, 3, 2]))
    """

    def __init__(self, native: _native.Table) -> None:
        self._native = native
        self._rows = dict(zip(native.numbers(), native.values()))

    @property
    def theory(self) -> str:
        """The theory of the values."""
        return self._native.theory()

    def __getitem__(self, number: int) -> Value | None:
        return self._rows[number]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[int]:
        return iter(self._rows)

    def nimbers(self) -> numpy.ndarray[Any, Any]:
        """The nimbers as an array; −1 where the value is not a nimber."""
        import numpy

        return numpy.frombuffer(self._native.nimbers(), numpy.int64)

    @property
    def moons(self) -> list[int]:
        """The numbers of the rows whose value is a moon or a full moon."""
        return [n for n, found in self._rows.items() if found is not None and "moon" in found.kind]

    def write(self, format: str = "table") -> str:
        """Return the table as the command line prints it. ``format`` is table, json, csv, latex or bfile."""
        return self._native.write(format)

    @property
    def json(self) -> list[dict[str, Any]]:
        """The JSON of the command line."""
        found: list[dict[str, Any]] = json.loads(self.write("json"))
        return found

    def __str__(self) -> str:
        return self.write()

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows, {self.theory} theory>"

    def _repr_html_(self) -> str:
        shown = list(self._rows.items())[:100]
        rows = "".join(f"<tr><td>{n}</td><td>{html.escape(str(found))}</td></tr>" for n, found in shown)
        more = f"<tr><td colspan=2>… {len(self)} rows</td></tr>" if len(shown) < len(self) else ""
        return f"<table><tr><th>n</th><th>value</th></tr>{rows}{more}</table>"


def table(
    pattern: str,
    numbers: range | int,
    moons: bool = False,
    theory: str | None = None,
    budget: int = BUDGET,
    rulesets: Rules = (),
    store: str | os.PathLike[str] | None = None,
    progress: Progress = None,
    *,
    memory: int | None = None,
    time: float | None = None,
) -> Table:
    """Tabulate the values of a family of positions.

    >>> import nimoon
    >>> nimoon.table("kayles", 10).nimbers()
    array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4])
    >>> nimoon.table("top-entails", 3000).moons
    [1, 3, 2403, 2505]
    >>> nimoon.table("wythoff:3,{}", range(2, 5))[3]
    Value('6')

    If the call reaches a limit, ``known`` of the exception is the table as far as it is known.

    - ``pattern``: a ruleset of heaps, or a position in which ``{}`` stands for n.
    - ``numbers``: a range of step 1, or the number of rows from 0 on.
    - ``moons``: only keep the rows whose value is a moon.
    - ``store``: a file that caches rows, as for ``value``.
    - ``theory``, ``rulesets``, ``progress``: as for ``value``.
    - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    wanted = range(numbers) if isinstance(numbers, int) else numbers
    if wanted.step != 1 or not wanted or wanted[0] < 0:
        raise InputError(f"expected consecutive numbers from 0 on: {numbers!r}")
    allowed = limits(budget, memory, time)
    with reporting(progress) as report:
        found = Table(
            _native.table(pattern, wanted[0], wanted[-1], theory, allowed, moons, list(rulesets), store, report)
        )
    stopped = found._native.stopped()
    if stopped is not None:
        error = BudgetError(stopped)
        error.known = found
        raise error
    return found


def period(
    ruleset: str,
    up_to: int | None = None,
    progress: Progress = None,
    *,
    budget: int = BUDGET,
    memory: int | None = None,
    time: float | None = None,
) -> Answer:
    """Search for the period of the values of heaps, and check whether it is proved.

    >>> import nimoon
    >>> print(nimoon.period("octal[0.156]"))
    octal[0.156]: period 349 after 3479, proved by the Guy–Smith bound
    <BLANKLINE>
    >>> nimoon.period("kayles")["period"]
    12

    - ``ruleset``: a ruleset of heaps.
    - ``up_to``: the largest heap of the search.
    - ``progress``: as for ``value``.
    - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    with reporting(progress) as report:
        allowed = limits(budget, memory, time)
        return answered(Answer, lambda: _native.period(ruleset, up_to, allowed, report))


def rulesets() -> list[dict[str, Any]]:
    """Return the built-in rulesets with their names, rules, notation and an example for each."""
    found: list[dict[str, Any]] = json.loads(_native.rulesets())
    return found
