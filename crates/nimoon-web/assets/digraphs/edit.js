// Edits a digraph. Each change can be undone, and the hooks report it to the view.
import { announce } from "../dom.js";
import { layout } from "./layout.js";
import { MAX_ARCS, MAX_NODES } from "./model.js";

/** The largest number of pieces. */
const MAX_PIECES = 12;

/**
 * @param {import("./model.js").Model} model
 * @param {import("./canvas.js").Canvas} canvas
 * @param {{selected: number|null, pending: number|null}} chosen
 * @param {{changed: (what: {structure?: boolean, pieces?: boolean}) => void, render: () => void, warn: (text: string) => void}} hooks
 */
export function editor(model, canvas, chosen, hooks) {
  /** Updates the view after undo or redo. @param {boolean} done */
  function afterHistory(done) {
    if (!done) return;
    if (chosen.selected !== null && !model.nodes.has(chosen.selected)) chosen.selected = null;
    chosen.pending = null;
    hooks.changed({ structure: true });
  }

  /** @param {number} x @param {number} y @param {number|null} from */
  function add(x, y, from) {
    if (model.nodes.size >= MAX_NODES) {
      hooks.warn(`The limit of ${MAX_NODES} nodes is reached. Open a file to see a larger digraph.`);
      return null;
    }
    model.remember();
    const node = model.add(x, y);
    if (from !== null) model.connect(from, node.id);
    chosen.selected = node.id;
    hooks.changed({ structure: true });
    announce(`Added node ${node.name}.`);
    return node;
  }

  return {
    add,
    undo: () => afterHistory(model.undo()),
    redo: () => afterHistory(model.redo()),

    /** Adds a node near another one, or in the middle, and focuses it. @param {number|null} id @param {number|null} [from] */
    beside(id, from = null) {
      const near = (id === null ? null : model.nodes.get(id)) ?? canvas.middle();
      const places = id === null ? [near] : [];
      for (let away = 1; away < 12; away += 1) {
        for (const [dx, dy] of [[0, 1], [1, 0], [1, 1], [-1, 0], [-1, 1], [0, -1], [1, -1], [-1, -1]]) places.push({ x: near.x + dx * away * 100, y: near.y + dy * away * 90 });
      }
      const isFree = (/** @type {{x: number, y: number}} */ place) => [...model.nodes.values()].every((node) => Math.hypot(node.x - place.x, node.y - place.y) > 70);
      const place = places.find(isFree) ?? near;
      const node = add(place.x, place.y, from);
      if (node) canvas.focus(node.id);
    },

    /** @param {number} from @param {number} to */
    connect(from, to) {
      chosen.pending = null;
      if (model.hasArc(from, to)) { hooks.render(); return; }
      if (model.arcs().length >= MAX_ARCS) { hooks.warn(`The limit of ${MAX_ARCS} arcs is reached. Open a file to see a larger digraph.`); return; }
      model.remember();
      model.connect(from, to);
      hooks.changed({ structure: true });
      announce(`Added the arc from ${model.name(from)} to ${model.name(to)}.`);
    },

    /** @param {number} from @param {number} to */
    disconnect(from, to) {
      model.remember();
      model.disconnect(from, to);
      hooks.changed({ structure: true });
      announce(`Deleted the arc from ${model.name(from)} to ${model.name(to)}.`);
    },

    /** @param {number} id */
    gray(id) {
      const node = model.nodes.get(id);
      if (!node) return;
      model.remember();
      node.gray = !node.gray;
      hooks.changed({ structure: true });
      announce(`Node ${node.name} is ${node.gray ? "gray" : "white"}.`);
    },

    /** @param {number} id @param {boolean} [off] */
    piece(id, off = false) {
      const at = model.pieces.lastIndexOf(id);
      if (off ? at < 0 : model.pieces.length >= MAX_PIECES) {
        if (!off) hooks.warn(`The limit of ${MAX_PIECES} pieces is reached.`);
        return;
      }
      model.remember();
      if (off) model.pieces.splice(at, 1);
      else model.pieces.push(id);
      hooks.changed({ pieces: true });
    },

    /** @param {number} index among the pieces */
    take(index) {
      model.remember();
      model.pieces.splice(index, 1);
      hooks.changed({ pieces: true });
    },

    /** @param {number} id */
    erase(id) {
      model.remember();
      announce(`Deleted node ${model.name(id)}.`);
      const had = canvas.hasFocus(id);
      model.remove(id);
      if (chosen.selected === id) chosen.selected = null;
      if (chosen.pending === id) chosen.pending = null;
      hooks.changed({ structure: true });
      const next = [...model.nodes.keys()].at(-1);
      if (had && next !== undefined) canvas.focus(next);
    },

    /** Renames a node; returns the reason if that is not possible, otherwise null. @param {number} id @param {string} name */
    rename(id, name) {
      const node = model.nodes.get(id);
      const problem = model.nameProblem(id, name);
      if (!node || problem) return problem;
      model.remember();
      node.name = name;
      hooks.changed({ structure: true });
      return null;
    },

    /** @param {number} id @param {number} x @param {number} y */
    drop(id, x, y) {
      const node = model.nodes.get(id);
      if (!node) return;
      node.x = x;
      node.y = y;
      hooks.changed({});
    },

    /** Lays out all nodes again. */
    arrange() {
      const nodes = [...model.nodes.values()];
      const order = new Map(nodes.map((node, i) => [node.id, i]));
      const places = layout(nodes.length, model.arcs().map(([from, to]) => [order.get(from) ?? 0, order.get(to) ?? 0]));
      nodes.forEach((node, i) => Object.assign(node, places[i]));
    },

    clear() {
      model.remember();
      model.restore({ nodes: [], arcs: [], pieces: [] });
      chosen.selected = chosen.pending = null;
      hooks.changed({ structure: true });
    },
  };
}
