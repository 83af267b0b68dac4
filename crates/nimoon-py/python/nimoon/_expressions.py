"""Sums of positions of rulesets, tables of their values, and periods."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Union

from . import _native
from ._answers import Answer, Sum, answered
from ._errors import BudgetError, InputError
from ._limits import BUDGET, limits
from ._native import Value
from ._progress import Progress, told

if TYPE_CHECKING:
    import numpy

    from ._rules import BaseRuleset

Rules = Iterable[Union["BaseRuleset", str, "os.PathLike[str]"]]
"""Rulesets that expressions may name: instances of ``Ruleset`` or ``PartizanRuleset``, and paths of scripts."""


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
    memory: int | None = None,
    time: float | None = None,
) -> Sum:
    """What there is to tell about a sum of positions, written ``ruleset:position`` and joined by ``+``.

    ``store`` is a file in which solved positions are found again and kept; it is made if there is none, and the
    command line may use it too. Rulesets in Python are not kept there, since they may be others in another run.

    >>> import nimoon
    >>> found = nimoon.value("top-entails:7 + nimstring:1x3 + kayles:9")
    >>> found.value, found.outcome
    (Value('4'), 'N')
    >>> print(found.turn)
    component 2: take 1 of 9 and leave 4 and 4: kayles:9 → kayles:4 + kayles:4

    ``budget`` is how many positions may be looked at, ``memory`` how many bytes may be held, and ``time`` how many seconds it
    may take, here as in all other calls. A sum that is beyond the budget leaves what is known of its components alone:

    >>> try:
    ...     nimoon.value("kayles:5 + green-lime:lglglglglg", budget=100)
    ... except nimoon.BudgetError as error:
    ...     print([component.value for component in error.known.components])
    [Value('4'), None]
    """
    listed, allowed = list(rulesets), limits(budget, memory, time)
    with told(progress) as tell:
        most = limit if turns else None
        ask = lambda: _native.value(expression, theory, allowed, most, explain, listed, store, tell)  # noqa: E731
        return answered(Sum, ask)


class Table:
    """The values of many positions: ``table[n]``, and all of them as an array."""

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

    def items(self) -> Iterator[tuple[int, Value | None]]:
        """The numbers of the rows with the values."""
        return iter(self._rows.items())

    def nimbers(self) -> numpy.ndarray[Any, Any]:
        """The nimbers as an array; −1 where the value is none."""
        import numpy

        return numpy.frombuffer(self._native.nimbers(), numpy.int64)

    @property
    def moons(self) -> list[int]:
        """The numbers of the rows whose value is a moon, full or not."""
        return [n for n, found in self._rows.items() if found is not None and "moon" in found.kind]

    def write(self, format: str = "table") -> str:
        """The table as the command line writes it: table, json, csv, latex or bfile."""
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
    """The values of many positions: those of a ruleset of heaps, or of a pattern with ``{}`` in it.

    ``numbers`` is a range of step 1, or how many from 0 on; ``moons`` keeps only the moons; ``store`` is a file in which
    rows are found again and kept.

    >>> import nimoon
    >>> nimoon.table("kayles", 10).nimbers()
    array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4])
    >>> nimoon.table("top-entails", 3000).moons
    [1, 3, 2403, 2505]
    >>> nimoon.table("wythoff:3,{}", range(2, 5))[3]
    Value('6')
    """
    wanted = range(numbers) if isinstance(numbers, int) else numbers
    if wanted.step != 1 or not wanted or wanted[0] < 0:
        raise InputError(f"expected numbers one after the other, from 0 on: {numbers!r}")
    allowed = limits(budget, memory, time)
    with told(progress) as tell:
        found = Table(
            _native.table(pattern, wanted[0], wanted[-1], theory, allowed, moons, list(rulesets), store, tell)
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
    """The period of the values of heaps, and whether it is proved.

    >>> import nimoon
    >>> print(nimoon.period("octal[0.156]"))
    octal[0.156]: period 349 after 3479, proved by the Guy–Smith bound
    <BLANKLINE>
    >>> nimoon.period("kayles")["period"]
    12
    """
    with told(progress) as tell:
        allowed = limits(budget, memory, time)
        return answered(Answer, lambda: _native.period(ruleset, up_to, allowed, tell))


def rulesets() -> list[dict[str, Any]]:
    """All rulesets that are built in: their names, rules, notation and an example each."""
    found: list[dict[str, Any]] = json.loads(_native.rulesets())
    return found
