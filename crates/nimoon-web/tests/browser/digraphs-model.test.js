// The model of digraphs without a browser: addresses, layout and formats.
import assert from "node:assert/strict";
import { test } from "node:test";
import { guess } from "../../assets/digraphs/files.js";
import { layout } from "../../assets/digraphs/layout.js";
import { Model, decoded, encoded, encodedPieces } from "../../assets/digraphs/model.js";

/** Returns a pseudorandom generator with a fixed seed. */
function numbers(seed) {
  let state = seed;
  return (below) => { state = (state * 1_103_515_245 + 12_345) % 2_147_483_648; return Math.floor((state / 2_147_483_648) * below); };
}

test("an address round-trips, and a malformed one is rejected", () => {
  const odd = ["a", "b_", "c.d", "*e", "f-1", "%2e", "∞₀", "x y", "☾", "%", "g:h", "\"", "&=+#", "\n"];
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = numbers(seed);
    const model = new Model();
    const count = 1 + random(odd.length);
    for (let i = 0; i < count; i += 1) model.add(random(2000) - 1000, random(2000) - 1000, odd[i], random(3) === 0);
    for (let i = 0; i < random(40); i += 1) model.connect(random(count), random(count));
    model.pieces = Array.from({ length: random(4) }, () => random(count));
    const query = new URLSearchParams(new URLSearchParams({ d: encoded(model), p: encodedPieces(model) }).toString());
    assert.deepEqual(decoded(query.get("d"), query.get("p")), model.snapshot());
  }
  for (const wrong of ["x", "a.1.1.1", "a.1.1._a.1.1.", "a.1.1.0-", ".1.1.", "a.1.1.0_", "a.1e9.1.", "a.1.1.-1"]) assert.equal(decoded(wrong, ""), null, wrong);
  assert.deepEqual(decoded("a.1.1.", "0-7"), { nodes: [{ id: 0, name: "a", gray: false, x: 1, y: 1 }], arcs: [], pieces: [0] });
  const model = new Model();
  for (let i = 0; i < 400; i += 1) model.add(i, i, `a long name ${i}`);
  assert.equal(encoded(model), null);
});

test("the layout keeps nodes apart in random digraphs", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = numbers(seed);
    const count = 1 + random(seed % 10 === 0 ? 120 : 25);
    const arcs = Array.from({ length: random(count * 3) }, () => [random(count), random(count)]);
    const places = layout(count, arcs);
    assert.equal(places.length, count);
    places.forEach((place, i) => places.slice(0, i).forEach((other) => assert.ok(Math.hypot(place.x - other.x, place.y - other.y) > 38, `seed ${seed}`)));
    assert.deepEqual(layout(count, arcs), places);
  }
  const path = layout(100, Array.from({ length: 99 }, (_, i) => [i + 1, i]));
  assert.ok(Math.max(...path.map(({ y }) => y)) < 3000, "a long path is folded");
});

test("the format of a text is guessed from its contents", () => {
  for (const [text, format] of [["{}", "json"], ["# c\ndigraph { a }", "dot"], ["strict digraph \"x\" {}", "dot"], ["/* c */ digraph {}", "dot"], ["des (0, 0, 1)", "aut"], ["parity 3;\n0 0 0 0;", "pgsolver"], ["0 1 1 0,2 \"n\";", "pgsolver"], ["a: b", "game"], ["gray g\na: g", "game"], ["a b", "edges"], ["# c\n0 1\n1 2", "edges"], ["", "edges"]]) assert.equal(guess(text), format, text);
});
