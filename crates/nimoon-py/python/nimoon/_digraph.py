"""Digraphs with white and gray nodes, and their labels."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _native
from ._answers import Answer, Explanation, Rows, Sum, answered
from ._errors import InputError
from ._limits import BUDGET, limits, within
from ._native import Value
from ._progress import Progress, told

if TYPE_CHECKING:
    import networkx
    import numpy

PIECE = 1 << 14
"""How many arcs of an array are handed over at a time: as many as stay in the cache."""


class Digraph:
    """A game: pieces stand on nodes, and a player moves one along an arc.

    A piece on a gray node must be moved at once, by the player who finds it there. Nodes are any
    hashable objects. A digraph is made from a mapping of nodes to their options, or from arcs:

    >>> from nimoon import Digraph
    >>> g = Digraph({"c": ["c", "g"], "x": ["z", "h"], "g": ["z"], "h": ["c"]}, gray=["g", "h"])
    >>> print(g.label()["x"])
    ☾₀
    >>> Digraph([(2, 1), (2, 0), (1, 0)]).label()[2]
    Value('2')

    ``Digraph.read`` reads files, ``Digraph.from_arrays`` takes NumPy arrays, and ``Digraph.from_networkx``
    a ``networkx.DiGraph``.
    """

    def __init__(
        self,
        arcs: Mapping[Any, Iterable[Any]] | Iterable[tuple[Any, Any]] = (),
        gray: Iterable[Any] = (),
        nodes: Iterable[Any] = (),
    ) -> None:
        numbers: dict[Any, int] = {}

        def number(node: Hashable) -> int:
            return numbers.setdefault(node, len(numbers))

        for node in nodes:
            number(node)
        if isinstance(arcs, Mapping):
            listed = [(number(tail), list(heads)) for tail, heads in arcs.items()]
            pairs = [(tail, number(head)) for tail, heads in listed for head in heads]
        else:
            pairs = [(number(tail), number(head)) for tail, head in arcs]
        dark = list(dict.fromkeys(number(node) for node in gray))
        self._numbers: dict[Any, int] | None = numbers
        self._nodes: list[Any] | range = list(numbers)
        self._native = _native.Digraph.of_names([str(node) for node in numbers], dark, pairs)

    @classmethod
    def _of(cls, native: _native.Digraph, nodes: list[Any] | range | None = None) -> Digraph:
        digraph = cls.__new__(cls)
        digraph._native = native
        digraph._nodes = native.names() if nodes is None else nodes
        digraph._numbers = None
        return digraph

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        format: str | None = None,
        *,
        memory: int | None = None,
        time: float | None = None,
    ) -> Digraph:
        """A digraph from a file. The format is told by the extension: json, game, dot, edges, aut or pgsolver."""
        file = Path(path)
        found = format or _native.Digraph.format_of(file.suffix[1:])
        if found is None:
            raise InputError(f"{file}: the extension tells no format: tell it by `format`")
        allowed = limits(BUDGET, memory, time)
        return cls._of(_native.Digraph.of_file(found, file, allowed))

    @classmethod
    def parse(
        cls, text: str, format: str = "game", *, memory: int | None = None, time: float | None = None
    ) -> Digraph:
        """A digraph from the text of a file.

        >>> Digraph.parse("gray g\\na: g z\\ng: z").gray
        ['g']
        """
        return cls._of(_native.Digraph.of_bytes(format, text.encode(), limits(BUDGET, memory, time)))

    @classmethod
    def from_arrays(
        cls,
        sources: Any,
        targets: Any,
        nodes: int | None = None,
        gray: Any = (),
    ) -> Digraph:
        """A digraph of the nodes 0, 1, … from NumPy arrays, or anything that NumPy makes arrays of.

        ``sources[i]`` and ``targets[i]`` are the ends of an arc; ``gray`` holds numbers of nodes, or a boolean
        for each node.

        >>> import numpy
        >>> g = Digraph.from_arrays(numpy.array([1, 2, 2]), numpy.array([0, 0, 1]))
        >>> g.label().nimbers()
        array([0, 1, 2], dtype=int32)
        """
        import numpy

        tails, heads, dark = (numpy.asarray(given) for given in (sources, targets, gray))
        if nodes is not None and nodes < 0:
            raise InputError(f"there cannot be {nodes} nodes")
        if tails.shape != heads.shape or tails.ndim != 1:
            raise InputError(f"sources and targets must be as long as each other: {tails.shape}, {heads.shape}")
        if dark.dtype == bool:
            dark = numpy.flatnonzero(dark)
        given = [_whole(array) for array in (dark, tails, heads)]
        # Numbers of other widths than 4 bytes without a sign go as 8 bytes with one.
        narrow = all(array.dtype in (numpy.uint32, numpy.uint16, numpy.uint8) for array in given)
        form = numpy.dtype(numpy.uint32 if narrow else numpy.int64)
        dark, tails, heads = given

        def piece(array: Any, start: int) -> bytes:
            found: bytes = array[start : start + PIECE].astype(form, copy=False).tobytes()
            return found

        pieces = ((piece(tails, at), piece(heads, at)) for at in range(0, len(tails), PIECE))
        marked = dark.astype(form, copy=False).tobytes()
        native = _native.Digraph.of_numbers(nodes, form.itemsize, marked, len(tails), pieces)
        return cls._of(native, range(len(native)))

    @classmethod
    def from_networkx(cls, graph: networkx.DiGraph, gray: str | Iterable[Any] = "gray") -> Digraph:
        """A digraph from networkx. ``gray`` lists gray nodes, or names the attribute that is true for them."""
        if not graph.is_directed():
            raise InputError("the graph is not directed: use networkx.DiGraph")
        if isinstance(gray, str):
            dark = [node for node, marked in graph.nodes(data=gray) if marked]
        else:
            dark = list(gray)
        return cls(((tail, head) for tail, head in graph.edges()), dark, graph.nodes())

    def to_networkx(self) -> networkx.DiGraph:
        """The same for networkx, with the attribute ``gray``."""
        import networkx

        graph = networkx.DiGraph()
        dark = set(self._native.gray())
        for number, node in enumerate(self._nodes):
            graph.add_node(node, gray=number in dark)
        graph.add_edges_from(self.arcs)
        return graph

    def _number(self, node: Any) -> int:
        if isinstance(self._nodes, range):
            if isinstance(node, str) and node.isdigit():
                node = int(node)
            try:
                return self._nodes.index(int(node))
            except (TypeError, ValueError):
                raise InputError(f"there is no node {node!r}") from None
        if self._numbers is None:
            self._numbers = {name: number for number, name in enumerate(self._nodes)}
        try:
            return self._numbers[node]
        except (KeyError, TypeError):
            return self._native.node(str(node))

    @property
    def nodes(self) -> list[Any]:
        """All nodes, in order."""
        return list(self._nodes)

    @property
    def gray(self) -> list[Any]:
        """The gray nodes."""
        return [self._nodes[number] for number in self._native.gray()]

    @property
    def arcs(self) -> list[tuple[Any, Any]]:
        """All arcs, each once."""
        return [(self._nodes[tail], self._nodes[head]) for tail, head in self._native.arcs()]

    def options(self, node: Any) -> list[Any]:
        """The nodes that a piece can be moved to."""
        return [self._nodes[number] for number in self._native.options(self._number(node))]

    @property
    def json(self) -> dict[str, Any]:
        """The digraph as the command line reads and writes it."""
        found: dict[str, Any] = json.loads(self._native.json())
        return found

    def game(self) -> str:
        """The text of a ``.game`` file."""
        return self._native.game()

    def label(
        self,
        theory: str | None = None,
        budget: int = BUDGET,
        progress: Progress = None,
        *,
        memory: int | None = None,
        time: float | None = None,
    ) -> Labelling:
        """The values of all nodes, by the smallest theory that fits, or by the one that is named.

        A budget that is hit leaves the labels that are known by then; ``complete`` tells.
        """
        with told(progress) as tell:
            return Labelling(self, self._native.label(theory, limits(budget, memory, time), tell))

    def sum(
        self,
        *nodes: Any,
        theory: str | None = None,
        turns: bool = False,
        limit: int = 100,
        budget: int = BUDGET,
        memory: int | None = None,
        time: float | None = None,
    ) -> Sum:
        """What there is to tell about pieces on these nodes."""
        labels = self._native.label_for_sums(theory, limits(budget, memory, time))
        return Labelling(self, labels).sum(*nodes, turns=turns, limit=limit)

    def product(
        self, x: Any, y: Any, budget: int = BUDGET, *, memory: int | None = None, time: float | None = None
    ) -> Digraph:
        """The digraph of two pieces; its nodes are named as pairs."""
        allowed = limits(budget, memory, time)
        return Digraph._of(self._native.product(self._number(x), self._number(y), allowed))

    @overload
    def remoteness(
        self,
        misere: bool = False,
        strategy: bool = False,
        grundy: bool = False,
        *,
        budget: int = BUDGET,
        memory: int | None = None,
        time: float | None = None,
    ) -> Rows: ...
    @overload
    def remoteness(
        self,
        *,
        wide: Literal[True],
        limit: int = 100,
        budget: int = BUDGET,
        memory: int | None = None,
        time: float | None = None,
    ) -> Answer: ...
    def remoteness(
        self,
        misere: bool = False,
        strategy: bool = False,
        grundy: bool = False,
        *,
        wide: bool = False,
        limit: int = 100,
        budget: int = BUDGET,
        memory: int | None = None,
        time: float | None = None,
    ) -> Answer:
        """How far the end is from each node, if the winner hurries and the loser delays.

        >>> Digraph({"a": ["b"], "b": ["c", "a"]}).remoteness()["b"]["remoteness"]
        1

        ``strategy`` adds a good move, ``grundy`` Smith's G, H and J. ``wide`` lists instead the Sprague–Grundy functions
        in the wide sense, which are everywhere the mex of the options, at most ``limit`` of them:

        >>> Digraph({"a": ["b"], "b": ["a"]}).remoteness(wide=True)["functions"]
        [{'a': 0, 'b': 1}, {'a': 1, 'b': 0}]
        """
        allowed = limits(budget, memory, time)
        if not wide:
            return answered(Rows, lambda: self._native.remoteness(misere, strategy, grundy, allowed))
        if misere or strategy or grundy:
            raise InputError("`wide` cannot be used with `misere`, `strategy` or `grundy`")
        return answered(Answer, lambda: self._native.wide(limit, allowed))

    def compound(
        self,
        kind: str,
        *nodes: Any,
        misere: bool = False,
        budget: int = BUDGET,
        memory: int | None = None,
        time: float | None = None,
    ) -> Answer:
        """Several pieces at once: ``conjunctive``, ``selective`` or ``disjunctive``, with nodes; or nested.

        >>> nim = Digraph([(i, j) for i in range(6) for j in range(i)])
        >>> nim.compound("selective", 3, 4)["outcome"], nim.compound("conjunctive(3,selective(4,5))")["outcome"]
        ('N', 'N')
        """
        numbers = [self._number(node) for node in nodes]
        allowed = limits(budget, memory, time)
        return answered(Answer, lambda: self._native.compound(kind, numbers, misere, allowed))

    def __len__(self) -> int:
        return len(self._native)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._nodes)

    def __contains__(self, node: object) -> bool:
        try:
            self._number(node)
        except InputError:
            return False
        return True

    def __repr__(self) -> str:
        count = self._native.arc_count()
        return f"<Digraph of {len(self)} nodes ({len(self._native.gray())} gray) and {count} arcs>"

    def _repr_svg_(self) -> str | None:
        return self.label()._repr_svg_() if len(self) <= 300 else None


def _whole(numbers: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]:
    """The same if these are whole numbers; numbers that 8 bytes with a sign cannot hold are refused."""
    if numbers.size == 0:
        return numbers.astype("uint32")
    if numbers.dtype.kind not in "iu":
        raise InputError(f"nodes are given by whole numbers, not by {numbers.dtype}")
    if numbers.dtype == "uint64" and int(numbers.max()) >= 2**63:
        raise InputError(f"there is no node {int(numbers.max())}")
    return numbers


class Labelling:
    """The values of all nodes of a digraph: ``labelling[node]``. A gray node has None, and ``covers``.

    >>> labels = Digraph({"a": ["b", "c"], "b": ["a"]}).label()
    >>> labels["a"], labels.outcome("b"), labels.theory
    (Value('1'), 'P', 'cyclic')
    """

    def __init__(self, digraph: Digraph, native: _native.Labelling) -> None:
        self._digraph = digraph
        self._native = native

    @property
    def digraph(self) -> Digraph:
        """The digraph."""
        return self._digraph

    @property
    def theory(self) -> str:
        """The theory that was used."""
        return self._native.theory()

    @property
    def complete(self) -> bool:
        """Whether all is known, or a budget was hit."""
        return self._native.is_complete()

    def __getitem__(self, node: Any) -> Value | None:
        return self._native.value(self._digraph._number(node))

    def __len__(self) -> int:
        return len(self._digraph)

    def items(self) -> Iterator[tuple[Any, Value | None]]:
        """Nodes with their values, in order."""
        for number, node in enumerate(self._digraph._nodes):
            yield node, self._native.value(number)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._digraph)

    def outcome(self, node: Any) -> str | None:
        """Who wins a piece on this node alone."""
        value = self[node]
        return None if value is None else value.outcome

    def covers(self, node: Any) -> Any:
        """What a gray node covers, as JSON; None for a white one too."""
        found = self._native.covers(self._digraph._number(node))
        return None if found is None else json.loads(found)

    def nimbers(self) -> numpy.ndarray[Any, Any]:
        """The nimbers of all nodes as an array; −1 where the value is none."""
        import numpy

        return numpy.frombuffer(self._native.nimbers(), numpy.int32)

    def outcomes(self) -> numpy.ndarray[Any, Any]:
        """The letters of the outcomes of all nodes as an array of bytes; ``b"-"`` for gray nodes."""
        import numpy

        return numpy.frombuffer(self._native.outcomes(), "S1")

    def sum(
        self,
        *nodes: Any,
        turns: bool = False,
        limit: int = 100,
        budget: int | None = None,
        memory: int | None = None,
        time: float | None = None,
    ) -> Sum:
        """What there is to tell about pieces on these nodes.

        Limits that are not told are those under which the labels were found.
        """
        if not nodes:
            raise InputError("expected at least one node with a piece")
        numbers = [self._digraph._number(node) for node in nodes]
        allowed = within(self._native.limits(), budget, memory, time)
        return answered(Sum, lambda: self._native.sum(numbers, limit if turns else None, allowed))

    def explain(self, node: Any, *, time: float | None = None) -> Explanation:
        """Why a node has its label, in terms that can be checked by hand.

        It takes as long as the labels were allowed to, unless told.
        """
        allowed = within(self._native.limits(), None, None, time)
        return Explanation(self._native.explain(self._digraph._number(node), allowed))

    def write(
        self, format: str = "table", steps: bool = False, around: Any = None, radius: int = 2, max_nodes: int = 300
    ) -> str:
        """The labels as the command line writes them: table, json, csv, dot, svg or latex."""
        if not 1 <= max_nodes <= 1000:
            raise InputError(f"`max_nodes` is from 1 to 1000: {max_nodes}")
        near = None if around is None else self._digraph._number(around)
        return self._native.write(format, steps, near, radius, max_nodes)

    @property
    def json(self) -> dict[str, Any]:
        """The JSON of the command line."""
        found: dict[str, Any] = json.loads(self.write("json"))
        return found

    def __str__(self) -> str:
        return self.write()

    def __repr__(self) -> str:
        return f"<Labelling of {len(self)} nodes, {self.theory} theory>"

    def _repr_svg_(self) -> str | None:
        return self.write("svg") if 0 < len(self) <= 300 else None

    def _repr_html_(self) -> str | None:
        import html

        return None if len(self) <= 300 else f"<pre>{html.escape(repr(self))}</pre>"


def representative(
    value: Value | int | str,
    budget: int = BUDGET,
    *,
    memory: int | None = None,
    time: float | None = None,
) -> tuple[Digraph, Any]:
    """The simplest digraph of a value, and the node that has it.

    ``budget`` bounds its arcs.

    >>> from nimoon import representative
    >>> g, node = representative("ninny{1}")
    >>> g.label("carry-on")[node]
    Value('ninny{1}')
    """
    native, number = _native.representative(value, limits(budget, memory, time))
    digraph = Digraph._of(native)
    return digraph, digraph._nodes[number]
