// Places the vertices of a partizan graph: the start on top, Left's options to the left, Right's options to the right.
//
// A vertex stands below all vertices that lead to it, unless they are on a cycle with it. The layers within a cycle follow
// the distance from the vertex where play enters it, in either direction, so that a cycle becomes a ring.

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
 * Returns the edges with vertices as numbers.
 * @param {Graph} graph
 * @returns {Edge[]}
 */
export function edgesOf(graph) {
  const number = new Map(graph.nodes.map((name, i) => [name, i]));
  const of = (/** @type {"left"|"right"} */ player) => graph[player].map(([from, to]) => ({ player, from: number.get(from) ?? 0, to: number.get(to) ?? 0 }));
  return [...of("left"), ...of("right")];
}

/**
 * Returns the strongly connected components in topological order.
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
  // This avoids recursion, because the graph of a large number is a long path.
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
 * Returns numbers in the given order that keep the distances, as near as possible to the ideal numbers.
 * @param {number[]} ideal
 * @param {number[]} distances the least distance from each number to the next
 */
function separate(ideal, distances) {
  let offset = 0;
  const offsets = ideal.map((_, i) => (i === 0 ? 0 : (offset += distances[i - 1])));
  /** @type {{sum: number, count: number}[]} */
  const blocks = [];
  ideal.forEach((x, i) => {
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
  // Left's options pull to the left and Right's to the right. Edges that lead back up pull less.
  const pulls = edges.filter(({ from, to }) => layer[from] !== layer[to]).flatMap(({ player, from, to }) => {
    const down = layer[to] > layer[from];
    const [upper, lower] = down ? [from, to] : [to, from];
    const side = player === "left" ? -1 : 1;
    return [{ upper, lower, step: side * GAP, weight: down ? 1 : 0.3 }];
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const downwards = round % 2 === 0;
    for (const row of downwards ? rows : [...rows].reverse()) {
      const ideal = row.map((vertex) => {
        const wishes = pulls.flatMap(({ upper, lower, step, weight }) => {
          if (lower === vertex && (downwards || round > 3)) return [{ at: x[upper] + step, weight }];
          if (upper === vertex && (!downwards || round > 3)) return [{ at: x[lower] - step, weight }];
          return [];
        });
        const weights = wishes.reduce((sum, wish) => sum + wish.weight, 0);
        return weights > 0 ? wishes.reduce((sum, wish) => sum + wish.at * wish.weight, 0) / weights : x[vertex];
      });
      const order = row.map((_, i) => i).sort((a, b) => ideal[a] - ideal[b] || a - b);
      const distances = order.slice(1).map((i, k) => (widths[row[order[k]]] + widths[row[i]]) / 2 + GAP);
      separate(order.map((i) => ideal[i]), distances).forEach((at, k) => { x[row[order[k]]] = at; });
    }
  }
  const left = Math.min(...x.map((at, i) => at - widths[i] / 2));
  const right = Math.max(...x.map((at, i) => at + widths[i] / 2));
  const margin = 60;
  const places = graph.nodes.map((name, i) => ({ name, x: x[i] - left + margin, y: 56 + layer[i] * BETWEEN_LAYERS, width: widths[i], layer: layer[i] }));
  return { places, edges, width: right - left + 2 * margin, height: 56 + (rows.length - 1) * BETWEEN_LAYERS + 46 };
}
