// The board of a digraph: a piece on a node, which moves along an arc.
import { HALF_HEIGHT, arcPath, loopPath, shapeAt } from "../digraphs/geometry.js";
import { layout } from "../digraphs/layout.js";
import { picture, svg, target } from "../svg.js";
import { badge, choices, hinted, label, numbers } from "./choice.js";
import { term } from "./position.js";

/** A larger digraph is not drawn; its moves are listed. */
const MAX_DRAWN = 60;
const MARGIN = 46;

/** @typedef {{nodes: string[], gray: Set<string>, arcs: [number, number][], places: import("../digraphs/layout.js").Point[]}} Drawn */

/** The digraphs that were laid out, by their texts. @type {Map<string, Drawn|null>} */
const known = new Map();

/** Reads a digraph from JSON; null for other formats and for large ones. @param {string} text @returns {Drawn|null} */
function read(text) {
  try {
    const { nodes = [], gray = [], arcs = [] } = JSON.parse(text);
    const names = [...new Set([...nodes, ...gray, ...arcs.flat()])].map(String);
    if (names.length > MAX_DRAWN) return null;
    const order = new Map(names.map((name, i) => [name, i]));
    const pairs = arcs.map((/** @type {string[]} */ [from, to]) => /** @type {[number, number]} */ ([order.get(from) ?? 0, order.get(to) ?? 0]));
    return { nodes: names, gray: new Set(gray), arcs: pairs, places: layout(names.length, pairs) };
  } catch {
    return null;
  }
}

/** @param {string} text */
function drawnOf(text) {
  if (!known.has(text)) known.set(text, read(text));
  return known.get(text) ?? null;
}

/**
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
export function draw(component, table) {
  const { parameters, position } = term(component.parts[0].position);
  const digraph = drawnOf(table.files?.[parameters ?? ""] ?? "");
  if (!digraph) return null;
  const { nodes, gray, arcs, places } = digraph;
  const shapes = nodes.map((name, i) => shapeAt(places[i], name));
  const [xs, ys] = [shapes.map(({ x }) => x), shapes.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  for (const shape of shapes) { shape.x -= left; shape.y -= top; }
  const arcKeys = new Set(arcs.map(([from, to]) => `${from} ${to}`));
  const here = nodes.indexOf(position);
  const lines = arcs.map(([from, to]) => {
    const { line, head } = from === to ? loopPath(shapes[from]) : arcPath(shapes[from], shapes[to], arcKeys.has(`${to} ${from}`));
    return svg("g", { class: ["walk-arc", from === here && "is-open"] }, svg("path", { class: "dg-line", d: line }), svg("path", { class: "dg-head", d: head }));
  });
  const drawn = nodes.map((name, i) => {
    const { x, y, wide } = shapes[i];
    const moves = component.moves.filter((move) => term(move.to).position === name);
    const node = [
      svg("rect", { x: x - wide, y: y - HALF_HEIGHT, width: 2 * wide, height: 2 * HALF_HEIGHT, rx: gray.has(name) ? 5 : HALF_HEIGHT, class: ["dg-body", gray.has(name) ? "is-gray" : "is-blank"] }),
      svg("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 15, class: ["walk-name", gray.has(name) && "is-gray"] }, name),
    ];
    if (moves.length === 0) return svg("g", {}, node);
    return target(label(moves, table), () => choices(moves, table), { "data-choices": numbers(moves), class: hinted(moves, table) && "hinted" },
      node, svg("rect", { x: x - wide - 6, y: y - HALF_HEIGHT - 6, width: 2 * wide + 12, height: 2 * HALF_HEIGHT + 12, rx: HALF_HEIGHT, class: "spot" }), badge(moves, table, x, y + HALF_HEIGHT + 12));
  });
  const at = shapes[here];
  const piece = at && svg("circle", { cx: at.x - at.wide + 2, cy: at.y - HALF_HEIGHT + 2, r: 11, class: "token", "data-key": "piece", "data-moves": "1" });
  return picture(Math.max(...xs) - left + MARGIN, Math.max(...ys) - top + MARGIN, `a digraph of ${nodes.length} nodes, the piece on ${position}`, lines, drawn, piece ?? null);
}
