// Drawings of edges: green-lime and green hackenbush, which stand on the ground, and strings and coins.
import { picture, svg, target } from "../svg.js";
import { badge, choices, hinted, label } from "./choice.js";
import { term } from "./position.js";

/** @typedef {{a: string, b: string, color: string, number: number, part: number}} Edge */

/** With values beside every move more room is needed. @param {boolean} values */
const sizes = (values) => (values ? { stepX: 128, stepY: 122, margin: 56, reach: 36 } : { stepX: 74, stepY: 78, margin: 40, reach: 27 });

/** Where vertices stand, for each start of a component: a drawing should not jump when edges go. @type {Map<string, Map<string, {x: number, y: number}>>} */
const places = new Map();

/** The edges of a part. @param {string} text @param {number} part @returns {Edge[]} */
function edgesOf(text, part) {
  if (text === "0" || text === "") return [];
  if (/^[gl\s]+$/.test(text)) {
    return [...text.replace(/\s/g, "")].map((color, i) => ({ a: String(i), b: String(i + 1), color, number: i, part }));
  }
  return text.split(",").map((edge, number) => {
    const match = /^\s*([\w.']+)\s*-\s*([\w.']+?)\s*([gl])?\s*$/.exec(edge);
    // In green-lime the last letter is a colour; names of vertices are numbers there.
    return { a: match?.[1] ?? "?", b: match?.[2] ?? "?", color: match?.[3] ?? "", number, part };
  });
}

/** The edges of a part of a component. @param {{position: string, place: number}} part */
function read(part) {
  const { ruleset, position } = term(part.position);
  if (ruleset === "green-lime") return edgesOf(position, part.place);
  return edgesOf(position.replace(/\s/g, ""), part.place).map((edge) => (edge.color ? { ...edge, b: edge.b + edge.color, color: "" } : edge));
}

/**
 * Levels from the ground up, and within each level an order with few crossings. The ground is no vertex but a line.
 * @param {Edge[]} edges
 */
function layout(edges) {
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
      const wanted = new Map(row.map((vertex) => {
        const near = [...(neighbours.get(vertex) ?? [])].filter((other) => level.get(other) !== level.get(vertex));
        const mean = near.length ? near.reduce((sum, other) => sum + (x.get(other) ?? 0), 0) / near.length : x.get(vertex) ?? 0;
        return [vertex, mean];
      }));
      row.sort((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0));
      // At least one step apart, as near to where they want to be as that allows.
      row.forEach((vertex, i) => {
        const least = i > 0 ? (x.get(row[i - 1]) ?? 0) + 1 : -Infinity;
        x.set(vertex, Math.max(wanted.get(vertex) ?? 0, least));
      });
      const shift = row.reduce((sum, vertex) => sum + (x.get(vertex) ?? 0) - (wanted.get(vertex) ?? 0), 0) / row.length;
      row.forEach((vertex) => x.set(vertex, (x.get(vertex) ?? 0) - shift));
    }
  }
  const left = Math.min(0, ...x.values());
  return new Map([...level].map(([vertex, at]) => [vertex, { x: (x.get(vertex) ?? 0) - left, y: at }]));
}

/**
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
export function draw(component, table) {
  const { ruleset } = term(component.parts[0].position);
  const { stepX, stepY, margin } = sizes(table.values);
  const key = `${table.start} ${component.index}`;
  const edges = component.parts.flatMap(read);
  const names = new Set(edges.flatMap(({ a, b }) => [a, b]).filter((name) => name !== "0"));
  let known = places.get(key);
  if (!known || [...names].some((name) => !known?.has(name))) {
    known = layout(edges);
    places.set(key, known);
  }
  const all = [...known.values()];
  const columns = Math.max(0, ...all.map((place) => place.x));
  const rows = Math.max(1, ...all.map((place) => place.y));
  const width = 2 * margin + Math.max(columns, 0.6) * stepX;
  const floor = margin + rows * stepY;
  const at = (/** @type {string} */ name, /** @type {string} */ other) => {
    const place = known?.get(name === "0" ? other : name) ?? { x: 0, y: 0 };
    return { x: margin + place.x * stepX, y: name === "0" ? floor : floor - place.y * stepY };
  };
  const hackenbush = ruleset !== "coins";
  const lines = edges.map((edge, i) => {
    const same = edges.filter((other) => ends(other) === ends(edge));
    return { edge, ...path(at(edge.a, edge.b), at(edge.b, edge.a), same.indexOf(edges[i]), same.length, edge.a === edge.b) };
  });
  const drawn = lines.map((line) => line_of(line, component, table));
  const handles = hackenbush ? swaps(lines, component, table) : [];
  const vertices = [...names].map((name) => {
    const { x, y } = at(name, name);
    return hackenbush ? svg("circle", { cx: x, cy: y, r: 6, class: "vertex" })
      : svg("g", {}, svg("circle", { cx: x, cy: y, r: 15, class: "coin" }), svg("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 13, class: "coin-name" }, name));
  });
  const ground = svg("g", {}, svg("rect", { x: 8, y: floor, width: width - 16, height: 7, rx: 3, class: "ground" }));
  return picture(width, floor + 24, `a drawing of ${ruleset}`, ground, drawn, vertices, handles);
}

/** @param {Edge} edge */
const ends = (edge) => [edge.a, edge.b].sort().join("-");

/**
 * The way of an edge: parallel ones bend, loops go round.
 * @param {{x: number, y: number}} a @param {{x: number, y: number}} b @param {number} number @param {number} count @param {boolean} loop
 */
function path(a, b, number, count, loop) {
  if (loop) {
    const size = 24 + 12 * number;
    return { d: `M${a.x} ${a.y} c${-size} ${-size} ${size} ${-size} 0 0`, middle: { x: a.x, y: a.y - size * 0.75 }, a, b };
  }
  const bend = (number - (count - 1) / 2) * 30;
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const normal = { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
  const control = { x: (a.x + b.x) / 2 + normal.x * bend * 2, y: (a.y + b.y) / 2 + normal.y * bend * 2 };
  return { d: `M${a.x} ${a.y} Q${control.x} ${control.y} ${b.x} ${b.y}`, middle: { x: (a.x + b.x) / 2 + normal.x * bend, y: (a.y + b.y) / 2 + normal.y * bend }, a, b };
}

/**
 * @param {{edge: Edge, d: string, middle: {x: number, y: number}}} line
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
function line_of({ edge, d, middle }, component, table) {
  const color = edge.color === "l" ? "lime" : edge.color === "g" ? "green" : "plain";
  const names = [`${edge.a}-${edge.b}`, `${edge.b}-${edge.a}`];
  const moves = component.moves.filter((move) => {
    if (move.part !== edge.part) return false;
    const cut = /^(?:remove the (?:(green|lime) )?edge|cut the string) ([\w.']+-[\w.']+)/.exec(move.words);
    return cut !== null && names.includes(cut[2]) && (!cut[1] || cut[1] === color);
  });
  const drawn = [
    svg("path", { d, class: ["edge", color] }),
    // A mark beside the colour: lime edges are dotted along the middle.
    color === "lime" && svg("path", { d, class: "edge-mark" }),
  ];
  if (moves.length === 0) return svg("g", {}, drawn);
  const first = moves.slice(0, 1);
  return target(label(first, table), () => choices(first, table), { class: ["cuttable", hinted(moves, table) && "hinted"] },
    drawn, svg("path", { d, class: "hit" }), svg("path", { d, class: "outline" }), svg("circle", { cx: middle.x, cy: middle.y, r: 14, class: "spot" }), badge(first, table, middle.x, middle.y));
}

/**
 * Handles between a green and a lime edge that touch: they swap colours.
 * @param {{edge: Edge, middle: {x: number, y: number}, a: {x: number, y: number}, b: {x: number, y: number}}[]} lines
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
function swaps(lines, component, table) {
  /** @type {Map<string, number>} */
  const used = new Map();
  return component.moves.flatMap((move) => {
    const match = /^swap the colours of ([\w.']+-[\w.']+) and ([\w.']+-[\w.']+)$/.exec(move.words);
    if (!match) return [];
    const find = (/** @type {string} */ name) => lines.find(({ edge }) => edge.part === move.part && `${edge.a}-${edge.b}` === name);
    const one = find(match[1]);
    const other = find(match[2]);
    if (!one || !other) return [];
    const shared = [one.edge.a, one.edge.b].find((name) => name !== "0" && [other.edge.a, other.edge.b].includes(name)) ?? "";
    const at = one.edge.a === shared ? one.a : one.b;
    const toward = (/** @type {{x: number, y: number}} */ point) => {
      const length = Math.hypot(point.x - at.x, point.y - at.y) || 1;
      return { x: (point.x - at.x) / length, y: (point.y - at.y) / length };
    };
    const [u, v] = [toward(one.middle), toward(other.middle)];
    let direction = { x: u.x + v.x, y: u.y + v.y };
    let length = Math.hypot(direction.x, direction.y);
    if (length < 0.2) { direction = { x: 1, y: 0 }; length = 1; }
    const key = `${at.x.toFixed(0)},${at.y.toFixed(0)},${(direction.x / length).toFixed(1)},${(direction.y / length).toFixed(1)}`;
    const before = used.get(key) ?? 0;
    used.set(key, before + 1);
    const distance = sizes(table.values).reach + (table.values ? 46 : 25) * before;
    const [x, y] = [at.x + (direction.x / length) * distance, at.y + (direction.y / length) * distance];
    return [target(label([move], table), () => choices([move], table), { class: ["swap", hinted([move], table) && "hinted"] },
      svg("circle", { cx: x, cy: y, r: 11, class: "handle" }),
      svg("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 14, "aria-hidden": "true" }, "⇄"),
      svg("circle", { cx: x, cy: y, r: 13, class: "spot" }),
      badge([move], table, x, y + 21))];
  });
}
