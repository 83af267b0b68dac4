// The board of Christmas lights: bulbs and sockets on a cord, with the plug on the left.
import { picture, svg, target } from "../svg.js";
import { badge, choices, hinted, label, numbers } from "./choice.js";
import { term } from "./position.js";

/** The width of one bulb or socket; visible values need more room. @param {boolean} values */
const stepOf = (values) => (values ? 54 : 46);
const LEFT = 46;
const ROW = 84;
/** Longer fixtures are cut off, and the table lists their moves. */
const MAX_DRAWN = 60;

/** Expands a fixture to one letter for each bulb or socket. @param {string} text */
function expand(text) {
  if (text === "0") return "";
  return text.replace(/(\d*)([bsw])/g, (_, count, letter) => letter.repeat(Math.min(Number(count || 1), MAX_DRAWN + 1)));
}

/**
 * @param {import("./board.js").Component} component
 * @param {import("./board.js").Table} table
 */
export function draw(component, table) {
  const step = stepOf(table.values);
  const cords = component.parts.map((part) => ({ part, letters: expand(term(part.position).position) }));
  const longest = Math.max(1, ...cords.map((cord) => Math.min(cord.letters.length, MAX_DRAWN)));
  const drawn = cords.map(({ part, letters }, i) => {
    const y = 34 + i * ROW;
    const end = LEFT + Math.min(letters.length, MAX_DRAWN) * step;
    const own = component.moves.filter((move) => move.part === part.place);
    const counts = { b: 0, s: 0, w: 0 };
    const things = [...letters.slice(0, MAX_DRAWN)].map((letter, k) => {
      counts[/** @type {"b"|"s"|"w"} */ (letter)] += 1;
      const x = LEFT + (k + 0.5) * step;
      const moves = own.filter((move) => isAt(move.words, letter, counts[/** @type {"b"|"s"|"w"} */ (letter)]));
      const thing = shape(letter, x, y);
      thing.setAttribute("data-key", `${letter} ${i}.${k}`);
      if (moves.length === 0) return thing;
      return target(label(moves, table), () => choices(moves, table), { "data-choices": numbers(moves), class: hinted(moves, table) && "hinted" },
        thing, svg("rect", { x: x - step / 2 + 3, y: y - 16, width: step - 6, height: 56, rx: 8, class: "spot" }),
        badge(moves, table, x, y + 46));
    });
    return svg("g", {},
      svg("path", { d: `M8 ${y} h10 M${LEFT - 12} ${y} H${end}`, class: "cord" }),
      svg("path", { d: `M18 ${y - 11} h16 v22 h-16 z M18 ${y - 6} h-8 M18 ${y + 6} h-8`, class: "plug" }),
      letters.length > MAX_DRAWN && svg("text", { x: end + 6, y: y + 5, "font-size": 15 }, "…"),
      things);
  });
  return picture(LEFT + longest * step + 30, ROW * Math.max(1, cords.length) + 8, "a string of lights", drawn);
}

/** @param {string} letter @param {number} x @param {number} y */
function shape(letter, x, y) {
  switch (letter) {
    case "b": return svg("g", {}, svg("rect", { x: x - 6, y: y - 6, width: 12, height: 12, class: "fitting" }),
      svg("path", { d: `M${x - 7} ${y + 6} h14 c8 8 4 24 -7 24 c-11 0 -15 -16 -7 -24 z`, class: "bulb" }));
    case "s": return svg("g", {}, svg("rect", { x: x - 10, y: y - 8, width: 20, height: 16, rx: 3, class: "socket" }),
      svg("path", { d: `M${x - 5} ${y - 4} l10 8 M${x + 5} ${y - 4} l-10 8`, class: "broken" }));
    default: return svg("circle", { cx: x, cy: y + 14, r: 11, class: "working" });
  }
}

/** Whether a move takes this bulb or removes this socket. @param {string} words @param {string} letter @param {number} count */
function isAt(words, letter, count) {
  if (letter === "b") return words === `take bulb ${count}`;
  if (letter !== "s") return false;
  if (words === `remove socket ${count}`) return true;
  const run = /^remove one of the sockets (\d+) to (\d+)$/.exec(words);
  return run !== null && Number(run[1]) <= count && count <= Number(run[2]);
}
