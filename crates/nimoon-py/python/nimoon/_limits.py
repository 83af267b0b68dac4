"""How much a call may do: positions, memory and time, as on the command line."""

from __future__ import annotations

from typing import Optional, Tuple

from ._errors import InputError

BUDGET = 4_000_000
"""How many positions a search may look at, unless told otherwise; as on the command line. Any other number holds for the
nodes of a digraph and the heaps of a search for a period too."""

STATES = 300_000_000
"""How many states a search for unicycles may look at, unless told otherwise; as on the command line."""

Limits = Tuple[int, Optional[int], Optional[float]]
"""Positions, bytes and seconds; None for the usual bytes, and for any time."""


def limits(budget: int, memory: int | None, time: float | None) -> Limits:
    """The three of them, as the library takes them."""
    for name, given in (("budget", budget), ("memory", memory), ("time", time)):
        # What is no number is no smaller than itself either.
        if given is not None and not given >= 0:
            raise InputError(f"`{name}` cannot be {given}: expected a number from 0 on")
    return budget, memory, time


def within(own: Limits, budget: int | None, memory: int | None, time: float | None) -> Limits:
    """The same where those that are not told are those of a game or a labelling, under which it was made."""
    of_budget, of_memory, of_time = own
    return limits(
        of_budget if budget is None else budget,
        of_memory if memory is None else memory,
        of_time if time is None else time,
    )
