// Where the vertices of a partizan graph stand: the start on top, Left's options to the left, Right's to the right.
//
// A vertex stands below all that lead to it, as far as they are not on a cycle with it. The vertices of a cycle stand
// by their distance from where it is entered, in either direction, so that a cycle becomes a ring.

/**
 * @typedef {{nodes: string[], left: [string, string][], right: [string, string][], start: string}} Graph
 * @typedef {{name: string, x: number, y: number, width: number, layer: number}} Place
 * @typedef {{player: "left"|"right", from: number, to: number}} Edge
 */

export const HEIGHT = 34;
const BETWEEN_LAYERS = 84;
const GAP = 46;
const ROUNDS = 24;

/**
 * The edges by numbers of vertices.
 * @param {Graph} graph
 * @returns {Edge[]}
 */
export function edgesOf(graph) {
  const number = new Map(graph.nodes.map((name, i) => [name, i]));
  const of = (/** @type {"left"|"right"} */ player) => graph[player].map(([from, to]) => ({ player, from: number.get(from) ?? 0, to: number.get(to) ?? 0 }));
  return [...of("left"), ...of("right")];
}

/**
 * The strongly connected components, those that lead to others first.
 * @param {number} count
 * @param {number[][]} next
 * @param {number} start
 */
function components(count, next, start) {
  const index = new Array(count).fill(-1);
  const low = new Array(count).fill(0);
  const onStack = new Array(count).fill(false);
  /** @type {number[]} */
  const stack = [];
  /** @type {number[][]} */
  const found = [];
  let counter = 0;
  // Not by recursion: a number is a long path.
  const visit = (/** @type {number} */ root) => {
    /** @type {[number, number][]} */
    const path = [[root, 0]];
    while (path.length) {
      const frame = path[path.length - 1];
      const [vertex, at] = frame;
      if (at === 0) {
        index[vertex] = low[vertex] = counter++;
        stack.push(vertex);
        onStack[vertex] = true;
      }
      if (at < next[vertex].length) {
        frame[1] += 1;
        const option = next[vertex][at];
        if (index[option] === -1) path.push([option, 0]);
        else if (onStack[option]) low[vertex] = Math.min(low[vertex], index[option]);
        continue;
      }
      path.pop();
      const above = path[path.length - 1]?.[0];
      if (above !== undefined) low[above] = Math.min(low[above], low[vertex]);
      if (low[vertex] === index[vertex]) {
        const component = [];
        for (;;) {
          const member = /** @type {number} */ (stack.pop());
          onStack[member] = false;
          component.push(member);
          if (member === vertex) break;
        }
        found.push(component.sort((a, b) => a - b));
      }
    }
  };
  visit(start);
  for (let vertex = 0; vertex < count; vertex += 1) if (index[vertex] === -1) visit(vertex);
  return found.reverse();
}

/**
 * @param {number} count
 * @param {Edge[]} edges
 * @param {number} start
 */
function layers(count, edges, start) {
  /** @type {number[][]} */
  const next = Array.from({ length: count }, () => []);
  /** @type {number[][]} */
  const before = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) {
    if (from === to || next[from].includes(to)) continue;
    next[from].push(to);
    before[to].push(from);
  }
  const layer = new Array(count).fill(-1);
  for (const component of components(count, next, start)) {
    const members = new Set(component);
    const outside = (/** @type {number} */ vertex) => before[vertex].filter((other) => !members.has(other));
    const base = Math.max(0, ...component.flatMap((vertex) => outside(vertex).map((other) => layer[other] + 1)));
    let ring = members.has(start) ? [start] : component.filter((vertex) => outside(vertex).length > 0).slice(0, 1);
    if (ring.length === 0) ring = [component[0]];
    let distance = 0;
    while (ring.length) {
      for (const vertex of ring) layer[vertex] = base + distance;
      const near = ring.flatMap((vertex) => [...next[vertex], ...before[vertex]]);
      ring = [...new Set(near)].filter((vertex) => members.has(vertex) && layer[vertex] === -1);
      distance += 1;
    }
  }
  return layer;
}

/**
 * Numbers in this order, as near to the wanted ones as the distances between them allow.
 * @param {number[]} wanted
 * @param {number[]} distances from each to the next
 */
function apart(wanted, distances) {
  let offset = 0;
  const offsets = wanted.map((_, i) => (i === 0 ? 0 : (offset += distances[i - 1])));
  /** @type {{sum: number, count: number}[]} */
  const blocks = [];
  wanted.forEach((x, i) => {
    blocks.push({ sum: x - offsets[i], count: 1 });
    for (;;) {
      const last = blocks[blocks.length - 1];
      const previous = blocks[blocks.length - 2];
      if (!previous || previous.sum / previous.count <= last.sum / last.count) break;
      blocks.splice(-2, 2, { sum: previous.sum + last.sum, count: previous.count + last.count });
    }
  });
  const shifts = blocks.flatMap(({ sum, count }) => new Array(count).fill(sum / count));
  return shifts.map((shift, i) => shift + offsets[i]);
}

/**
 * @param {Graph} graph
 * @param {number[]} widths of the vertices
 * @returns {{places: Place[], edges: Edge[], width: number, height: number}}
 */
export function layout(graph, widths) {
  const edges = edgesOf(graph);
  const count = graph.nodes.length;
  const start = Math.max(0, graph.nodes.indexOf(graph.start));
  const layer = layers(count, edges, start);
  const rows = Array.from({ length: Math.max(...layer) + 1 }, (_, i) => graph.nodes.map((_, vertex) => vertex).filter((vertex) => layer[vertex] === i));
  const x = new Array(count).fill(0);
  // A step to the left for Left's options, to the right for Right's. Edges that lead back pull less.
  const pulls = edges.filter(({ from, to }) => layer[from] !== layer[to]).flatMap(({ player, from, to }) => {
    const down = layer[to] > layer[from];
    const [upper, lower] = down ? [from, to] : [to, from];
    const side = player === "left" ? -1 : 1;
    return [{ upper, lower, step: side * GAP, weight: down ? 1 : 0.3 }];
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const downwards = round % 2 === 0;
    for (const row of downwards ? rows : [...rows].reverse()) {
      const wanted = row.map((vertex) => {
        const wishes = pulls.flatMap(({ upper, lower, step, weight }) => {
          if (lower === vertex && (downwards || round > 3)) return [{ at: x[upper] + step, weight }];
          if (upper === vertex && (!downwards || round > 3)) return [{ at: x[lower] - step, weight }];
          return [];
        });
        const weights = wishes.reduce((sum, wish) => sum + wish.weight, 0);
        return weights > 0 ? wishes.reduce((sum, wish) => sum + wish.at * wish.weight, 0) / weights : x[vertex];
      });
      const order = row.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
      const distances = order.slice(1).map((i, k) => (widths[row[order[k]]] + widths[row[i]]) / 2 + GAP);
      apart(order.map((i) => wanted[i]), distances).forEach((at, k) => { x[row[order[k]]] = at; });
    }
  }
  const left = Math.min(...x.map((at, i) => at - widths[i] / 2));
  const right = Math.max(...x.map((at, i) => at + widths[i] / 2));
  const margin = 60;
  const places = graph.nodes.map((name, i) => ({ name, x: x[i] - left + margin, y: 56 + layer[i] * BETWEEN_LAYERS, width: widths[i], layer: layer[i] }));
  return { places, edges, width: right - left + 2 * margin, height: 56 + (rows.length - 1) * BETWEEN_LAYERS + 46 };
}
