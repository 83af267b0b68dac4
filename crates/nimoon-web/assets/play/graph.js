// Boards made of edges: green-lime and green hackenbush, which stand on the ground, and strings and coins.
import { picture, svg, target } from "../svg.js";
import { badge, choices, hinted, label, numbers } from "./choice.js";
import { drawing, hitAreas, isVertex } from "./curves.js";
import { levels } from "./levels.js";
import { term } from "./position.js";
import { sizes } from "./sizes.js";

/** @typedef {{a: string, b: string, color: string, number: number, part: number}} Edge */

/** The places of the vertices, for each starting position of a component: a drawing must not jump when edges disappear. @type {Map<string, Map<string, import("./curves.js").Point>>} */
const places = new Map();
/** The scale and the extent of the drawing so far, for each starting position of a component. @type {Map<string, {scale: number, left: number, right: number, top: number}>} */
const frames = new Map();
/** Free room around a drawing. */
const MARGIN = 18;

/** Parses the edges of a part. @param {string} text @param {number} part @returns {Edge[]} */
function edgesOf(text, part) {
  if (text === "0" || text === "") return [];
  if (/^[gl\s]+$/.test(text)) {
    return [...text.replace(/\s/g, "")].map((color, i) => ({ a: String(i), b: String(i + 1), color, number: i, part }));
  }
  return text.split(",").map((edge, number) => {
    const match = /^\s*([\w.']+)\s*-\s*([\w.']+?)\s*([gl])?\s*$/.exec(edge);
    // In green-lime, vertices are numbers and the last letter of an edge is its colour.
    return { a: match?.[1] ?? "?", b: match?.[2] ?? "?", color: match?.[3] ?? "", number, part };
  });
}

/** Reads the edges of a part of a component. @param {{position: string, place: number}} part */
function read(part) {
  const { ruleset, position } = term(part.position);
  if (ruleset === "green-lime") return edgesOf(position, part.place);
  return edgesOf(position.replace(/\s/g, ""), part.place).map((edge) => (edge.color ? { ...edge, b: edge.b + edge.color, color: "" } : edge));
}

/**
 * Draws a component. Returns null if there are too many edges to draw them apart.
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
export function draw(component, table) {
  const { ruleset } = term(component.parts[0].position);
  const isCoins = ruleset === "coins";
  const size = sizes(table.values, isCoins);
  const key = `${table.start} ${component.index}`;
  const edges = component.parts.flatMap(read);
  const fresh = levels(edges);
  const known = places.get(key);
  const standing = known && [...fresh.keys()].every((name) => known.has(name)) ? known : fresh;
  places.set(key, standing);
  const swaps = component.moves.flatMap((move, i) => {
    const isNew = component.moves.findIndex((other) => other.words === move.words && other.to === move.to && other.part === move.part) === i;
    const pair = isNew && swapped(move, edges);
    return pair ? [{ move, pair }] : [];
  });
  const name = `${key} ${table.values}`;
  const before = frames.get(name);
  const isSame = standing === known && before;
  const drawn = drawing(edges, swaps.map(({ pair }) => pair), new Map([...standing].filter(([vertex]) => fresh.has(vertex))), size, isSame ? before.scale : 1);
  if (!drawn) return null;
  const { scale, at, curves, handles } = drawn;
  const reached = [{ x: 0, y: 0 }, ...at.values(), ...curves.flatMap(({ points }) => points), ...handles];
  const frame = {
    scale,
    left: Math.min(isSame ? before.left : Infinity, ...reached.map(({ x }) => x)),
    right: Math.max(isSame ? before.right : -Infinity, ...reached.map(({ x }) => x)),
    top: Math.min(isSame ? before.top : 0, ...reached.map(({ y }) => y)),
  };
  frames.set(name, frame);
  const room = MARGIN + Math.max(size.spot.x, size.handle.x);
  const [left, top, width] = [frame.left - room, frame.top - room, Math.max(frame.right - frame.left, 0.6 * size.stepX) + 2 * room];
  const areas = hitAreas(curves);
  const lines = edges.map((edge, i) => {
    const line = lineOf(edge, curves[i], areas[i], component, table);
    const number = edges.slice(0, i).filter((other) => other.a === edge.a && other.b === edge.b && other.color === edge.color).length;
    line.setAttribute("data-key", `edge ${edge.a}-${edge.b} ${edge.color} ${number}`);
    return line;
  });
  const vertices = [...at].filter(([vertex]) => isVertex(vertex)).map(([vertex, { x, y }]) => (isCoins
    ? svg("g", {}, svg("circle", { cx: x, cy: y, r: size.vertex, class: "coin" }), svg("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 13, class: "coin-name" }, vertex))
    : svg("circle", { cx: x, cy: y, r: size.vertex, class: "vertex" })));
  const picked = swaps.map(({ move }, i) => handleOf(move, handles[i], table));
  const ground = svg("rect", { x: left + 8, y: 0, width: width - 16, height: 7, rx: 3, class: "ground" });
  return picture(width, 24 - top, `a ${ruleset} board`, svg("g", { transform: `translate(${-left} ${-top})`, "data-layer": scale.toFixed(3) }, ground, lines, vertices, picked));
}

/**
 * @param {Edge} edge @param {import("./curves.js").Curve} curve @param {string} area the outline in which a click chooses this edge
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
function lineOf(edge, { d, middle }, area, component, table) {
  const color = edge.color === "l" ? "lime" : edge.color === "g" ? "green" : "plain";
  const names = [`${edge.a}-${edge.b}`, `${edge.b}-${edge.a}`];
  const moves = component.moves.filter((move) => {
    if (move.part !== edge.part) return false;
    const cut = /^(?:remove the (?:(green|lime) )?edge|cut the string) ([\w.']+-[\w.']+)/.exec(move.words);
    return cut !== null && names.includes(cut[2]) && (!cut[1] || cut[1] === color);
  });
  const drawn = [
    svg("path", { d, class: ["edge", color] }),
    // Lime edges also have a dotted line, so that colour is not the only sign.
    color === "lime" && svg("path", { d, class: "edge-mark" }),
  ];
  if (moves.length === 0) return svg("g", {}, drawn);
  const first = moves.slice(0, 1);
  return target(label(first, table), () => choices(first, table), { "data-choices": numbers(first), class: ["cuttable", hinted(moves, table) && "hinted"] },
    drawn, svg("path", { d: area, class: "hit-area" }), svg("path", { d, class: "outline" }), svg("circle", { cx: middle.x, cy: middle.y, r: 14, class: "spot" }), badge(first, table, middle.x, middle.y));
}

/**
 * Finds the green and the lime edge that a move swaps, or null if it swaps none. Among parallel edges, an edge that is
 * green after the move was lime before.
 * @param {import("./board.js").Move} move @param {Edge[]} edges
 * @returns {import("./curves.js").Pair|null}
 */
function swapped(move, edges) {
  const match = /^swap the colours of ([\w.']+-[\w.']+) and ([\w.']+-[\w.']+)$/.exec(move.words);
  if (!match) return null;
  const after = read({ position: move.to, place: move.part });
  const greens = (/** @type {Edge[]} */ list, /** @type {string} */ name) => list.filter((edge) => edge.part === move.part && edge.color === "g" && `${edge.a}-${edge.b}` === name).length;
  const find = (/** @type {string} */ name, /** @type {string} */ color) => edges.findIndex((edge) => edge.part === move.part && `${edge.a}-${edge.b}` === name && edge.color === color);
  const color = greens(after, match[1]) > greens(edges, match[1]) ? "l" : "g";
  const [one, other] = [find(match[1], color), find(match[2], color === "g" ? "l" : "g")];
  if (one < 0 || other < 0) return null;
  const vertex = [edges[one].a, edges[one].b].find((name) => name !== "0" && [edges[other].a, edges[other].b].includes(name)) ?? "";
  return { one, other, vertex };
}

/**
 * Creates the handle that swaps the colours of two edges.
 * @param {import("./board.js").Move} move @param {import("./curves.js").Point} place @param {import("./board.js").Table} table
 */
function handleOf(move, { x, y }, table) {
  return target(label([move], table), () => choices([move], table), { "data-choices": numbers([move]), class: ["swap", hinted([move], table) && "hinted"] },
    svg("circle", { cx: x, cy: y, r: 11, class: "handle" }),
    svg("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 14, "aria-hidden": "true" }, "⇄"),
    svg("circle", { cx: x, cy: y, r: 13, class: "spot" }),
    badge([move], table, x, y + 21));
}
