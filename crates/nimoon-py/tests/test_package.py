"""The package: values, digraphs, sums, rulesets, games, errors and threads."""

import copy
import pickle
import runpy
import signal
import threading
import time

import pytest

import nimoon
from nimoon import Digraph, Ruleset, Value, again, entailing, loopy, ordinal


def test_values_add_and_compare():
    assert Value(1) + 2 == 3 and 1 + Value(2) == Value(3)
    assert Value("moon") + 5 == Value("moon")
    assert Value("moon{0}") != Value("moon{1}") and Value("moon{0}") != Value("moon")
    assert hash(Value(7)) == hash(7) and {Value(7): "x"}[7] == "x"
    assert hash(Value(2**63)) == hash(2**63) and Value(2**63) == 2**63
    assert len({Value("oo{0,2}"), Value("oo{2,0}"), Value("ninny{0}")}) == 2
    assert sum([Value(1), Value("ninny{2}"), Value(4)]) == Value("ninny{7}")
    assert Value(3) != "3" and Value(3) != None  # noqa: E711
    for text in ["3", "full-moon", "moon{0,1}", "moon", "ninny{2}", "oo{}", "oo{1}"]:
        value = Value(text)
        assert copy.copy(value) == value == pickle.loads(pickle.dumps(value)) == eval(repr(value))
    with pytest.raises(nimoon.InputError, match="no algebra"):
        Value("moon") + Value("oo{0}")
    with pytest.raises(TypeError):
        Value(1) + "x"
    with pytest.raises(nimoon.InputError, match="not a value"):
        Value("sun")
    assert Value("moon{0}")._repr_latex_() == r"$\text{☾}_{0}$"


def test_general_values_round_trip():
    value = Digraph({"a": ["a", "g"], "g": ["o", "z"], "o": ["z"]}, gray=["g"]).label()["a"]
    assert (value.kind, value.ascii) == ("control", "[0/1]")
    for text in [value.ascii, "X = [>0, 1/Y], Y = [>1, 0/X]", "win {0}, loss {}, draw {}, forced {1}"]:
        value = Value(text)
        assert Value(value.ascii) == value
        assert nimoon._answers.value_of(nimoon._answers.value_json(value)) == value


def zones(root):
    return Digraph.read(root / "examples/zones.game")


def test_all_constructors_create_the_same_digraph(root):
    import networkx
    import numpy

    read = zones(root)
    expected = {node: str(value) for node, value in read.label().items()}
    options = {node: read.options(node) for node in read}
    made = [
        Digraph(options, read.gray),
        Digraph(read.arcs, read.gray),
        Digraph.parse(read.game()),
        Digraph.parse(__import__("json").dumps(read.json), "json"),
        Digraph.from_networkx(read.to_networkx()),
        Digraph.from_networkx(networkx.DiGraph(read.arcs), read.gray),
    ]
    for digraph in made:
        assert {node: str(value) for node, value in digraph.label().items()} == expected
    number = {node: i for i, node in enumerate(read)}
    tails, heads = numpy.array([[number[a], number[b]] for a, b in read.arcs]).T
    gray = [number[node] for node in read.gray]
    mask = numpy.isin(numpy.arange(len(read)), gray)
    for dark in (gray, numpy.array(gray), mask):
        for dtype in (numpy.int64, numpy.uint8, numpy.int16, numpy.uint32, numpy.uint64, '>i4'):
            digraph = Digraph.from_arrays(tails.astype(dtype), heads.astype(dtype), gray=dark)
            assert [str(value) for _, value in digraph.label().items()] == list(expected.values())
            assert digraph.nodes == list(range(len(read)))


def test_nodes_are_any_hashable_objects():
    digraph = Digraph({(0, 1): [frozenset(), None], None: [frozenset()]})
    assert digraph.label()[(0, 1)] == 2 and digraph.options(None) == [frozenset()]
    assert (0, 1) in digraph and "x" not in digraph and [] not in digraph
    with pytest.raises(nimoon.InputError, match="two nodes are written `1`"):
        Digraph([(1, "1")])
    with pytest.raises(nimoon.InputError, match="did you mean `start`"):
        Digraph([("start", "end")]).label()["stat"]


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([0, 1], [1]), "same length"),
        (([-1], [0]), "numbered from 0"),
        (([0.5], [0]), "whole numbers"),
    ],
)
def test_invalid_arrays_are_rejected(arrays, message):
    with pytest.raises(nimoon.InputError, match=message):
        Digraph.from_arrays(*arrays)


def test_arrays_with_too_large_numbers_are_rejected():
    with pytest.raises(nimoon.InputError, match="only 3 nodes"):
        Digraph.from_arrays([0], [3], nodes=3)
    with pytest.raises(nimoon.InputError, match="unknown node 8589934592"):
        Digraph.from_arrays([2**33], [0])
    with pytest.raises(nimoon.InputError, match="unknown node 4294967296"):
        Digraph.from_arrays([0, 1], [0, 2**32])
    with pytest.raises(nimoon.InputError, match="there cannot be -1 nodes"):
        Digraph.from_arrays([0], [0], nodes=-1)
    with pytest.raises(nimoon.InputError, match="unknown node 4294967295|at most"):
        Digraph.from_arrays([2**32 - 1], [0])
    with pytest.raises(nimoon.InputError, match="unknown node"):
        Digraph.from_arrays(__import__("numpy").array([2**64 - 1], "uint64"), [0])
    assert len(Digraph.from_arrays([], [], nodes=4).label()) == 4


def test_large_arrays_keep_their_order():
    import numpy

    # A path: each node n has one arc, to n - 1.
    count = 3 * nimoon._digraph.CHUNK + 7
    tails = numpy.arange(1, count + 1)
    heads = tails - 1
    for dtype in (numpy.int64, numpy.uint32):
        labels = Digraph.from_arrays(tails.astype(dtype), heads.astype(dtype)).label()
        assert (labels.nimbers() == numpy.arange(count + 1) % 2).all()
    strided = numpy.stack([tails, heads], axis=1)
    digraph = Digraph.from_arrays(strided[:, 0], strided[:, 1], gray=[1])
    assert digraph.gray == [1] and digraph.arcs[-1] == (count, count - 1) and len(digraph.arcs) == count


def test_sums_have_turns_and_explanations(root):
    labels = zones(root).label()
    found = labels.sum("x", "a", turns=True)
    assert found.value == Value("moon{1}") and found.outcome == "N"
    assert [(ply.component, ply.to) for ply in found.turn.plies][-1] == (1, "z")
    assert any(ply.forced for ply in found.turn.plies) and len(found.turns) >= 1
    assert "☾₀" in str(labels.explain("x"))
    assert labels.covers("g") == {"all_except": [0]} and labels["g"] is None
    with pytest.raises(nimoon.InputError, match="both gray"):
        labels.sum("g", "h")
    assert len(zones(root).product("a", "b").label("carry-on")) > 4


def test_arrays_of_labels_agree_with_single_labels(root):
    labels = zones(root).label()
    for node, nimber, outcome in zip(labels, labels.nimbers(), labels.outcomes()):
        value = labels[node]
        assert nimber == (-1 if value is None or value.nimber is None else value.nimber)
        assert outcome == (value.outcome if value is not None else "-")


def test_notebooks_show_pictures(root):
    labels = zones(root).label()
    assert labels._repr_svg_().startswith("<svg") and zones(root)._repr_svg_().startswith("<svg")
    assert loopy("over")._repr_svg_().startswith("<svg")
    # A notebook that gets both shows only the HTML.
    assert loopy("over")._repr_svg_() in loopy("over")._repr_html_() and "<pre>" in loopy("over")._repr_html_()
    assert "<table>" in nimoon.table("nim", 3)._repr_html_()
    assert "<pre>" in nimoon.value("nim:3")._repr_html_()
    assert "\\begin{tikzpicture}" in labels.write("latex")
    with pytest.raises(nimoon.InputError, match="unknown format"):
        labels.write("pdf")


class Kayles(Ruleset):
    def options(self, rows):
        for i, row in enumerate(rows):
            for taken in (1, 2):
                for left in range(row - taken + 1):
                    yield rows[:i] + (left, row - taken - left) + rows[i + 1 :]

    def components(self, rows):
        return [(row,) for row in rows if row]


class GreenLime(Ruleset):
    """Stalks of green and lime edges, from the ground up."""

    name = "stalk"

    def options(self, stalk):
        for i, edge in enumerate(stalk):
            falls = edge == "g" and "l" in stalk[i + 1 :]
            yield again(stalk[:i]) if falls else stalk[:i]
        for i in range(len(stalk) - 1):
            if stalk[i] != stalk[i + 1]:
                yield stalk[:i] + stalk[i + 1] + stalk[i] + stalk[i + 2 :]


def test_a_ruleset_in_python_has_the_values_of_the_built_in_ruleset():
    rules = Kayles()
    for n in range(1, 12):
        assert rules.value((n,)) == nimoon.value(f"kayles:{n}").value
    found = rules.sum((3,), (4, 5))
    built_in = nimoon.value("kayles:3 + kayles:4 + kayles:5")
    assert found.value == built_in.value
    stalks = GreenLime()
    for stalk in ["gl", "lg", "ggl", "glg", "gll", "lgl", "glgl", "gggl", "lglg", "llgl"]:
        mine = stalks.value(stalk, "carry-on")
        assert mine == nimoon.value(f"green-lime:{stalk}", "carry-on").value, stalk
    # A sum can mix rulesets in Python and built-in rulesets.
    mixed = nimoon.value("stalk:ggl + nim:3", "carry-on", rulesets=[stalks])
    assert mixed.value == nimoon.value("green-lime:ggl + nim:3", "carry-on").value


def example(root, name):
    path = root / "crates/nimoon-py/examples" / f"{name}.py"
    lines = path.read_text(encoding="utf-8").split("if __name__")[0].splitlines()
    assert len([line for line in lines if line.strip()]) < 25
    return runpy.run_path(str(path))


def test_the_examples_have_correct_rules(root):
    rules = example(root, "nim")["Nim"]()
    assert rules.sum((3, 4), (5,)).json["value"] == nimoon.value("nim:3 + nim:4 + nim:5").json["value"]
    assert rules.sum((1, 2)).turn.plies[0].words == "take 1"
    glasses = example(root, "green_lime")["GreenLime"]()
    for text in ["0-1g,1-2l,1-3l", "0-1l,1-2g,1-3l", "0-1g,1-2l,1-3g,2-3g", "0-1l,1-2g", "0-1g,1-2g,2-3l"]:
        edges = frozenset((int(edge[0]), int(edge[2]), edge[3]) for edge in text.split(","))
        assert glasses.value(edges, "carry-on") == nimoon.value(f"green-lime:{text}", "carry-on").value, text
    ring = example(root, "ring")["Ring"](8, {3, 5})
    digraph = Digraph({place: list(ring.options(place)) for place in range(8)})
    assert [ring.value(place, "cyclic") for place in range(8)] == [digraph.label()[place] for place in range(8)]
    assert any(value.kind == "cyclic" for _, value in digraph.label().items())


def test_entailing_moves_of_a_ruleset_work():
    class Tops(Ruleset):
        def options(self, heaps):
            for i, heap in enumerate(heaps):
                rest = heaps[:i] + heaps[i + 1 :]
                for left in range(1, heap // 2 + 1):
                    yield (*rest, left, heap - left)
                if len(heaps) == 1:
                    yield entailing((heap - 1,)) if heap > 1 else entailing(())

        def components(self, heaps):
            return [(heap,) for heap in heaps]

    rules = Tops()
    for n in range(1, 9):
        assert rules.value((n,)) == nimoon.value(f"top-entails:{n}").value, n


def test_canonical_saves_work_and_does_not_change_values():
    visited = []

    class Wythoff(Ruleset):
        def options(self, heaps):
            visited.append(heaps)
            a, b = heaps
            yield from ((i, b) for i in range(a))
            yield from ((a, i) for i in range(b))
            yield from ((a - i, b - i) for i in range(1, min(a, b) + 1))

    class Symmetric(Wythoff):
        def canonical(self, heaps):
            return tuple(sorted(heaps))

    assert Wythoff().value((4, 6)) == nimoon.value("wythoff:4,6").value
    plain = set(visited)
    visited.clear()
    assert Symmetric().value((4, 6)) == nimoon.value("wythoff:4,6").value
    assert set(visited) < plain


def test_exceptions_of_a_ruleset_reach_the_caller():
    class Broken(Ruleset):
        def options(self, position):
            return [1 // position, position - 1]

    with pytest.raises(ZeroDivisionError):
        Broken().value(3)

    class Unhashable(Ruleset):
        def options(self, position):
            return [[position]]

    with pytest.raises(TypeError, match="unhashable"):
        Unhashable().value(3)

    class Nothing(Ruleset):
        pass

    with pytest.raises(NotImplementedError):
        Nothing().value(3)

    class Silent(Ruleset):
        def options(self, position):
            return []

        def words(self, position, to):
            raise RuntimeError("no words")

        def components(self, position):
            raise KeyError("no components")

    with pytest.raises(KeyError):
        Silent().value(3)


def test_an_infinite_ruleset_reaches_the_budget():
    class Endless(Ruleset):
        def options(self, n):
            return [n + 1]

    with pytest.raises(nimoon.BudgetError, match="budget of 1000 positions"):
        Endless().value(0, budget=1000)


def test_a_position_without_components_is_the_empty_sum():
    class Countdown(Ruleset):
        def options(self, n):
            if n == 0:
                raise RuntimeError("the engine does not need the options of the empty sum")
            return [n - 1]

        def components(self, n):
            return [n] if n else []

        def canonical(self, n):
            if n == 0:
                raise RuntimeError("the engine does not need the canonical form of the empty sum")
            return n

    assert [str(Countdown().value(n)) for n in range(4)] == ["0", "1", "0", "1"]
    assert Countdown().sum(0, 1, 0).outcome == "N"


def test_a_known_value_without_a_turn_is_not_an_error():
    large = nimoon.value("kayles:1000000000000")
    assert (str(large.value), large.outcome, large.turn) == ("1", "N", None)
    with pytest.raises(nimoon.BudgetError, match="raise it with `budget`"):
        nimoon.value("kayles:1000000000000", turns=True)
    nim = Digraph({n: list(range(n)) for n in range(5)})
    heaps = nim.compound("disjunctive", *[4] * 12, budget=9)
    assert (heaps["outcome"], heaps["remoteness"]) == ("P", None)
    with pytest.raises(nimoon.BudgetError, match="raise it with `budget`"):
        nim.compound("disjunctive", *[4] * 12, misere=True, budget=9)


def test_limits_of_a_script_raise_budget_errors(tmp_path):
    script = tmp_path / "mine.rhai"
    script.write_text("fn options(n) { loop {} }")
    with pytest.raises(nimoon.BudgetError, match="limit `operations`"):
        nimoon.value("mine:3", rulesets=[script])
    script.write_text("fn options(n) { [] } fn read(text) { loop {} }")
    with pytest.raises(nimoon.BudgetError, match="limit `operations`"):
        nimoon.value("mine:3", rulesets=[script])
    script.write_text("loop {} fn options(n) { [] }")
    with pytest.raises(nimoon.BudgetError, match="limit `operations`"):
        nimoon.value("mine:3", rulesets=[script])
    script.write_text("fn options(n) { [] } //" + "x" * 1_000_000)
    with pytest.raises(nimoon.BudgetError, match="is longer than the limit of 1000000 bytes"):
        nimoon.value("mine:3", rulesets=[script])


def test_loopy_games_have_operators():
    on, off, over, upon = loopy("on"), loopy("off"), loopy("over"), loopy("upon")
    assert on + off == loopy("dud") and -on == off and on > over > 0 and upon < over
    assert over - over != 0 and over >= over and not over > over
    assert loopy("*").confused_with(0) and 1 + loopy("1/2") == loopy("3/2") and 2 * loopy("^") == loopy("^2")
    assert hash(loopy("{on|}")) == hash(on) and len({on, loopy("{on|}"), off}) == 2
    assert loopy("a{1||a|0}").onside == 2 and loopy("a{1||a|0}").canonical is None
    carousel = {
        "nodes": ["a", "b", "c", "d", "z", "o", "s"],
        "left": [["a", "z"], ["a", "b"], ["b", "o"], ["c", "s"], ["c", "d"], ["o", "z"], ["s", "z"]],
        "right": [["a", "z"], ["b", "o"], ["b", "c"], ["c", "s"], ["s", "z"], ["d", "o"], ["d", "a"]],
        "start": "a",
    }
    game = loopy(carousel)
    assert game == game
    with pytest.raises(nimoon.InputError):
        loopy("{0|")


def test_unicycles_ordinals_remoteness_and_compounds():
    assert nimoon.unicycle("LLRR", count=True)["count"] > 0
    assert nimoon.unicycle("LRLR")["admissible"] is False
    assert ordinal("w") * 2 == ordinal("w*2") and 2 * ordinal("w") == ordinal("w")
    assert ordinal("w") >= 5 and ordinal(3) < ordinal("w") and hash(ordinal("1+w")) == hash(ordinal("w"))
    assert ordinal("nim(w, 3)").outcome == "N"
    payoffs = Digraph.parse("payoff z 3\npayoff y 1\na: z y\n")
    assert "z" in payoffs.remoteness()
    with pytest.raises(nimoon.InputError, match="normal play"):
        payoffs.label()
    rows = nimoon.partizan_remoteness({"left": [["a", "b"]], "right": [], "start": "a"})
    assert len(rows) == 2


def test_affine_forms_have_operators():
    star, moon = nimoon.affine("*"), nimoon.affine("moon")
    assert star + star == 0 and star != 0 and moon.value == Value("moon") and -moon == moon
    assert nimoon.affine("oo") > nimoon.affine("1") >= 0 and nimoon.affine("-1") < 0
    for wrong in ({}, {"form": "0", "of": "nim:1"}, {"form": "0 < 1"}, {"form": "{0|"}, {"form": "oo + -oo"}):
        with pytest.raises(nimoon.InputError):
            nimoon.affine(**wrong)


def test_exceptions_have_exit_codes_and_places(tmp_path):
    with pytest.raises(nimoon.InputError) as wrong:
        nimoon.value("nim:3 +\nkayles:x")
    assert (wrong.value.line, wrong.value.column, wrong.value.exit_code) == (2, 8, 2)
    assert isinstance(wrong.value, ValueError) and isinstance(wrong.value, nimoon.NimoonError)
    with pytest.raises(nimoon.FileError) as missing:
        Digraph.read(tmp_path / "none.game")
    assert missing.value.exit_code == 1 and isinstance(missing.value, OSError)
    with pytest.raises(nimoon.FileError):
        nimoon.value("digraph[none.game]:a")
    with pytest.raises(nimoon.BudgetError) as over:
        nimoon.value("green-lime:lglglglglglglg", budget=10)
    assert over.value.exit_code == 3
    with pytest.raises(nimoon.InputError, match="unknown theory"):
        nimoon.value("nim:3", theory="string")
    with pytest.raises(nimoon.InputError, match="does not fit"):
        Digraph({"a": ["a"]}).label("short")
    with pytest.raises(nimoon.InputError, match="consecutive numbers"):
        nimoon.table("nim", range(0, 10, 2))
    bad = tmp_path / "bad.game"
    bad.write_text("a: b\na: c\n")
    with pytest.raises(nimoon.InputError) as placed:
        Digraph.read(bad)
    assert placed.value.line == 2


def test_a_budget_error_has_the_partial_answer():
    with pytest.raises(nimoon.BudgetError) as over:
        nimoon.audit(exhaustive=4, time=0)
    assert over.value.known["wrong"] == 0


def test_other_threads_run_during_a_call():
    counted = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.monotonic()
    nimoon.audit(random=3000)
    end = time.monotonic()
    stop.set()
    thread.join()
    assert len([at for at in counted if start < at < end]) >= 0.1 * (end - start) / 0.001


def test_ctrl_c_stops_a_long_call():
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        nimoon.audit(random=10**9)
    assert time.monotonic() - start < 30


def test_ctrl_c_stops_a_ruleset_in_python():
    class Slow(Ruleset):
        def options(self, n):
            return [n + 1, n + 2]

    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        Slow().value(0, budget=10**9)


def test_a_function_receives_the_progress():
    reports = []
    # Short calls report no progress, so increase the work until a call does.
    for count in [3_000, 30_000, 300_000, 3_000_000]:
        nimoon.audit(random=count, progress=reports.append)
        if reports:
            break
    assert reports and "digraphs" in reports[0]

    def refuse(text):
        raise RuntimeError(text)

    with pytest.raises(RuntimeError, match="digraphs"):
        nimoon.audit(random=10**9, progress=refuse)


def test_rulesets_in_python_report_progress():
    class Long(Ruleset):
        def options(self, n):
            time.sleep(0.0002)
            return [n - 1, n - 2] if n > 1 else []

    reports = []
    assert Long().sum(2000, progress=reports.append).outcome in "NP"
    assert any("positions" in text for text in reports)

    def refuse(text):
        raise RuntimeError(text)

    with pytest.raises(RuntimeError, match="positions"):
        Long().sum(2000, progress=refuse)


def test_the_smallest_theory_of_each_node_fits_what_it_reaches():
    digraph = nimoon.Digraph({"a": ["z"], "g": ["z", "a"], "c": ["c", "g"]}, gray=["g"])
    labels = digraph.label(smallest=True)
    assert [labels.theory_of(node) for node in "zagc"] == ["short", "short", "entailing", "general"]
    assert (labels.theory, str(labels["z"]), str(labels["a"])) == ("general", "0", "1")
    assert labels.sum("a", "c")["outcome"] == digraph.sum("a", "c")["outcome"]
    with pytest.raises(nimoon.InputError):
        digraph.label("general", smallest=True)


def test_explanations_have_words_and_positions_of_options():
    explained = nimoon.value("green-lime:0-1g,1-2g,1-3l", explain=True)["explanations"][0]
    swap = explained["options"][0]
    assert (swap["words"], swap["to"]) == ("swap the colours of 1-2 and 1-3", "green-lime:0-1g,1-2l,1-3g")
    for option in explained["options"]:
        nimoon.value(option["to"])
