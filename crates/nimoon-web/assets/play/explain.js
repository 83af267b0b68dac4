// Why: the values of the components, the cells that add them, and why the recommended turn does what it does.
import { ask } from "../api.js";
import { el, fill } from "../dom.js";
import { coversText, heapsText, outcomeSign, valueSign } from "../value.js";
import { sentence } from "./choice.js";

const KINDS = ["nimber", "ninny", "cyclic", "moon", "full-moon"];
const SIGNS = /** @type {Record<string, string>} */ ({ nimber: "n", ninny: "∞*", cyclic: "∞", moon: "☾", "full-moon": "○" });
/** The table of sums by kind; only where they meet is told. */
const SUMS = /** @type {Record<string, Record<string, string>>} */ ({
  nimber: { nimber: "n", ninny: "∞*", cyclic: "∞", moon: "☾", "full-moon": "○" },
  ninny: { nimber: "∞*", ninny: "∞*", cyclic: "∞", moon: "☾", "full-moon": "○" },
  cyclic: { nimber: "∞", ninny: "∞", cyclic: "∞", moon: "∞", "full-moon": "○" },
  moon: { nimber: "☾", ninny: "☾", cyclic: "∞", moon: "☾", "full-moon": "○" },
  "full-moon": { nimber: "○", ninny: "○", cyclic: "○", moon: "○", "full-moon": "○" },
});

/**
 * Fills an element with the explanation of a game as it stands.
 * @param {HTMLElement} root @param {any} game @param {AbortSignal} signal
 */
export async function explain(root, game, signal) {
  const told = await ask("explain", game, { signal });
  fill(root,
    el("p", {}, "The sum has value ", valueSign(told.value), " ", outcomeSign(told.outcome), told.theory ? ` in the ${told.theory} theory.` : "."),
    adding(told),
    reason(told),
    el("h3", {}, "Why each component has its value"),
    (told.explanations ?? []).map(component));
}

/** @param {any} told */
function adding(told) {
  if (!told.addition) return null;
  if (told.addition.length === 0) return null;
  return el("div", {},
    el("h3", {}, "How the values add"),
    el("ol", { class: "steps" }, told.addition.map((/** @type {any} */ step) => el("li", {},
      valueSign(step.sum), " + ", valueSign(step.value), " = ", valueSign(step.total), el("span", { class: "muted" }, ` ${step.rule}`)))),
    told.theory === "carry-on" || told.theory === "cyclic" ? cells(told.addition) : null);
}

/** The table of sums, with the cells that were used marked. @param {any[]} steps */
function cells(steps) {
  const used = (/** @type {string} */ row, /** @type {string} */ column) =>
    steps.some((step) => step.row === row && step.column === column);
  return el("details", {},
    el("summary", {}, "The table of sums"),
    el("table", { class: "sums" },
      el("caption", { class: "visually-hidden" }, "The kind of a sum by the kinds of its two terms; marked cells were used"),
      el("thead", {}, el("tr", {}, el("th", {}, "+"), KINDS.map((kind) => el("th", { scope: "col" }, SIGNS[kind])))),
      el("tbody", {}, KINDS.map((row) => el("tr", {}, el("th", { scope: "row" }, SIGNS[row]),
        KINDS.map((column) => el("td", { class: used(row, column) && "used" }, SUMS[row][column], used(row, column) && " ←")))))));
}

/** @param {any} told */
function reason(told) {
  if (!told.reason || !told.turn) return null;
  const plies = told.turn.plies ?? [];
  return el("div", {},
    el("h3", {}, told.turn.kind === "winning" ? "Why the turn wins" : told.turn.kind === "drawing" ? "Why the turn holds the draw" : "Why every turn loses"),
    el("ol", { class: "steps" }, plies.map((/** @type {any} */ ply) => el("li", {},
      ply.forced && el("strong", {}, "the only answer: "), `component ${ply.component}: ${ply.words}`, ply.again && el("strong", {}, " – move again"), ply.entails && el("strong", {}, " – to be answered there")))),
    el("p", {}, "That leaves ", told.reason.components.map((/** @type {any} */ left, /** @type {number} */ i) => [
      i > 0 && " + ", left.value ? valueSign(left.value) : el("span", {}, coversText(left.covers))]).flat(), "."),
    told.reason.sentences.map((/** @type {string} */ text) => el("p", {}, text)));
}

/** @param {any} part */
function component(part) {
  const sets = [
    ["Moving here first wins beside", part.wins && heapsText(part.wins)],
    ["mex of that", part.mex ?? "none: every heap"],
    ["direct values, that the mover can move to", part.direct && `{${part.direct.join(",")}}`],
    ["forced values, that the opponent can be made to move to", part.forced && `{${part.forced.join(",")}}`],
    ["exits", part.value?.kind === "cyclic" && `{${part.value.exits.join(",")}}`],
  ].filter(([, set]) => set !== undefined && set !== false && set !== null);
  const most = 24;
  const conclusion = part.text.trim().split("\n").pop();
  return el("details", {},
    el("summary", {}, el("code", {}, part.node), " ", part.value ? valueSign(part.value) : coversText(part.covers)),
    el("table", {},
      el("thead", {}, el("tr", {}, el("th", {}, "move"), el("th", {}, "kind"), el("th", {}, "leaves"), el("th", {}, "wins beside"))),
      el("tbody", {}, part.options.slice(0, most).map((/** @type {any} */ option) => el("tr", {},
        // A move back to the position itself, or to its like, is told by where it leads.
        el("td", {}, /^[a-z-]+(\[|:)/.test(option.option) ? el("code", {}, option.option) : sentence(option.option)), el("td", {}, option.kind),
        el("td", {}, option.value ? valueSign(option.value) : coversText(option.covers)), el("td", {}, heapsText(option.wins)))))),
    part.options.length > most && el("p", { class: "muted" }, `and ${part.options.length - most} more`),
    el("dl", { class: "sets" }, sets.flatMap(([name, set]) => [el("dt", {}, name), el("dd", {}, set)])),
    el("p", {}, conclusion));
}
