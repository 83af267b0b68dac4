// The board of nimstring: dots, and the edges between them.
import { picture, svg, target } from "../svg.js";
import { badge, choices, hinted, label, numbers } from "./choice.js";
import { term } from "./position.js";

const CELL = 64;
const MARGIN = 24;

/**
 * Reads the size of a board, and which edges are missing in at least one part.
 * @param {string[]} texts
 */
function board(texts) {
  /** @type {{rows: number, columns: number, missing: Set<string>}|null} */
  let found = null;
  for (const text of texts) {
    const [size, horizontal, vertical] = text.split("/");
    const [rows, columns] = size.split("x").map(Number);
    found ??= { rows, columns, missing: new Set() };
    for (let row = 0; row <= rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        if ((horizontal?.[row * columns + column] ?? "0") === "0") found.missing.add(`h${row},${column}`);
      }
    }
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column <= columns; column += 1) {
        if ((vertical?.[row * (columns + 1) + column] ?? "0") === "0") found.missing.add(`v${row},${column}`);
      }
    }
  }
  return found ?? { rows: 1, columns: 1, missing: new Set() };
}

/** Returns the edge that a move draws. @param {string} words */
function edgeOf(words) {
  const match = /^draw the (top|bottom|left|right) edge of the box in row (\d+), column (\d+)/.exec(words);
  if (!match) return "";
  const [row, column] = [Number(match[2]), Number(match[3])];
  return { top: `h${row - 1},${column - 1}`, bottom: `h${row},${column - 1}`, left: `v${row - 1},${column - 1}`, right: `v${row - 1},${column}` }[match[1]] ?? "";
}

/**
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
export function draw(component, table) {
  const { rows, columns, missing } = board(component.parts.map((part) => term(part.position).position));
  const x = (/** @type {number} */ column) => MARGIN + column * CELL;
  const y = (/** @type {number} */ row) => MARGIN + row * CELL;
  const boxes = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const open = [`h${row},${column}`, `h${row + 1},${column}`, `v${row},${column}`, `v${row},${column + 1}`].some((edge) => missing.has(edge));
      boxes.push(svg("rect", { x: x(column), y: y(row), width: CELL, height: CELL, class: open ? "box" : "box completed", "data-key": !open && `box ${row},${column}` }));
    }
  }
  const edges = [];
  const every = [];
  for (let row = 0; row <= rows; row += 1) for (let column = 0; column < columns; column += 1) every.push({ name: `h${row},${column}`, from: [row, column], to: [row, column + 1] });
  for (let row = 0; row < rows; row += 1) for (let column = 0; column <= columns; column += 1) every.push({ name: `v${row},${column}`, from: [row, column], to: [row + 1, column] });
  for (const { name, from, to } of every) {
    const ends = { x1: x(from[1]), y1: y(from[0]), x2: x(to[1]), y2: y(to[0]) };
    if (!missing.has(name)) {
      edges.push(svg("line", { ...ends, class: "drawn", "data-key": `edge ${name}` }));
      continue;
    }
    const moves = component.moves.filter((move) => edgeOf(move.words) === name);
    const line = svg("line", { ...ends, class: "missing" });
    edges.push(moves.length === 0 ? line : target(label(moves, table), () => choices(moves, table), { "data-choices": numbers(moves), class: hinted(moves, table) && "hinted" },
      line, svg("line", { ...ends, class: "hit" }),
      svg("rect", { x: Math.min(ends.x1, ends.x2) - 7, y: Math.min(ends.y1, ends.y2) - 7, width: Math.abs(ends.x1 - ends.x2) + 14, height: Math.abs(ends.y1 - ends.y2) + 14, rx: 7, class: "spot" }),
      badge(moves, table, (ends.x1 + ends.x2) / 2, (ends.y1 + ends.y2) / 2)));
  }
  const dots = [];
  for (let row = 0; row <= rows; row += 1) for (let column = 0; column <= columns; column += 1) dots.push(svg("circle", { cx: x(column), cy: y(row), r: 5, class: "dot" }));
  return picture(2 * MARGIN + columns * CELL, 2 * MARGIN + rows * CELL, `nimstring, ${rows} by ${columns} boxes`, boxes, edges, dots);
}
