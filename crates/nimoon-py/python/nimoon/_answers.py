"""Answers: objects with the JSON and the text of the command line."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ._errors import BudgetError
from ._native import Value

if TYPE_CHECKING:
    import numpy

    from ._loopy import LoopyGame

T = TypeVar("T")
K = TypeVar("K")


def value_of(data: Mapping[str, Any] | None) -> Value | None:
    """Convert JSON to a value; return None for a loopy one."""
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
        forced = f", forced {_set(data['forced'])}" if "forced" in data else ""
        return Value(f"win {win}, loss {loss}, draw {draw}{forced}")
    if kind == "control":
        if data["term"] is not None:
            return Value(data["term"])
        # The equation of the value comes first.
        names = sorted(data["equations"], key=lambda name: name != data["start"])
        return Value(", ".join(f"{name} = {data['equations'][name]}" for name in names))
    return Value(kind)


def loopy_of(data: Mapping[str, Any] | None) -> LoopyGame | None:
    """Convert JSON to a loopy value; return None for another kind."""
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
    """Return the JSON of a value, as the command line prints it."""
    found: dict[str, Any] = json.loads(value._json())
    return found


def answered(make: Callable[[tuple[str, str]], T], ask: Callable[[], tuple[str, str]]) -> T:
    """Make an answer. If a limit stops the call, the exception carries the partial answer."""
    try:
        return make(ask())
    except BudgetError as error:
        if error._known is not None:
            error.known = make(error._known)
        raise


class Answer(Mapping[str, Any]):
    """An answer with the JSON and the text of the command line.

    An answer is a mapping of the JSON fields, as in ``answer["outcome"]``. ``print(answer)`` prints the text.
    """

    def __init__(self, reply: tuple[str, str]) -> None:
        self._data: dict[str, Any] = json.loads(reply[0])
        self._text = reply[1]

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

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
        """Return an array of one object; by default NumPy would make an array of the keys."""
        import numpy

        found = numpy.empty((), dtype=object)
        found[()] = self
        return found if dtype is None else found.astype(dtype)


class ValueMapping(Mapping[K, "Value | None"]):
    """A mapping to values. NumPy converts it to an array of the values, in the order of the keys.

    The array has whole numbers if all values are nimbers. Otherwise, and for ``dtype=object``, it has ``Value`` and None:

    >>> import nimoon, numpy
    >>> numpy.array(nimoon.table("kayles", range(3, 8)))
    array([3, 1, 4, 3, 2])
    >>> numpy.array(nimoon.table("top-entails", range(2, 5)))
    array([Value('0'), Value('moon'), Value('1')], dtype=object)
    """

    def nimbers(self) -> numpy.ndarray[Any, Any]:
        """The nimbers as an array; −1 where the value is not a nimber."""
        raise NotImplementedError

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
        import numpy

        if copy is False:
            raise ValueError("an array of values is always a copy")
        found = self.nimbers()
        if dtype == object or (found < 0).any():
            found = numpy.empty(len(self), dtype=object)
            found[:] = list(self.values())
        # The buffer from Rust is read-only, and `astype` returns a writable copy.
        return found.astype(found.dtype if dtype is None else dtype)


class Ply(Answer):
    """One move of a turn, with its component, the positions before and after it, and whether it is forced."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        words = data.get("words", "")
        forced = " (forced)" if data.get("forced") else ""
        self._text = f"component {self.component}: {words and words + ': '}{self.from_} → {self.to}{forced}"

    @property
    def component(self) -> int:
        """The index of the component, from 0 on."""
        return int(self._data["component"])

    @property
    def from_(self) -> str:
        """The position before the move."""
        return str(self._data["from"])

    @property
    def to(self) -> str:
        """The position after the move."""
        return str(self._data["to"])

    @property
    def forced(self) -> bool:
        """Whether this is the only reply of the opponent."""
        return bool(self._data.get("forced", False))

    @property
    def words(self) -> str | None:
        """The description of the move, if the position belongs to a ruleset."""
        return self._data.get("words")


class Turn(Answer):
    """All moves of a player, with the forced replies, until the opponent has a choice."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        self._text = "\n".join(str(ply) for ply in self.plies)

    @property
    def kind(self) -> str:
        """``winning``, ``drawing``, ``losing`` or ``none``."""
        return str(self._data["kind"])

    @property
    def plies(self) -> list[Ply]:
        """The moves of the turn."""
        return [Ply(ply) for ply in self._data.get("plies", [])]

    @property
    def endless(self) -> bool:
        """Whether the moves repeat forever."""
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
        """The position in its notation."""
        return str(self._data["position"])

    @property
    def value(self) -> Value | None:
        """The value; None for a piece on a gray node, or if a limit was reached."""
        return value_of(self._data.get("value"))

    @property
    def loopy(self) -> LoopyGame | None:
        """The loopy value, in a sum with partizan positions."""
        return loopy_of(self._data.get("value"))

    @property
    def covers(self) -> Any:
        """The set that a piece on a gray node covers, as JSON."""
        return self._data.get("covers")

    @property
    def outcome(self) -> Any:
        """The outcome of this component alone."""
        return self._data.get("outcome")


class Sum(Answer):
    """The answer about a sum: its components, its value, its outcome and a good turn."""

    @property
    def components(self) -> list[Component]:
        """The components, in order."""
        return [Component(component) for component in self._data["components"]]

    @property
    def value(self) -> Value | None:
        """The value of the sum, or None if no algebra is known. A sum with partizan positions has ``loopy`` instead."""
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
        """The outcome: N, P or D, or a mapping in a sum with partizan positions."""
        return self._data["outcome"]

    @property
    def turn(self) -> Turn | None:
        """The recommended turn: one that wins, or else keeps the draw, or else loses as late as possible."""
        data = self._data.get("turn")
        return Turn(data) if data is not None else None

    @property
    def turns(self) -> list[Turn]:
        """The winning turns that repeat no position, if they were requested with ``turns=True``."""
        listed = self._data.get("turns", [])
        return [Turn(turn) for turn in listed] if isinstance(listed, list) else []

    @property
    def left_turn(self) -> Turn | None:
        """The recommended turn of Left if Left starts, in a sum with partizan positions."""
        return self._turn_of("left")

    @property
    def right_turn(self) -> Turn | None:
        """The recommended turn of Right if Right starts, in a sum with partizan positions."""
        return self._turn_of("right")

    def _turn_of(self, player: str) -> Turn | None:
        both = self._data.get("turns")
        data = both.get(player) if isinstance(both, dict) else None
        return None if data is None else Turn(data)

    @property
    def explanations(self) -> Any:
        """The reasons for the value of each component, if they were requested with ``explain=True``."""
        return self._data.get("explanations", [])

    def __repr__(self) -> str:
        positions = " + ".join(component.position for component in self.components)
        value = self.value if self.loopy is None else self.loopy
        return f"<Sum {positions}: value {value}, outcome {self.outcome}>"


class Explanation(Answer):
    """The reasons for the label of a node, which you can check by hand."""


class Rows(Answer):
    """An answer with a row for each node."""

    def __init__(self, reply: tuple[str, str]) -> None:
        self._rows: list[dict[str, Any]] = json.loads(reply[0])
        self._data = {row["node"]: row for row in self._rows}
        self._text = reply[1]

    @property
    def json(self) -> Any:
        """The JSON of the command line, which is a list."""
        return self._rows
