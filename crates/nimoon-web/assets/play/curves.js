// Routes the edges of a drawing so that a user can see and click each of them. No edge touches a vertex other than its ends,
// nothing comes near the middle of an edge, and swap handles cover neither vertices nor middles. This is pure geometry.

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{d: string, points: Point[], middle: Point, box: {left: number, right: number, top: number, bottom: number}}} Curve
 * @typedef {{a: string, b: string}} Ends
 * @typedef {{one: number, other: number, vertex: string}} Pair two edges that swap, and the vertex they share
 * @typedef {{stepX: number, stepY: number, reach: number, vertex: number, spot: Point, handle: {x: number, above: number, below: number}}} Sizes
 *   `vertex` is the radius of a vertex, `spot` half the room for the label in the middle of an edge, `handle` the room for a handle
 * @typedef {{scale: number, at: Map<string, Point>, curves: Curve[], handles: Point[]}} Drawing the ground is at height 0, heights are negative
 */

/** The number of segments that approximate a curve; even, so that the middle is one of the points. */
const SEGMENTS = 24;
/** Half the width of an edge, and the gap beside it. */
const HALF = 4.5;
const GAP = 8;
/** How far from an edge a click still chooses it, if no other edge is nearer. */
const HIT = 18;
const GROWTH = 1.15;
/** The largest scale to try, and the limit of comparisons between curves and vertices: about a second. */
const MAX_SCALE = 6;
const MAX_COMPARED = 1_500_000;

/** Creates the curve with these control points. @param {Point[]} controls @returns {Curve} */
function curve(controls) {
  const points = Array.from({ length: SEGMENTS + 1 }, (_, i) => {
    let level = controls;
    while (level.length > 1) level = level.slice(1).map((point, k) => ({ x: level[k].x + (point.x - level[k].x) * (i / SEGMENTS), y: level[k].y + (point.y - level[k].y) * (i / SEGMENTS) }));
    return level[0];
  });
  const [from, ...others] = controls.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return {
    d: `M${from} ${others.length === 2 ? "Q" : "C"}${others.join(" ")}`, points, middle: points[SEGMENTS / 2],
    box: { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) },
  };
}

/** Returns the distance of a point from a curve, with lengths divided by `unit`, or Infinity if it exceeds `limit`. @param {Point} point @param {Curve} curve @param {Point} unit @param {number} limit */
function distance(point, { points, box }, unit, limit) {
  if (point.x < box.left - limit * unit.x || point.x > box.right + limit * unit.x || point.y < box.top - limit * unit.y || point.y > box.bottom + limit * unit.y) return Infinity;
  let least = Infinity;
  for (let i = 1; i < points.length; i += 1) {
    const [ax, ay] = [(points[i - 1].x - point.x) / unit.x, (points[i - 1].y - point.y) / unit.y];
    const [dx, dy] = [(points[i].x - point.x) / unit.x - ax, (points[i].y - point.y) / unit.y - ay];
    const t = Math.max(0, Math.min(1, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)));
    least = Math.min(least, Math.hypot(ax + t * dx, ay + t * dy));
  }
  return least <= limit ? least : Infinity;
}

const PIXEL = { x: 1, y: 1 };

/** @param {Ends} edge */
const endsOf = ({ a, b }) => [a, b].sort().join("-");

/**
 * Yields possible routes of an edge, the best first: a loop turns around its vertex, other edges bend.
 * @param {Point} a @param {Point} b @param {boolean} loop @param {number} number the index among the parallel edges @param {number} count the number of parallel edges @param {Sizes} sizes
 * @returns {Generator<Curve, void>}
 */
function* routes(a, b, loop, number, count, { vertex, spot }) {
  if (loop) {
    const least = (vertex + Math.max(spot.x, spot.y) + GAP) * 1.8;
    for (let i = 0; i < 16 * (5 + count); i += 1) {
      const [turn, size] = [i % 16, least + 40 * Math.floor(i / 16)];
      const angle = -Math.PI / 2 + (number - (count - 1) / 2) * (Math.PI / 4) + (turn % 2 ? 1 : -1) * Math.ceil(turn / 2) * (Math.PI / 8);
      const control = (/** @type {number} */ side) => ({ x: a.x + size * Math.cos(angle + side), y: a.y + size * Math.sin(angle + side) });
      yield curve([a, control(-0.6), control(0.6), b]);
    }
    return;
  }
  // Go from left to right, so that the first bend is upwards.
  const [from, to] = a.x < b.x || (a.x === b.x && a.y < b.y) ? [a, b] : [b, a];
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const step = Math.max(10, length * 0.06);
  for (let i = 0; i < 31; i += 1) {
    const bend = (number - (count - 1) / 2) * 3 * step + (i % 2 ? 1 : -1) * Math.ceil(i / 2) * step;
    yield curve([from, { x: (from.x + to.x) / 2 + ((to.y - from.y) / length) * bend * 2, y: (from.y + to.y) / 2 - ((to.x - from.x) / length) * bend * 2 }, to]);
  }
}

/** Whether one of two curves is too near the middle of the other. @param {Curve} one @param {Curve} other @param {Point} spot */
function clash(one, other, spot) {
  const clear = { x: spot.x + GAP, y: spot.y + GAP };
  const [dx, dy] = [Math.abs(one.middle.x - other.middle.x), Math.abs(one.middle.y - other.middle.y)];
  return (dx < 2 * spot.x && dy < 2 * spot.y) || distance(one.middle, other, clear, 1) < 1 || distance(other.middle, one, clear, 1) < 1;
}

/** The name under which a loop at the ground is listed among the places of vertices. @param {number} number */
export const groundLoop = (number) => `0#${number}`;

/** Whether a name is that of a vertex, and not of a loop at the ground. @param {string} name */
export const isVertex = (name) => !name.includes("#");

/** @param {Map<string, Point>} at */
const verticesOf = (at) => [...at].filter(([name]) => isVertex(name));

/**
 * Yields the routes of an edge that touch neither vertices nor the ground.
 * @param {Ends} edge @param {Iterable<Curve>} all @param {[string, Point][]} vertices @param {Sizes} sizes @param {{compared: number}} effort
 */
function* freeRoutes(edge, all, vertices, { vertex, spot }, effort) {
  for (const route of all) {
    effort.compared += vertices.length;
    const isFree = vertices.every(([name, point]) => (name === edge.a || name === edge.b || distance(point, route, PIXEL, vertex + HALF + GAP) === Infinity)
      && (Math.abs(point.x - route.middle.x) > vertex + spot.x || Math.abs(point.y - route.middle.y) > vertex + spot.y));
    if (isFree && route.points.slice(2, -2).every(({ y }) => y < -HALF)) yield route;
  }
}

/**
 * Returns a route for each edge so that no two clash, or null if the search found none.
 * @param {Ends[]} edges @param {Map<string, Point>} at @param {Sizes} sizes @param {{compared: number}} effort
 */
function routeAll(edges, at, sizes, effort) {
  const vertices = verticesOf(at);
  /** @type {Map<string, number[]>} */
  const parallel = new Map();
  edges.forEach((edge, i) => parallel.set(endsOf(edge), [...(parallel.get(endsOf(edge)) ?? []), i]));
  const place = (/** @type {string} */ end, /** @type {string} */ other) => (end === "0" ? { x: at.get(other)?.x ?? 0, y: 0 } : at.get(end) ?? { x: 0, y: 0 });
  const all = edges.map((edge, i) => {
    const same = parallel.get(endsOf(edge)) ?? [i];
    const number = same.indexOf(i);
    if (edge.a === "0" && edge.b === "0") {
      // Both ends of a loop at the ground stand on the ground.
      const { x } = at.get(groundLoop(number)) ?? { x: 0 };
      return [curve([{ x: x - 22, y: 0 }, { x: x - 22, y: -1.1 * sizes.stepY }, { x: x + 22, y: -1.1 * sizes.stepY }, { x: x + 22, y: 0 }])];
    }
    return routes(place(edge.a, edge.b), place(edge.b, edge.a), edge.a === edge.b, number, same.length, sizes);
  });
  const rest = edges.map((edge, i) => freeRoutes(edge, all[i], vertices, sizes, effort));
  /** The routes of each edge found so far. */
  const found = rest.map((free) => { const first = free.next().value; return first ? [first] : []; });
  if (found.some((routes) => routes.length === 0)) return null;
  const chosen = found.map(([first]) => first);
  // Reroute long edges before short ones.
  const length = (/** @type {Curve} */ { points }) => Math.hypot(points[SEGMENTS].x - points[0].x, points[SEGMENTS].y - points[0].y);
  const order = [...chosen.keys()].sort((i, j) => length(chosen[j]) - length(chosen[i]));
  for (let before = Infinity; ;) {
    let clashes = 0;
    for (const i of order) {
      const count = (/** @type {Curve} */ route, /** @type {number} */ most) => {
        let sum = 0;
        for (let j = 0; j < chosen.length && sum < most; j += 1) {
          effort.compared += 1;
          if (i !== j && clash(route, chosen[j], sizes.spot)) sum += 1;
        }
        return sum;
      };
      let least = count(chosen[i], Infinity);
      for (let k = 0; least > 0 && effort.compared < MAX_COMPARED; k += 1) {
        if (k === found[i].length) {
          const next = rest[i].next().value;
          if (!next) break;
          found[i].push(next);
        }
        const sum = count(found[i][k], least);
        if (sum < least) [least, chosen[i]] = [sum, found[i][k]];
      }
      clashes += least;
    }
    if (clashes === 0) return chosen;
    if (clashes >= before || effort.compared >= MAX_COMPARED) return null;
    before = clashes;
  }
}

/**
 * Returns a place for each swap handle between its edges, or null if there is no room.
 * @param {Pair[]} pairs @param {Curve[]} curves @param {Map<string, Point>} at @param {Sizes} sizes
 */
function placeHandles(pairs, curves, at, { reach, vertex, spot, handle }) {
  const vertices = verticesOf(at).map(([, point]) => point);
  /** @type {Point[]} */
  const handles = [];
  for (const { one, other, vertex: name } of pairs) {
    const centre = at.get(name) ?? { x: 0, y: 0 };
    const toward = (/** @type {Curve} */ { points }) => {
      const isFirst = Math.hypot(points[0].x - centre.x, points[0].y - centre.y) < 1;
      const { x, y } = points[isFirst ? SEGMENTS / 3 : SEGMENTS - SEGMENTS / 3];
      const length = Math.hypot(x - centre.x, y - centre.y) || 1;
      return { x: (x - centre.x) / length, y: (y - centre.y) / length };
    };
    const [u, v] = [toward(curves[one]), toward(curves[other])];
    const isStraight = Math.hypot(u.x + v.x, u.y + v.y) < 0.2;
    const middle = isStraight ? Math.atan2(u.x, -u.y) : Math.atan2(u.y + v.y, u.x + v.x);
    /** @type {{point: Point, cost: number}|null} */
    let best = null;
    for (let ring = 0; ring < 7 + pairs.length; ring += 1) {
      for (let turn = 0; turn < 24; turn += 1) {
        const angle = middle + (turn % 2 ? 1 : -1) * Math.ceil(turn / 2) * (Math.PI / 12);
        const point = { x: centre.x + (reach + 12 * ring) * Math.cos(angle), y: centre.y + (reach + 12 * ring) * Math.sin(angle) };
        const covers = (/** @type {Point} */ room, /** @type {Point} */ place) => Math.abs(place.x - point.x) < handle.x + room.x && place.y - point.y < handle.below + room.y && point.y - place.y < handle.above + room.y;
        if (point.y + handle.below > -2 || vertices.some((place) => covers({ x: vertex, y: vertex }, place)) || curves.some((route) => covers(spot, route.middle))
          || handles.some((place) => Math.abs(place.x - point.x) < 2 * handle.x && Math.abs(place.y - point.y) < handle.above + handle.below)) continue;
        // Prefer a place between its edges and near the vertex, and avoid other edges.
        const cost = 12 * ring + 4 * Math.ceil(turn / 2) + (curves.some((route) => distance(point, route, PIXEL, handle.above + HALF) < Infinity) ? 20 : 0);
        if (!best || cost < best.cost) best = { point, cost };
      }
    }
    if (!best) return null;
    handles.push(best.point);
  }
  return handles;
}

/**
 * Draws edges between vertices at these places, which are in steps from the ground. The drawing grows from `scale` on until no
 * two edges clash.
 * @param {Ends[]} edges @param {Pair[]} pairs @param {Map<string, Point>} places @param {Sizes} sizes @param {number} scale
 * @returns {Drawing|null} null if there are too many edges
 */
export function drawing(edges, pairs, places, sizes, scale) {
  const effort = { compared: 0 };
  for (; scale < MAX_SCALE && effort.compared < MAX_COMPARED; scale *= GROWTH) {
    const at = new Map([...places].map(([name, { x, y }]) => [name, { x: x * sizes.stepX * scale, y: -y * sizes.stepY * scale }]));
    const curves = routeAll(edges, at, sizes, effort);
    const handles = curves && placeHandles(pairs, curves, at, sizes);
    if (handles) return { scale, at, curves, handles };
  }
  return null;
}

/**
 * Returns for each curve the outline of the points that are nearest to it, and not far away. A click there chooses this edge.
 * @param {Curve[]} curves
 */
export function hitAreas(curves) {
  return curves.map((own, i) => {
    const sides = own.points.map((point, k) => {
      const [before, after] = [own.points[Math.max(0, k - 1)], own.points[Math.min(SEGMENTS, k + 1)]];
      const length = Math.hypot(after.x - before.x, after.y - before.y) || 1;
      const half = curves.reduce((least, other, j) => (i === j ? least : Math.min(least, distance(point, other, PIXEL, 2 * HIT) / 2)), HIT) / length;
      const [x, y] = [-(after.y - before.y) * half, (after.x - before.x) * half];
      return [{ x: point.x + x, y: point.y + y }, { x: point.x - x, y: point.y - y }];
    });
    const outline = [...sides.map(([left]) => left), ...sides.map(([, right]) => right).reverse()];
    return `M${outline.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
  });
}
