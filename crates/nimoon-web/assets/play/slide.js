// The boards of slide and ladders: a token on a row of squares.
import { picture, svg, target } from "../svg.js";
import { badge, choices, hinted, label, numbers } from "./choice.js";
import { term } from "./position.js";

const SQUARE = 46;
const MAX_DRAWN = 192;
/** Squares in each row; a phone is six squares wide. */
const rowLength = () => (matchMedia("(max-width: 40rem)").matches ? 6 : 16);

/** Reads the file of a ladders board; nothing if it is not valid, which the program reports. @param {string} file @returns {{goal?: number, carries?: [number, number][]}} */
function read(file) {
  try {
    return JSON.parse(file) ?? {};
  } catch {
    return {};
  }
}

/** @param {string} file */
const goal = (file) => read(file).goal;

/** Where the starts of ladders and adders lead. @param {string} file @returns {Map<number, number>} */
const carries = (file) => { const { carries } = read(file); return new Map(Array.isArray(carries) ? carries : []); };

/**
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
export function draw(component, table) {
  const { parameters, position } = term(component.parts[0].position);
  const [each, side] = [rowLength(), SQUARE + (table.values ? 6 : 0)];
  const file = table.files?.[parameters ?? ""];
  const end = file === undefined ? Number((parameters ?? "").split(";")[1] ?? position) : Number(goal(file) ?? position);
  const token = Number(position);
  // Of a long row, only the squares near the token are drawn, in whole rows. The table lists the other moves.
  const first = end < MAX_DRAWN ? 0 : Math.max(0, Math.floor((token - MAX_DRAWN / 2) / each) * each);
  const last = Math.min(end, first + MAX_DRAWN - 1);
  const columns = Math.min(last - first + 1, each);
  const rows = Math.ceil((last - first + 1) / each);
  const squares = [];
  for (let square = first; square <= last; square += 1) {
    const x = 8 + ((square - first) % each) * side;
    const y = 8 + Math.floor((square - first) / each) * (side + 10);
    const moves = component.moves.filter((move) => RegExp(`(?:, to|(?:up|down) to) ${square}$`).test(move.words));
    const carried = file === undefined ? undefined : carries(file).get(square);
    const drawn = [
      svg("rect", { x, y, width: side, height: side, class: ["square", square % 2 ? "odd" : ""] }),
      svg("text", { x: x + 5, y: y + 14, "font-size": 12, class: "number", "aria-hidden": "true" }, square),
      carried !== undefined && svg("text", { x: x + side - 5, y: y + side - 6, "font-size": 12, "text-anchor": "end", class: carried > square ? "ladder up" : "ladder down" }, `${carried > square ? "↗" : "↘"}${carried}`),
      square === token && svg("circle", { cx: x + side / 2, cy: y + side / 2 + 4, r: 14, class: "token", "data-key": "token", "data-moves": "1" }),
    ];
    squares.push(moves.length === 0 ? svg("g", {}, drawn) : target(label(moves, table), () => choices(moves, table), { "data-choices": numbers(moves), class: hinted(moves, table) && "hinted" },
      drawn, svg("circle", { cx: x + side / 2, cy: y + side / 2 + 4, r: 9, class: "landing" }),
      svg("rect", { x: x + 2, y: y + 2, width: side - 4, height: side - 4, rx: 5, class: "spot" }),
      badge(moves, table, x + side / 2, y + side - 8)));
  }
  return picture(16 + columns * side, 16 + rows * (side + 10), `a row of squares ${first} to ${last}, the token on ${token}`, squares);
}
