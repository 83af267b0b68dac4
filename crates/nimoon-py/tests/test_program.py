"""Python returns the results of the command line: answers, texts, exit codes and messages.

Each case has the arguments of the program and the same call in Python. The tests compare answers as JSON and as text, and
failures by exit code, message and partial answer.
"""

import json
import os
import re
import shlex
import subprocess

import pytest

import nimoon
from nimoon import Digraph, affine, audit, compare_affine, loopy, ordinal, period, representative, table, unicycle, value

BARTENDER = "green-lime:0-1g,1-2l,1-3g,2-3g + green-lime:lg + green-lime:0-1l,1-2g,1-3l + green-lime:0-1g,1-2l,1-3l"
CAROUSEL = "examples/carousel.json"
ZONES, NIM, TRAP = "examples/zones.game", "examples/nim.game", "examples/smith-trap.game"
LONG = "green-lime:lglglglglglglg"


def read(name):
    return Digraph.read(name)


def labels(name, **options):
    return read(name).label(**options)


def graph(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


# Arguments of the program, and the same call in Python.
ANSWERS = [
    ("value 'top-entails:7 + nimstring:1x3 + kayles:9'", lambda: value("top-entails:7 + nimstring:1x3 + kayles:9")),
    (f"value '{BARTENDER}'", lambda: value(BARTENDER)),
    (f"value '{BARTENDER}' --turns", lambda: value(BARTENDER, turns=True)),
    (f"value '{BARTENDER}' --turns --limit 1", lambda: value(BARTENDER, turns=True, limit=1)),
    ("value 'green-lime:ggl + nim:2' --turns --explain", lambda: value("green-lime:ggl + nim:2", turns=True, explain=True)),
    ("value green-lime:ggl --theory carry-on", lambda: value("green-lime:ggl", "carry-on")),
    ("value nim:3 --theory general", lambda: value("nim:3", theory="general")),
    ("value nim:3 --theory auto", lambda: value("nim:3", theory="auto")),
    ("value top-entails:5 --explain", lambda: value("top-entails:5", explain=True)),
    (f"value 'digraph[{ZONES}]:d + digraph[{ZONES}]:e'", lambda: value(f"digraph[{ZONES}]:d + digraph[{ZONES}]:e")),
    ("value 'slide[-5,-6,+12;14]:13'", lambda: value("slide[-5,-6,+12;14]:13")),
    ("value 'backsliding:t..f + nim:2'", lambda: value("backsliding:t..f + nim:2")),
    ("value fox-geese:4/geese=3.1,3.3/fox=2.4", lambda: value("fox-geese:4/geese=3.1,3.3/fox=2.4")),
    ("value 'ordinal[nim | kayles]:3 | 4'", lambda: value("ordinal[nim | kayles]:3 | 4")),
    ("value coins:a-b,b-c", lambda: value("coins:a-b,b-c")),
    ("value lights:bsb", lambda: value("lights:bsb")),
    ("value wythoff:3,5", lambda: value("wythoff:3,5")),
    ("value kayles:9 --rules examples/rules/kayles.rhai", lambda: value("kayles:9", rulesets=["examples/rules/kayles.rhai"])),
    ("value nim:0", lambda: value("nim:0")),
    ("table top-entails 0..59", lambda: table("top-entails", 60)),
    ("table top-entails 0..3000 --moons", lambda: table("top-entails", 3001, moons=True)),
    ("table wythoff:3,{} 2..12", lambda: table("wythoff:3,{}", range(2, 13))),
    ("table nimstring:1x{} 1..4", lambda: table("nimstring:1x{}", range(1, 5))),
    ("table kayles 0..20 --theory entailing", lambda: table("kayles", 21, theory="entailing")),
    ("table kayles 1..12 --rules examples/rules/kayles.rhai", lambda: table("kayles", range(1, 13), rulesets=["examples/rules/kayles.rhai"])),
    ("period kayles", lambda: period("kayles")),
    ("period octal[0.156]", lambda: period("octal[0.156]")),
    ("period grundys-game --up-to 500", lambda: period("grundys-game", 500)),
    ("rulesets", lambda: nimoon.rulesets()),
    *((f"label {file}", lambda file=file: labels(file)) for file in (
        ZONES, NIM, TRAP, "examples/endless.game", "examples/entailing.game", "examples/figure-1.game", "examples/general.game",
        "examples/menagerie.game", "examples/missed-moon.game", "examples/pass.game", "examples/three-moons.game",
    )),
    (f"label {NIM} --theory carry-on", lambda: labels(NIM, theory="carry-on")),
    (f"label {ZONES} --theory general", lambda: labels(ZONES, theory="general")),
    *((f"label {ZONES} --explain {node}", lambda node=node: labels(ZONES).explain(node)) for node in "zabgchxde"),
    (f"label {ZONES} --product a b", lambda: read(ZONES).product("a", "b")),
    (f"sum {ZONES} d e", lambda: labels(ZONES).sum("d", "e")),
    (f"sum {ZONES} x a --turns", lambda: labels(ZONES).sum("x", "a", turns=True)),
    (f"sum {ZONES} x a --turns --limit 1", lambda: read(ZONES).sum("x", "a", turns=True, limit=1)),
    (f"sum {ZONES} g a", lambda: read(ZONES).sum("g", "a")),
    (f"sum {NIM} 3 2 --theory cyclic", lambda: read(NIM).sum("3", "2", theory="cyclic")),
    (f"remoteness {TRAP}", lambda: read(TRAP).remoteness()),
    (f"remoteness {TRAP} --strategy", lambda: read(TRAP).remoteness(strategy=True)),
    (f"remoteness {TRAP} --misere --strategy", lambda: read(TRAP).remoteness(misere=True, strategy=True)),
    (f"remoteness {TRAP} --grundy", lambda: read(TRAP).remoteness(grundy=True)),
    (f"remoteness {TRAP} --wide", lambda: read(TRAP).remoteness(wide=True)),
    (f"remoteness {NIM} --wide", lambda: read(NIM).remoteness(wide=True)),
    (f"remoteness {ZONES}", lambda: read(ZONES).remoteness()),
    ("remoteness examples/payoffs.json", lambda: read("examples/payoffs.json").remoteness()),
    ("remoteness examples/endings.json", lambda: read("examples/endings.json").remoteness()),
    ("remoteness examples/over.json", lambda: nimoon.partizan_remoteness(graph("examples/over.json"))),
    (
        "remoteness examples/over.json --misere --strategy",
        lambda: nimoon.partizan_remoteness(graph("examples/over.json"), misere=True, strategy=True),
    ),
    (f"compound conjunctive {NIM} 2 3", lambda: read(NIM).compound("conjunctive", "2", "3")),
    (f"compound selective {NIM} 2 3 --misere", lambda: read(NIM).compound("selective", "2", "3", misere=True)),
    (f"compound disjunctive {TRAP} a b", lambda: read(TRAP).compound("disjunctive", "a", "b")),
    (f"compound 'selective(conjunctive(2,3),1)' {NIM}", lambda: read(NIM).compound("selective(conjunctive(2,3),1)")),
    *((f"loopy '{text}'", lambda text=text: loopy(text)) for text in (
        "over", "a{1||a|0}", "on + off", "Tiny(2)", "{0|pass}", "upon", "0", "1/2", "dud", "-over", "^ + *",
    )),
    (f"loopy {CAROUSEL}", lambda: nimoon.read_loopy(CAROUSEL)),
    *((f"compare {a} {b}", lambda a=a, b=b: loopy(a).compare(b)) for a in ("over", "upon", "on") for b in ("0", "upon", "off")),
    *((f"ordinal '{text}'", lambda text=text: ordinal(text)) for text in (
        "nim(w^2, w*3 + 5, w)", "w^2*3 + w", "1 + w = w", "conjunctive(999, w)", "dollars(2, 3)", "natural(w, 1)", "w < w + 1",
        "selective(w, 3)", "nimproduct(2, 3)", "dollars100(1, 7)",
    )),
    *((f"affine '{text}'", lambda text=text: affine(text)) for text in (
        "{{oo|0},0|...}", "{oo|*2}", "*2 + *3", "moon", "oo", "1", "{moon,{oo|*}|...}",
    )),
    ("affine '{{oo|0},0|...}' --more", lambda: affine("{{oo|0},0|...}", more=True)),
    ("affine --of top-entails:3 --more", lambda: affine(of="top-entails:3", more=True)),
    ("affine '{oo|0} >= *'", lambda: compare_affine("{oo|0} >= *")),
    ("affine '{{oo|*}|...} = *'", lambda: compare_affine("{{oo|*}|...} = *")),
    ("unicycle LLRR", lambda: unicycle("LLRR")),
    ("unicycle LLRR --count", lambda: unicycle("LLRR", count=True)),
    ("unicycle LLRR --all --limit 3", lambda: unicycle("LLRR", limit=3)),
    ("unicycle LRLR", lambda: unicycle("LRLR")),
    ("unicycle LLLRLRRRLR --exits 0,-1", lambda: unicycle("LLLRLRRRLR", "0,-1")),
    ("unicycle LLLRLRRRLR --construct", lambda: unicycle("LLLRLRRRLR", construct=True)),
    ("unicycle --length 5", lambda: unicycle(length=5)),
    ("unicycle --length 6 --count", lambda: unicycle(length=6, count=True)),
    ("unicycle --length 6 --construct", lambda: unicycle(length=6, construct=True)),
    ("audit --exhaustive 2", lambda: audit(exhaustive=2)),
    ("audit --exhaustive 2 --theory cyclic", lambda: audit(exhaustive=2, theory="cyclic")),
    ("audit --random 50 --seed 7 --nodes 4", lambda: audit(random=50, seed=7, nodes=4)),
    ("audit --random 3000 --seed 1 --as-printed", lambda: audit(random=3000, seed=1, as_printed=True)),
    ("audit --random 400 --seed 1 --as-printed --frozen", lambda: audit(random=400, seed=1, as_printed=True, frozen=True)),
    *((f"representative {text}", lambda text=text: representative(text)[0]) for text in ("3", "full-moon", "moon{0,1}", "ninny{2}", "oo{0,2}")),
]

# Calls that fail because of the input or a limit.
FAILURES = [
    ("value 'nim:3 + nim:x'", lambda: value("nim:3 + nim:x")),
    ("value 'nim:3 +'", lambda: value("nim:3 +")),
    ("value nym:3", lambda: value("nym:3")),
    ("value ''", lambda: value("")),
    ("value nim", lambda: value("nim")),
    ("value 'digraph[none.game]:a'", lambda: value("digraph[none.game]:a")),
    ("value 'digraph[/dev/zero]:a'", lambda: value("digraph[/dev/zero]:a")),
    (f"value 'digraph[{ZONES}]:q'", lambda: value(f"digraph[{ZONES}]:q")),
    ("value green-lime:lg --theory short", lambda: value("green-lime:lg", "short")),
    (f"value {LONG} --budget 10", lambda: value(LONG, budget=10)),
    (f"value '{LONG} + nim:3 + kayles:5 + nim:3' --budget 50", lambda: value(f"{LONG} + nim:3 + kayles:5 + nim:3", budget=50)),
    ("value nimstring:3x3 --budget 100", lambda: value("nimstring:3x3", budget=100)),
    ("value backsliding:t..f --turns", lambda: value("backsliding:t..f", turns=True)),
    ("value backsliding:t..f --explain", lambda: value("backsliding:t..f", explain=True)),
    ("value backsliding:t..f --theory cyclic", lambda: value("backsliding:t..f", theory="cyclic")),
    ("value 'backsliding:t..f + top-entails:3'", lambda: value("backsliding:t..f + top-entails:3")),
    ("value 'backsliding:tt....ff' --budget 5", lambda: value("backsliding:tt....ff", budget=5)),
    ("value 'nim:1000 + backsliding:t.f' --budget 100", lambda: value("nim:1000 + backsliding:t.f", budget=100)),
    ("value nim:3 --rules none.rhai", lambda: value("nim:3", rulesets=["none.rhai"])),
    ("value nim:3 --rules README.md", lambda: value("nim:3", rulesets=["README.md"])),
    ("value nim:3 --store README.md", lambda: value("nim:3", store="README.md")),
    ("value nim:3 --store none/solved.store", lambda: value("nim:3", store="none/solved.store")),
    ("table foo 0..3", lambda: table("foo", 4)),
    ("table green-lime:{} 0..3", lambda: table("green-lime:{}", 4)),
    ("table kayles 0..100 --budget 20", lambda: table("kayles", 101, budget=20)),
    ("table nimstring:2x{} 1..4 --budget 100", lambda: table("nimstring:2x{}", range(1, 5), budget=100)),
    ("table backsliding:t{}f 0..3", lambda: table("backsliding:t{}f", 4)),
    ("table top-entails 0..3 --theory short", lambda: table("top-entails", 4, theory="short")),
    ("period kayls", lambda: period("kayls")),
    ("period kayles --up-to 10000000000", lambda: period("kayles", 10_000_000_000)),
    (f"label {ZONES} --theory short", lambda: labels(ZONES, theory="short")),
    (f"label {TRAP} --theory short", lambda: labels(TRAP, theory="short")),
    (f"label {ZONES} --explain q", lambda: labels(ZONES).explain("q")),
    (f"label {ZONES} --product g h", lambda: read(ZONES).product("g", "h")),
    (f"label {NIM} --product 3 2 --budget 2", lambda: read(NIM).product("3", "2", budget=2)),
    ("label examples/payoffs.json", lambda: labels("examples/payoffs.json")),
    ("label none.game", lambda: read("none.game")),
    ("label examples/over.json", lambda: read("examples/over.json")),
    (f"sum {ZONES} g h", lambda: labels(ZONES).sum("g", "h")),
    (f"sum {ZONES} nope", lambda: labels(ZONES).sum("nope")),
    ("sum examples/general.game a a a a --budget 3", lambda: read("examples/general.game").sum("a", "a", "a", "a", budget=3)),
    (f"remoteness {ZONES} --grundy", lambda: read(ZONES).remoteness(grundy=True)),
    (f"remoteness {TRAP} --misere --grundy", lambda: read(TRAP).remoteness(misere=True, grundy=True)),
    (f"remoteness {ZONES} --wide", lambda: read(ZONES).remoteness(wide=True)),
    ("remoteness examples/payoffs.json --grundy", lambda: read("examples/payoffs.json").remoteness(grundy=True)),
    ("remoteness examples/payoffs.json --misere", lambda: read("examples/payoffs.json").remoteness(misere=True)),
    ("remoteness examples/payoffs.json --wide", lambda: read("examples/payoffs.json").remoteness(wide=True)),
    (f"remoteness {TRAP} --wide --limit 0", lambda: read(TRAP).remoteness(wide=True, limit=0)),
    (f"remoteness {NIM} --wide --budget 1", lambda: read(NIM).remoteness(wide=True, budget=1)),
    (f"compound selective {ZONES} a b", lambda: read(ZONES).compound("selective", "a", "b")),
    (f"compound some {NIM} 1", lambda: read(NIM).compound("some", "1")),
    (f"compound 'selective(1,2)' {NIM} 1", lambda: read(NIM).compound("selective(1,2)", "1")),
    (f"compound 'selective(1,q)' {NIM}", lambda: read(NIM).compound("selective(1,q)")),
    (f"compound 'disjunctive(selective(5,4),conjunctive(5,3))' {NIM} --budget 10", lambda: read(NIM).compound("disjunctive(selective(5,4),conjunctive(5,3))", budget=10)),
    ("loopy '{0|'", lambda: loopy("{0|")),
    ("loopy none.json", lambda: nimoon.read_loopy("none.json")),
    ("loopy 'Tiny(2) + over + upon' --budget 3", lambda: loopy("Tiny(2) + over + upon", budget=3)),
    ("compare over '{0|'", lambda: loopy("over").compare("{0|")),
    ("ordinal w^", lambda: ordinal("w^")),
    ("ordinal '1 ='", lambda: ordinal("1 =")),
    ("ordinal 'conjunctive(w, w)' --budget 1", lambda: ordinal("conjunctive(w, w)", budget=1)),
    ("affine '{0|'", lambda: affine("{0|")),
    ("affine 'oo + -oo'", lambda: affine("oo + -oo")),
    ("affine --of nim:x", lambda: affine(of="nim:x")),
    ("affine '*9 + *6' --budget 5", lambda: affine("*9 + *6", budget=5)),
    ("affine --of kayles:30 --budget 5", lambda: affine(of="kayles:30", budget=5)),
    ("unicycle XX", lambda: unicycle("XX")),
    ("unicycle ''", lambda: unicycle("")),
    ("unicycle LLRR --exits on", lambda: unicycle("LLRR", exits="on")),
    ("unicycle LLRR --count --budget 3", lambda: unicycle("LLRR", count=True, budget=3)),
    ("unicycle --length 6 --budget 100", lambda: unicycle(length=6, budget=100)),
    ("audit --exhaustive 9", lambda: audit(exhaustive=9)),
    ("audit --random 5 --nodes 99", lambda: audit(random=5, nodes=99)),
    ("audit --exhaustive 4 --time 0", lambda: audit(exhaustive=4, time=0)),
    ("audit --as-printed --theory short", lambda: audit(as_printed=True, theory="short")),
    ("representative sun", lambda: representative("sun")),
    ("representative 100000000", lambda: representative(100_000_000)),
]

# Calls with invalid arguments. The messages of the program mention its own options, so the tests compare only exit codes.
USAGE = [
    ("value nim:3 --theory string", lambda: value("nim:3", theory="string")),
    ("table nim 0..3 --theory string", lambda: table("nim", 4, theory="string")),
    ("table nim 5..3", lambda: table("nim", range(5, 4))),
    (f"label {ZONES} --theory string", lambda: labels(ZONES, theory="string")),
    (f"label {ZONES} --format pdf", lambda: labels(ZONES).write("pdf")),
    (f"sum {ZONES}", lambda: labels(ZONES).sum()),
    (f"remoteness {TRAP} --wide --misere", lambda: read(TRAP).remoteness(True, wide=True)),
    ("label README.md", lambda: read("README.md")),
    ("label /dev/zero --input game", lambda: Digraph.read("/dev/zero", "game")),
    ("audit --exhaustive 2 --random 3", lambda: audit(exhaustive=2, random=3)),
    ("audit --seed 3", lambda: audit(seed=3)),
    ("audit --frozen", lambda: audit(frozen=True)),
    ("unicycle", lambda: unicycle()),
    ("unicycle LLRR --length 4", lambda: unicycle("LLRR", length=4)),
    ("unicycle --length 21", lambda: unicycle(length=21)),
    ("unicycle LLRR --construct --count", lambda: unicycle("LLRR", construct=True, count=True)),
    ("affine", lambda: affine()),
    ("compound selective examples/nim.game", lambda: read(NIM).compound("selective")),
]


@pytest.fixture
def program(root, monkeypatch):
    """Return a function that runs the program in the root folder and returns its output, its exit code and its message."""
    name = os.environ.get("NIMOON")
    if not name:
        pytest.skip("NIMOON is not set to the path of the program")
    monkeypatch.chdir(root)

    def run(command, *options):
        arguments = [name, *shlex.split(command), *options]
        done = subprocess.run(arguments, capture_output=True, text=True, cwd=root, check=False)
        return done.stdout, done.returncode, done.stderr

    return run


def in_words_of_python(message, command):
    """Return the first line of a message, with the names of Python for options and commands, and without names of files."""
    message = message.split("\n")[0].removeprefix("error: ")
    for argument in shlex.split(command):
        if "." in argument or "/" in argument:
            message = message.removeprefix(f"{argument}: ").replace(f"{argument} has no node", "unknown node")
            message = message.replace(f"{argument} defines", "the digraph defines")
    # A digraph in Python has no text, so its errors have no line and column.
    message = re.sub(r"^line \d+, column \d+: (?=play does not end|only one player)", "", message)
    message = re.sub(r"--([a-z][a-z-]*)", lambda option: "`" + option[1].replace("-", "_") + "`", message)
    message = re.sub(r"`nimoon ([a-z]+)`", r"`\1`", message)
    return re.sub(r" \(os error \d+\)", "", message)


def json_of(answer):
    return answer if answer is None or isinstance(answer, (dict, list)) else answer.json


@pytest.mark.parametrize(("command", "ask"), ANSWERS, ids=[command for command, _ in ANSWERS])
def test_answers_equal_those_of_the_program(program, command, ask):
    printed, code, _ = program(command, "--format", "json")
    assert code == 0
    answer = ask()
    assert json_of(answer) == json.loads(printed)
    text = getattr(answer, "text", None) or (str(answer) if isinstance(answer, (nimoon.Labelling, nimoon.Table)) else None)
    if text is not None:
        assert text == program(command)[0]


def is_empty(answer):
    """Return whether an answer has no content: only empty lists, null and false."""
    if isinstance(answer, dict):
        return all(is_empty(value) for value in answer.values())
    return answer is None or answer is False or answer == []


@pytest.mark.parametrize(("command", "ask"), FAILURES, ids=[command for command, _ in FAILURES])
def test_failures_equal_those_of_the_program(program, command, ask):
    printed, code, message = program(command, "--format", "json")
    assert code in (1, 2, 3), message
    with pytest.raises(nimoon.NimoonError) as raised:
        ask()
    error = raised.value
    assert error.exit_code == code
    assert in_words_of_python(str(error), command) == in_words_of_python(message, command)
    expected = {1: nimoon.FileError, 2: nimoon.InputError, 3: nimoon.BudgetError}[code]
    assert type(error) is expected
    known = json_of(error.known) if code == 3 else None
    printed_json = json.loads(printed) if printed else None
    if known is None:
        # The program always prints JSON. In Python there is no partial answer.
        assert is_empty(printed_json)
    else:
        assert known == printed_json


@pytest.mark.parametrize(("command", "ask"), USAGE, ids=[command for command, _ in USAGE])
def test_invalid_arguments_are_input_errors(program, command, ask):
    _, code, _ = program(command)
    with pytest.raises(nimoon.InputError) as raised:
        ask()
    assert raised.value.exit_code == code == 2


@pytest.mark.parametrize("form", ["table", "json", "csv", "dot", "svg", "latex"])
@pytest.mark.parametrize("file", [ZONES, NIM, TRAP, "examples/menagerie.game"])
def test_labels_have_the_formats_of_the_program(program, file, form):
    assert labels(file).write(form) == program(f"label {file} --format {form}")[0]
    if form in ("table", "csv", "json"):
        assert labels(file).write(form, steps=True) == program(f"label {file} --format {form} --steps")[0]


def test_pictures_around_a_node_equal_those_of_the_program(program):
    expected = program(f"label {ZONES} --format svg --around x --radius 1")[0]
    assert labels(ZONES).write("svg", around="x", radius=1) == expected
    with pytest.raises(nimoon.InputError, match="ask for a neighbourhood by `around`"):
        labels(ZONES).write("svg", max_nodes=3)


@pytest.mark.parametrize("form", ["table", "json", "csv", "latex", "bfile"])
def test_tables_have_the_formats_of_the_program(program, form):
    pattern = "kayles" if form == "bfile" else "top-entails"
    assert table(pattern, 40).write(form) == program(f"table {pattern} 0..39 --format {form}")[0]


@pytest.mark.parametrize("form", ["svg", "dot"])
def test_drawings_of_loopy_games_equal_those_of_the_program(program, form):
    for text in ("over", "{0|upon}"):
        assert loopy(text).draw(form) == program(f"loopy '{text}' --format {form}")[0]
    command = "compare 0 examples/over.json --format json"
    assert loopy(0).compare(nimoon.read_loopy("examples/over.json")).json == json.loads(program(command)[0])
    assert nimoon.read_loopy(CAROUSEL).draw(form, as_given=True) == program(f"loopy {CAROUSEL} --format {form} --given")[0]


def test_python_and_the_program_share_a_store(program, tmp_path):
    file = tmp_path / "solved.store"
    command, expression = "value 'green-lime:lglglg + nim:2'", "green-lime:lglglg + nim:2"
    alone = value(expression).json
    assert value(expression, store=file).json == alone
    size = file.stat().st_size
    assert size > 1000
    # The program finds the positions that Python stored, and adds nothing.
    assert json.loads(program(command, "--format", "json", "--store", str(file))[0]) == alone
    assert file.stat().st_size == size
    listed = json.loads(program(f"store {file}", "--format", "json")[0])["rulesets"]
    assert [kept["ruleset"] for kept in listed] == ["green-lime"]
    # Python finds the rows that the program stored.
    rows = program("table top-entails 0..500", "--format", "json", "--store", str(file))[0]
    size = file.stat().st_size
    assert table("top-entails", 501, store=str(file)).json == json.loads(rows)
    assert file.stat().st_size == size
    assert table("top-entails", 601, store=str(file)).json == table("top-entails", 601).json
    assert file.stat().st_size > size
