// A token on a row of squares.
import { picture, svg, target } from "../svg.js";
import { badge, choices, hinted, label } from "./choice.js";
import { term } from "./position.js";

const SQUARE = 46;
const EACH_ROW = 16;
const LONGEST = 192;

/**
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
export function draw(component, table) {
  const { parameters, position } = term(component.parts[0].position);
  const end = Number((parameters ?? "").split(";")[1] ?? position);
  const token = Number(position);
  // Of a long row the squares about the token are drawn, by whole rows; longer slides are in the table.
  const first = end < LONGEST ? 0 : Math.max(0, Math.floor((token - LONGEST / 2) / EACH_ROW) * EACH_ROW);
  const last = Math.min(end, first + LONGEST - 1);
  const columns = Math.min(last - first + 1, EACH_ROW);
  const rows = Math.ceil((last - first + 1) / EACH_ROW);
  const squares = [];
  for (let square = first; square <= last; square += 1) {
    const x = 8 + ((square - first) % EACH_ROW) * SQUARE;
    const y = 8 + Math.floor((square - first) / EACH_ROW) * (SQUARE + 10);
    const moves = component.moves.filter((move) => new RegExp(`, to ${square}$`).test(move.words));
    const drawn = [
      svg("rect", { x, y, width: SQUARE, height: SQUARE, class: ["square", square % 2 ? "odd" : ""] }),
      svg("text", { x: x + 5, y: y + 14, "font-size": 12, class: "number", "aria-hidden": "true" }, square),
      square === token && svg("circle", { cx: x + SQUARE / 2, cy: y + SQUARE / 2 + 4, r: 14, class: "token" }),
    ];
    squares.push(moves.length === 0 ? svg("g", {}, drawn) : target(label(moves, table), () => choices(moves, table), { class: hinted(moves, table) && "hinted" },
      drawn, svg("circle", { cx: x + SQUARE / 2, cy: y + SQUARE / 2 + 4, r: 9, class: "landing" }),
      svg("rect", { x: x + 2, y: y + 2, width: SQUARE - 4, height: SQUARE - 4, rx: 5, class: "spot" }),
      badge(moves, table, x + SQUARE / 2, y + SQUARE - 8)));
  }
  return picture(16 + columns * SQUARE, 16 + rows * (SQUARE + 10), `a row of squares ${first} to ${last}, the token on ${token}`, squares);
}
