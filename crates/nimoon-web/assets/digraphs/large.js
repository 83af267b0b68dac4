// Digraphs that are too large to draw: shows the neighbourhood of one node, a search for nodes, and how often each value occurs.
import { button, el, fill } from "../dom.js";
import { valueSign, valueText } from "../value.js";
import { layout } from "./layout.js";

/** The largest number of nodes in a neighbourhood. */
const MAX_DRAWN = 60;
/** The largest number of nodes that a search lists. */
const MAX_FOUND = 30;

/**
 * @typedef {{theory: string, nodes: import("./canvas.js").Label[], arcs: [number, number][], zones: import("./canvas.js").Zone[]}} Drawing
 * @typedef {{nodes: number[], arcs: [number, number][], places: import("./layout.js").Point[], hidden: Map<number, number>}} Neighbourhood
 */

/** Indexes the arcs by their ends, so that the cost of a neighbourhood depends only on its size. @param {number} count @param {[number, number][]} arcs */
export function adjacency(count, arcs) {
  /** @type {number[][]} */
  const options = Array.from({ length: count }, () => []);
  /** @type {number[][]} */
  const before = Array.from({ length: count }, () => []);
  for (const [from, to] of arcs) { options[from].push(to); before[to].push(from); }
  return { options, before };
}

/**
 * Returns the nodes at most `radius` arcs away in any direction, the nearest first, and options before predecessors.
 * @param {{options: number[][], before: number[][]}} graph @param {number} centre @param {number} radius
 * @returns {Neighbourhood}
 */
export function neighbourhood({ options, before }, centre, radius) {
  const near = new Map([[centre, 0]]);
  for (const [node, away] of near) {
    if (away === radius) continue;
    for (const other of [...options[node], ...before[node]]) {
      if (near.size >= MAX_DRAWN) break;
      if (!near.has(other)) near.set(other, away + 1);
    }
  }
  const nodes = [...near.keys()];
  const arcs = nodes.flatMap((from) => options[from].filter((to) => near.has(to)).map((to) => /** @type {[number, number]} */ ([from, to])));
  const order = new Map(nodes.map((node, i) => [node, i]));
  const places = layout(nodes.length, arcs.map(([from, to]) => [order.get(from) ?? 0, order.get(to) ?? 0]));
  const hidden = new Map(nodes.map((node) => [node, [...options[node], ...before[node]].filter((other) => !near.has(other)).length]));
  return { nodes, arcs, places, hidden };
}

/** Counts how often each value occurs, the most frequent first. @param {import("./canvas.js").Label[]} labels */
export function counts(labels) {
  /** @type {Map<string, {label: import("./canvas.js").Label, count: number, first: number}>} */
  const found = new Map();
  labels.forEach((label, first) => {
    const name = label.color === "gray" ? "gray" : label.value?.kind === "general" ? `general ${label.outcome}` : valueText(label.value);
    const entry = found.get(name);
    if (entry) entry.count += 1;
    else found.set(name, { label, count: 1, first });
  });
  return [...found.values()].sort((a, b) => b.count - a.count || a.first - b.first);
}

/**
 * Creates the panel with the search box, the radius and the counts of values.
 * @param {{centre: (node: number, radius: number) => void, back: () => void}} hooks
 */
export function searcher(hooks) {
  /** @type {import("./canvas.js").Label[]} */
  let labels = [];
  let centre = 0;
  const found = el("ul", { class: "dg-found" });
  const search = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: "dg-search", autocomplete: "off", spellcheck: "false", oninput: () => list() }));
  const radius = /** @type {HTMLSelectElement} */ (el("select", { id: "dg-radius", onchange: () => hooks.centre(centre, Number(radius.value)) },
    [1, 2, 3, 4].map((arcs) => el("option", { value: arcs, selected: arcs === 2 }, arcs))));
  const table = el("div", {});
  const about = el("p", {});
  const element = el("section", { class: "panel", "aria-labelledby": "large-title", hidden: true },
    el("h2", { id: "large-title" }, "A large digraph"), about,
    el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); const first = matches()[0]; if (first !== undefined) choose(first); } },
      el("label", { for: "dg-search" }, "Find a node"), search), found,
    el("div", { class: "row" }, el("label", {}, "Radius in arcs ", radius), button("Draw an example", hooks.back)),
    table);

  const matches = () => {
    const text = search.value.trim();
    if (text === "") return [];
    const exact = labels.findIndex((label) => label.node === text);
    const others = [];
    for (let i = 0; i < labels.length && others.length < MAX_FOUND; i += 1) if (i !== exact && labels[i].node.includes(text)) others.push(i);
    return exact < 0 ? others : [exact, ...others];
  };

  function list() {
    fill(found, matches().map((node) => el("li", {}, button(labels[node].node, () => choose(node), { class: "link" }), " ", labels[node].color === "gray" ? "gray" : valueSign(labels[node].value))));
  }

  /** @param {number} node */
  function choose(node) {
    search.value = "";
    fill(found);
    hooks.centre(node, Number(radius.value));
  }

  return {
    element,
    /** @param {Drawing|null} drawing @param {string} words */
    set(drawing, words) {
      labels = drawing?.nodes ?? [];
      about.textContent = words;
      fill(found);
      const rows = counts(labels);
      fill(table, rows.length > 0 && el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Values" }, el("table", {},
        el("caption", { class: "visually-hidden" }, "How often each value occurs"),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "value"), el("th", { scope: "col" }, "nodes"), el("th", { scope: "col" }, "example"))),
        el("tbody", {}, rows.slice(0, 200).map(({ label, count, first }) => el("tr", {},
          el("td", {}, label.color === "gray" ? "gray" : valueSign(label.value)), el("td", { class: "number" }, count.toLocaleString("en")), el("td", {}, button(label.node, () => choose(first), { class: "link" }))))))));
    },
    /** @param {number} node */
    at(node) { centre = node; },
    radius: () => Number(radius.value),
  };
}
