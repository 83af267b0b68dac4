"""Every operator on every pair of types, in both orders, returns the correct answer or raises TypeError.

A table gives the theory for each pair of kinds. In that theory each object has a text, and the program computes the sum, the
difference and the order of the two texts. Objects without a common theory are never equal, and all other operators on them
raise TypeError.
"""

import functools
import itertools
import operator
from fractions import Fraction

import numpy
import pytest

import nimoon
from nimoon import Digraph, Value, affine, loopy, ordinal, table

LABELS = Digraph([(1, 0)]).label()

# The objects of each kind, with the text for the program. Objects without a theory have no text.
KINDS = {
    "loopy": [(loopy(text), text) for text in ["0", "2", "*2", "1/2", "1*", "on", "over"]],
    "nimber": [(Value(0), "*0"), (Value(1), "*1"), (Value(2), "*2")],
    "moon": [(Value("moon"), "moon")],
    "cyclic": [(Value("oo{0}"), None)],
    "affine": [(affine(text), text) for text in ["0", "2", "*2", "moon", "{0|-1}"]],
    "ordinal": [(ordinal(text), text) for text in ["0", "2", "w", "w + 1"]],
    "whole": [(2, "2"), (0, "0"), (True, "1"), (numpy.int64(2), "2"), (numpy.uint8(1), "1")],
    "negative": [(-1, "-1"), (numpy.int32(-2), "-2")],
    "dyadic": [(0.5, "1/2"), (Fraction(1, 2), "1/2"), (numpy.float64(-1.5), "-3/2"), (numpy.float32(0.25), "1/4")],
    "other": [
        (other, None)
        for other in [
            *("2", "abc", "", None, 1j, float("inf"), float("nan"), numpy.float64("inf"), [2], (2,), {2}, {"a": 2}, b"2"),
            *(Digraph([(1, 0)]), LABELS, table("nim", 3), nimoon.value("nim:2"), nimoon.period("kayles"), object()),
            *(ordinal("w = w"), nimoon.compare_affine("1 > 0"), Value, loopy, Digraph),
        ]
    ],
}

# The theory of each pair of kinds: Loopy games, Affine forms, Ordinals, Values, or none.
THEORIES = """
          loopy  nimber  moon  cyclic  affine  ordinal  whole  negative  dyadic  other
loopy     L      L       .     .       .       .        L      L         L       .
nimber    L      V       V     V       A       .        V      .         .       .
moon      .      V       V     V       .       .        V      .         .       .
cyclic    .      V       V     V       .       .        V      .         .       .
affine    .      A       .     .       A       .        A      A         .       .
ordinal   .      .       .     .       .       O        O      .         .       .
"""

ORDERS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, **ORDERS}


def pairs():
    """Yield each pair of kinds with its theory; the first kind belongs to nimoon."""
    head, *rows = (line.split() for line in THEORIES.strip().splitlines())
    assert sorted(head) == sorted(KINDS)
    for first, *theories in rows:
        assert len(theories) == len(head)
        yield from ((first, second, theory) for second, theory in zip(head, theories))


def test_the_table_is_symmetric():
    listed = {(first, second): theory for first, second, theory in pairs()}
    assert all(listed.get((second, first), theory) == theory for (first, second), theory in listed.items())


class Program:
    """Computes the expected results with the program."""

    def __init__(self, run):
        @functools.cache
        def ask(*arguments):
            found, code = run(*arguments)
            return found if code == 0 else None

        self.ask = ask

    def L(self, sign, x, y):
        if sign in ORDERS or sign == "==":
            return self.ask("compare", x, y)["relation"] in {"<=": ("<", "="), ">=": (">", "="), "==": "="}.get(sign, sign)
        if sign == "*":
            return None
        return self.ask("loopy", f"({x}) {sign} ({y})")["text"]

    def A(self, sign, x, y):
        if sign in ORDERS or sign == "==":
            holds = self.ask("affine", f"{x} {'=' if sign == '==' else sign} {y}")["holds"]
            return nimoon.InputError if holds is None else holds
        return None if sign == "*" else self.ask("affine", f"({x}) {sign} ({y})")["form"]

    def O(self, sign, x, y):  # noqa: E743
        if sign in ORDERS or sign == "==":
            return self.ask("ordinal", f"{x} {'=' if sign == '==' else sign} {y}")["value"]
        return None if sign == "-" else self.ask("ordinal", f"({x}) {sign} ({y})")["value"]

    def V(self, sign, x, y):
        """Represent values by positions: heaps of Nim, and a heap of Top Entails."""
        position = {"moon": "top-entails:1"}
        x, y = (position.get(text, "nim:" + text.removeprefix("*")) for text in (x, y))
        if sign == "==":
            return self.ask("value", x)["value"] == self.ask("value", y)["value"]
        if sign != "+":
            return None
        found = self.ask("value", f"{x} + {y}")["value"]
        return str(found["n"]) if found["kind"] == "nimber" else found["kind"]


TEXT = {"L": str, "A": lambda form: form.form, "O": str, "V": lambda value: value.ascii}


@pytest.fixture(scope="module")
def program(nimoon_program):
    return Program(nimoon_program)


def expected(program, theory, sign, x, y, times):
    """Return the expected result: True, False, a text, or TypeError. `times` is true for a whole number before a game."""
    if theory == "L" and sign == "*" and times:
        return program.ask("loopy", f"{x}*({y})")["text"]
    found = getattr(program, theory)(sign, x, y)
    return TypeError if found is None else found


def actual(theory, call, x, y):
    try:
        found = call(x, y)
    except (TypeError, nimoon.InputError) as error:
        return type(error)
    return found if isinstance(found, (bool, numpy.bool_)) else TEXT[theory](found)


@pytest.mark.parametrize(("first", "second", "theory"), [p for p in pairs() if p[2] != "." and "cyclic" not in p])
def test_operands_of_one_theory_have_the_answers_of_the_program(program, first, second, theory):
    for (x, x_text), (y, y_text) in itertools.product(KINDS[first], KINDS[second]):
        for (a, a_text, kind), (b, b_text, _) in itertools.permutations([(x, x_text, first), (y, y_text, second)]):
            case = f"{a!r} and {b!r}"
            for sign, call in SIGNS.items():
                times = kind in ("whole", "negative")
                right = expected(program, theory, sign, a_text, b_text, times)
                assert actual(theory, call, a, b) == right, f"{sign}: {case}"
            equal = expected(program, theory, "==", a_text, b_text, False)
            check_equality(a, b, equal)


def check_equality(a, b, equal):
    case = f"{a!r} and {b!r}"
    assert bool(a == b) is equal and bool(a != b) is not equal, case
    assert (a in [b]) is (equal or a is b) and (b in (a,)) is (equal or a is b), case
    if equal and not isinstance(a, nimoon.Affine) and not isinstance(b, nimoon.Affine):
        assert hash(a) == hash(b) and len({a, b}) == 1 and {a: 1}[b] == 1, case


@pytest.mark.parametrize(("first", "second"), [p[:2] for p in pairs() if p[2] == "."])
def test_operands_without_a_common_theory_are_unequal_and_raise_type_error(first, second):
    for (x, _), (y, _) in itertools.product(KINDS[first], KINDS[second]):
        for a, b in [(x, y), (y, x)]:
            for sign, call in SIGNS.items():
                with pytest.raises(TypeError):
                    pytest.fail(f"{a!r} {sign} {b!r} is {call(a, b)!r}")
            check_equality(a, b, equal=False)


CYCLIC_SUMS = [
    (Value(0), "oo{0}"),
    (Value(2), "oo{2}"),
    (2, "oo{2}"),
    (numpy.int64(1), "oo{1}"),
    (True, "oo{1}"),
    (Value("oo{0}"), "oo{}"),
    (Value("oo{2}"), "oo{}"),
]


@pytest.mark.parametrize(("other", "right"), CYCLIC_SUMS, ids=repr)
def test_cyclic_values_add_and_have_no_order(other, right):
    cyclic = Value("oo{0}")
    assert cyclic + other == Value(right) == other + cyclic
    check_equality(cyclic, other, other == Value("oo{0}") if isinstance(other, Value) else False)
    for sign, call in SIGNS.items():
        if sign != "+":
            for a, b in [(cyclic, other), (other, cyclic)]:
                with pytest.raises(TypeError):
                    call(a, b)


def test_a_moon_and_a_cyclic_value_have_no_sum():
    for a, b in itertools.permutations([Value("moon"), Value("oo{0}")]):
        with pytest.raises(nimoon.InputError, match="no algebra"):
            a + b
        check_equality(a, b, equal=False)


def test_negatives():
    assert str(-loopy("1/2")) == "-1/2" and -loopy("on") == loopy("off") and -affine("2") == -2
    for other in [Value(2), ordinal("w")]:
        with pytest.raises(TypeError):
            -other


def test_objects_that_equal_a_number_have_its_hash():
    for other in [2, 2.0, Fraction(2), numpy.int64(2), Value(2), ordinal("2"), loopy("2"), loopy("{1|}"), loopy("*2")]:
        assert hash(other) == hash(2)
    assert hash(loopy("-1")) == hash(-1) and hash(loopy("{0|1}")) == hash(0.5)
    assert {loopy("2"): "x"}[2] == "x" and {1: "y"}[loopy("1")] == "y"
    with pytest.raises(TypeError, match="unhashable"):
        hash(affine("2"))


def test_numbers_without_a_notation_compare_with_numbers():
    half = loopy("1/2")
    assert half > 0.1 and 0.1 < half and half < 10**40 and half != 10**40 and half != 0.1
    assert half > Fraction(1, 3) and Fraction(1, 3) <= half and half != Fraction(1, 3) and loopy("on") != Fraction(1, 3)
    for call in [operator.add, operator.sub]:
        with pytest.raises(TypeError):
            call(half, Fraction(1, 3))
    with pytest.raises(TypeError):
        assert loopy("on") > Fraction(1, 3)


def test_operators_work_on_arrays_element_by_element():
    games = numpy.array([loopy("1"), loopy("*2"), loopy("on")])
    assert (games + loopy("1") == loopy("1") + games).all() and ((loopy("1") + games)[0] == 2)
    assert (games > 0).tolist() == [True, False, True] and (loopy("2") >= numpy.array([1, 2, 3])).tolist() == [True, True, False]
    assert (numpy.array([Value(1), Value(2)]) + 1).tolist() == [Value(0), Value(3)]
    assert (numpy.array([1, 2]) + ordinal("w") == ordinal("w")).all()


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        *((loopy, wrong) for wrong in [None, Value("moon"), float("nan"), Fraction(1, 3), 1j, [1]]),
        *((affine, wrong) for wrong in [Value("moon"), Value("oo{0}"), 0.5, loopy("1"), ordinal("1"), [1]]),
        *((ordinal, wrong) for wrong in [None, Value(2), -1, 0.5, loopy("1")]),
        *((Value, wrong) for wrong in [None, loopy("*2"), -1, 2.0, ordinal("2"), affine("*2")]),
    ],
)
def test_objects_that_are_not_games_are_rejected(make, wrong):
    with pytest.raises(TypeError):
        make(wrong)


def test_games_are_made_from_values_and_numbers():
    made = [(loopy, Value(2), "*2"), (loopy, 2, "2"), (loopy, True, "1"), (loopy, numpy.int64(3), "3"), (loopy, 0.5, "1/2")]
    assert [str(make(given)) for make, given, _ in made] == [text for *_, text in made]
    assert loopy(loopy("on")) == loopy("on") and affine(affine("*2")) == affine("*2") and ordinal(ordinal("w")) == ordinal("w")
    assert affine(Value(2)).form == "*2" and affine(2).form == "2"
    assert ordinal(numpy.int64(2)) == 2
