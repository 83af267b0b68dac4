// The board of fox and geese: squares on which pieces step diagonally.
import { picture, svg, target } from "../svg.js";
import { badge, choices, hinted, label, numbers } from "./choice.js";
import { term } from "./position.js";

const SQUARE = 54;
const MARGIN = 26;

/** @param {string} text */
function read(text) {
  const match = /^(\d+)\/geese=([\d.,]+)\/fox=(\d+)\.(\d+)$/.exec(text);
  if (!match) return null;
  const geese = match[2].split(",").map((square) => square.split(".").map(Number));
  return { columns: Number(match[1]), geese, fox: [Number(match[3]), Number(match[4])] };
}

/**
 * The highest row of the board at the start of the game: pieces come down, and the board must not shrink with them.
 * @param {string} start the sum at the start @param {number} index the component @param {number} now
 */
function topRow(start, index, now) {
  const first = read(term(start.split(/\s\+\s|\+/)[index] ?? "").position);
  return Math.max(now, ...(first ? [...first.geese.map(([row]) => row), first.fox[0] + 1] : []));
}

/**
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
export function draw(component, table) {
  const board = read(term(component.parts[0].position).position);
  if (!board) return null;
  const { columns, geese, fox } = board;
  const rows = topRow(table.start, component.index, Math.max(fox[0] + 1, ...geese.map(([row]) => row)));
  const drawn = [];
  for (let row = rows; row >= 1; row -= 1) {
    for (let column = 1; column <= columns; column += 1) {
      const [x, y] = [MARGIN + (column - 1) * SQUARE, 8 + (rows - row) * SQUARE];
      const isUsed = (row + column) % 2 === 0;
      const centre = { x: x + SQUARE / 2, y: y + SQUARE / 2 };
      const goose = geese.findIndex(([r, c]) => r === row && c === column);
      const isFox = fox[0] === row && fox[1] === column;
      const moves = isUsed ? component.moves.filter((move) => RegExp(` to ${row}\\.${column}$`).test(move.words) || (isFox && /^run on/.test(move.words))) : [];
      const square = [
        svg("rect", { x, y, width: SQUARE, height: SQUARE, class: ["square", isUsed ? "" : "odd"] }),
        goose >= 0 && svg("g", { class: "piece-left", "data-key": `goose ${row}.${column}` }, svg("circle", { cx: centre.x, cy: centre.y, r: 18, class: "piece" }), svg("text", { x: centre.x, y: centre.y + 6, "text-anchor": "middle", "font-size": 17, class: "piece-name" }, "G")),
        isFox && svg("g", { class: "piece-right", "data-key": `fox ${row}.${column}` }, svg("path", { class: "piece", d: `M${centre.x - 19} ${centre.y - 17} l10 6 h18 l10 -6 -3 22 -16 14 -16 -14 z` }), svg("text", { x: centre.x, y: centre.y + 6, "text-anchor": "middle", "font-size": 17, class: "piece-name" }, "F")),
      ];
      drawn.push(moves.length === 0 ? svg("g", {}, square) : target(label(moves, table), () => choices(moves, table), { "data-choices": numbers(moves), class: hinted(moves, table) && "hinted" },
        square, !isFox && svg("circle", { ...{ cx: centre.x, cy: centre.y }, r: 9, class: "landing" }),
        svg("rect", { x: x + 3, y: y + 3, width: SQUARE - 6, height: SQUARE - 6, rx: 6, class: "spot" }),
        badge(moves, table, centre.x, y + SQUARE - 10)));
    }
  }
  const signs = [
    ...Array.from({ length: rows }, (_, i) => svg("text", { x: MARGIN - 8, y: 8 + (rows - 1 - i) * SQUARE + SQUARE / 2 + 5, "text-anchor": "end", "font-size": 13, class: "number", "aria-hidden": "true" }, i + 1)),
    ...Array.from({ length: columns }, (_, i) => svg("text", { x: MARGIN + i * SQUARE + SQUARE / 2, y: 8 + rows * SQUARE + 16, "text-anchor": "middle", "font-size": 13, class: "number", "aria-hidden": "true" }, i + 1)),
  ];
  return picture(MARGIN + columns * SQUARE + 8, 8 + rows * SQUARE + 24, `a board of ${rows} rows and ${columns} columns, geese on ${geese.map((square) => square.join(".")).join(", ")}, the fox on ${fox.join(".")}`, drawn, signs);
}
