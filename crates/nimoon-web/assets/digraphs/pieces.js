// Pieces on nodes: the value of the sum, who wins, and the turn to play.
import { button, el } from "../dom.js";
import { coversText, outcomeSign, OUTCOMES, valueSign } from "../value.js";

const TURNS = /** @type {Record<string, string>} */ ({ winning: "A winning turn", drawing: "A turn that holds the draw", losing: "Every turn loses; this one as well", none: "There is no move." });

/**
 * @param {any} told the answer about the sum
 * @param {string[]} names of the nodes with a piece
 * @param {(index: number) => void} remove
 * @param {(name: string) => Element} link
 */
export function sumOf(told, names, remove, link) {
  return el("div", {},
    el("ul", { class: "dg-pieces" }, names.map((name, i) => {
      const component = told?.components[i];
      return el("li", {}, link(name), " ", component && (component.value ? [valueSign(component.value), " ", outcomeSign(component.outcome)] : el("span", {}, coversText(component.covers))),
        button("×", () => remove(i), { class: "quiet", "aria-label": `Take the piece off ${name}` }));
    })),
    told && [
      el("p", { class: "dg-sum" }, "The sum: ", told.value ? [valueSign(told.value), " "] : "no value, ", outcomeSign(told.outcome), told.outcome ? ` ${OUTCOMES[/** @type {"N"|"P"|"D"} */ (told.outcome)].text}` : ""),
      told.budget && el("p", { class: "notice" }, `Not everything is known: ${told.budget}.`),
      told.turn && turn(told.turn, names.length > 1)].flat());
}

/** @param {any} told @param {boolean} several */
function turn(told, several) {
  if (told.plies.length === 0) return el("p", {}, TURNS.none);
  return el("div", {},
    el("h3", {}, `${TURNS[told.kind] ?? "A turn"}${told.remoteness !== undefined && told.remoteness !== null ? ` (the game ends after ${told.remoteness} plies of good play)` : ""}`),
    el("ol", { class: "steps" }, told.plies.map((/** @type {any} */ ply) => el("li", {}, ply.forced && el("strong", {}, "the only answer: "), several && `piece ${ply.component + 1}: `, `${ply.from} → ${ply.to}`))),
    told.endless && el("p", {}, "The turn goes on for ever."));
}
