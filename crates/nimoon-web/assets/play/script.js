// Rules of one's own, as a script.
import { button, el, fill, showError } from "../dom.js";
import { sentence } from "./choice.js";

/** @typedef {{name: string, source: string}} Rules */

/** @type {{title: string, name: string, position: string, source: string}[]} */
const TEMPLATES = [
  {
    title: "Take a square number",
    name: "squares",
    position: "squares:12",
    source: "// The moves from a heap: take 1, 4, 9, … tokens.\nfn options(heap) {\n    let moves = [];\n    let root = 1;\n    while root * root <= heap {\n        moves.push(to(heap - root * root, `take ${root * root}`));\n        root += 1;\n    }\n    moves\n}\n",
  },
  {
    title: "Move again after an even heap",
    name: "evens",
    position: "evens:7",
    source: "// Take 1 or 2 tokens. Whoever leaves an even heap moves again.\nfn options(heap) {\n    let moves = [];\n    for take in 1..3 {\n        if take <= heap {\n            let left = heap - take;\n            moves.push(if left > 0 && left % 2 == 0 { again(left, `take ${take}`) } else { to(left, `take ${take}`) });\n        }\n    }\n    moves\n}\n",
  },
  {
    title: "A token on a circle",
    name: "circle",
    position: "circle:5",
    source: "// A token on 8 places in a circle goes 2 or 3 places on. Place 0 ends the game.\nfn options(place) {\n    if place == 0 { return []; }\n    [to((place + 2) % 8, \"two on\"), to((place + 3) % 8, \"three on\")]\n}\n",
  },
];

/**
 * @param {{use: (rules: Rules, position: string, box: HTMLElement) => void}} options
 * @returns {{element: HTMLElement, show: (rules: Rules|null) => void}}
 */
export function scripting({ use }) {
  const name = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: "script-name", spellcheck: "false", autocapitalize: "off" }));
  const position = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: "script-position", spellcheck: "false", autocapitalize: "off" }));
  const source = /** @type {HTMLTextAreaElement} */ (el("textarea", { id: "script-source", rows: 12, spellcheck: "false", autocapitalize: "off" }));
  const box = el("div", {});
  const take = (/** @type {typeof TEMPLATES[0]} */ template) => { name.value = template.name; position.value = template.position; source.value = template.source; };
  const form = el("form", { onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    fill(box);
    if (!/^[a-z][a-z0-9-]*$/.test(name.value)) { showError(box, sentence("a name has lower-case letters, digits and -, and begins with a letter")); return; }
    use({ name: name.value, source: source.value }, position.value, box);
  } },
  el("p", {}, "A script lists the moves from a position. ", el("code", {}, "to(q)"), " is an ordinary move, ", el("code", {}, "again(q)"), " lets the mover move again, and ", el("code", {}, "entails(q)"), " must be answered there."),
  el("div", { class: "row" }, "Start from ", TEMPLATES.map((template) => button(template.title, () => take(template), { class: "chip" }))),
  el("label", { for: "script-name" }, "Name of the ruleset"), name,
  el("label", { for: "script-source" }, "Rules"), source,
  el("label", { for: "script-position" }, "Position, which may be a sum"), position,
  box, el("button", { class: "primary" }, "Play these rules"));
  take(TEMPLATES[0]);
  return {
    element: el("details", { class: "panel script" }, el("summary", {}, "Your own rules"), form),
    show: (rules) => { if (rules) { name.value = rules.name; source.value = rules.source; } },
  };
}
