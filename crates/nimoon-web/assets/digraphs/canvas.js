// Draws a digraph: nodes with their values, arcs, and zones as a tinted background. input.js handles the input.
import { fill } from "../dom.js";
import { svg } from "../svg.js";
import { coversText, valueClass, valueText, valueWords } from "../value.js";
import { HALF_HEIGHT, arcPath, loopPath, shapeAt, zonePaths } from "./geometry.js";

/**
 * @typedef {{node: string, color: "white"|"gray", value?: any, outcome?: any, covers?: any, theory?: string, round?: number|null}} Label
 * @typedef {{id: number, name: string, gray: boolean, x: number, y: number, label: Label|null, fresh: boolean, round: number|null|undefined, pieces: number, hidden: number}} SceneNode
 * @typedef {{nodes: number[], exits: [number, number][]}} Zone
 * @typedef {{nodes: SceneNode[], arcs: [number, number][], zones: Zone[], turn: Map<string, number>, selected: number|null, pending: number|null, rounds: boolean, stale: boolean}} Scene
 */

/** Returns the text inside a node. @param {SceneNode} node */
function sign(node) {
  if (!node.label) return "";
  if (!node.gray) return valueText(node.label.value);
  const { covers } = node.label;
  if (covers === "new-moon") return "●";
  if (covers === "full-moon") return "○";
  return "";
}

/** @param {SceneNode} node @returns {import("./geometry.js").Shape} */
function shapeOf(node) {
  return shapeAt(node, sign(node));
}

/** Describes a node for screen readers. @param {SceneNode} node @param {Scene} scene */
function describe(node, scene) {
  const to = scene.arcs.filter(([from]) => from === node.id).map(([, to]) => scene.nodes.find((other) => other.id === to)?.name);
  const label = !node.label || scene.stale ? "no label yet" : node.gray ? coversText(node.label.covers) : `${valueWords(node.label.value)}, outcome ${node.label.outcome ?? "unknown"}`;
  const pieces = node.pieces ? `, ${node.pieces} piece${node.pieces > 1 ? "s" : ""}` : "";
  return `${node.name}, ${node.gray ? "gray" : "white"}, ${label}${pieces}; ${to.length ? `options ${to.join(", ")}` : "no options"}`;
}

export class Canvas {
  constructor() {
    this.ground = svg("g", { class: "dg-zones" });
    this.lines = svg("g", { class: "dg-arcs" });
    this.spots = svg("g", {});
    this.rubber = svg("path", { class: "dg-rubber", d: "" });
    this.element = /** @type {SVGSVGElement} */ (svg("svg", { class: "picture dg-stage", role: "group", "aria-label": "The digraph", "aria-describedby": "dg-keys" }, this.ground, this.lines, this.spots, this.rubber));
    /** @type {Map<number, import("./geometry.js").Shape>} */
    this.shapes = new Map();
    /** @type {Map<number, SVGElement>} */
    this.drawn = new Map();
    /** @type {Map<string, {arc: [number, number], group: SVGElement}>} */
    this.arcs = new Map();
    /** Arcs by their ends, so that a drag redraws no other arcs. @type {Map<number, Set<string>>} */
    this.touching = new Map();
    /** @type {{zone: Zone, joined: [number, number][], paths: SVGElement[], caption: SVGElement}[]} */
    this.zones = [];
    this.view = { x: 0, y: 0, zoom: 1 };
    this.size = { width: 800, height: 560 };
    /** @type {Scene} */
    this.scene = { nodes: [], arcs: [], zones: [], turn: new Map(), selected: null, pending: null, rounds: false, stale: false };
  }

  /** Draws everything again and keeps the focus. @param {Scene} scene */
  render(scene) {
    const focused = /** @type {Element|null} */ (document.activeElement)?.closest?.("[data-node]");
    const had = focused && this.element.contains(focused) ? Number(focused.getAttribute("data-node")) : null;
    this.scene = scene;
    this.shapes = new Map(scene.nodes.map((node) => [node.id, shapeOf(node)]));
    this.drawn = new Map(scene.nodes.map((node) => [node.id, this.#node(node)]));
    this.arcs = new Map(scene.arcs.map((arc) => [key(arc), { arc, group: this.#arc(arc) }]));
    this.touching = new Map(scene.nodes.map((node) => [node.id, new Set()]));
    for (const [name, { arc }] of this.arcs) arc.forEach((end) => this.touching.get(end)?.add(name));
    this.#renderZones();
    fill(this.lines, [...this.arcs.values()].map(({ group }) => group));
    fill(this.spots, [...this.drawn.values()]);
    for (const name of this.arcs.keys()) this.#drawArc(name);
    const stop = had !== null && this.drawn.has(had) ? had : scene.selected ?? scene.nodes[0]?.id;
    this.#button(stop)?.setAttribute("tabindex", "0");
    // Without nodes, the sheet itself can have the focus, so that a key can add the first node.
    if (scene.nodes.length === 0) this.element.setAttribute("tabindex", "0");
    else this.element.removeAttribute("tabindex");
    if (had !== null) this.#button(had)?.focus({ preventScroll: true });
    this.element.classList.toggle("is-stale", scene.stale);
    this.element.classList.toggle("is-pending", scene.pending !== null);
  }

  /** Returns the element of a node that can have the focus; its label includes the texts beside it. @param {number} id */
  #button(id) {
    return /** @type {SVGElement|null|undefined} */ (this.drawn.get(id)?.firstElementChild);
  }

  /** Whether a node has the focus. @param {number} id */
  hasFocus(id) {
    return document.activeElement !== null && this.#button(id) === document.activeElement;
  }

  /** Returns the description of a node for screen readers. @param {number} id */
  describe(id) {
    return this.#button(id)?.getAttribute("aria-label") ?? "";
  }

  /** @param {SceneNode} node */
  #node(node) {
    const { scene } = this;
    const shape = this.shapes.get(node.id) ?? { wide: HALF_HEIGHT, high: HALF_HEIGHT };
    const { wide } = shape;
    const text = sign(node);
    const kind = node.gray ? "is-gray" : node.label ? valueClass(node.label.value) : "is-blank";
    const pieces = Array.from({ length: Math.min(node.pieces, 3) }, (_, i) => svg("circle", { cx: -wide + 1 - 4 * i, cy: -HALF_HEIGHT + 3, r: 6.5, class: "dg-piece" }));
    return svg("g", { class: ["dg-node", node.fresh && "is-fresh", node.id === scene.selected && "is-selected", node.id === scene.pending && "is-source"], transform: `translate(${node.x} ${node.y})`, "data-node": node.id },
      svg("g", { class: "dg-button", tabindex: "-1", role: "button", "aria-pressed": String(node.id === scene.selected), "aria-label": describe(node, scene) },
        svg("circle", { r: 28, class: "dg-touch" }),
        svg("rect", { x: -wide - 6, y: -HALF_HEIGHT - 6, width: 2 * wide + 12, height: 2 * HALF_HEIGHT + 12, rx: node.gray ? 10 : HALF_HEIGHT + 6, class: "dg-ring" }),
        svg("rect", { x: -wide, y: -HALF_HEIGHT, width: 2 * wide, height: 2 * HALF_HEIGHT, rx: node.gray ? 5 : HALF_HEIGHT, class: ["dg-body", kind] })),
      svg("g", { class: "dg-text", "aria-hidden": "true" },
        svg("text", { y: 5.5, "text-anchor": "middle", "font-size": 15, class: ["dg-value", kind] }, text),
        svg("text", { y: HALF_HEIGHT + 15, "text-anchor": "middle", "font-size": 12.5, class: "dg-name" }, shortened(node.name)),
        node.gray && node.label && typeof node.label.covers === "object" && svg("text", { y: HALF_HEIGHT + 28, "text-anchor": "middle", "font-size": 10, class: "dg-covers" }, coversText(node.label.covers)),
        scene.rounds && typeof node.round === "number" && node.label && svg("g", { class: "dg-round" },
          svg("circle", { cx: wide - 1, cy: -HALF_HEIGHT + 2, r: 8 }), svg("text", { x: wide - 1, y: -HALF_HEIGHT + 5.5, "text-anchor": "middle", "font-size": 10 }, node.round)),
        node.hidden > 0 && svg("text", { x: wide + 3, y: HALF_HEIGHT + 2, "font-size": 10, class: "dg-covers" }, `+${node.hidden}`),
        pieces,
        node.pieces > 3 && svg("text", { x: -wide - 14, y: -HALF_HEIGHT - 6, "font-size": 10, class: "dg-covers" }, `×${node.pieces}`)));
  }

  /** @param {[number, number]} arc */
  #arc(arc) {
    const exit = this.scene.zones.some((zone) => zone.exits.some(([from, to]) => from === arc[0] && to === arc[1]));
    const turn = this.scene.turn.get(key(arc));
    return svg("g", { class: ["dg-arc", exit && "is-exit", turn !== undefined && "is-turn"], "data-arc": key(arc) },
      svg("path", { class: "dg-reach" }), svg("path", { class: "dg-line" }), svg("path", { class: "dg-head" }),
      turn !== undefined && svg("g", { class: "dg-ply" }, svg("circle", { r: 8.5 }), svg("text", { "text-anchor": "middle", y: 3.8, "font-size": 11 }, turn + 1)));
  }

  /** Draws an arc between its ends. @param {string} name */
  #drawArc(name) {
    const found = this.arcs.get(name);
    const from = this.shapes.get(found?.arc[0] ?? -1);
    const to = this.shapes.get(found?.arc[1] ?? -1);
    if (!found || !from || !to) return;
    const { line, head, middle } = from === to ? loopPath(from) : arcPath(from, to, this.arcs.has(key([found.arc[1], found.arc[0]])));
    const [reach, drawn, tip, ply] = found.group.children;
    reach.setAttribute("d", line);
    drawn.setAttribute("d", line);
    tip.setAttribute("d", head);
    ply?.setAttribute("transform", `translate(${middle.x.toFixed(1)} ${middle.y.toFixed(1)})`);
  }

  #renderZones() {
    this.zones = this.scene.zones.map((zone) => {
      const members = new Set(zone.nodes);
      const joined = this.scene.arcs.filter(([from, to]) => from !== to && members.has(from) && members.has(to));
      const paths = ["dg-rim", "dg-rim thin", "dg-ground", "dg-ground thin"].map((name) => svg("path", { class: name }));
      return { zone, joined, paths, caption: svg("text", { class: "dg-caption", "text-anchor": "middle", "font-size": 11 }, "cyclic zone") };
    });
    fill(this.ground, this.zones.map(({ paths, caption }) => svg("g", {}, paths, caption)));
    this.zones.forEach((zone) => this.#drawZone(zone));
  }

  /** @param {{zone: Zone, joined: [number, number][], paths: SVGElement[], caption: SVGElement}} zone */
  #drawZone({ zone, joined, paths, caption }) {
    const found = (/** @type {number} */ id) => this.shapes.get(id) ?? { x: 0, y: 0, wide: HALF_HEIGHT, high: HALF_HEIGHT };
    const shapes = zone.nodes.map(found);
    const { nodes, arcs } = zonePaths(shapes, joined.map(([a, b]) => [found(a), found(b)]));
    [nodes, arcs, nodes, arcs].forEach((d, i) => paths[i].setAttribute("d", d));
    const lowest = shapes.reduce((low, shape) => (shape.y > low.y ? shape : low), shapes[0]);
    if (!lowest) return;
    caption.setAttribute("x", String(lowest.x));
    // Below the name, and below the text of a gray node.
    const gray = this.scene.nodes.some((node) => node.gray && node.x === lowest.x && node.y === lowest.y);
    caption.setAttribute("y", String(lowest.y + HALF_HEIGHT + (gray ? 44 : 33)));
  }

  /** Moves one node with its arcs and zones, and redraws nothing else. @param {number} id @param {number} x @param {number} y */
  move(id, x, y) {
    const shape = this.shapes.get(id);
    if (!shape) return;
    shape.x = x;
    shape.y = y;
    this.drawn.get(id)?.setAttribute("transform", `translate(${x} ${y})`);
    for (const name of this.touching.get(id) ?? []) this.#drawArc(name);
    for (const zone of this.zones) if (zone.zone.nodes.includes(id)) this.#drawZone(zone);
  }

  /** Draws the line of an arc during a drag. @param {import("./geometry.js").Point|null} from @param {import("./geometry.js").Point} [to] */
  stretch(from, to) {
    this.rubber.setAttribute("d", from && to ? `M${from.x} ${from.y}L${to.x} ${to.y}` : "");
  }

  /** @param {number} id */
  focus(id) {
    for (const other of this.drawn.keys()) this.#button(other)?.setAttribute("tabindex", other === id ? "0" : "-1");
    this.#button(id)?.focus();
    const shape = this.shapes.get(id);
    const { width, height } = this.size;
    if (!shape) return;
    const [left, top] = [(shape.x - this.view.x) * this.view.zoom, (shape.y - this.view.y) * this.view.zoom];
    if (left < 30 || left > width - 30) this.view.x = shape.x - width / 2 / this.view.zoom;
    if (top < 30 || top > height - 40) this.view.y = shape.y - height / 2 / this.view.zoom;
    this.applyView();
  }

  /** Returns the middle of the visible part. */
  middle() {
    return { x: this.view.x + this.size.width / 2 / this.view.zoom, y: this.view.y + this.size.height / 2 / this.view.zoom };
  }

  /** Converts a point of the screen to a point of the drawing. @param {number} clientX @param {number} clientY */
  point(clientX, clientY) {
    const box = this.element.getBoundingClientRect();
    return { x: this.view.x + (clientX - box.left) / this.view.zoom, y: this.view.y + (clientY - box.top) / this.view.zoom };
  }

  /** Returns the bounds of the drawing, with room for names and loops. */
  bounds() {
    const shapes = [...this.shapes.values()];
    if (shapes.length === 0) return { x: 0, y: 0, width: 400, height: 300 };
    const left = Math.min(...shapes.map((shape) => shape.x - shape.wide)) - 45;
    const right = Math.max(...shapes.map((shape) => shape.x + shape.wide)) + 45;
    const top = Math.min(...shapes.map((shape) => shape.y)) - 70;
    const bottom = Math.max(...shapes.map((shape) => shape.y)) + 65;
    return { x: left, y: top, width: right - left, height: bottom - top };
  }

  /** Zooms so that the whole drawing is visible. */
  fit() {
    const { x, y, width, height } = this.bounds();
    const zoom = Math.min(1.25, Math.max(0.06, Math.min(this.size.width / width, this.size.height / height)));
    this.view = { zoom, x: x + width / 2 - this.size.width / 2 / zoom, y: y + height / 2 - this.size.height / 2 / zoom };
    this.applyView();
  }

  /** @param {number} factor @param {import("./geometry.js").Point} [about] */
  zoom(factor, about = this.middle()) {
    const zoom = Math.min(3, Math.max(0.06, this.view.zoom * factor));
    this.view = { zoom, x: about.x - (about.x - this.view.x) * (this.view.zoom / zoom), y: about.y - (about.y - this.view.y) * (this.view.zoom / zoom) };
    this.applyView();
  }

  /** Applies the view to the picture. */
  applyView() {
    const { width, height } = this.size;
    this.element.setAttribute("viewBox", `${this.view.x} ${this.view.y} ${width / this.view.zoom} ${height / this.view.zoom}`);
  }
}

/** @param {[number, number]} arc */
export const key = ([from, to]) => `${from}>${to}`;

/** @param {string} name */
const shortened = (name) => ([...name].length > 18 ? `${[...name].slice(0, 17).join("")}…` : name);
