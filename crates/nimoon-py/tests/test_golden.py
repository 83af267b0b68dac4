"""Checks the verified cases of `golden` in Python."""

import json

import pytest

import nimoon
from nimoon._answers import value_json


@pytest.mark.parametrize("file", ["carry_on.json", "entailing.json"])
def test_every_node_has_its_verified_value(golden, file):
    theory = "carry-on" if file.startswith("carry") else "entailing"
    seen = 0
    for case in golden(file)["cases"]:
        given = case["digraph"]
        digraph = nimoon.Digraph(map(tuple, given["arcs"]), given["gray"], given["nodes"])
        assert digraph.nodes == given["nodes"]
        labels = digraph.label(theory)
        for node, expected in case["values"].items():
            value = labels[node]
            assert value_json(value) == expected
            assert nimoon._answers.value_of(expected) == value
            seen += 1
        for expected in case.get("sums", []):
            found = labels.sum(*expected["nodes"])
            assert found.json["value"] == expected["value"]
            assert found.outcome == expected["outcome"]
            assert value_json(sum(labels[node] for node in expected["nodes"])) == expected["value"]
    assert seen > 350


def test_every_loopy_game_has_its_verified_sides(golden):
    seen = 0
    for case in golden("loopy.json")["games"]:
        names = [str(vertex) for vertex in range(case["n"])]
        edges = {
            player: [[names[v], names[to]] for v, options in enumerate(case[letter]) for to in options]
            for player, letter in (("left", "L"), ("right", "R"))
        }
        game = nimoon.loopy({"nodes": names, **edges, "start": names[case["start"]]})
        assert game.is_stopper == case["is_stopper"], case["id"]
        assert game.outcome == case["outcome"], case["id"]
        canonical = case.get("canonical")
        if canonical is not None and case["equals_a_stopper"]:
            found = game.canonical
            sizes = [len(found["nodes"]), len(found["left"]), len(found["right"])]
            assert sizes == [canonical["n"], canonical["left_edges"], canonical["right_edges"]], case["id"]
        seen += 1
    assert seen > 50


def test_every_position_has_its_verified_value(root):
    seen = 0
    for line in (root / "golden/rulesets/values.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            expression, rest = line.rsplit(" = ", 1)
            expected = rest.split(" # ")[0].strip()
            theory = "carry-on" if "moon{" in expected else None
            assert nimoon.value(expression, theory).value == nimoon.Value(expected), expression
            seen += 1
    assert seen > 90


def test_the_json_of_a_value_is_that_of_rust():
    assert json.loads(nimoon.Value("oo{0,2}")._json()) == {"kind": "cyclic", "exits": [0, 2]}
