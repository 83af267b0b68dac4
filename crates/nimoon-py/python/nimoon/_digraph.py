"""Digraphs with white and gray nodes, and their labels."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _native
from ._answers import Answer, Explanation, Rows, Sum, ValueMapping, answered
from ._errors import InputError
from ._limits import BUDGET, is_quickest, limits, within
from ._native import Value
from ._progress import Progress, reporting

if TYPE_CHECKING:
    import networkx
    import numpy

CHUNK = 1 << 14
"""How many arcs of an array go to the library at a time; this many fit into the cache of a processor."""


class Digraph:
    """A game in which pieces stand on nodes, and a player moves one piece along an arc.

    A player who finds a piece on a gray node must move that piece. Nodes are any hashable objects. Create a digraph from a
    mapping of nodes to their options, or from arcs:

    >>> from nimoon import Digraph
    >>> g = Digraph({"c": ["c", "g"], "x": ["z", "h"], "g": ["z"], "h": ["c"]}, gray=["g", "h"])
    >>> print(g.label()["x"])
    ☾₀
    >>> Digraph([(2, 1), (2, 0), (1, 0)]).label()[2]
    Value('2')

    ``Digraph.read`` reads files, ``Digraph.from_arrays`` accepts NumPy arrays, and ``Digraph.from_networkx`` accepts a
    ``networkx.DiGraph``.

    - ``arcs``: a mapping of nodes to their options, or pairs of a tail and a head.
    - ``gray``: the gray nodes.
    - ``nodes``: nodes that come first in the order, including nodes without arcs.
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
        """Read a digraph from a file.

        - ``path``: the file.
        - ``format``: json, game, dot, edges, aut or pgsolver; default: the format of the file extension.
        - ``memory``, ``time``: the limits of the call, as for ``value``.
        """
        file = Path(path)
        found = format or _native.Digraph.format_of(file.suffix[1:])
        if found is None:
            raise InputError(f"{file}: unknown file extension: set the format with `format`")
        allowed = limits(BUDGET, memory, time)
        return cls._of(_native.Digraph.of_file(found, file, allowed))

    @classmethod
    def parse(
        cls, text: str, format: str = "game", *, memory: int | None = None, time: float | None = None
    ) -> Digraph:
        """Read a digraph from the text of a file.

        >>> Digraph.parse("gray g\\na: g z\\ng: z").gray
        ['g']

        - ``text``: the text.
        - ``format``: json, game, dot, edges, aut or pgsolver.
        - ``memory``, ``time``: the limits of the call, as for ``value``.
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
        """Create a digraph of the nodes 0, 1, … from NumPy arrays, or from anything that NumPy converts to arrays.

        >>> import numpy
        >>> g = Digraph.from_arrays(numpy.array([1, 2, 2]), numpy.array([0, 0, 1]))
        >>> g.label().nimbers()
        array([0, 1, 2], dtype=int32)

        - ``sources``, ``targets``: the ends of the arcs; arc i goes from ``sources[i]`` to ``targets[i]``.
        - ``nodes``: the number of nodes; default: one more than the largest number in the arrays.
        - ``gray``: the numbers of the gray nodes, or a boolean for each node.
        """
        import numpy

        tails, heads, dark = (numpy.asarray(given) for given in (sources, targets, gray))
        if nodes is not None and nodes < 0:
            raise InputError(f"there cannot be {nodes} nodes: expected a number from 0 on")
        if tails.shape != heads.shape or tails.ndim != 1:
            raise InputError(f"expected sources and targets of the same length, not {tails.shape} and {heads.shape}")
        if dark.dtype == bool:
            dark = numpy.flatnonzero(dark)
        given = [_whole(array) for array in (dark, tails, heads)]
        # Unsigned numbers of at most 4 bytes go as 4 bytes, and all others as 8 signed bytes.
        narrow = all(array.dtype in (numpy.uint32, numpy.uint16, numpy.uint8) for array in given)
        form = numpy.dtype(numpy.uint32 if narrow else numpy.int64)
        dark, tails, heads = given

        def chunk(array: Any, start: int) -> bytes:
            found: bytes = array[start : start + CHUNK].astype(form, copy=False).tobytes()
            return found

        chunks = ((chunk(tails, at), chunk(heads, at)) for at in range(0, len(tails), CHUNK))
        marked = dark.astype(form, copy=False).tobytes()
        native = _native.Digraph.of_numbers(nodes, form.itemsize, marked, len(tails), chunks)
        return cls._of(native, range(len(native)))

    @classmethod
    def from_networkx(cls, graph: networkx.DiGraph, gray: str | Iterable[Any] = "gray") -> Digraph:
        """Create a digraph from networkx.

        - ``graph``: the graph, which must be directed.
        - ``gray``: the gray nodes, or the name of the node attribute that is true for them.
        """
        if not graph.is_directed():
            raise InputError("the graph is undirected: expected a networkx.DiGraph")
        if isinstance(gray, str):
            dark = [node for node, marked in graph.nodes(data=gray) if marked]
        else:
            dark = list(gray)
        return cls(((tail, head) for tail, head in graph.edges()), dark, graph.nodes())

    def to_networkx(self) -> networkx.DiGraph:
        """Convert the digraph to networkx, with the node attribute ``gray``."""
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
                raise InputError(f"unknown node {node!r}") from None
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
        """All arcs, without duplicates."""
        return [(self._nodes[tail], self._nodes[head]) for tail, head in self._native.arcs()]

    def options(self, node: Any) -> list[Any]:
        """Return the nodes to which a piece on this node can move."""
        return [self._nodes[number] for number in self._native.options(self._number(node))]

    @property
    def json(self) -> dict[str, Any]:
        """The JSON of the digraph, which the command line reads and writes."""
        found: dict[str, Any] = json.loads(self._native.json())
        return found

    def game(self) -> str:
        """Return the digraph as the text of a ``.game`` file."""
        return self._native.game()

    def label(
        self,
        theory: str | None = None,
        budget: int = BUDGET,
        progress: Progress = None,
        *,
        smallest: bool = False,
        memory: int | None = None,
        time: float | None = None,
    ) -> Labelling:
        """Compute the values of all nodes.

        If the call reaches a limit, the labelling has the labels known by then, and its ``complete`` is False. With
        ``smallest``, each node gets its value from the smallest theory that fits the nodes it can reach:

        >>> choice = Digraph({"a": ["z"], "g": ["z", "a"], "c": ["c", "g"]}, gray=["g"])
        >>> choice.label()["a"]
        Value('1')
        >>> labels = choice.label(smallest=True)
        >>> labels["a"], labels.theory_of("a"), labels.theory_of("c")
        (Value('1'), 'short', 'general')

        - ``theory``: the name of a theory; default: the smallest theory that fits the whole digraph.
        - ``smallest``: choose the smallest theory for each node; this excludes ``theory``.
        - ``progress``: as for ``value``.
        - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
        """
        allowed = limits(budget, memory, time)
        with reporting(progress) as report:
            return Labelling(self, self._native.label(theory, smallest, allowed, report))

    def sum(
        self,
        *nodes: Any,
        theory: str | None = None,
        turns: bool = False,
        limit: int = 100,
        turn: str = "any",
        budget: int = BUDGET,
        memory: int | None = None,
        time: float | None = None,
    ) -> Sum:
        """Evaluate the sum of pieces on these nodes.

        - ``nodes``: the nodes with a piece; a node may occur several times.
        - ``theory``: the name of a theory; default: the smallest theory that fits the whole digraph.
        - ``turns``: also list the winning turns, at most ``limit`` of them.
        - ``turn``: "any", or "quickest" to search for the turn that wins fastest.
        - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
        """
        labels = self._native.label_for_sums(theory, limits(budget, memory, time))
        return Labelling(self, labels).sum(*nodes, turns=turns, limit=limit, turn=turn)

    def product(
        self, x: Any, y: Any, budget: int = BUDGET, *, memory: int | None = None, time: float | None = None
    ) -> Digraph:
        """Return the digraph of two pieces, whose nodes are pairs.

        - ``x``, ``y``: the nodes of the two pieces.
        - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
        """
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
        """Compute the remoteness of each node: the length of play if the winner hurries and the loser delays.

        >>> Digraph({"a": ["b"], "b": ["c", "a"]}).remoteness()["b"]["remoteness"]
        1

        With ``wide``, the answer lists the Sprague–Grundy functions in the wide sense, whose value at each node is the mex of
        the values of its options:

        >>> Digraph({"a": ["b"], "b": ["a"]}).remoteness(wide=True)["functions"]
        [{'a': 0, 'b': 1}, {'a': 1, 'b': 0}]

        - ``misere``: the player who cannot move wins.
        - ``strategy``: also return a good move for each node.
        - ``grundy``: also return Smith's G, H and J, which are functions of normal play.
        - ``wide``: list the Sprague–Grundy functions in the wide sense instead, at most ``limit`` of them.
        - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
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
        turn: str = "any",
        budget: int = BUDGET,
        memory: int | None = None,
        time: float | None = None,
    ) -> Answer:
        """Solve a compound of pieces: each turn moves all of them, some of them, or one of them.

        >>> nim = Digraph([(i, j) for i in range(6) for j in range(i)])
        >>> nim.compound("selective", 3, 4)["outcome"], nim.compound("conjunctive(3,selective(4,5))")["outcome"]
        ('N', 'N')

        - ``kind``: ``conjunctive``, ``selective`` or ``disjunctive``, or a nested compound that includes its nodes.
        - ``nodes``: the nodes with a piece, if ``kind`` is not nested.
        - ``misere``: the player who cannot move wins.
        - ``turn``: "any", or "quickest" to search for the remoteness where a formula already says who wins.
        - ``budget``, ``memory``, ``time``: the limits of the call, as for ``value``.
        """
        numbers, quickest = [self._number(node) for node in nodes], is_quickest(turn)
        allowed = limits(budget, memory, time)
        return answered(Answer, lambda: self._native.compound(kind, numbers, misere, quickest, allowed))

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
    """Check that these are whole numbers, and that each of them fits into 8 signed bytes."""
    if numbers.size == 0:
        return numbers.astype("uint32")
    if numbers.dtype.kind not in "iu":
        raise InputError(f"expected whole numbers as nodes, not {numbers.dtype}")
    if numbers.dtype == "uint64" and int(numbers.max()) >= 2**63:
        raise InputError(f"unknown node {int(numbers.max())}")
    return numbers


class Labelling(ValueMapping[Any]):
    """The values of all nodes of a digraph, as a mapping from nodes. The value of a gray node is None; see ``covers``.

    NumPy converts a labelling to an array of the values, in the order of the nodes.

    >>> labels = Digraph({"a": ["b", "c"], "b": ["a"]}).label()
    >>> labels["a"], labels.outcome("b"), labels.theory
    (Value('1'), 'P', 'cyclic')
    """

    def __init__(self, digraph: Digraph, native: _native.Labelling) -> None:
        self._digraph = digraph
        self._native = native

    @property
    def digraph(self) -> Digraph:
        """The digraph of the labels."""
        return self._digraph

    @property
    def theory(self) -> str:
        """The theory of the labels; with ``smallest``, the smallest theory that fits the whole digraph."""
        return self._native.theory()

    def theory_of(self, node: Any) -> str:
        """Return the theory of the value of this node."""
        return self._native.theory_of(self._digraph._number(node)) or self.theory

    @property
    def complete(self) -> bool:
        """Whether all labels are known; False if a limit was reached."""
        return self._native.is_complete()

    def __getitem__(self, node: Any) -> Value | None:
        return self._native.value(self._digraph._number(node))

    def __len__(self) -> int:
        return len(self._digraph)

    def __contains__(self, node: object) -> bool:
        return node in self._digraph

    def get(self, node: Any, default: Any = None) -> Any:
        """Return the value of a node, or ``default`` if the digraph does not have this node. The key is ``node``; ``default`` is returned for other keys."""
        return self[node] if node in self else default

    def __iter__(self) -> Iterator[Any]:
        return iter(self._digraph)

    def outcome(self, node: Any) -> str | None:
        """Return the outcome of a single piece on this node."""
        value = self[node]
        return None if value is None else value.outcome

    def covers(self, node: Any) -> Any:
        """Return the set that a gray node covers, as JSON, or None for a white node."""
        found = self._native.covers(self._digraph._number(node))
        return None if found is None else json.loads(found)

    def nimbers(self) -> numpy.ndarray[Any, Any]:
        """Return the nimbers of all nodes as an array, with −1 where the value is not a nimber."""
        import numpy

        return numpy.frombuffer(self._native.nimbers(), numpy.int32)

    def outcomes(self) -> numpy.ndarray[Any, Any]:
        """Return the outcomes of all nodes as an array of letters, with ``"-"`` for gray nodes.

        >>> labels = Digraph({"a": ["b", "c"], "b": ["a"]}).label()
        >>> (labels.outcomes() == "P").sum()
        np.int64(2)
        """
        import numpy

        return numpy.frombuffer(self._native.outcomes(), "S1").astype("U1")

    def sum(
        self,
        *nodes: Any,
        turns: bool = False,
        limit: int = 100,
        turn: str = "any",
        budget: int | None = None,
        memory: int | None = None,
        time: float | None = None,
    ) -> Sum:
        """Evaluate the sum of pieces on these nodes.

        - ``nodes``: the nodes with a piece; a node may occur several times.
        - ``turns``: also list the winning turns, or in a draw those that hold it, at most ``limit`` of them.
        - ``turn``: "any", or "quickest" to search for the turn that wins fastest.
        - ``budget``, ``memory``, ``time``: the limits of the call. They default to those under which the labels were found.
        """
        if not nodes:
            raise InputError("expected at least one node with a piece")
        numbers = [self._digraph._number(node) for node in nodes]
        allowed, quickest = within(self._native.limits(), budget, memory, time), is_quickest(turn)
        return answered(Sum, lambda: self._native.sum(numbers, limit if turns else None, quickest, allowed))

    def explain(self, node: Any, *, time: float | None = None) -> Explanation:
        """Explain the label of a node with reasons that you can check by hand.

        - ``node``: the node.
        - ``time``: the limit in seconds; default: the limit under which the labels were found.
        """
        allowed = within(self._native.limits(), None, None, time)
        return Explanation(self._native.explain(self._digraph._number(node), allowed))

    def write(
        self, format: str = "table", steps: bool = False, around: Any = None, radius: int = 2, max_nodes: int = 300
    ) -> str:
        """Return the labels as the command line prints them.

        - ``format``: table, json, csv, dot, svg or latex.
        - ``steps``: add the round of each label.
        - ``around``: draw only the neighbourhood of this node, up to ``radius`` arcs away.
        - ``max_nodes``: draw at most this many nodes, from 1 to 1000.
        """
        if not 1 <= max_nodes <= 1000:
            raise InputError(f"expected `max_nodes` from 1 to 1000, not {max_nodes}")
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
    """Find the simplest digraph of a value, and return it with the node that has the value.

    >>> from nimoon import representative
    >>> g, node = representative("ninny{1}")
    >>> g.label("carry-on")[node]
    Value('ninny{1}')

    - ``value``: the value, as a ``Value``, a nimber or text.
    - ``budget``: the largest number of arcs of the digraph.
    - ``memory``, ``time``: the limits of the call, as for ``value``.
    """
    native, number = _native.representative(value, limits(budget, memory, time))
    digraph = Digraph._of(native)
    return digraph, digraph._nodes[number]
