// Boards of heaps: nim, top entails, subtraction, wythoff, kayles and its relatives. A heap is a row of tokens.
import { picture, svg, target } from "../svg.js";
import { badge, choices, hinted, label, numbers } from "./choice.js";
import { term } from "./position.js";

/** @typedef {import("./board.js").Component} Component */
/** @typedef {import("./board.js").Table} Table */

const SIZE = 34;
const GAP = 22;
const MARGIN = 18;
/** A longer heap appears as a number, and the table lists its moves. */
const MAX_DRAWN = 40;

/** Parses the heaps of a part. In `!2,3` the opponent must answer in the heap of 2. @param {string} text */
function heapsOf(text) {
  return text.split(",").map((word) => {
    const due = word.trim().startsWith("!");
    return { size: Number(word.replace("!", "")), due };
  });
}

/** Games whose heaps are rows of pins or squares, with two ends. */
const ROWS = ["kayles", "dawsons-kayles", "dawsons-chess", "treblecross"];

/** Whether some moves only split a heap: the first digit of a code says what a move may do that takes nothing. @param {string} ruleset @param {string|null} parameters */
function splits(ruleset, parameters) {
  if (ruleset === "octal" || ruleset === "hexadecimal") return !/^0*\./.test(parameters ?? "");
  return ruleset === "top-entails" || ruleset === "grundys-game";
}

/**
 * @param {Component} component
 * @param {Table} table
 */
export function draw(component, table) {
  const rows = component.parts.flatMap((part) =>
    heapsOf(term(part.position).position).map((heap) => ({ ...heap, due: heap.due || part.due === true, part: part.place })));
  const { ruleset, parameters } = term(component.parts[0]?.position ?? "");
  const split = splits(ruleset, parameters);
  // Leave room for values.
  const step = split ? SIZE + GAP : SIZE + (table.values ? 18 : 8);
  const longest = Math.max(1, ...rows.map((row) => (row.size > MAX_DRAWN ? 8 : row.size)));
  const width = MARGIN * 2 + 40 + longest * step;
  const height = MARGIN + rows.length * (SIZE + 26);
  const drawn = rows.map((row, i) => heap(row, i, component, table, step, split, ROWS.includes(ruleset), ruleset === "wythoff" ? ["first", "second"][i] : ""));
  return picture(Math.max(width, 160), height, `heaps of ${ruleset}`, drawn);
}

/**
 * @param {{size: number, due: boolean, part: number}} row
 * @param {number} i
 * @param {Component} component
 * @param {Table} table
 * @param {number} step
 * @param {boolean} split
 * @param {boolean} isRow whether the heap is a row of pins, which has two ends
 * @param {string} name the name of the heap in the words of moves, where heaps have names
 */
function heap(row, i, component, table, step, split, isRow, name) {
  const y = MARGIN + i * (SIZE + 26) + SIZE / 2;
  const x = (/** @type {number} */ k) => MARGIN + 40 + k * step + SIZE / 2;
  const own = component.moves.filter((move) => move.part === row.part && (name ? RegExp(`(the ${name} heap|both heaps)$`).test(move.words) : ofHeap(move.words, row.size)));
  const size = svg("text", { x: MARGIN, y: y + 6, "font-size": 17, class: "size" }, row.size);
  const forced = row.due && svg("rect", { x: 4, y: y - SIZE / 2 - 8, width: MARGIN + 40 + Math.max(1, Math.min(row.size, MAX_DRAWN)) * step, height: SIZE + 16, rx: 10, class: "due" });
  if (row.size > MAX_DRAWN) return svg("g", {}, forced, size, svg("text", { x: x(0), y: y + 6, "font-size": 15 }, "tokens: choose a move from the table"));
  const tokens = [];
  for (let k = 0; k < row.size; k += 1) {
    const circle = svg("circle", { cx: x(k), cy: y, r: SIZE / 2 - 1, class: "token", "data-key": `token ${i}.${k}` });
    const moves = atToken(own, row.size, k, isRow);
    tokens.push(moves.length === 0 ? circle : target(label(moves, table), () => choices(moves, table), { "data-choices": numbers(moves), class: hinted(moves, table) && "hinted" },
      circle, svg("circle", { cx: x(k), cy: y, r: SIZE / 2 + 2, class: "spot" }), badge(moves, table, x(k), y)));
  }
  const gaps = [];
  for (let k = 1; split && k < row.size; k += 1) {
    const moves = own.filter((move) => {
      const into = /^split .* into (\d+(?: and \d+)+)$/.exec(move.words);
      return into && parts(into[1]).includes(k);
    });
    if (moves.length === 0) continue;
    const at = x(k) - step / 2;
    gaps.push(target(label(moves, table), () => choices(moves, table), { "data-choices": numbers(moves), class: ["gap", hinted(moves, table) && "hinted"] },
      svg("line", { x1: at, y1: y - SIZE / 2 - 2, x2: at, y2: y + SIZE / 2 + 2, class: "cut" }),
      svg("rect", { x: at - GAP / 2, y: y - SIZE / 2 - 6, width: GAP, height: SIZE + 12, rx: 6, class: "spot" }),
      badge(moves, table, at, y - 2)));
  }
  return svg("g", {}, forced, size, tokens, gaps);
}

/** Whether a move is in a heap of this size; a part may have several heaps. @param {string} words @param {number} size */
function ofHeap(words, size) {
  const match = / of (\d+)(?:$|[ ,:;])/.exec(words);
  return !match || Number(match[1]) === size;
}

/**
 * Returns the moves for a click on token k: take it and the tokens behind it, take the top token, or knock down pins there.
 * @param {import("./board.js").Move[]} moves @param {number} size @param {number} k @param {boolean} isRow
 */
function atToken(moves, size, k, isRow) {
  return moves.filter((move) => {
    if (/^remove the top token/.test(move.words)) return k === size - 1;
    if (/^take the whole heap/.test(move.words)) return k === 0;
    const pins = /^take \d+ of \d+ and leave (\d+(?: and \d+)+)$/.exec(move.words);
    if (pins) return parts(pins[1]).includes(k);
    const taken = /^take (\d+) (?:of|from)/.exec(move.words);
    return taken ? size - Number(taken[1]) === k || (isRow && k === 0) : false;
  });
}

/** The sizes in words such as `2 and 3`. @param {string} words */
const parts = (words) => words.split(" and ").map(Number);
