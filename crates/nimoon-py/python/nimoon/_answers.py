"""Answers: the JSON of the command line as objects, with its text."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ._errors import BudgetError
from ._native import Value

if TYPE_CHECKING:
    from ._loopy import LoopyGame

T = TypeVar("T")


def value_of(data: Mapping[str, Any] | None) -> Value | None:
    """The value that JSON tells of; None for a loopy one."""
    if data is None or data["kind"] == "loopy":
        return None
    kind = data["kind"]
    if kind == "nimber":
        return Value(data["n"])
    if kind == "moon":
        return Value("moon" if "forced" not in data else "moon" + _braces(data["forced"]))
    if kind == "ninny":
        return Value(f"ninny{{{data['forced']}}}")
    if kind == "cyclic":
        return Value("oo" + _braces(data["exits"]))
    if kind == "general":
        win, loss, draw = (_set(data[key]) for key in ("win", "loss", "draw"))
        return Value(f"win {win}, loss {loss}, draw {draw}")
    return Value(kind)


def loopy_of(data: Mapping[str, Any] | None) -> LoopyGame | None:
    """The loopy value that JSON tells of."""
    if data is None or data["kind"] != "loopy":
        return None
    from ._loopy import loopy

    return loopy(data["text"])


def _braces(numbers: list[int]) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"


def _set(data: Mapping[str, Any]) -> str:
    if "only" in data:
        return _braces(data["only"])
    return "all but " + _braces(data["all_except"]) if data["all_except"] else "all"


def value_json(value: Value) -> dict[str, Any]:
    """The JSON of a value, as the command line writes it."""
    found: dict[str, Any] = json.loads(value._json())
    return found


def answered(make: Callable[[tuple[str, str]], T], ask: Callable[[], tuple[str, str]]) -> T:
    """The answer to a question; one that a budget cut short goes with the exception."""
    try:
        return make(ask())
    except BudgetError as error:
        if error._known is not None:
            error.known = make(error._known)
        raise


class Answer(Mapping[str, Any]):
    """An answer, with the fields of the JSON that the command line prints, and its text.

    It is a mapping: ``answer["outcome"]``. ``print(answer)`` shows the text.
    """

    def __init__(self, told: tuple[str, str]) -> None:
        self._data: dict[str, Any] = json.loads(told[0])
        self._text = told[1]

    @property
    def json(self) -> Any:
        """The JSON of the command line."""
        return self._data

    @property
    def text(self) -> str:
        """The text of the command line."""
        return self._text

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={value!r}" for key, value in list(self._data.items())[:4])
        return f"<{type(self).__name__} {shown}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"


class Ply(Answer):
    """One step of a turn: ``component``, ``from_``, ``to``, and whether it is forced."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        words = data.get("words", "")
        forced = " (forced)" if data.get("forced") else ""
        self._text = f"component {self.component}: {words and words + ': '}{self.from_} → {self.to}{forced}"

    @property
    def component(self) -> int:
        """Which component, counted from 0."""
        return int(self._data["component"])

    @property
    def from_(self) -> str:
        """What it was before."""
        return str(self._data["from"])

    @property
    def to(self) -> str:
        """What it is after."""
        return str(self._data["to"])

    @property
    def forced(self) -> bool:
        """Whether it is a reply that the opponent has no say in."""
        return bool(self._data.get("forced", False))

    @property
    def words(self) -> str | None:
        """What the player does, for a position of a ruleset."""
        return self._data.get("words")


class Turn(Answer):
    """Everything that a player does until the opponent may choose."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        self._text = "\n".join(str(ply) for ply in self.plies)

    @property
    def kind(self) -> str:
        """``winning``, ``drawing``, ``losing`` or ``none``."""
        return str(self._data["kind"])

    @property
    def plies(self) -> list[Ply]:
        """The steps."""
        return [Ply(ply) for ply in self._data.get("plies", [])]

    @property
    def endless(self) -> bool:
        """Whether the steps repeat for ever."""
        return bool(self._data.get("endless", False))

    def __repr__(self) -> str:
        return f"<Turn {self.kind}: {[(ply.component, ply.to) for ply in self.plies]}>"


class Component(Answer):
    """One component of a sum."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        self._text = f"{self.position}  {self.value if self.loopy is None else self.loopy}"

    @property
    def position(self) -> str:
        """The position, as it is written."""
        return str(self._data["position"])

    @property
    def value(self) -> Value | None:
        """Its value; None for a piece on a gray node, and where a budget was hit."""
        return value_of(self._data.get("value"))

    @property
    def loopy(self) -> LoopyGame | None:
        """Its value in a sum with partizan positions."""
        return loopy_of(self._data.get("value"))

    @property
    def covers(self) -> Any:
        """What a piece on a gray node covers, as JSON."""
        return self._data.get("covers")

    @property
    def outcome(self) -> Any:
        """Who wins it alone."""
        return self._data.get("outcome")


class Sum(Answer):
    """What there is to tell about a sum: its components, value, outcome and the turn to play."""

    @property
    def components(self) -> list[Component]:
        """The components, in order."""
        return [Component(component) for component in self._data["components"]]

    @property
    def value(self) -> Value | None:
        """The value of the sum, where an algebra is known. One with partizan positions has ``loopy`` instead."""
        return value_of(self._data.get("value"))

    @property
    def loopy(self) -> LoopyGame | None:
        """The value of a sum with partizan positions.

        >>> import nimoon
        >>> found = nimoon.value("backsliding:t..f + nim:2")
        >>> found.loopy, found.outcome, found.left_turn.plies[0].words
        (LoopyGame('*3'), {'left_first': 'L', 'right_first': 'R'}, 'take 1 of 2')
        """
        return loopy_of(self._data.get("value"))

    @property
    def outcome(self) -> Any:
        """Who wins: N, P or D; for Left and Right a mapping."""
        return self._data["outcome"]

    @property
    def turn(self) -> Turn | None:
        """A turn to play: one that wins, else one that holds the draw, else one that lasts longest."""
        data = self._data.get("turn")
        return Turn(data) if data is not None else None

    @property
    def turns(self) -> list[Turn]:
        """The winning turns that repeat no position, where they were asked for."""
        listed = self._data.get("turns", [])
        return [Turn(turn) for turn in listed] if isinstance(listed, list) else []

    @property
    def left_turn(self) -> Turn | None:
        """What Left does who starts, in a sum with partizan positions."""
        return self._turn_of("left")

    @property
    def right_turn(self) -> Turn | None:
        """What Right does who starts, in a sum with partizan positions."""
        return self._turn_of("right")

    def _turn_of(self, player: str) -> Turn | None:
        both = self._data.get("turns")
        data = both.get(player) if isinstance(both, dict) else None
        return None if data is None else Turn(data)

    @property
    def explanations(self) -> Any:
        """Why each part has its value, where it was asked for."""
        return self._data.get("explanations", [])

    def __repr__(self) -> str:
        positions = " + ".join(component.position for component in self.components)
        value = self.value if self.loopy is None else self.loopy
        return f"<Sum {positions}: value {value}, outcome {self.outcome}>"


class Explanation(Answer):
    """Why a node has its label, in terms that can be checked by hand."""


class Rows(Answer):
    """A row for each node."""

    def __init__(self, told: tuple[str, str]) -> None:
        self._rows: list[dict[str, Any]] = json.loads(told[0])
        self._data = {row["node"]: row for row in self._rows}
        self._text = told[1]

    @property
    def json(self) -> Any:
        """The JSON of the command line: a list."""
        return self._rows
