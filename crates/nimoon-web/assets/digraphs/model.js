// The digraph that is drawn: nodes, arcs and pieces, with what can be done to them, undo and the text of an address.

/**
 * @typedef {{id: number, name: string, gray: boolean, x: number, y: number}} DrawnNode
 * @typedef {{nodes: DrawnNode[], arcs: [number, number][], pieces: number[]}} Snapshot
 */

/** Beyond these a digraph is not edited by hand: a neighbourhood is shown. */
export const MOST_NODES = 250;
export const MOST_ARCS = 1500;

/** The longest text that is put into an address. */
const LONGEST_ADDRESS = 6000;

/** The most steps that can be undone. */
const MOST_UNDONE = 200;

export class Model {
  constructor() {
    /** @type {Map<number, DrawnNode>} */
    this.nodes = new Map();
    /** The options of each node. @type {Map<number, Set<number>>} */
    this.options = new Map();
    /** The nodes with a piece; two pieces may stand on one node. @type {number[]} */
    this.pieces = [];
    this.next = 0;
    /** @type {string[]} */
    this.past = [];
    /** @type {string[]} */
    this.future = [];
  }

  /** @returns {[number, number][]} */
  arcs() {
    return [...this.options].flatMap(([from, options]) => [...options].map((to) => /** @type {[number, number]} */ ([from, to])));
  }

  /** @param {number} from @param {number} to */
  hasArc(from, to) {
    return this.options.get(from)?.has(to) ?? false;
  }

  /** @param {number} id */
  name(id) {
    return this.nodes.get(id)?.name ?? "";
  }

  /** @param {string} name */
  named(name) {
    return [...this.nodes.values()].find((node) => node.name === name);
  }

  /** A name that no node has: a letter, then letters with numbers. */
  freshName() {
    const taken = new Set([...this.nodes.values()].map((node) => node.name));
    const letters = "abcdefghijklmnopqrstuvwxyz";
    for (let round = 0; ; round += 1) {
      for (const letter of letters) {
        const name = round ? `${letter}${round}` : letter;
        if (!taken.has(name)) return name;
      }
    }
  }

  /** @param {number} x @param {number} y @param {string} [name] @param {boolean} [gray] */
  add(x, y, name = this.freshName(), gray = false) {
    const node = { id: this.next, name, gray, x: Math.round(x), y: Math.round(y) };
    this.next += 1;
    this.nodes.set(node.id, node);
    this.options.set(node.id, new Set());
    return node;
  }

  /** @param {number} id */
  remove(id) {
    this.nodes.delete(id);
    this.options.delete(id);
    for (const options of this.options.values()) options.delete(id);
    this.pieces = this.pieces.filter((piece) => piece !== id);
  }

  /** @param {number} from @param {number} to */
  join(from, to) {
    this.options.get(from)?.add(to);
  }

  /** @param {number} from @param {number} to */
  part(from, to) {
    this.options.get(from)?.delete(to);
  }

  /** Why a node cannot have this name; null if it can. @param {number} id @param {string} name */
  refused(id, name) {
    if (name === "") return "a node needs a name";
    const other = this.named(name);
    return other && other.id !== id ? `there is another node \`${name}\`` : null;
  }

  /** As a JSON file, the format in which every name can be written. */
  text() {
    const names = [...this.nodes.values()];
    return JSON.stringify({
      nodes: names.map((node) => node.name),
      gray: names.filter((node) => node.gray).map((node) => node.name),
      arcs: this.arcs().map(([from, to]) => [this.name(from), this.name(to)]),
    });
  }

  /** @returns {Snapshot} */
  snapshot() {
    return { nodes: [...this.nodes.values()].map((node) => ({ ...node })), arcs: this.arcs(), pieces: [...this.pieces] };
  }

  /** @param {Snapshot} snapshot */
  restore(snapshot) {
    this.nodes = new Map(snapshot.nodes.map((node) => [node.id, { ...node }]));
    this.options = new Map(snapshot.nodes.map((node) => [node.id, new Set()]));
    for (const [from, to] of snapshot.arcs) this.join(from, to);
    this.pieces = [...snapshot.pieces];
    this.next = Math.max(-1, ...this.nodes.keys()) + 1;
  }

  /** Keeps what is there, so that the change which follows can be undone. */
  keep() {
    const now = JSON.stringify(this.snapshot());
    if (this.past.at(-1) === now) return;
    this.past.push(now);
    if (this.past.length > MOST_UNDONE) this.past.shift();
    this.future = [];
  }

  undo() {
    return this.#step(this.past, this.future);
  }

  redo() {
    return this.#step(this.future, this.past);
  }

  /** @param {string[]} from @param {string[]} to */
  #step(from, to) {
    const now = JSON.stringify(this.snapshot());
    let then = from.pop();
    if (then === now) then = from.pop();
    if (then === undefined) return false;
    to.push(now);
    this.restore(JSON.parse(then));
    return true;
  }
}

const SPECIAL = /[.\-_*%]/g;
/** @param {string} name */
const escaped = (name) => name.replace(SPECIAL, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`);
/** @param {string} text */
const unescaped = (text) => text.replace(/%([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));

/**
 * The digraph for an address: nodes joined by `_`, each `name.x.y.options`, with `*` before a gray one; options are numbers of nodes joined
 * by `-`. These signs stay as they are in an address. Null if it is too long for one.
 * @param {Model} model
 */
export function encoded(model) {
  const order = new Map([...model.nodes.keys()].map((id, i) => [id, i]));
  const text = [...model.nodes.values()].map((node) => {
    const options = [...(model.options.get(node.id) ?? [])].map((to) => order.get(to)).join("-");
    return `${node.gray ? "*" : ""}${escaped(node.name)}.${Math.round(node.x)}.${Math.round(node.y)}.${options}`;
  }).join("_");
  return text.length > LONGEST_ADDRESS ? null : text;
}

/** The pieces for an address. @param {Model} model */
export function encodedPieces(model) {
  const order = [...model.nodes.keys()];
  return model.pieces.map((piece) => order.indexOf(piece)).join("-");
}

/**
 * Reads what `encoded` wrote; null if it is something else.
 * @param {string} text @param {string} pieces
 * @returns {Snapshot|null}
 */
export function decoded(text, pieces) {
  const records = text === "" ? [] : text.split("_").map((record) => /^(\*?)([^.*_-]+)\.(-?\d{1,6})\.(-?\d{1,6})\.((?:\d+(?:-\d+)*)?)$/.exec(record));
  if (records.some((record) => record === null) || records.length > MOST_NODES) return null;
  const nodes = records.map((record, id) => ({ id, name: unescaped(record?.[2] ?? ""), gray: record?.[1] === "*", x: Number(record?.[3]), y: Number(record?.[4]) }));
  const arcs = records.flatMap((record, from) => (record?.[5] ? record[5].split("-").map((to) => /** @type {[number, number]} */ ([from, Number(to)])) : []));
  const stand = /^\d+(-\d+)*$/.test(pieces) ? pieces.split("-").map(Number) : [];
  const isNode = (/** @type {number} */ id) => id < nodes.length;
  if (new Set(nodes.map((node) => node.name)).size < nodes.length || arcs.length > MOST_ARCS || !arcs.every(([, to]) => isNode(to))) return null;
  return { nodes, arcs, pieces: stand.filter(isNode) };
}
