// The model of the digraph: nodes, arcs and pieces, with undo and with the encoding for the address.

/**
 * @typedef {{id: number, name: string, gray: boolean, x: number, y: number}} DrawnNode
 * @typedef {{nodes: DrawnNode[], arcs: [number, number][], pieces: number[]}} Snapshot
 */

/** The view shows only a neighbourhood of digraphs beyond these limits, and does not edit them. */
export const MAX_NODES = 250;
export const MAX_ARCS = 1500;

/** The longest text in an address. */
const MAX_ADDRESS = 6000;

/** The largest number of steps that can be undone. */
const MAX_UNDO = 200;

export class Model {
  constructor() {
    /** @type {Map<number, DrawnNode>} */
    this.nodes = new Map();
    /** The options of each node. @type {Map<number, Set<number>>} */
    this.options = new Map();
    /** The nodes with a piece; a node may have several. @type {number[]} */
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

  /** Returns an unused name: a letter, or a letter with a number. */
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
  connect(from, to) {
    this.options.get(from)?.add(to);
  }

  /** @param {number} from @param {number} to */
  disconnect(from, to) {
    this.options.get(from)?.delete(to);
  }

  /** Returns why a node cannot have this name, or null if it can. @param {number} id @param {string} name */
  nameProblem(id, name) {
    if (name === "") return "a node needs a name";
    const other = this.named(name);
    return other && other.id !== id ? `another node has the name \`${name}\`` : null;
  }

  /** Returns the nodes that pieces on the given nodes can reach, including the given ones. @param {number[]} starts */
  reachable(starts) {
    const found = new Set(starts);
    for (const node of found) for (const option of this.options.get(node) ?? []) found.add(option);
    return found;
  }

  /** Returns all or some nodes, with the arcs between them, as JSON, the only format that allows every name. @param {Set<number>} [some] */
  text(some) {
    const names = [...this.nodes.values()].filter((node) => !some || some.has(node.id));
    return JSON.stringify({
      nodes: names.map((node) => node.name),
      gray: names.filter((node) => node.gray).map((node) => node.name),
      arcs: this.arcs().filter(([from, to]) => !some || (some.has(from) && some.has(to))).map(([from, to]) => [this.name(from), this.name(to)]),
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
    for (const [from, to] of snapshot.arcs) this.connect(from, to);
    this.pieces = [...snapshot.pieces];
    this.next = Math.max(-1, ...this.nodes.keys()) + 1;
  }

  /** Remembers the current state, so that the next change can be undone. */
  remember() {
    const now = JSON.stringify(this.snapshot());
    if (this.past.at(-1) === now) return;
    this.past.push(now);
    if (this.past.length > MAX_UNDO) this.past.shift();
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
 * Encodes the digraph for an address: nodes joined by `_`, each of the form `name.x.y.options`, with `*` before a gray node.
 * The options are numbers of nodes joined by `-`. Addresses allow all of these characters. Returns null if the text is too long.
 * @param {Model} model
 */
export function encoded(model) {
  const order = new Map([...model.nodes.keys()].map((id, i) => [id, i]));
  const text = [...model.nodes.values()].map((node) => {
    const options = [...(model.options.get(node.id) ?? [])].map((to) => order.get(to)).join("-");
    return `${node.gray ? "*" : ""}${escaped(node.name)}.${Math.round(node.x)}.${Math.round(node.y)}.${options}`;
  }).join("_");
  return text.length > MAX_ADDRESS ? null : text;
}

/** Encodes the pieces for an address. @param {Model} model */
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
  if (records.some((record) => record === null) || records.length > MAX_NODES) return null;
  const nodes = records.map((record, id) => ({ id, name: unescaped(record?.[2] ?? ""), gray: record?.[1] === "*", x: Number(record?.[3]), y: Number(record?.[4]) }));
  const arcs = records.flatMap((record, from) => (record?.[5] ? record[5].split("-").map((to) => /** @type {[number, number]} */ ([from, Number(to)])) : []));
  const stand = /^\d+(-\d+)*$/.test(pieces) ? pieces.split("-").map(Number) : [];
  const isNode = (/** @type {number} */ id) => id < nodes.length;
  if (new Set(nodes.map((node) => node.name)).size < nodes.length || arcs.length > MAX_ARCS || !arcs.every(([, to]) => isNode(to))) return null;
  return { nodes, arcs, pieces: stand.filter(isNode) };
}
