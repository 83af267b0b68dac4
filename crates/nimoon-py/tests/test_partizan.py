"""Partizan rulesets written in Python."""

import pytest

import nimoon
from nimoon import PartizanRuleset, again, loopy


class Toads(PartizanRuleset):
    """Backsliding Toads and Frogs, with strips as text."""

    name = "toads"

    def moves(self, strip, own, other, forward):
        for i, square in enumerate(strip):
            if square == own:
                for to, over in ((i + forward, None), (i + 2 * forward, other), (i - forward, None)):
                    if 0 <= to < len(strip) and strip[to] == "." and over in (None, strip[(i + to) // 2]):
                        squares = list(strip)
                        squares[i], squares[to] = ".", own
                        yield "".join(squares)

    def left_options(self, strip):
        return self.moves(strip, "t", "f", 1)

    def right_options(self, strip):
        return self.moves(strip, "f", "t", -1)

    def words(self, strip, to):
        return f"play to {to}"


STRIPS = ["t", "f", "t.", ".f", "t..f", "tf.", ".tf", "t.f", "tt.f", "t.ff", "tt..ff", "t...f", "tftf.", "ttff", "t.t.f"]


@pytest.mark.parametrize("strip", STRIPS)
def test_a_partizan_ruleset_in_python_has_the_values_of_the_built_in_ruleset(strip):
    mine, built_in = Toads().sum(strip), nimoon.value(f"backsliding:{strip}")
    assert mine.json["value"] == built_in.json["value"]
    assert mine.outcome == built_in.outcome == Toads().outcome(strip)
    assert Toads().value(strip) == built_in.loopy
    for ours, theirs in ((mine.left_turn, built_in.left_turn), (mine.right_turn, built_in.right_turn)):
        assert (ours.kind, [ply.to for ply in ours.plies]) == (
            theirs.kind,
            [ply.to.replace("backsliding", "toads") for ply in theirs.plies],
        )


def test_left_and_right_have_their_own_options():
    class Steps(PartizanRuleset):
        def left_options(self, n):
            return [n - 1] if n > 0 else []

        def right_options(self, n):
            return [n + 1] if n < 0 else []

    rules = Steps()
    assert [rules.value(n) for n in (-2, -1, 0, 3)] == [-2, -1, 0, 3]
    assert rules.outcome(1) == {"left_first": "L", "right_first": "L"}
    assert rules.sum(2, -1, -1).loopy == 0
    assert rules.sum(1).left_turn.plies[0].words == "move to 0"
    assert rules.sum(1).right_turn.plies == []
    assert "steps:1" in repr(rules.sum(1)) and "1" in str(rules.sum(1).components[0])


def test_a_sum_mixes_partizan_and_impartial_positions():
    found = nimoon.value("toads:t..f + nim:2 + backsliding:t..f", rulesets=[Toads()])
    assert found.loopy == loopy("*2") and found.value is None and found.turns == [] and found.turn is None
    assert [component.loopy for component in found.components] == [loopy("*"), loopy("*2"), loopy("*")]
    assert nimoon.value("nim:3").loopy is None and nimoon.value("nim:3").left_turn is None
    with pytest.raises(nimoon.InputError, match="answer in the same place"):
        nimoon.value("toads:t. + top-entails:5", rulesets=[Toads()])
    with pytest.raises(nimoon.InputError, match="is a partizan game"):
        nimoon.table("toads:t{}", 3, rulesets=[Toads()])
    with pytest.raises(nimoon.InputError, match="`turns` works only for sums of impartial games"):
        nimoon.value("toads:t.", turns=True, rulesets=[Toads()])


def test_canonical_saves_work():
    visited = []

    class Mirrored(PartizanRuleset):
        """A token on three squares. Left moves it away from the middle, and Right moves it back."""

        def left_options(self, n):
            visited.append(n)
            return [n + 1, n - 1] if n == 0 else []

        def right_options(self, n):
            return [0] if abs(n) == 1 else []

        def canonical(self, n):
            return abs(n)

    plain = type("Plain", (Mirrored,), {"canonical": PartizanRuleset.canonical})
    assert Mirrored().value(0) == plain().value(0)
    visited.clear()
    Mirrored().value(0)
    assert -1 not in visited


def test_exceptions_of_a_partizan_ruleset_reach_the_caller():
    class Broken(PartizanRuleset):
        def left_options(self, n):
            return [1 // n, n - 1]

        def right_options(self, n):
            return []

    with pytest.raises(ZeroDivisionError):
        Broken().value(3)

    class Half(PartizanRuleset):
        def left_options(self, n):
            return []

    with pytest.raises(NotImplementedError, match="right_options"):
        Half().value(3)

    class Again(Half):
        def right_options(self, n):
            return [again(n)]

    with pytest.raises(nimoon.InputError, match=r"again\(3\) is an option of a partizan game"):
        Again().value(3)

    class Listless(Half):
        def right_options(self, n):
            while True:
                yield n

    with pytest.raises(nimoon.BudgetError, match="more than"):
        Listless().value(3)


def test_an_infinite_partizan_ruleset_reaches_the_budget():
    class Endless(PartizanRuleset):
        def left_options(self, n):
            return [n + 1]

        def right_options(self, n):
            return [n + 1]

    with pytest.raises(nimoon.BudgetError, match="budget"):
        Endless().value(0, budget=1000)


def test_ctrl_c_stops_a_partizan_ruleset():
    class Interrupted(PartizanRuleset):
        def left_options(self, n):
            if n == 50:
                raise KeyboardInterrupt
            return [n + 1]

        def right_options(self, n):
            return []

    with pytest.raises(KeyboardInterrupt):
        Interrupted().value(0)
