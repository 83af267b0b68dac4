"""Results equal those of the command line."""

import json

import pytest

import nimoon

EXPRESSIONS = [
    "top-entails:7 + nimstring:1x3 + kayles:9",
    "green-lime:0-1g,1-2l,1-3g,2-3g + green-lime:lg + green-lime:0-1l,1-2g,1-3l + green-lime:0-1g,1-2l,1-3l",
    "digraph[examples/zones.game]:d + digraph[examples/zones.game]:e",
    "slide[-5,-6,+12;14]:13",
    "backsliding:t..f + nim:2",
    "fox-geese:4/geese=3.1,3.3/fox=2.4",
    "ordinal[nim | kayles]:3 | 4",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_sums_are_those_of_the_program(nimoon_program, root, monkeypatch, expression):
    monkeypatch.chdir(root)
    expected, code = nimoon_program("value", expression)
    assert code == 0
    found = nimoon.value(expression)
    assert found.json == expected
    assert found.text == nimoon_program("value", expression, text=True)[0]


def test_turns_and_explanations_are_those_of_the_program(nimoon_program, root, monkeypatch):
    monkeypatch.chdir(root)
    expression = "green-lime:ggl + nim:2"
    expected, _ = nimoon_program("value", expression, "--turns", "--explain")
    assert nimoon.value(expression, turns=True, explain=True).json == expected


@pytest.mark.parametrize("file", ["zones.game", "nim.game", "smith-trap.game"])
def test_digraphs_are_those_of_the_program(nimoon_program, root, file):
    path = str(root / "examples" / file)
    digraph = nimoon.Digraph.read(path)
    labels = digraph.label()
    for form in ("table", "csv", "dot", "svg", "latex"):
        expected, _ = nimoon_program("label", path, "--format", form, text=True)
        assert labels.write(form) == expected
    assert labels.json == nimoon_program("label", path)[0]
    node = digraph.nodes[-1]
    assert labels.explain(node).json == nimoon_program("label", path, "--explain", node)[0]
    assert labels.sum(node, node).json == nimoon_program("sum", path, node, node)[0]
    assert digraph.product(node, node).json == nimoon_program("label", path, "--product", node, node)[0]
    assert digraph.remoteness(strategy=True).json == nimoon_program("remoteness", path, "--strategy")[0]
    if not digraph.gray:
        expected, _ = nimoon_program("compound", "selective", path, node, node)
        assert digraph.compound("selective", node, node).json == expected


def test_tables_and_periods_are_those_of_the_program(nimoon_program):
    table = nimoon.table("top-entails", 60)
    assert table.json == nimoon_program("table", "top-entails", "0..59")[0]
    for form in ("table", "csv", "latex", "bfile"):
        expected, _ = nimoon_program("table", "top-entails", "0..59", "--format", form, text=True)
        assert table.write(form) == expected
    assert nimoon.period("kayles").json == nimoon_program("period", "kayles")[0]


@pytest.mark.parametrize("text", ["over", "a{1||a|0}", "on + off", "Tiny(2)", "{0|pass}"])
def test_loopy_games_are_those_of_the_program(nimoon_program, text):
    expected, code = nimoon_program("loopy", text)
    assert code == 0
    assert nimoon.loopy(text).json == expected
    assert nimoon.loopy(text).text == nimoon_program("loopy", text, text=True)[0]
    assert nimoon.loopy(text).compare("upon").json == nimoon_program("compare", text, "upon")[0]


def test_the_rest_is_that_of_the_program(nimoon_program):
    for text in ("nim(w^2, w*3 + 5, w)", "w^2*3 + w", "1 + w = w", "conjunctive(999, w)"):
        assert nimoon.ordinal(text).json == nimoon_program("ordinal", text)[0]
    for text in ("{{oo|0},0|...}", "{oo|*2}", "*2 + *3", "moon"):
        assert nimoon.affine(text).json == nimoon_program("affine", text)[0]
        assert nimoon.affine(text).text == nimoon_program("affine", text, text=True)[0]
    assert nimoon.affine(of="top-entails:3", more=True).json == nimoon_program(
        "affine", "--of", "top-entails:3", "--more"
    )[0]
    assert nimoon.compare_affine("{oo|0} >= *").json == nimoon_program("affine", "{oo|0} >= *")[0]
    assert nimoon.unicycle("LLRR", count=True) == nimoon_program("unicycle", "LLRR", "--count")[0]
    assert nimoon.audit(exhaustive=2).json == nimoon_program("audit", "--exhaustive", "2")[0]
    digraph, _ = nimoon.representative("moon{0,1}")
    assert digraph.json == nimoon_program("representative", "moon{0,1}")[0]
    assert [entry["name"] for entry in nimoon.rulesets()] == [
        entry["name"] for entry in nimoon_program("rulesets")[0]
    ]


def test_errors_have_the_exit_codes_of_the_program(nimoon_program):
    for ask, arguments in [
        (lambda: nimoon.value("nim:x"), ["value", "nim:x"]),
        (lambda: nimoon.value("digraph[none.game]:a"), ["value", "digraph[none.game]:a"]),
        (lambda: nimoon.period("nimstring"), ["period", "nimstring"]),
        (lambda: nimoon.loopy("{0|"), ["loopy", "{0|"]),
        (lambda: nimoon.unicycle("LLRR", exits="on"), ["unicycle", "LLRR", "--exits", "on"]),
        (lambda: nimoon.ordinal("w^"), ["ordinal", "w^"]),
    ]:
        _, code = nimoon_program(*arguments, text=True)
        with pytest.raises(nimoon.NimoonError) as error:
            ask()
        assert error.value.exit_code == code, arguments


def test_values_are_told_the_same(nimoon_program):
    expected, _ = nimoon_program("value", "green-lime:ggl", "--theory", "carry-on")
    found = nimoon.value("green-lime:ggl", "carry-on")
    assert json.loads(found.value._json()) == expected["value"]
