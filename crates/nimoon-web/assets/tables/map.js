// The colour map: a cell for every value, in rows of one width. If the width is a period, equal values form columns.
import { MOON, NONE, OTHER } from "./data.js";
import { nimberColour, tokens } from "./colours.js";
import { valueText } from "../value.js";

/** @typedef {import("./chart.js").Shown & {width: number}} Shown */

const LEFT = 52;
const TOP = 22;
/** The largest and the smallest height of the map, and the space below the last row. */
const [MAX_HEIGHT, MIN_HEIGHT, BELOW] = [360, 110, 10];

/** @param {() => Shown} shown */
export function map(shown) {
  /** The side of a cell, and the scroll offset of the cells. */
  let side = 12;
  let [offsetX, offsetY] = [0, 0];
  let [seenWidth, seenHeight] = [600, MAX_HEIGHT];
  let fullHeight = MAX_HEIGHT;

  const rows = () => Math.ceil(shown().table.count / shown().width);
  const smallest = () => Math.max(1, Math.min(28, (seenWidth - LEFT - 4) / shown().width, Math.max(2, (seenHeight - TOP - 4) / rows())));
  const clamp = () => {
    side = Math.max(smallest(), Math.min(48, side));
    const [roomX, roomY] = [seenWidth - LEFT - 4, seenHeight - TOP - 4];
    offsetX = Math.max(0, Math.min(offsetX, shown().width * side - roomX));
    offsetY = Math.max(0, Math.min(offsetY, rows() * side - roomY));
  };

  return {
    /** Shows the whole map if the cells stay large enough to distinguish, and otherwise its full width. */
    fit() {
      const [byWidth, byHeight] = [(seenWidth - LEFT - 4) / shown().width, (MAX_HEIGHT - TOP - BELOW) / rows()];
      side = Math.max(2, Math.min(28, byWidth, Math.max(byHeight, 6)));
      fullHeight = Math.round(Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, TOP + rows() * side + BELOW)));
      [offsetX, offsetY] = [0, 0];
      clamp();
    },
    /** Returns the height that shows the whole map. */
    height: () => fullHeight,
    /** @param {number} width */
    sized(width) {
      seenWidth = width;
    },
    /** @param {number} dx @param {number} dy @param {number} width @param {number} height */
    pan(dx, dy, width, height) {
      [seenWidth, seenHeight] = [width, height];
      offsetX -= dx;
      offsetY -= dy;
      clamp();
    },
    /** @param {number} factor @param {number} x @param {number} y @param {number} width @param {number} height */
    zoom(factor, x, y, width, height) {
      [seenWidth, seenHeight] = [width, height];
      const before = side;
      const [column, row] = [(x - LEFT + offsetX) / side, (y - TOP + offsetY) / side];
      side *= factor;
      side = Math.max(smallest(), Math.min(48, side));
      offsetX = column * side - (x - LEFT);
      offsetY = row * side - (y - TOP);
      clamp();
      return Math.abs(side - before) > 1e-9;
    },
    /** @param {number} x @param {number} y @returns {number|null} */
    at(x, y) {
      const column = Math.floor((x - LEFT + offsetX) / side);
      const row = Math.floor((y - TOP + offsetY) / side);
      if (column < 0 || column >= shown().width || row < 0 || y < TOP || x < LEFT) return null;
      const n = row * shown().width + column;
      return n < shown().table.count ? n : null;
    },
    /** @param {number} n @returns {[number, number]} */
    placeOf(n) {
      const { width } = shown();
      return [LEFT - offsetX + (n % width + 0.5) * side, TOP - offsetY + (Math.floor(n / width) + 0.5) * side];
    },
    /** @param {number} n */
    reveal(n) {
      const { width } = shown();
      const [x, y] = [(n % width) * side, Math.floor(n / width) * side];
      const [roomX, roomY] = [seenWidth - LEFT - 4, seenHeight - TOP - 4];
      if (x < offsetX) offsetX = x;
      if (x + side > offsetX + roomX) offsetX = x + side - roomX;
      if (y < offsetY || y + side > offsetY + roomY) {
        // A small step scrolls by one row; a jump puts the cell in the middle.
        const near = y > offsetY - 3 * side && y < offsetY + roomY + 3 * side;
        offsetY = !near ? y - roomY / 2 : y < offsetY ? y : y + side - roomY;
      }
      clamp();
    },
    stride: () => shown().width,
    side: () => side,
    /**
     * @param {import("./brush.js").Brush} brush
     * @param {number} width
     * @param {number} height
     */
    draw(brush, width, height) {
      [seenWidth, seenHeight] = [width, height];
      clamp();
      const { table, period, n: cursor, width: columns } = shown();
      const colours = tokens();
      const firstRow = Math.floor(offsetY / side);
      const lastRow = Math.min(rows() - 1, Math.floor((offsetY + height - TOP) / side));
      const firstColumn = Math.floor(offsetX / side);
      const lastColumn = Math.min(columns - 1, Math.floor((offsetX + width - LEFT) / side));
      const gap = side >= 7 ? 1 : 0;
      // Use whole pixels, or lines would show between cells.
      const cell = gap ? Math.max(1, Math.floor(side) - gap) : Math.ceil(side);
      /** @type {Map<string, number[]>} */
      const byColour = new Map();
      const written = side >= 17;
      /** @type {[number, number, string, string][]} */
      const texts = [];
      /** @type {[number, number, number][]} */
      const marked = [];
      for (let row = firstRow; row <= lastRow; row += 1) {
        for (let column = firstColumn; column <= lastColumn; column += 1) {
          const n = row * columns + column;
          if (n >= table.count) break;
          const [x, y] = [Math.round(LEFT - offsetX + column * side), Math.round(TOP - offsetY + row * side)];
          if (x < LEFT - side || y < TOP - side) continue;
          const value = table.values[n];
          let [colour, letters] = [colours.line, colours.ink];
          if (value >= 0) {
            const scaled = nimberColour(value, table.largest?.nimber ?? 0);
            [colour, letters] = [scaled.colour, scaled.isDark ? "#ffffff" : "#10151c"];
          } else if (value === MOON) [colour, letters] = [colours.moon, colours.paper];
          else if (value === OTHER) [colour, letters] = [colours.other, colours.paper];
          const list = byColour.get(colour);
          if (list) list.push(x, y);
          else byColour.set(colour, [x, y]);
          if (value === NONE) continue;
          if (value < 0 && side < 17) marked.push([x, y, n]);
          if (written) texts.push([x + cell / 2, y + cell / 2 + 4, value >= 0 ? String(value) : valueText(table.special.get(n)).slice(0, 3), letters]);
        }
      }
      // The margins painted below cover the parts of cells that reach into them.
      for (const [colour, points] of byColour) brush.cells(points, cell, cell, colour);
      for (const [x, y, text, colour] of texts) if (text.length * 7 <= side + 4) brush.text(x, y, text, colour, { align: "center", size: Math.min(13, side * 0.6) });
      for (const [x, y] of marked) {
        const size = Math.max(cell, 5);
        brush.cells([x + (cell - size) / 2, y + (cell - size) / 2], size, size, colours.moon);
        brush.box(x + (cell - size) / 2 - 1.5, y + (cell - size) / 2 - 1.5, size + 3, size + 3, colours.ink, 1);
      }
      if (period) {
        for (const n of period.exceptions) {
          const [row, column] = [Math.floor(n / columns), n % columns];
          if (n < table.count && row >= firstRow && row <= lastRow && column >= firstColumn && column <= lastColumn) brush.box(LEFT - offsetX + column * side - gap / 2 + 1, TOP - offsetY + row * side - gap / 2 + 1, side - 2, side - 2, colours.exception, 2);
        }
        this.drawBorder(brush, period.preperiod, columns, colours.exception);
      }
      brush.cells([0, 0], width, TOP - 1, colours.paper);
      brush.cells([0, 0], LEFT - 2, height, colours.paper);
      const [x, y] = this.placeOf(cursor).map((middle) => Math.round(middle - side / 2));
      if (cursor < table.count && x >= LEFT - side / 2 && y >= TOP - side / 2) {
        brush.box(x - 2, y - 2, cell + 4, cell + 4, colours.paper, 5);
        brush.box(x - 2, y - 2, cell + 4, cell + 4, colours.cursor, 2.5);
      }
      const every = Math.max(1, Math.ceil(16 / side));
      for (let row = Math.ceil(firstRow / every) * every; row <= lastRow; row += every) {
        const y = TOP - offsetY + (row + 0.5) * side + 4;
        if (y > TOP + 8) brush.text(LEFT - 8, y, String(row * columns), colours.soft, { align: "right", size: 11 });
      }
      const apart = Math.max(1, Math.ceil(26 / side));
      const step = [1, 2, 4, 5, 10, 20, 50, 100, 200].find((step) => step >= apart) ?? apart;
      for (let column = Math.ceil(firstColumn / step) * step; column <= lastColumn; column += step) {
        const x = LEFT - offsetX + (column + 0.5) * side;
        if (x > LEFT && x < width - 6) brush.text(x, TOP - 7, String(column), colours.soft, { align: "center", size: 11 });
      }
    },
    /**
     * Draws the line where the period begins.
     * @param {import("./brush.js").Brush} brush
     * @param {number} preperiod
     * @param {number} columns
     * @param {string} colour
     */
    drawBorder(brush, preperiod, columns, colour) {
      if (preperiod === 0 || preperiod >= shown().table.count) return;
      const [row, column] = [Math.floor(preperiod / columns), preperiod % columns];
      const [x, y] = [LEFT - offsetX + column * side - 0.5, TOP - offsetY + row * side - 0.5];
      const right = LEFT - offsetX + columns * side;
      brush.line([LEFT - offsetX, y + side, x, y + side, x, y, right, y], colour, 2.5, [6, 4]);
    },
  };
}
