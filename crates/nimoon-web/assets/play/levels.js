// Places the vertices of a drawing on levels from the ground up.
import { groundLoop } from "./curves.js";

/**
 * Places the vertices on levels from the ground up, and orders each level so that few edges cross. The ground is a line, not
 * a vertex. Loops at the ground stand beside the rest.
 * @param {import("./curves.js").Ends[]} edges
 * @returns {Map<string, import("./curves.js").Point>} places, in steps; heights count from the ground
 */
export function levels(edges) {
  /** @type {Map<string, Set<string>>} */
  const neighbours = new Map();
  const join = (/** @type {string} */ a, /** @type {string} */ b) => {
    if (a === "0") return;
    if (!neighbours.has(a)) neighbours.set(a, new Set());
    if (b !== "0") neighbours.get(a)?.add(b);
  };
  for (const { a, b } of edges) { join(a, b); join(b, a); }
  const grounded = new Set(edges.flatMap(({ a, b }) => (a === "0" ? [b] : b === "0" ? [a] : [])));
  /** @type {Map<string, number>} */
  const level = new Map();
  const start = [...neighbours.keys()];
  let waiting = start.filter((vertex) => grounded.has(vertex));
  if (waiting.length === 0 && start.length > 0) waiting = [start[0]];
  waiting.forEach((vertex) => level.set(vertex, 1));
  while (waiting.length > 0) {
    const vertex = /** @type {string} */ (waiting.shift());
    for (const other of neighbours.get(vertex) ?? []) {
      if (!level.has(other)) { level.set(other, (level.get(vertex) ?? 0) + 1); waiting.push(other); }
    }
    if (waiting.length === 0) {
      const rest = start.find((other) => !level.has(other));
      if (rest) { level.set(rest, 1); waiting.push(rest); }
    }
  }
  /** @type {string[][]} */
  const rows = [];
  for (const [vertex, at] of level) (rows[at - 1] ??= []).push(vertex);
  /** @type {Map<string, number>} */
  const x = new Map();
  rows.forEach((row) => row.forEach((vertex, i) => x.set(vertex, i - (row.length - 1) / 2)));
  for (let round = 0; round < 24; round += 1) {
    for (const row of round % 2 ? [...rows].reverse() : rows) {
      const means = new Map(row.map((vertex) => {
        const near = [...(neighbours.get(vertex) ?? [])].filter((other) => level.get(other) !== level.get(vertex));
        const mean = near.length ? near.reduce((sum, other) => sum + (x.get(other) ?? 0), 0) / near.length : x.get(vertex) ?? 0;
        return [vertex, mean];
      }));
      row.sort((one, other) => (means.get(one) ?? 0) - (means.get(other) ?? 0));
      // Keep vertices at least one step apart, and otherwise as near as possible to the mean of their neighbours.
      row.forEach((vertex, i) => {
        const least = i > 0 ? (x.get(row[i - 1]) ?? 0) + 1 : -Infinity;
        x.set(vertex, Math.max(means.get(vertex) ?? 0, least));
      });
      const shift = row.reduce((sum, vertex) => sum + (x.get(vertex) ?? 0) - (means.get(vertex) ?? 0), 0) / row.length;
      row.forEach((vertex) => x.set(vertex, (x.get(vertex) ?? 0) - shift));
    }
  }
  const left = Math.min(...x.values());
  const places = new Map([...level].map(([vertex, at]) => [vertex, { x: (x.get(vertex) ?? 0) - left, y: at }]));
  const right = Math.max(-1, ...[...places.values()].map((place) => place.x));
  edges.filter(({ a, b }) => a === "0" && b === "0").forEach((_, number) => places.set(groundLoop(number), { x: right + 1 + number, y: 0 }));
  return places;
}

