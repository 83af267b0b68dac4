"""The limits of a call: positions, memory and time, as on the command line."""

from __future__ import annotations

from typing import Optional, Tuple

from ._errors import InputError

BUDGET = 4_000_000
"""The default limit of visited positions, as on the command line. Any other limit also applies to the nodes of a digraph and
to the heaps of a search for a period."""

STATES = 300_000_000
"""The default limit of visited states in a search for unicycles, as on the command line."""

Limits = Tuple[int, Optional[int], Optional[float]]
"""Positions, bytes and seconds. None means the default memory limit, or no time limit."""


def limits(budget: int, memory: int | None, time: float | None) -> Limits:
    """Check the three limits and combine them for the library."""
    for name, given in (("budget", budget), ("memory", memory), ("time", time)):
        # This also rejects NaN, for which every comparison is false.
        if given is not None and not given >= 0:
            raise InputError(f"`{name}` cannot be {given}: expected a number from 0 on")
    return budget, memory, time


def within(own: Limits, budget: int | None, memory: int | None, time: float | None) -> Limits:
    """Combine the limits; those that are None default to the limits of the game or the labelling."""
    of_budget, of_memory, of_time = own
    return limits(
        of_budget if budget is None else budget,
        of_memory if memory is None else memory,
        of_time if time is None else time,
    )


def is_quickest(turn: str) -> bool:
    """Whether the quickest turn is chosen."""
    if turn not in ("any", "quickest"):
        raise InputError(f"`turn` cannot be {turn!r}: expected 'any' or 'quickest'")
    return turn == "quickest"
