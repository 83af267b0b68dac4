// Editors of positions on squares: toads and frogs, fox and geese, a token on a row.
import { button, el, fill } from "../dom.js";
import { picture, svg, target } from "../svg.js";

/** @typedef {import("./setup.js").Editor} Editor */

/** Draws a square that a click changes. @param {number} x @param {number} y @param {number} side @param {string} words @param {string} sign @param {string} kind @param {() => void} change */
const square = (x, y, side, words, sign, kind, change) => target(words, change, {},
  svg("rect", { x, y, width: side, height: side, class: ["square", kind] }),
  sign && svg("text", { x: x + side / 2, y: y + side / 2 + 7, "text-anchor": "middle", "font-size": 20, class: `piece-name ${kind}` }, sign),
  svg("rect", { x: x + 3, y: y + 3, width: side - 6, height: side - 6, rx: 5, class: "spot" }));

/** Toads and frogs on a strip. @param {() => void} changed @returns {Editor} */
export function strip(changed) {
  let letters = [..."tt..ff"];
  const NEXT = /** @type {Record<string, string>} */ ({ ".": "t", t: "f", f: "." });
  const NAMES = /** @type {Record<string, string>} */ ({ ".": "empty", t: "a toad", f: "a frog" });
  const stage = el("div", { class: "setup-stage" });
  function render() {
    fill(stage, picture(16 + letters.length * 46, 62, "a strip to change", letters.map((letter, i) => square(8 + i * 46, 8, 46, `square ${i + 1}, ${NAMES[letter]}: change it`, letter === "." ? "" : letter, i % 2 ? "odd" : "", () => { letters[i] = NEXT[letter]; render(); }))));
    changed();
  }
  const element = el("div", {}, el("p", { class: "muted" }, "Click a square for a toad, again for a frog, and again to empty it."), stage, el("div", { class: "row" },
    button("Longer", () => { if (letters.length < 16) { letters.push("."); render(); } }), button("Shorter", () => { if (letters.length > 1) { letters.pop(); render(); } })));
  render();
  return { element, text: () => `backsliding:${letters.join("")}` };
}

/** Geese and a fox on a board. @param {() => void} changed @returns {Editor} */
export function chase(changed) {
  const [ROWS, COLUMNS, SIDE] = [6, 6, 44];
  /** @type {Set<string>} */
  const geese = new Set(["5.1", "5.3", "5.5"]);
  let fox = "2.4";
  const stage = el("div", { class: "setup-stage" });
  /** @param {string} name */
  function change(name) {
    // A goose becomes the fox, and the fox goes where it was put last.
    if (fox === name) return;
    if (geese.delete(name)) fox = name;
    else geese.add(name);
    render();
  }
  function render() {
    const squares = [];
    for (let row = ROWS; row >= 1; row -= 1) {
      for (let column = 1; column <= COLUMNS; column += 1) {
        const [x, y] = [8 + (column - 1) * SIDE, 8 + (ROWS - row) * SIDE];
        const name = `${row}.${column}`;
        if ((row + column) % 2) { squares.push(svg("rect", { x, y, width: SIDE, height: SIDE, class: "square odd" })); continue; }
        const [is, sign] = fox === name ? ["the fox", "F"] : geese.has(name) ? ["a goose", "G"] : ["empty", ""];
        squares.push(square(x, y, SIDE, `square ${name}, ${is}: change it`, sign, "", () => change(name)));
      }
    }
    fill(stage, picture(16 + COLUMNS * SIDE, 16 + ROWS * SIDE, "a board to change", squares));
    changed();
  }
  const element = el("div", {}, el("p", { class: "muted" }, "Click a square for a goose. Click a goose to put the fox there instead."), stage);
  render();
  return { element, text: () => (geese.size ? `fox-geese:${COLUMNS}/geese=${[...geese].sort().join(",")}/fox=${fox}` : "") };
}

/** A token on a row of squares, with the steps that it may take. @param {() => void} changed @returns {Editor} */
export function row(changed) {
  let [last, token] = [12, 7];
  const steps = /** @type {HTMLInputElement} */ (el("input", { type: "text", value: "-2,-3,+1", id: "setup-steps", spellcheck: "false", oninput: () => changed() }));
  const stage = el("div", { class: "setup-stage" });
  function render() {
    fill(stage, picture(16 + Math.min(last + 1, 10) * 44, 16 + Math.ceil((last + 1) / 10) * 50, "a row of squares", Array.from({ length: last + 1 }, (_, i) =>
      square(8 + (i % 10) * 44, 8 + Math.floor(i / 10) * 50, 44, `square ${i}${i === token ? ", the token" : ": put the token here"}`, i === token ? "●" : String(i), i % 2 ? "odd" : "", () => { token = i; render(); }))));
    changed();
  }
  const element = el("div", {}, el("div", { class: "row" }, el("label", { for: "setup-steps" }, "Steps, such as −2 or +1"), steps), stage, el("div", { class: "row" },
    button("Longer", () => { if (last < 40) { last += 1; render(); } }), button("Shorter", () => { if (last > 1) { last -= 1; token = Math.min(token, last); render(); } })));
  render();
  return { element, text: () => `slide[${steps.value.replaceAll(" ", "").replaceAll("−", "-")};${last}]:${token}` };
}
