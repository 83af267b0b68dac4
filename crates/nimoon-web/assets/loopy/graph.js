// Draws a partizan graph. Left's moves are blue lines with a solid head that leave a vertex on its left. Right's moves are
// red dashed lines with an open head that leave a vertex on its right.
import { svg, target } from "../svg.js";
import { HEIGHT, layout } from "./layout.js";

/** The largest number of vertices in a picture. */
export const MAX_DRAWN = 120;
/** The longest value that fits into a vertex. */
const MAX_VALUE_LENGTH = 14;
const LETTER = 8.4;

/** @typedef {import("./layout.js").Graph} Graph @typedef {import("./layout.js").Place} Place */
/** @typedef {{graph: Graph, values: string[]|null}} Form */

/**
 * Returns the value and the options of a vertex.
 * @param {Form} form
 * @param {string} name
 */
export function options(form, name) {
  const value = (/** @type {string} */ other) => form.values?.[form.graph.nodes.indexOf(other)] ?? null;
  const of = (/** @type {"left"|"right"} */ player) => form.graph[player].filter(([from]) => from === name).map(([, to]) => ({ name: to, value: value(to), itself: to === name }));
  return { value: value(name), left: of("left"), right: of("right") };
}

/** @param {{name: string, value: string|null, itself: boolean}[]} list */
export const listed = (list) => (list.length === 0 ? "none" : list.map(({ name, value, itself }) => (itself ? `${name} itself` : value === null ? name : `${name} = ${value}`)).join(", "));

/** @param {Form} form @param {string} name */
export function vertexWords(form, name) {
  const { value, left, right } = options(form, name);
  const start = name === form.graph.start ? ", the start" : "";
  return `Vertex ${name}${start}${value === null ? "" : `, equal to ${value}`}. Left's options: ${listed(left)}. Right's options: ${listed(right)}.`;
}

/** Returns the point on the border of a vertex in the direction of another point. @param {Place} place @param {number} x @param {number} y */
function border(place, x, y) {
  const [dx, dy] = [x - place.x, y - place.y];
  const scale = Math.min(place.width / 2 / Math.max(Math.abs(dx), 0.01), HEIGHT / 2 / Math.max(Math.abs(dy), 0.01), 1);
  return [place.x + dx * scale, place.y + dy * scale];
}

/** Returns a point of a quadratic curve. @param {number[][]} curve @param {number} t */
const point = ([a, b, c], t) => [0, 1].map((i) => (1 - t) ** 2 * a[i] + 2 * t * (1 - t) * b[i] + t ** 2 * c[i]);

/** @param {Place} place @param {number[]} at */
const hits = (place, [x, y]) => Math.abs(x - place.x) < place.width / 2 + 5 && Math.abs(y - place.y) < HEIGHT / 2 + 5;

/**
 * Returns the curve of an edge. It bends to the side of its player, and more if a vertex is in the way.
 * @param {Place[]} places
 * @param {{player: string, from: number, to: number}} edge
 * @param {boolean} doubled whether there is another edge between these two
 */
function curve(places, edge, doubled) {
  const [from, to] = [places[edge.from], places[edge.to]];
  const side = edge.player === "left" ? -1 : 1;
  const [mx, my] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const span = to.layer - from.layer;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const others = places.filter((_, i) => i !== edge.from && i !== edge.to);
  /** @type {number[][]} */
  let drawn = [];
  let fewest = Infinity;
  for (const more of [0, 40, -40, 80, -80, 130, -130]) {
    const bend = (span > 0 ? (doubled ? 26 : 7) : span < 0 ? 34 + length / 7 : 0) + more;
    const control = span === 0
      ? [mx, my + (40 + Math.abs(to.x - from.x) / 8 + Math.abs(more)) * (edge.player === "left" ? -1 : 1)]
      : [mx + side * bend, my];
    const begin = span > 0
      ? [from.x + (side * from.width) / 4, from.y + HEIGHT / 2]
      : span < 0 ? [from.x + (side * from.width) / 2, from.y] : border(from, control[0], control[1]);
    const attempt = [begin, control, border(to, control[0], control[1])];
    const blocked = others.filter((other) => Array.from({ length: 15 }, (_, i) => point(attempt, (i + 1) / 16)).some((at) => hits(other, at))).length;
    if (blocked < fewest) [drawn, fewest] = [attempt, blocked];
    if (fewest === 0) break;
  }
  return drawn;
}

/** @param {number} x @param {number} y @param {number} angle @param {boolean} full */
function head(x, y, angle, full) {
  const at = (/** @type {number} */ turn, /** @type {number} */ size) => `${(x - size * Math.cos(angle + turn)).toFixed(1)} ${(y - size * Math.sin(angle + turn)).toFixed(1)}`;
  return svg("path", { class: ["arrow", full ? "full" : "open"], d: `M ${at(0.42, 12)} L ${x.toFixed(1)} ${y.toFixed(1)} L ${at(-0.42, 12)}${full ? " z" : ""}` });
}

/** @param {Place} place @param {"left"|"right"} player */
function loop(place, player) {
  const side = player === "left" ? -1 : 1;
  const x = place.x + (side * place.width) / 2;
  const d = `M ${x} ${place.y - 8} C ${x + side * 42} ${place.y - 34}, ${x + side * 42} ${place.y + 34}, ${x + side * 1.5} ${place.y + 8}`;
  return [svg("path", { class: "move", d }), head(x + side * 1.5, place.y + 8, side < 0 ? -0.72 : Math.PI + 0.72, player === "left")];
}

/**
 * Draws a graph.
 * @param {Form} form
 * @param {{label: string, show: (name: string|null) => void, choose: (name: string) => void}} table
 */
export function drawn(form, table) {
  const { graph, values } = form;
  const shown = graph.nodes.map((name, i) => (values && values[i].length <= MAX_VALUE_LENGTH ? values[i] : name));
  // Leave room for the name before the value.
  const named = shown.map((text, i) => (text === graph.nodes[i] ? 0 : graph.nodes[i].length * 7 + 4));
  const widths = shown.map((text, i) => Math.max(40, text.length * LETTER + 20 + named[i]));
  const { places, edges, width, height } = layout(graph, widths);
  const between = new Map();
  for (const { from, to } of edges) {
    const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
    between.set(key, (between.get(key) ?? 0) + 1);
  }
  const lines = edges.map((edge) => {
    const { player, from, to } = edge;
    let parts;
    if (from === to) parts = loop(places[from], player);
    else {
      const doubled = between.get(`${Math.min(from, to)} ${Math.max(from, to)}`) > 1;
      const [begin, control, end] = curve(places, edge, doubled);
      const d = `M ${begin.map((n) => n.toFixed(1)).join(" ")} Q ${control.map((n) => n.toFixed(1)).join(" ")} ${end.map((n) => n.toFixed(1)).join(" ")}`;
      parts = [svg("path", { class: "move", d }), head(end[0], end[1], Math.atan2(end[1] - control[1], end[0] - control[0]), player === "left")];
    }
    return svg("g", { class: ["partizan", player], "data-from": graph.nodes[from], "data-to": graph.nodes[to] }, ...parts);
  });
  const spots = places.map(({ name, x, y, width }, i) => {
    const isStart = name === graph.start;
    const spot = target(vertexWords(form, name), () => table.choose(name), {
      class: ["partizan-vertex", isStart && "is-start"],
      "data-name": name,
      onmouseenter: () => table.show(name),
      onmouseleave: () => table.show(null),
      onfocus: () => table.show(name),
      onblur: () => table.show(null),
    },
    svg("rect", { class: "body", x: x - width / 2, y: y - HEIGHT / 2, width, height: HEIGHT, rx: 10 }),
    svg("rect", { class: "spot", x: x - width / 2 - 5, y: y - HEIGHT / 2 - 5, width: width + 10, height: HEIGHT + 10, rx: 14 }));
    // Outside of the target, whose label for screen readers is more complete.
    const labels = svg("g", { class: ["vertex-labels", isStart && "is-start"], "aria-hidden": "true" },
      svg("text", { class: "equals", x: x + named[i] / 2, y: y + 5, "text-anchor": "middle", "font-size": 15 }, shown[i]),
      named[i] > 0 && svg("text", { class: "name", x: x - width / 2 + 7, y: y + 4, "font-size": 11 }, name),
      isStart && svg("path", { class: "begin", d: `M ${x} ${y - HEIGHT / 2 - 24} v 15` }),
      isStart && svg("path", { class: "begin tip", d: `M ${x - 6} ${y - HEIGHT / 2 - 11} h 12 l -6 9 z` }),
      isStart && svg("text", { class: "name outside", x: x + 9, y: y - HEIGHT / 2 - 14, "font-size": 11 }, "start"));
    return svg("g", {}, spot, labels);
  });
  return svg("svg", { viewBox: `0 0 ${width.toFixed(0)} ${height}`, width: width.toFixed(0), height, class: "picture loopy-picture", role: "group", "aria-label": table.label }, ...lines, ...spots);
}

/** Highlights the edges that leave a vertex. @param {Element} picture @param {string|null} name */
export function highlight(picture, name) {
  for (const line of picture.querySelectorAll(".partizan")) {
    line.classList.toggle("is-lit", name !== null && line.getAttribute("data-from") === name);
    line.classList.toggle("is-dim", name !== null && line.getAttribute("data-from") !== name);
  }
}
