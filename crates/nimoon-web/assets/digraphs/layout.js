// Lays out a digraph. Layers make arcs point down as far as cycles allow, then forces spread the nodes. The same digraph
// always gets the same layout.

/** @typedef {{x: number, y: number}} Point */

const STEP_X = 120;
const STEP_Y = 105;
/** The least distance between a node and an arc that does not end there. */
const CLEARANCE = 44;

/**
 * @param {number} count
 * @param {[number, number][]} arcs pairs of node numbers
 * @returns {Point[]}
 */
export function layout(count, arcs) {
  const straight = arcs.filter(([from, to]) => from !== to);
  const components = connected(count, straight);
  /** @type {Point[]} */
  const places = new Array(count);
  let left = 0;
  let top = 0;
  let tallest = 0;
  const widest = Math.max(700, Math.sqrt(count) * STEP_X * 1.6);
  for (const component of components) {
    const points = placed(component, straight);
    const width = Math.max(...points.map((point) => point.x));
    if (left > 0 && left + width > widest) {
      left = 0;
      top += tallest + STEP_Y;
      tallest = 0;
    }
    component.forEach((node, i) => { places[node] = { x: Math.round(left + points[i].x), y: Math.round(top + points[i].y) }; });
    tallest = Math.max(tallest, ...points.map((point) => point.y));
    left += width + STEP_X;
  }
  return places;
}

/** Returns the connected components, the largest first. @param {number} count @param {[number, number][]} arcs */
function connected(count, arcs) {
  const near = neighbours(count, arcs);
  const seen = new Array(count).fill(false);
  /** @type {number[][]} */
  const components = [];
  for (let start = 0; start < count; start += 1) {
    if (seen[start]) continue;
    seen[start] = true;
    const component = [start];
    for (const node of component) {
      for (const other of near[node]) {
        if (!seen[other]) { seen[other] = true; component.push(other); }
      }
    }
    components.push(component.sort((a, b) => a - b));
  }
  return components.sort((a, b) => b.length - a.length || a[0] - b[0]);
}

/** @param {number} count @param {[number, number][]} arcs */
function neighbours(count, arcs) {
  /** @type {number[][]} */
  const near = Array.from({ length: count }, () => []);
  for (const [from, to] of arcs) { near[from].push(to); near[to].push(from); }
  return near;
}

/** Places the nodes of one component, with coordinates from 0 on, and returns the best of several attempts. @param {number[]} component @param {[number, number][]} all */
function placed(component, all) {
  const place = new Map(component.map((node, i) => [node, i]));
  const arcs = all.filter(([from]) => place.has(from)).map(([from, to]) => /** @type {[number, number]} */ ([place.get(from) ?? 0, place.get(to) ?? 0]));
  const down = acyclic(component.length, arcs);
  const { level, squeezed } = flatten(levels(component.length, down));
  const deepest = Math.max(...level);
  const tries = component.length > 60 ? 1 : 16;
  /** @type {{points: Point[], cost: number}|null} */
  let best = null;
  for (let number = 0; number < tries && best?.cost !== 0; number += 1) {
    const rows = ordered(component.length, down, level, number);
    /** @type {Point[]} */
    const points = new Array(component.length);
    rows.forEach((row, depth) => row.forEach((node, i) => {
      points[node] = { x: (i - (row.length - 1) / 2) * STEP_X, y: (deepest - depth) * STEP_Y };
    }));
    spread(points, arcs, squeezed ? 1 : 0.5);
    const cost = faults(points, arcs);
    if (!best || cost < best.cost) best = { points, cost };
  }
  const points = best?.points ?? [];
  const least = { x: Math.min(...points.map((point) => point.x)), y: Math.min(...points.map((point) => point.y)) };
  return points.map((point) => ({ x: point.x - least.x, y: point.y - least.y }));
}

/** Limits the height of the picture: on long paths, several levels become one. @param {number[]} level */
function flatten(level) {
  const deepest = Math.max(...level);
  const limit = Math.max(5, Math.ceil(Math.sqrt(level.length)));
  if (deepest < limit) return { level, squeezed: false };
  return { level: level.map((depth) => Math.floor((depth * limit) / (deepest + 1))), squeezed: true };
}

/** Rates how hard a layout is to read: crossing arcs cost, and nodes on arcs cost more. @param {Point[]} points @param {[number, number][]} arcs */
function faults(points, arcs) {
  if (points.length > 60) return 0;
  const side = (/** @type {Point} */ a, /** @type {Point} */ b, /** @type {Point} */ c) => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  let cost = 0;
  arcs.forEach(([from, to], i) => {
    const [a, b] = [points[from], points[to]];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    points.forEach((point, node) => {
      const along = ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / (length * length);
      const aside = Math.abs((point.x - a.x) * (a.y - b.y) + (point.y - a.y) * (b.x - a.x)) / length;
      if (node !== from && node !== to && along > 0 && along < 1 && aside < 28) cost += 4;
    });
    for (const [start, end] of arcs.slice(i + 1)) {
      if ([start, end].includes(from) || [start, end].includes(to)) continue;
      const [c, d] = [points[start], points[end]];
      if (side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b)) cost += 1;
    }
  });
  return cost;
}

/** Returns the arcs without those that close a cycle in a depth-first search. @param {number} count @param {[number, number][]} arcs */
function acyclic(count, arcs) {
  /** @type {number[][]} */
  const options = Array.from({ length: count }, () => []);
  for (const [from, to] of arcs) options[from].push(to);
  const entered = new Array(count).fill(0);
  for (const [, to] of arcs) entered[to] += 1;
  const state = new Array(count).fill(0);
  /** @type {[number, number][]} */
  const selected = [];
  // Start from the nodes with the fewest incoming arcs.
  const starts = [...entered.keys()].sort((a, b) => entered[a] - entered[b] || a - b);
  for (const start of starts) {
    if (state[start]) continue;
    state[start] = 1;
    const path = [{ node: start, next: 0 }];
    while (path.length > 0) {
      const top = path[path.length - 1];
      if (top.next === options[top.node].length) { state[top.node] = 2; path.pop(); continue; }
      const to = options[top.node][top.next];
      top.next += 1;
      if (state[to] === 1) continue;
      selected.push([top.node, to]);
      if (state[to] === 0) { state[to] = 1; path.push({ node: to, next: 0 }); }
    }
  }
  return selected;
}

/** Returns the length of the longest path from each node. @param {number} count @param {[number, number][]} arcs */
function levels(count, arcs) {
  const level = new Array(count).fill(0);
  for (let changed = true, round = 0; changed && round <= count; round += 1) {
    changed = false;
    for (const [from, to] of arcs) {
      if (level[from] <= level[to]) { level[from] = level[to] + 1; changed = true; }
    }
  }
  return level;
}

/**
 * Orders the nodes of each level so that few arcs cross. Each `number` starts from a different order.
 * @param {number} count @param {[number, number][]} arcs @param {number[]} level @param {number} number
 */
function ordered(count, arcs, level, number) {
  /** @type {number[][]} */
  const rows = Array.from({ length: Math.max(...level) + 1 }, () => []);
  for (let node = 0; node < count; node += 1) rows[level[node]].push(node);
  const mixed = (/** @type {number} */ node) => (number === 0 ? node : ((node + 1) * 7919 * (number + 1)) % 104_729);
  for (const row of rows) row.sort((a, b) => mixed(a) - mixed(b));
  const near = neighbours(count, arcs);
  const at = new Array(count).fill(0);
  const note = () => rows.forEach((row) => row.forEach((node, i) => { at[node] = i - (row.length - 1) / 2; }));
  note();
  for (let round = 0; round < 12; round += 1) {
    for (const row of round % 2 ? [...rows].reverse() : rows) {
      const means = new Map(row.map((node) => [node, near[node].length ? near[node].reduce((sum, other) => sum + at[other], 0) / near[node].length : at[node]]));
      row.sort((a, b) => (means.get(a) ?? 0) - (means.get(b) ?? 0) || a - b);
      row.forEach((node, i) => { at[node] = i - (row.length - 1) / 2; });
    }
  }
  return rows;
}

/**
 * Spreads the nodes: nodes repel each other and the arcs of other nodes, arcs pull their ends together, and heights change little.
 * @param {Point[]} points @param {[number, number][]} arcs @param {number} upright how strongly forces act vertically
 */
function spread(points, arcs, upright) {
  const rounds = points.length > 120 ? 60 : 240;
  const far = STEP_X * 0.95;
  for (let round = 0; round < rounds; round += 1) {
    const heat = 12 * (1 - round / rounds) + 1;
    const force = points.map(() => ({ x: 0, y: 0 }));
    const push = (/** @type {number} */ node, /** @type {number} */ x, /** @type {number} */ y) => { force[node].x += x; force[node].y += y; };
    for (let i = 0; i < points.length; i += 1) {
      for (let j = i + 1; j < points.length; j += 1) {
        const dx = points[i].x - points[j].x || (i - j) * 0.01;
        const dy = points[i].y - points[j].y;
        const distance = Math.hypot(dx, dy);
        if (distance > 2.2 * far) continue;
        // At a smaller distance, names and values would overlap.
        const strength = ((far * far) / (distance * distance) * 4 + (distance < 78 ? 6 : 0)) / distance;
        push(i, dx * strength, dy * strength * upright);
        push(j, -dx * strength, -dy * strength * upright);
      }
    }
    for (const [from, to] of arcs) {
      const dx = points[to].x - points[from].x;
      const dy = points[to].y - points[from].y;
      const length = Math.hypot(dx, dy) || 1;
      const pull = Math.min(8, (length - STEP_Y) * 0.03) / length;
      push(from, dx * pull, dy * pull * upright);
      push(to, -dx * pull, -dy * pull * upright);
      for (let node = 0; node < points.length; node += 1) {
        if (node === from || node === to) continue;
        const along = ((points[node].x - points[from].x) * dx + (points[node].y - points[from].y) * dy) / (length * length);
        if (along <= 0 || along >= 1) continue;
        const aside = ((points[node].x - points[from].x) * -dy + (points[node].y - points[from].y) * dx) / length || 0.01;
        const away = Math.abs(aside);
        if (away > CLEARANCE) continue;
        const strength = (Math.sign(aside) * (CLEARANCE - away) * 0.22) / length;
        push(node, -dy * strength, dx * strength);
        push(from, (dy * strength) / 2, (-dx * strength) / 2);
        push(to, (dy * strength) / 2, (-dx * strength) / 2);
      }
    }
    points.forEach((point, i) => {
      const length = Math.hypot(force[i].x, force[i].y) || 1;
      const step = Math.min(length, heat) / length;
      point.x += force[i].x * step;
      point.y += force[i].y * step;
    });
  }
}
