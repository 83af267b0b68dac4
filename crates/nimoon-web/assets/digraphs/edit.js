// What can be done to a drawn digraph. Each change can be undone, and is told to whoever shows it.
import { announce } from "../dom.js";
import { layout } from "./layout.js";
import { MOST_ARCS, MOST_NODES } from "./model.js";

/** The most pieces of a sum. */
const MOST_PIECES = 12;

/**
 * @param {import("./model.js").Model} model
 * @param {import("./canvas.js").Canvas} canvas
 * @param {{selected: number|null, pending: number|null}} chosen
 * @param {{changed: (what: {structure?: boolean, pieces?: boolean}) => void, render: () => void, refuse: (text: string) => void}} hooks
 */
export function editor(model, canvas, chosen, hooks) {
  /** @param {boolean} done */
  function travel(done) {
    if (!done) return;
    if (chosen.selected !== null && !model.nodes.has(chosen.selected)) chosen.selected = null;
    chosen.pending = null;
    hooks.changed({ structure: true });
  }

  /** @param {number} x @param {number} y @param {number|null} from */
  function add(x, y, from) {
    if (model.nodes.size >= MOST_NODES) {
      hooks.refuse(`At most ${MOST_NODES} nodes are drawn by hand.`);
      return null;
    }
    model.keep();
    const node = model.add(x, y);
    if (from !== null) model.join(from, node.id);
    chosen.selected = node.id;
    hooks.changed({ structure: true });
    announce(`Node ${node.name}.`);
    return node;
  }

  return {
    add,
    undo: () => travel(model.undo()),
    redo: () => travel(model.redo()),

    /** A new node near another one, or in the middle, and the focus on it. @param {number|null} id @param {number|null} [from] */
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
    join(from, to) {
      chosen.pending = null;
      if (model.hasArc(from, to)) { hooks.render(); return; }
      if (model.arcs().length >= MOST_ARCS) { hooks.refuse(`At most ${MOST_ARCS} arcs are drawn by hand.`); return; }
      model.keep();
      model.join(from, to);
      hooks.changed({ structure: true });
      announce(`Arc from ${model.name(from)} to ${model.name(to)}.`);
    },

    /** @param {number} from @param {number} to */
    part(from, to) {
      model.keep();
      model.part(from, to);
      hooks.changed({ structure: true });
      announce(`No arc from ${model.name(from)} to ${model.name(to)}.`);
    },

    /** @param {number} id */
    gray(id) {
      const node = model.nodes.get(id);
      if (!node) return;
      model.keep();
      node.gray = !node.gray;
      hooks.changed({ structure: true });
      announce(`${node.name} is ${node.gray ? "gray" : "white"}.`);
    },

    /** @param {number} id @param {boolean} [off] */
    piece(id, off = false) {
      const at = model.pieces.lastIndexOf(id);
      if (off ? at < 0 : model.pieces.length >= MOST_PIECES) {
        if (!off) hooks.refuse(`At most ${MOST_PIECES} pieces are put.`);
        return;
      }
      model.keep();
      if (off) model.pieces.splice(at, 1);
      else model.pieces.push(id);
      hooks.changed({ pieces: true });
    },

    /** @param {number} index among the pieces */
    take(index) {
      model.keep();
      model.pieces.splice(index, 1);
      hooks.changed({ pieces: true });
    },

    /** @param {number} id */
    erase(id) {
      model.keep();
      announce(`${model.name(id)} is deleted.`);
      const had = canvas.hasFocus(id);
      model.remove(id);
      if (chosen.selected === id) chosen.selected = null;
      if (chosen.pending === id) chosen.pending = null;
      hooks.changed({ structure: true });
      const next = [...model.nodes.keys()].at(-1);
      if (had && next !== undefined) canvas.focus(next);
    },

    /** Why it was not renamed, or null. @param {number} id @param {string} name */
    rename(id, name) {
      const node = model.nodes.get(id);
      const refusal = model.refused(id, name);
      if (!node || refusal) return refusal;
      model.keep();
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

    /** Places all nodes anew. */
    arrange() {
      const nodes = [...model.nodes.values()];
      const order = new Map(nodes.map((node, i) => [node.id, i]));
      const places = layout(nodes.length, model.arcs().map(([from, to]) => [order.get(from) ?? 0, order.get(to) ?? 0]));
      nodes.forEach((node, i) => Object.assign(node, places[i]));
    },

    clear() {
      model.keep();
      model.restore({ nodes: [], arcs: [], pieces: [] });
      chosen.selected = chosen.pending = null;
      hooks.changed({ structure: true });
    },
  };
}
