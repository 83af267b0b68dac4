// The chart of values against n. Moons and other special values have no height, so a band above the chart shows them.
import { MOON, NONE, OTHER } from "./data.js";
import { between, tokens } from "./colours.js";

/**
 * @typedef {import("./data.js").Table} Table
 * @typedef {import("./data.js").Period} Period
 * @typedef {{table: Table, period: Period|null, n: number}} Shown
 */

const LEFT = 46;
const RIGHT = 22;
const BOTTOM = 26;
const TOP = 20;
/** At most this many exceptional points get a frame; beyond that, only the colour marks them. */
const MAX_FRAMED = 150;
/** The strength of the colour where one, two, three or more points share the same pixels. */
const SHADES = [0.55, 0.75, 0.9, 1];
const BAND = 26;

/** Returns the next round number. @param {number} least */
function round(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? least;
}

/** @param {() => Shown} shown */
export function chart(shown) {
  /** The visible range, from half a step before the first n to half a step after the last. */
  let [from, to] = [-0.5, 10.5];

  const hasBand = () => shown().table.special.size > 0;
  const top = () => TOP + (hasBand() ? BAND : 0);
  const scale = (/** @type {number} */ width) => (width - LEFT - RIGHT) / (to - from);

  const clamp = () => {
    const { first, count } = shown().table;
    const span = Math.min(Math.max(to - from, Math.min(8, count - first)), count - first);
    const middle = (from + to) / 2;
    from = Math.max(first - 0.5, Math.min(middle - span / 2, count - 0.5 - span));
    to = from + span;
  };

  return {
    /** Returns the largest visible nimber, which sets the vertical scale. */
    ceiling() {
      const { values } = shown().table;
      let most = 1;
      for (let n = Math.max(0, Math.floor(from)); n <= Math.min(values.length - 1, Math.ceil(to)); n += 1) if (values[n] > most) most = values[n];
      return most;
    },
    range: () => [Math.max(0, Math.ceil(from)), Math.min(shown().table.count - 1, Math.floor(to))],
    /** @param {number} first @param {number} last */
    setRange(first, last) {
      [from, to] = [first - 0.5, last + 0.5];
      clamp();
    },
    fit() {
      [from, to] = [shown().table.first - 0.5, shown().table.count - 0.5];
    },
    /** @param {number} dx @param {number} _dy @param {number} width */
    pan(dx, _dy, width) {
      const step = dx / scale(width);
      from -= step;
      to -= step;
      clamp();
    },
    /** @param {number} factor @param {number} x @param {number} _y @param {number} width @returns {boolean} whether anything changed */
    zoom(factor, x, _y, width) {
      const before = to - from;
      const at = from + Math.max(0, x - LEFT) / scale(width);
      from = at - (at - from) / factor;
      to = at + (to - at) / factor;
      clamp();
      return Math.abs(to - from - before) > 1e-6;
    },
    /** @param {number} x @param {number} _y @param {number} width @returns {number|null} */
    at(x, _y, width) {
      const n = Math.round(from + (x - LEFT) / scale(width));
      return n >= 0 && n < shown().table.count && x >= LEFT - 6 ? n : null;
    },
    /** Returns the place of n. @param {number} n @param {number} width @returns {[number, number]} */
    placeOf: (n, width) => [LEFT + (n - from) * scale(width), 0],
    /** Scrolls to n. @param {number} n */
    reveal(n) {
      if (n >= from && n <= to) return;
      const span = to - from;
      [from, to] = [n - span / 2, n + span / 2];
      clamp();
    },
    /** How far the keys up and down move. */
    stride: () => 10,
    /**
     * @param {import("./brush.js").Brush} brush
     * @param {number} width
     * @param {number} height
     */
    draw(brush, width, height) {
      const { table, period, n: cursor } = shown();
      const colours = tokens();
      const unit = scale(width);
      const ceiling = this.ceiling();
      const rise = (height - BOTTOM - top() - 6) / ceiling;
      const x = (/** @type {number} */ n) => LEFT + (n - from) * unit;
      const y = (/** @type {number} */ value) => height - BOTTOM - value * rise;
      const right = width - RIGHT;
      const first = Math.max(0, Math.floor(from));
      const last = Math.min(table.count - 1, Math.ceil(to));

      if (period) {
        const { period: length, preperiod } = period;
        // Shade every other period if periods are wide enough to be visible.
        if (length * unit >= 5) {
          const shaded = [];
          for (let k = Math.max(0, Math.floor((from - preperiod) / length)); preperiod + k * length < to; k += 1) if (k % 2 === 0) shaded.push(preperiod + k * length);
          for (const start of shaded) {
            const [a, b] = [Math.max(LEFT, x(start - 0.5)), Math.min(right, x(start + length - 0.5))];
            if (b > a) brush.cells([a, top()], b - a, height - BOTTOM - top(), colours.period);
          }
        }
      }
      const stepY = round(ceiling / Math.max(2, (height - 80) / 45));
      for (let value = 0; value <= ceiling; value += Math.max(1, stepY)) {
        brush.line([LEFT, y(value), right, y(value)], colours.line);
        brush.text(LEFT - 8, y(value) + 4, String(value), colours.soft, { align: "right" });
      }
      const stepX = Math.max(1, round((to - from) / Math.max(2, (width - 60) / 80)));
      for (let n = Math.ceil(Math.max(0, from) / stepX) * stepX; n <= to; n += stepX) {
        brush.line([x(n), height - BOTTOM, x(n), height - BOTTOM + 5], colours.soft);
        brush.text(x(n), height - 7, String(n), colours.soft, { align: "center" });
      }
      if (hasBand()) {
        brush.cells([LEFT, TOP], right - LEFT, BAND - 6, colours.band);
        brush.text(LEFT - 8, TOP + 15, `${table.moons.length ? "☾" : ""}${table.special.size > table.moons.length ? " ∞" : ""}`, colours.moon, { align: "right", bold: true });
      }

      // Many points use whole pixels, which are quicker to fill.
      const size = Math.max(unit < 0.4 ? 2 : 3, Math.min(7, unit * 0.7));
      /** @type {number[]} */
      const points = [];
      /** @type {number[]} */
      const moons = [];
      /** @type {number[]} */
      const others = [];
      /** @type {number[]} */
      const exceptions = [];
      // Draw points on the same pixels once, darker if there are more of them.
      const grain = last - first > 20_000 ? 2 : 1;
      const across = Math.ceil(width) + 2;
      const seen = last - first > 4000 ? new Uint8Array(across * (Math.ceil(height) + 2)) : null;
      for (let n = first; n <= last; n += 1) {
        const value = table.values[n];
        const at = x(n);
        if (at < LEFT - 1 || at > right + 1 || value === NONE) continue;
        if (value === MOON) moons.push(at, TOP + 15);
        else if (value === OTHER) others.push(at, TOP + 15);
        else {
          let [px, py] = [at - size / 2, y(value) - size / 2];
          if (seen) {
            px = Math.round(px / grain) * grain;
            py = Math.round(py / grain) * grain;
            const key = py * across + px;
            if (seen[key] < 255) seen[key] += 1;
            if (seen[key] > 1) continue;
          }
          (period?.exceptions.has(n) ? exceptions : points).push(px, py);
        }
      }
      if (seen) {
        /** @type {number[][]} */
        const shades = SHADES.map(() => []);
        for (let i = 0; i < points.length; i += 2) shades[Math.min(seen[points[i + 1] * across + points[i]], SHADES.length) - 1].push(points[i], points[i + 1]);
        shades.forEach((list, i) => brush.cells(list, size, size, between(colours.paper, colours.point, SHADES[i])));
      } else brush.cells(points, size, size, colours.point);
      brush.cells(exceptions, size, size, colours.exception);
      if (exceptions.length <= 2 * MAX_FRAMED) for (let i = 0; i < exceptions.length; i += 2) brush.box(exceptions[i] - 2.5, exceptions[i + 1] - 2.5, size + 5, size + 5, colours.exception, 1.5);
      const few = moons.length + others.length < 400;
      for (const [list, glyph, colour] of /** @type {const} */ ([[moons, "☾", colours.moon], [others, "∞", colours.other]])) {
        if (!few) brush.cells(list.map((at, i) => (i % 2 ? TOP + 3 : at - 1)), 2, BAND - 12, colour);
        else for (let i = 0; i < list.length; i += 2) brush.text(list[i], list[i + 1], glyph, colour, { align: "center", size: 15, bold: true });
      }
      if (period && period.preperiod > 0) {
        const at = x(period.preperiod - 0.5);
        if (at > LEFT && at < right) {
          brush.line([at, TOP, at, height - BOTTOM], colours.exception, 1.5, [6, 4]);
          const room = right - at > 130;
          brush.text(at + (room ? 6 : -6), TOP - 6, `periodic from ${period.preperiod}`, colours.exception, { align: room ? "left" : "right", bold: true });
        }
      }
      brush.line([LEFT, height - BOTTOM, right, height - BOTTOM], colours.soft);
      const here = x(cursor);
      if (here >= LEFT && here <= right && cursor < table.count) {
        brush.line([here, TOP, here, height - BOTTOM], colours.cursor, 1.5);
        const value = table.values[cursor];
        if (value >= 0) brush.box(here - 6, y(value) - 6, 12, 12, colours.cursor, 2.5);
      }
    },
  };
}
