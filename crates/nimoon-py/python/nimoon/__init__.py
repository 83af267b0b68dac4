"""Exact values of games with cycles, entailing and carry-on moves, and of loopy partizan games.

- ``value("nim:3 + kayles:9")`` evaluates a sum of positions. ``table`` and ``period`` evaluate many positions, and
  ``rulesets`` lists the built-in rulesets.
- ``Ruleset`` defines your own game, with ``again`` and ``entailing`` moves. ``PartizanRuleset`` defines a game in which Left
  and Right have different moves.
- ``Digraph`` is a game on a digraph, with ``label``, ``sum``, ``remoteness`` and ``compound``.
- ``Value`` is a value. Values add, and a whole number in a sum of values is a nimber.
- ``loopy("on")`` is a partizan game with cycles. It has operators, and a number beside it is a number. ``unicycle``
  constructs canonical forms with a single cycle.
- ``ordinal`` computes with ordinals and games of ordinals, and ``affine`` with literal forms over ∞ and −∞.
- ``ask("ordinal", expression="w + 1")`` answers any question by its name, with the same result as the program and the server.
- ``representative`` finds the simplest digraph of a value. ``audit`` checks the theories against brute force.

Answers equal those of the command line: ``answer.json`` is its JSON, and ``print(answer)`` prints its text. The exceptions
are ``InputError``, ``BudgetError`` and ``FileError``, which are all subclasses of ``NimoonError``. Operands of types that do
not fit together raise TypeError, and never compare as equal. Long calls release the global interpreter lock, report their
progress, and stop on Ctrl-C. In a forked child process, for example of ``multiprocessing``, each call uses a single thread.
"""

import os

from . import _native
from ._affine import Affine, affine, compare_affine
from ._ask import QUESTIONS, ask
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

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_native.forked)

__all__ = [
    "QUESTIONS",
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
    "ask",
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
