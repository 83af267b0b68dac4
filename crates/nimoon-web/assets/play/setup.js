// Set up a position by hand: lines of a grid, edges between points, heaps, strings of lights.
import { button, el, fill } from "../dom.js";
import { picture, svg, target } from "../svg.js";
import { chase, row, strip } from "./squares.js";

/** @typedef {{text: () => string, element: HTMLElement}} Editor */

/** @param {string} label @param {number} value @param {number} least @param {number} most @param {(value: number) => void} changed */
function numberField(label, value, least, most, changed) {
  const input = /** @type {HTMLInputElement} */ (el("input", { type: "number", min: least, max: most, value, oninput: () => {
    const read = Number(input.value);
    if (Number.isInteger(read) && read >= least && read <= most) changed(read);
  } }));
  return el("label", {}, label, input);
}

/** A grid of dots: a click draws or erases a line. @param {() => void} changed @returns {Editor} */
function grid(changed) {
  const CELL = 58;
  let [rows, columns] = [2, 3];
  /** @type {Set<string>} */
  const drawn = new Set();
  const stage = el("div", { class: "setup-stage" });
  const line = (/** @type {string} */ name, /** @type {number[]} */ from, /** @type {number[]} */ to) => {
    const ends = { x1: 24 + from[1] * CELL, y1: 24 + from[0] * CELL, x2: 24 + to[1] * CELL, y2: 24 + to[0] * CELL };
    const is = drawn.has(name);
    const side = name.startsWith("h") ? "horizontal" : "vertical";
    return target(`${is ? "erase" : "draw"} the ${side} line at row ${from[0] + 1}, column ${from[1] + 1}`, () => { if (is) drawn.delete(name); else drawn.add(name); render(name); }, { "data-line": name },
      svg("line", { ...ends, class: is ? "drawn" : "missing" }), svg("line", { ...ends, class: "hit" }),
      svg("rect", { x: Math.min(ends.x1, ends.x2) - 7, y: Math.min(ends.y1, ends.y2) - 7, width: Math.abs(ends.x1 - ends.x2) + 14, height: Math.abs(ends.y1 - ends.y2) + 14, rx: 7, class: "spot" }));
  };
  /** @param {string} [focus] */
  function render(focus) {
    const lines = [];
    const dots = [];
    for (let row = 0; row <= rows; row += 1) {
      for (let column = 0; column <= columns; column += 1) {
        if (column < columns) lines.push(line(`h${row},${column}`, [row, column], [row, column + 1]));
        if (row < rows) lines.push(line(`v${row},${column}`, [row, column], [row + 1, column]));
        dots.push(svg("circle", { cx: 24 + column * CELL, cy: 24 + row * CELL, r: 5, class: "dot" }));
      }
    }
    fill(stage, picture(48 + columns * CELL, 48 + rows * CELL, "a grid to draw on", lines, dots));
    /** @type {SVGElement|null} */ (focus ? stage.querySelector(`[data-line="${focus}"]`) : null)?.focus({ preventScroll: true });
    changed();
  }
  const bits = (/** @type {string} */ kind, /** @type {number} */ height, /** @type {number} */ width) => Array.from({ length: height * width }, (_, i) => (drawn.has(`${kind}${Math.floor(i / width)},${i % width}`) ? "1" : "0")).join("");
  const element = el("div", {}, el("div", { class: "row" },
    numberField("Rows ", rows, 1, 6, (value) => { rows = value; render(); }), numberField("Columns ", columns, 1, 8, (value) => { columns = value; render(); }),
    button("Erase all", () => { drawn.clear(); render(); })), stage);
  render();
  return { element, text: () => `nimstring:${rows}x${columns}/${bits("h", rows + 1, columns)}/${bits("v", rows, columns + 1)}` };
}

/**
 * Points and edges: a click on the sheet adds a point, two clicks on points join them, a click on an edge changes it.
 * @param {"green-lime"|"green-hackenbush"|"coins"} ruleset @param {() => void} changed @returns {Editor}
 */
function edges(ruleset, changed) {
  const [WIDTH, HEIGHT] = [460, 300];
  /** @type {{x: number, y: number}[]} */
  let points = [];
  /** Ends are numbers of points from 1 on; 0 is the ground. @type {{a: number, b: number, color: string}[]} */
  let joined = [];
  /** The first of two points to join. @type {number|null} */
  let from = null;
  const stage = el("div", { class: "setup-stage" });
  const hint = el("p", { class: "muted", "aria-live": "polite" });
  const isLime = ruleset === "green-lime";
  const name = (/** @type {number} */ point) => (ruleset === "coins" && point > 0 ? "abcdefghijklmnopqrstuvwxyz"[point - 1] : String(point));
  const at = (/** @type {number} */ point, /** @type {number} */ other) => (point === 0 ? { x: points[other - 1]?.x ?? WIDTH / 2, y: HEIGHT - 12 } : points[point - 1]);

  /** @param {number} x @param {number} y */
  function add(x, y) {
    if (points.length === 26) return;
    points.push({ x, y });
    // A new point is joined to the one that was chosen, so that a stalk grows with each click.
    if (from !== null) joined.push({ a: from, b: points.length, color: "g" });
    from = from === null ? null : points.length;
    render();
  }

  /** @param {number} point */
  function touch(point) {
    if (from === null) from = point;
    else {
      if (from !== point && (from !== 0 || point !== 0)) joined.push({ a: Math.min(from, point), b: Math.max(from, point), color: "g" });
      from = null;
    }
    render();
  }

  /** @param {number} i */
  function change(i) {
    if (isLime && joined[i].color === "g") joined[i].color = "l";
    else joined.splice(i, 1);
    render();
  }

  function render() {
    const lines = joined.map(({ a, b, color }, i) => {
      const [one, other] = [at(a, b), at(b, a)];
      // Parallel edges bend apart.
      const number = joined.slice(0, i).filter((edge) => edge.a === a && edge.b === b).length;
      const bend = (number % 2 ? -1 : 1) * Math.ceil(number / 2) * 26;
      const d = `M${one.x} ${one.y} Q${(one.x + other.x) / 2 + bend} ${(one.y + other.y) / 2} ${other.x} ${other.y}`;
      return target(`edge ${name(a)}-${name(b)}${isLime ? `, ${color === "l" ? "lime" : "green"}` : ""}: ${isLime && color === "g" ? "make it lime" : "remove it"}`, () => change(i), {},
        svg("path", { d, class: ["edge", isLime ? (color === "l" ? "lime" : "green") : ruleset === "coins" ? "plain" : "green"] }), color === "l" && svg("path", { d, class: "edge-mark" }), svg("path", { d, class: "hit" }), svg("path", { d, class: "outline" }));
    });
    const sheet = svg("rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT - 14, class: "sheet", onclick: (/** @type {MouseEvent} */ event) => {
      const box = /** @type {SVGSVGElement} */ (stage.querySelector("svg")).getBoundingClientRect();
      add(Math.round(((event.clientX - box.left) / box.width) * WIDTH), Math.round(((event.clientY - box.top) / box.height) * HEIGHT));
    } });
    const ground = target(`the ground${from === 0 ? ", chosen" : ""}`, () => touch(0), { class: from === 0 && "is-chosen" }, svg("rect", { x: 6, y: HEIGHT - 16, width: WIDTH - 12, height: 10, rx: 4, class: "ground" }), svg("rect", { x: 6, y: HEIGHT - 22, width: WIDTH - 12, height: 22, class: "spot" }));
    const dots = points.map(({ x, y }, i) => target(`point ${name(i + 1)}${from === i + 1 ? ", chosen" : ""}`, () => touch(i + 1), { class: from === i + 1 && "is-chosen" },
      svg("circle", { cx: x, cy: y, r: ruleset === "coins" ? 14 : 9, class: ruleset === "coins" ? "coin" : "vertex" }), ruleset === "coins" && svg("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 13, class: "coin-name" }, name(i + 1)), svg("circle", { cx: x, cy: y, r: 17, class: "spot" })));
    fill(stage, picture(WIDTH, HEIGHT, "a sheet to draw edges on", sheet, lines, ground, dots));
    fill(hint, from === null
      ? `Click the ground or a point to start an edge.${isLime ? " Click an edge to make it lime, and again to remove it." : " Click an edge to remove it."}`
      : "Now click another point, or the free sheet for a new point. Click the chosen point again to stop.");
    changed();
  }
  const element = el("div", {}, hint, stage, el("div", { class: "row" },
    button("New point", () => add(60 + (points.length * 67) % (WIDTH - 100), HEIGHT - 80 - Math.floor(points.length / 5) * 60)),
    button("Erase all", () => { points = []; joined = []; from = null; render(); })));
  from = 0;
  render();
  return { element, text: () => (joined.length ? `${ruleset}:${joined.map(({ a, b, color }) => (ruleset === "coins" && a === 0 ? `${name(b)}-0` : `${name(a)}-${name(b)}${isLime ? color : ""}`)).join(",")}` : "") };
}

/** Heaps of one ruleset. @param {() => void} changed @returns {Editor} */
function heaps(changed) {
  let sizes = [3, 4, 5];
  const ruleset = /** @type {HTMLSelectElement} */ (el("select", { "aria-label": "Rules of the heaps", onchange: changed }, ["nim", "top-entails", "kayles", "dawsons-kayles", "grundys-game", "subtraction[1,2,3]", "octal[0.156]"].map((name) => el("option", {}, name))));
  const list = el("div", { class: "setup-heaps" });
  function render() {
    fill(list, sizes.map((size, i) => el("div", { class: "row" },
      button("−", () => { sizes[i] = Math.max(0, size - 1); render(); }, { "aria-label": `Remove a token from heap ${i + 1}` }),
      el("span", { class: "tokens", role: "img", "aria-label": `heap ${i + 1}: ${size}` }, "●".repeat(Math.min(size, 24)), el("span", { class: "muted" }, ` ${size}`)),
      button("+", () => { sizes[i] = Math.min(200, size + 1); render(); }, { "aria-label": `Add a token to heap ${i + 1}` }),
      button("×", () => { sizes = sizes.filter((_, k) => k !== i); render(); }, { "aria-label": `Remove heap ${i + 1}`, class: "quiet" }))));
    changed();
  }
  const element = el("div", {}, el("div", { class: "row" }, ruleset, button("Add a heap", () => { sizes.push(3); render(); })), list);
  render();
  return { element, text: () => sizes.map((size) => `${ruleset.value}:${size}`).join(" + ") };
}

/** A string of bulbs and sockets. @param {() => void} changed @returns {Editor} */
function lights(changed) {
  let letters = [..."bbsbb"];
  const stage = el("div", { class: "row setup-lights" });
  function render() {
    fill(stage, letters.map((letter, i) => button(letter === "b" ? "💡" : "▭", () => { letters[i] = letter === "b" ? "s" : "b"; render(); }, { "aria-label": `${letter === "b" ? "bulb" : "socket"} ${i + 1}: change it`, class: letter === "b" ? "is-bulb" : "is-socket" })));
    changed();
  }
  const element = el("div", {}, el("p", { class: "muted" }, "Click a bulb to break it, and a socket to repair it."), stage, el("div", { class: "row" },
    button("Add one", () => { if (letters.length < 40) { letters.push("b"); render(); } }), button("Remove the last", () => { letters.pop(); render(); })));
  render();
  return { element, text: () => (letters.length ? `lights:${letters.join("")}` : "") };
}

const EDITORS = /** @type {Record<string, (changed: () => void) => Editor>} */ ({
  "Dots and boxes": grid,
  "Green-lime edges": (changed) => edges("green-lime", changed),
  "Green hackenbush": (changed) => edges("green-hackenbush", changed),
  "Strings and coins": (changed) => edges("coins", changed),
  Heaps: heaps,
  "Christmas lights": lights,
  "Toads and frogs": strip,
  "Fox and geese": chase,
  "A token on a row": row,
});

/** @param {{use: (text: string, add: boolean) => void}} options `use` plays the position, or adds it to the sum */
export function setup({ use }) {
  const place = el("div", {});
  const notation = el("code", { class: "setup-notation" });
  /** @type {Editor|null} */
  let editor = null;
  const text = () => editor?.text() ?? "";
  const changed = () => { fill(notation, text()); play.disabled = add.disabled = text() === ""; };
  const play = button("Play this position", () => use(text(), false), { class: "primary" });
  const add = button("Add to the sum", () => use(text(), true));
  const kind = /** @type {HTMLSelectElement} */ (el("select", { id: "setup-kind", onchange: () => choose() }, Object.keys(EDITORS).map((name) => el("option", {}, name))));
  function choose() {
    editor = EDITORS[kind.value](() => changed());
    fill(place, editor.element);
    changed();
  }
  return el("details", { class: "panel setup", ontoggle: () => { if (!editor) choose(); } },
    el("summary", {}, "Set up your own position"),
    el("div", { class: "row" }, el("label", {}, "Board ", kind)), place, el("p", {}, notation), el("div", { class: "row" }, play, add));
}
