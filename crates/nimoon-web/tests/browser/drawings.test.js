// The geometry of drawings: random graphs, measured from the paths in the drawing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawing, hitAreas } from "../../assets/play/curves.js";
import { levels } from "../../assets/play/levels.js";
import { sizes } from "../../assets/play/sizes.js";
import { generator, pairsOf, position } from "./graphs.js";

/** Returns 101 points of a path, computed from the definition of SVG. */
function along(d) {
  const [x0, y0, ...rest] = d.match(/-?[\d.]+/g).map(Number);
  const from = [x0, y0];
  const controls = Array.from({ length: rest.length / 2 }, (_, i) => [rest[2 * i], rest[2 * i + 1]]);
  const weights = controls.length === 2 ? (t) => [(1 - t) ** 2, 2 * t * (1 - t), t * t] : (t) => [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
  return Array.from({ length: 101 }, (_, i) => {
    const w = weights(i / 100);
    return [0, 1].map((axis) => [from, ...controls].reduce((sum, point, k) => sum + w[k] * point[axis], 0));
  });
}

const apart = ([x, y], [u, v]) => Math.hypot(x - u, y - v);

/** Returns the faults of a drawing. */
function faults(edges, drawn, radius, spot) {
  const found = [];
  const paths = drawn.curves.map(({ d }) => along(d));
  const vertices = [...drawn.at].filter(([name]) => !name.includes("#")).map(([name, { x, y }]) => [name, [x, y]]);
  edges.forEach((edge, i) => {
    const name = `${edge.a}-${edge.b}`;
    const middle = paths[i][50];
    for (const [vertex, place] of vertices) {
      const isEnd = vertex === edge.a || vertex === edge.b;
      if (!isEnd && paths[i].some((point) => apart(point, place) < radius + 8)) found.push(`${name} runs over ${vertex}`);
      if (isEnd && apart(middle, place) < radius + spot / 2) found.push(`${name} is hidden by ${vertex}`);
    }
    for (const vertex of [edge.a, edge.b]) {
      const ends = vertex === "0" ? [paths[i][0], paths[i][100]].map(([, y]) => Math.abs(y)) : [paths[i][0], paths[i][100]].map((point) => apart(point, [drawn.at.get(vertex).x, drawn.at.get(vertex).y]));
      if (Math.min(...ends) > 1) found.push(`${name} does not end at ${vertex}`);
    }
    if (paths[i].some(([, y]) => y > 1)) found.push(`${name} goes below the ground`);
    paths.forEach((other, j) => {
      if (i !== j && other.some((point) => apart(point, middle) < spot + 4)) found.push(`${edges[j].a}-${edges[j].b} runs over the middle of ${name}`);
    });
    for (const { x, y } of drawn.handles) if (apart([x, y], middle) < 13 + spot - 2) found.push(`a handle covers the middle of ${name}`);
  });
  drawn.handles.forEach(({ x, y }, i) => {
    if (drawn.handles.slice(0, i).some((other) => apart([other.x, other.y], [x, y]) < 26)) found.push("two handles cover each other");
    if (vertices.some(([, place]) => apart(place, [x, y]) < radius + 13)) found.push("a handle covers a vertex");
  });
  return found;
}

for (const ruleset of ["coins", "green-hackenbush", "green-lime"]) {
  for (const values of [false, true]) {
    test(`edges of ${ruleset} keep clear of each other and of vertices in 1000 random drawings${values ? ", with values" : ""}`, () => {
      const random = generator(7);
      for (let round = 0; round < 1000; round += 1) {
        const { text, edges } = position(ruleset, random, 9);
        const size = sizes(values, ruleset === "coins");
        const drawn = drawing(edges, ruleset === "green-lime" ? pairsOf(edges) : [], levels(edges), size, 1);
        assert.deepEqual(faults(edges, drawn, ruleset === "coins" ? 15 : 6, 14), [], text);
        assert.equal(hitAreas(drawn.curves).length, edges.length);
      }
    });
  }
}

test("edges keep clear of each other in large and dense drawings", () => {
  const random = generator(3);
  for (const [ruleset, count] of [["coins", 24], ["green-hackenbush", 40], ["green-lime", 16]]) {
    for (let round = 0; round < 10; round += 1) {
      const { text, edges } = position(ruleset, random, count);
      const drawn = drawing(edges, ruleset === "green-lime" ? pairsOf(edges) : [], levels(edges), sizes(false, ruleset === "coins"), 1);
      assert.deepEqual(faults(edges, drawn, ruleset === "coins" ? 15 : 6, 14), [], text);
    }
  }
});
