// The paths of arcs and the background of zones.

/** @typedef {{x: number, y: number}} Point */
/** The shape of a node with round ends, by half its width and half its height. @typedef {Point & {wide: number, high: number}} Shape */

const HEAD = 9;
/** Half the height of a node. */
export const HALF_HEIGHT = 19;

/** The shape of a node with this text. @param {Point} place @param {string} text @returns {Shape} */
export const shapeAt = ({ x, y }, text) => ({ x, y, high: HALF_HEIGHT, wide: Math.max(HALF_HEIGHT, 12 + 5 * [...text].length) });

/** Whether a point lies in a shape, or less than `margin` away. @param {Shape} shape @param {Point} point @param {number} margin */
function inside(shape, point, margin) {
  const straight = Math.max(0, shape.wide - shape.high);
  const dx = Math.max(0, Math.abs(point.x - shape.x) - straight);
  return Math.hypot(dx, point.y - shape.y) <= shape.high + margin;
}

/**
 * Returns the path of an arc, its head, and its middle.
 * @param {Shape} from @param {Shape} to @param {boolean} bent whether there is an arc in the other direction, so that both bend
 * @returns {{line: string, head: string, middle: Point}}
 */
export function arcPath(from, to, bent) {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const bend = bent ? Math.min(46, 16 + length * 0.12) : 0;
  const control = { x: (from.x + to.x) / 2 - (dy / length) * bend, y: (from.y + to.y) / 2 + (dx / length) * bend };
  const at = (/** @type {number} */ t) => ({
    x: (1 - t) ** 2 * from.x + 2 * t * (1 - t) * control.x + t ** 2 * to.x,
    y: (1 - t) ** 2 * from.y + 2 * t * (1 - t) * control.y + t ** 2 * to.y,
  });
  const start = border((t) => inside(from, at(t), 1), 0, 0.5);
  const tip = border((t) => inside(to, at(t), 2), 1, 0.5);
  const base = border((t) => inside(to, at(t), 2 + HEAD), 1, 0.5);
  const [a, b, end] = [at(start), at(tip), at(base)];
  // The segment between two points of the curve is itself a curve, with this control point.
  const middle = at((start + base) / 2);
  const between = { x: 2 * middle.x - (a.x + end.x) / 2, y: 2 * middle.y - (a.y + end.y) / 2 };
  return { line: `M${text(a)}Q${text(between)} ${text(end)}`, head: head(end, b), middle: at(0.5) };
}

/** Returns the path of a loop, above its node. @param {Shape} shape */
export function loopPath(shape) {
  const top = shape.y - shape.high;
  const start = { x: shape.x - 11, y: top - 1 };
  const end = { x: shape.x + 13, y: top - HEAD };
  const tip = { x: shape.x + 10, y: top - 1 };
  return {
    line: `M${text(start)}C${text({ x: shape.x - 32, y: top - 40 })} ${text({ x: shape.x + 34, y: top - 42 })} ${text(end)}`,
    head: head(end, tip),
    middle: { x: shape.x, y: top - 30 },
  };
}

/** Finds where a condition that holds at `here` stops holding on the way to `there`. @param {(t: number) => boolean} holds @param {number} here @param {number} there */
function border(holds, here, there) {
  for (let round = 0; round < 11; round += 1) {
    const middle = (here + there) / 2;
    if (holds(middle)) here = middle;
    else there = middle;
  }
  return here;
}

/** @param {Point} base @param {Point} tip */
function head(base, tip) {
  const dx = tip.x - base.x;
  const dy = tip.y - base.y;
  const length = Math.hypot(dx, dy) || 1;
  const side = { x: (-dy / length) * 4.2, y: (dx / length) * 4.2 };
  return `M${text(tip)}L${text({ x: base.x + side.x, y: base.y + side.y })}L${text({ x: base.x - side.x, y: base.y - side.y })}Z`;
}

/** @param {Point} point */
const text = (point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`;

/**
 * Returns the background of a zone: broad round strokes along its nodes and the arcs between them. Other nodes stay uncovered.
 * @param {Shape[]} shapes @param {[Shape, Shape][]} joined
 */
export function zonePaths(shapes, joined) {
  const along = (/** @type {Shape} */ shape) => {
    const straight = Math.max(0.1, shape.wide - shape.high);
    return `M${text({ x: shape.x - straight, y: shape.y })}h${(2 * straight).toFixed(1)}`;
  };
  return { nodes: shapes.map(along).join(""), arcs: joined.map(([a, b]) => `M${text(a)}L${text(b)}`).join("") };
}
