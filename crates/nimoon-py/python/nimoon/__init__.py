"""Exact values of games with cycles, entailing and carry-on moves, and of loopy partizan games.

- ``value("nim:3 + kayles:9")``: sums of positions; ``table`` and ``period`` for many of them; ``rulesets`` lists what is
  built in.
- ``Ruleset``: a game of your own, with ``again`` and ``entailing`` moves; ``PartizanRuleset``: one in which Left and Right have
  moves of their own.
- ``Digraph``: games as digraphs, with ``label``, ``sum``, ``remoteness`` and ``compound``.
- ``Value``: values, which add.
- ``loopy("on")``: partizan games with cycles, with operators; ``unicycle``.
- ``ordinal``: ordinals and games of them; ``affine``: literal forms over ∞ and −∞.
- ``representative``, ``audit``: the simplest digraph of a value, and theory against brute force.

Answers equal those of the command line: ``answer.json`` is its JSON, ``print(answer)`` its text. Exceptions are
``InputError``, ``BudgetError`` and ``FileError``, all of them ``NimoonError``. Long calls release the lock of the
interpreter, tell their progress, and end on Ctrl-C.
"""

from ._affine import Affine, affine, compare_affine
from ._answers import Answer, Component, Explanation, Ply, Rows, Sum, Turn
from ._digraph import Digraph, Labelling, representative
from ._errors import BudgetError, FileError, InputError, NimoonError
from ._expressions import Table, period, rulesets, table, value
from ._loopy import (
    LoopyGame,
    Ordinal,
    audit,
    loopy,
    ordinal,
    partizan_remoteness,
    read_loopy,
    unicycle,
)
from ._native import Marked, Value, again, entailing
from ._rules import PartizanRuleset, Ruleset

__all__ = [
    "Affine",
    "Answer",
    "BudgetError",
    "Component",
    "Digraph",
    "Explanation",
    "FileError",
    "InputError",
    "Labelling",
    "LoopyGame",
    "Marked",
    "NimoonError",
    "Ordinal",
    "PartizanRuleset",
    "Ply",
    "Rows",
    "Ruleset",
    "Sum",
    "Table",
    "Turn",
    "Value",
    "affine",
    "again",
    "audit",
    "compare_affine",
    "entailing",
    "loopy",
    "ordinal",
    "partizan_remoteness",
    "period",
    "read_loopy",
    "representative",
    "rulesets",
    "table",
    "unicycle",
    "value",
]
