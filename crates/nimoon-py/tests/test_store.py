"""A store caches correct answers, and never those of rules in Python."""

import pytest

import nimoon
from nimoon import Ruleset

SUM = "green-lime:lglglg + nim:2"


def test_stored_positions_are_not_explored_again(tmp_path):
    file = tmp_path / "solved.store"
    with pytest.raises(nimoon.BudgetError):
        nimoon.value(SUM, budget=30)
    found = nimoon.value(SUM, store=file)
    assert found.json == nimoon.value(SUM).json
    written = file.read_bytes()
    assert nimoon.value(SUM, store=file).json == found.json
    assert file.read_bytes() == written


def test_a_damaged_store_does_not_change_answers(tmp_path):
    file = tmp_path / "solved.store"
    expected = nimoon.value(SUM, store=file).json
    whole = bytearray(file.read_bytes())
    for at in range(200, len(whole), len(whole) // 20):
        damaged = bytearray(whole)
        damaged[at] ^= 0x55
        file.write_bytes(damaged)
        try:
            assert nimoon.value(SUM, store=file).json == expected
        except nimoon.InputError as error:
            # Only damage to the head is an error.
            assert at < 4096 and "the head of this store is damaged" in str(error)


def test_scripts_are_distinguished_by_their_contents(tmp_path, root):
    file = tmp_path / "solved.store"
    script = tmp_path / "game.rhai"
    text = (root / "examples/rules/kayles.rhai").read_text(encoding="utf-8")
    script.write_text(text, encoding="utf-8")
    before = nimoon.value("game:45", rulesets=[script], store=file).value
    assert before == 8
    # Other rules with the same name and the same options of the given row.
    changed = text.replace("1..=2", "1..=(if row < 9 { 1 } else { 2 })")
    assert changed != text
    script.write_text(changed, encoding="utf-8")
    after = nimoon.value("game:45", rulesets=[script], store=file).value
    assert after == nimoon.value("game:45", rulesets=[script]).value != before


def taking(most):
    """Return rules to take at most three tokens, but at most `most` from small heaps. Large heaps do not show the difference at once."""

    class Taking(Ruleset):
        def options(self, heap):
            return range(max(0, heap - (most if heap < 9 else 3)), heap)

    return Taking()


@pytest.mark.parametrize("expression", ["taking:64", "ordinal[taking | nim]:64 | 0", "ordinal[nim | taking]:0 | 64"])
def test_positions_of_rules_in_python_are_not_stored(tmp_path, expression):
    file = tmp_path / "solved.store"
    first = nimoon.value(expression, rulesets=[taking(3)], store=file)
    second = nimoon.value(expression, rulesets=[taking(4)], store=file)
    assert first.json == nimoon.value(expression, rulesets=[taking(3)]).json
    assert second.json == nimoon.value(expression, rulesets=[taking(4)]).json
    assert first.value != second.value
    # Positions of built-in rulesets in the same sum are stored.
    before = file.stat().st_size
    nimoon.value(f"{expression} + green-lime:lglglg", rulesets=[taking(3)], store=file)
    size = file.stat().st_size
    assert size > before
    nimoon.value("green-lime:lglglg", store=file)
    assert file.stat().st_size == size


def test_tables_of_rules_in_python_are_not_stored(tmp_path):
    file = tmp_path / "solved.store"
    tables = [nimoon.table("taking:{}", range(40, 64), rulesets=[taking(most)], store=file).json for most in (2, 3)]
    assert tables == [nimoon.table("taking:{}", range(40, 64), rulesets=[taking(most)]).json for most in (2, 3)]
    assert tables[0] != tables[1]


def test_tables_are_stored(tmp_path):
    file = tmp_path / "solved.store"
    for numbers in (300, 5000, range(100, 6000)):
        assert nimoon.table("top-entails", numbers, store=file).json == nimoon.table("top-entails", numbers).json
    written = file.read_bytes()
    nimoon.table("top-entails", 6000, store=file)
    assert file.read_bytes() == written
    explored = "wythoff:3,{}"
    for numbers in (range(2, 9), range(2, 15)):
        assert nimoon.table(explored, numbers, store=file).json == nimoon.table(explored, numbers).json


def test_a_file_that_is_not_a_store_is_not_changed(tmp_path):
    file = tmp_path / "text"
    file.write_text("something else " * 100)
    with pytest.raises(nimoon.InputError, match="not a store"):
        nimoon.value("nim:3", store=file)
    assert file.read_text().startswith("something else")
    with pytest.raises(nimoon.FileError, match="cannot open the store"):
        nimoon.table("nim", 3, store=tmp_path / "none" / "solved.store")
