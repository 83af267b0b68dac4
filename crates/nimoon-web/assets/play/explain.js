// The explanation of a position: the values of the components, how they add, and why the recommended turn works.
import { ask } from "../api.js";
import { el, fill } from "../dom.js";
import { coversText, heapsText, outcomeSign, valueSign } from "../value.js";
import { sentence } from "./choice.js";

const KINDS = ["nimber", "ninny", "cyclic", "moon", "full-moon"];
const SIGNS = /** @type {Record<string, string>} */ ({ nimber: "n", ninny: "∞*", cyclic: "∞", moon: "☾", "full-moon": "○" });
/** The kind of a sum, by the kinds of its two terms. */
const SUMS = /** @type {Record<string, Record<string, string>>} */ ({
  nimber: { nimber: "n", ninny: "∞*", cyclic: "∞", moon: "☾", "full-moon": "○" },
  ninny: { nimber: "∞*", ninny: "∞*", cyclic: "∞", moon: "☾", "full-moon": "○" },
  cyclic: { nimber: "∞", ninny: "∞", cyclic: "∞", moon: "∞", "full-moon": "○" },
  moon: { nimber: "☾", ninny: "☾", cyclic: "∞", moon: "☾", "full-moon": "○" },
  "full-moon": { nimber: "○", ninny: "○", cyclic: "○", moon: "○", "full-moon": "○" },
});

/**
 * Fills an element with the explanation of the current position of a game.
 * @param {HTMLElement} root @param {any} game @param {AbortSignal} signal
 */
export async function explain(root, game, signal) {
  const explanation = await ask("explain", game, { signal });
  fill(root,
    el("p", {}, "The sum has the value ", valueSign(explanation.value), " ", outcomeSign(explanation.outcome), explanation.theory ? ` in the ${explanation.theory} theory.` : "."),
    adding(explanation),
    reason(explanation),
    el("h3", {}, "Why each component has its value"),
    (explanation.explanations ?? []).map(component));
}

/** @param {any} explanation */
function adding(explanation) {
  if (!explanation.addition) return null;
  if (explanation.addition.length === 0) return null;
  return el("div", {},
    el("h3", {}, "How the values add"),
    el("ol", { class: "steps" }, explanation.addition.map((/** @type {any} */ step) => el("li", {},
      valueSign(step.sum), " + ", valueSign(step.value), " = ", valueSign(step.total), el("span", { class: "muted" }, ` ${step.rule}`)))),
    explanation.theory === "carry-on" || explanation.theory === "cyclic" ? cells(explanation.addition) : null);
}

/** Shows the table of sums and marks the cells that were used. @param {any[]} steps */
function cells(steps) {
  const used = (/** @type {string} */ row, /** @type {string} */ column) =>
    steps.some((step) => step.row === row && step.column === column);
  return el("details", {},
    el("summary", {}, "The table of sums"),
    el("table", { class: "sums" },
      el("caption", { class: "visually-hidden" }, "The kind of a sum, by the kinds of its two terms. Marked cells apply here."),
      el("thead", {}, el("tr", {}, el("th", {}, "+"), KINDS.map((kind) => el("th", { scope: "col" }, SIGNS[kind])))),
      el("tbody", {}, KINDS.map((row) => el("tr", {}, el("th", { scope: "row" }, SIGNS[row]),
        KINDS.map((column) => el("td", { class: used(row, column) && "used" }, SUMS[row][column], used(row, column) && " ←")))))));
}

/** @param {any} explanation */
function reason(explanation) {
  if (!explanation.reason || !explanation.turn) return null;
  const plies = explanation.turn.plies ?? [];
  return el("div", {},
    el("h3", {}, explanation.turn.kind === "winning" ? "Why the turn wins" : explanation.turn.kind === "drawing" ? "Why the turn keeps the draw" : "Why every turn loses"),
    el("ol", { class: "steps" }, plies.map((/** @type {any} */ ply) => el("li", {},
      ply.forced && el("strong", {}, "the only answer: "), `component ${ply.component}: ${ply.words}`, ply.again && el("strong", {}, " – move again"), ply.entails && el("strong", {}, " – the opponent must answer there")))),
    el("p", {}, "That leaves ", explanation.reason.components.map((/** @type {any} */ left, /** @type {number} */ i) => [
      i > 0 && " + ", left.value ? valueSign(left.value) : el("span", {}, coversText(left.covers))]).flat(), "."),
    explanation.reason.sentences.map((/** @type {string} */ text) => el("p", {}, text)));
}

/** @param {any} part */
function component(part) {
  const sets = [
    ["The first player to move here wins beside", part.wins && heapsText(part.wins)],
    ["mex of that set", part.mex ?? "none: it contains every heap"],
    ["direct values, which the mover can move to", part.direct && `{${part.direct.join(",")}}`],
    ["forced values, which the mover can force the opponent to move to", part.forced && `{${part.forced.join(",")}}`],
    ["exits", part.value?.kind === "cyclic" && `{${part.value.exits.join(",")}}`],
  ].filter(([, set]) => set !== undefined && set !== false && set !== null);
  const limit = 24;
  const conclusion = part.text.trim().split("\n").pop();
  return el("details", {},
    el("summary", {}, el("code", {}, part.node), " ", part.value ? valueSign(part.value) : coversText(part.covers)),
    el("table", {},
      el("thead", {}, el("tr", {}, el("th", {}, "move"), el("th", {}, "kind"), el("th", {}, "leaves"), el("th", {}, "wins beside"))),
      el("tbody", {}, part.options.slice(0, limit).map((/** @type {any} */ option) => el("tr", {},
        // A move to the position itself, or to an equal one, has no words: show where it leads.
        el("td", {}, /^[a-z-]+(\[|:)/.test(option.option) ? el("code", {}, option.option) : sentence(option.option)), el("td", {}, option.kind),
        el("td", {}, option.value ? valueSign(option.value) : coversText(option.covers)), el("td", {}, heapsText(option.wins)))))),
    part.options.length > limit && el("p", { class: "muted" }, `and ${part.options.length - limit} more`),
    el("dl", { class: "sets" }, sets.flatMap(([name, set]) => [el("dt", {}, name), el("dd", {}, set)])),
    el("p", {}, conclusion));
}
