// The boards of a position: one picture for each component. The ruleset of the component decides how to draw it.
import { el } from "../dom.js";
import { coversText, outcomeSign, valueSign } from "../value.js";
import { button } from "../dom.js";
import { sentence } from "./choice.js";
import * as chase from "./chase.js";
import * as graph from "./graph.js";
import * as heaps from "./heaps.js";
import * as lights from "./lights.js";
import * as nimstring from "./nimstring.js";
import * as slide from "./slide.js";
import * as strip from "./strip.js";
import * as walk from "./walk.js";
import { term } from "./position.js";

/**
 * @typedef {{move: number, part: number, component: number, from: string, to: string, words: string, name: string, again?: boolean,
 *   entails?: boolean, achieves: "winning"|"drawing"|"losing"|null, value: any, remoteness: number|null}} Move
 *   `name` is `words`, with the part where two parts of a component have moves of the same words
 * @typedef {{place: number, position: string, due?: boolean}} Part
 * @typedef {{index: number, parts: Part[], moves: Move[]}} Component
 * @typedef {{start: string, values: boolean, hinted: number|null, choose: (move: Move) => void, files?: Record<string, string>}} Table
 */

const BOARDS = {
  nim: heaps, "top-entails": heaps, subtraction: heaps, kayles: heaps, "grundys-game": heaps, "dawsons-kayles": heaps,
  "dawsons-chess": heaps, treblecross: heaps, guiles: heaps, officers: heaps, octal: heaps, hexadecimal: heaps, wythoff: heaps,
  nimstring, lights, slide, ladders: slide, backsliding: strip, "fox-geese": chase, digraph: walk, "green-lime": graph, "green-hackenbush": graph, coins: graph,
};

/** Two boards of at most this width fit beside each other on a phone. */
const NARROW = 170;

/** Lists the moves of a component as buttons, for games without a board and for boards that are too large to draw. @param {Component} component @param {Table} table */
function listed(component, table) {
  const limit = 60;
  return el("div", { class: "listed" },
    component.parts.map((part) => el("p", { class: "mono" }, part.position)),
    el("div", { class: "row" }, component.moves.slice(0, limit).map((move) => button(sentence(move.name), () => table.choose(move)))),
    component.moves.length > limit && el("p", { class: "muted" }, "The table lists the other moves."));
}

/**
 * @param {any} state the state of the game, as the program returns it
 * @param {Table} table
 * @param {boolean} open whether the player at the screen is to move
 */
export function boards(state, table, open) {
  return state.components.map((/** @type {any} */ summary, /** @type {number} */ index) => {
    const moves = open ? state.moves.filter((/** @type {Move} */ move) => move.component === index) : [];
    const component = { index, parts: state.parts[index], moves };
    const { ruleset } = term(summary.position);
    const board = BOARDS[/** @type {keyof typeof BOARDS} */ (ruleset)];
    const due = state.duty.kind === "answer" && state.duty.component === index && !state.ending;
    const shut = state.duty.kind === "answer" && state.duty.component !== index && !state.ending;
    const drawing = board?.draw(component, table) ?? listed(component, table);
    const isNarrow = Number(drawing.getAttribute("width") ?? Infinity) <= NARROW;
    return el("section", { class: ["component", due && "is-due", shut && "is-shut", isNarrow && "is-narrow"], "aria-label": `component ${index}, ${ruleset}` },
      el("header", {},
        el("span", { class: "muted" }, state.components.length > 1 ? `${index} · ${ruleset}` : ruleset),
        due && el("strong", { class: "must" }, "answer here"),
        table.values && (summary.value ? el("span", {}, valueSign(summary.value), " ", outcomeSign(summary.outcome)) : el("span", { class: "muted" }, "covers" in summary ? coversText(summary.covers) : ""))),
      drawing);
  });
}
