// The board of backsliding: toads and frogs on a strip.
import { picture, svg, target } from "../svg.js";
import { badge, choices, hinted, label, numbers } from "./choice.js";
import { term } from "./position.js";

const SQUARE = 58;
const GAP = 12;
const MARGIN = 10;
/** Squares in each row; a phone is five squares wide. */
const rowLength = () => (matchMedia("(max-width: 40rem)").matches ? 5 : 16);

/** A piece as a drop that looks where it goes: toads, of Left, to the right, and frogs, of Right, to the left. @param {number} x @param {number} y @param {boolean} toad @param {string} key */
const piece = (x, y, toad, key) => svg("g", { class: toad ? "piece-left" : "piece-right", "data-key": key },
  svg("path", { class: "piece", d: `M${x - (toad ? 20 : -20)} ${y} a16 16 0 0 ${toad ? 1 : 0} ${toad ? 16 : -16} -16 L${x + (toad ? 22 : -22)} ${y} L${x - (toad ? 4 : -4)} ${y + 16} a16 16 0 0 ${toad ? 1 : 0} ${toad ? -16 : 16} -16 z` }),
  svg("text", { x: x - (toad ? 3 : -3), y: y + 5, "text-anchor": "middle", "font-size": 15, class: "piece-name" }, toad ? "t" : "f"));

/**
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
export function draw(component, table) {
  const squares = [...term(component.parts[0].position).position];
  const each = Math.min(rowLength(), squares.length);
  const centre = (/** @type {number} */ i) => ({ x: MARGIN + (i % each) * SQUARE + SQUARE / 2, y: MARGIN + Math.floor(i / each) * (SQUARE + GAP) + SQUARE / 2 });
  const drawn = squares.map((letter, i) => {
    const { x, y } = centre(i);
    const moves = component.moves.filter((move) => RegExp(` to ${i + 1}$`).test(move.words));
    const square = [svg("rect", { x: x - SQUARE / 2, y: y - SQUARE / 2, width: SQUARE, height: SQUARE, class: ["square", i % 2 ? "odd" : ""] }), letter !== "." && piece(x, y, letter === "t", `${letter} ${i}`)];
    if (moves.length === 0) return svg("g", {}, square);
    return target(label(moves, table), () => choices(moves, table), { "data-choices": numbers(moves), class: hinted(moves, table) && "hinted" },
      square, svg("circle", { cx: x, cy: y, r: 9, class: "landing" }),
      svg("rect", { x: x - SQUARE / 2 + 3, y: y - SQUARE / 2 + 3, width: SQUARE - 6, height: SQUARE - 6, rx: 6, class: "spot" }),
      badge(moves, table, x, y + SQUARE / 2 - 12));
  });
  const rows = Math.ceil(squares.length / each);
  const words = squares.map((letter, i) => (letter === "." ? null : `a ${letter === "t" ? "toad" : "frog"} on ${i + 1}`)).filter(Boolean).join(", ");
  return picture(2 * MARGIN + each * SQUARE, 2 * MARGIN + rows * (SQUARE + GAP) - GAP, `a strip of ${squares.length} squares: ${words || "empty"}`, drawn);
}
