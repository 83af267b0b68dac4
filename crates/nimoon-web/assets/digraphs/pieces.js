// The panel of pieces: the value of their sum, who wins, and a good turn.
import { button, el } from "../dom.js";
import { coversText, outcomeSign, OUTCOMES, valueSign } from "../value.js";

const TURNS = /** @type {Record<string, string>} */ ({ winning: "A winning turn", drawing: "A turn that keeps the draw", losing: "Every turn loses, for example", none: "There is no move." });

/**
 * @param {any} answer the answer of the program about the sum
 * @param {string[]} names the nodes with a piece
 * @param {(index: number) => void} remove
 * @param {(name: string) => Element} link
 * @param {(() => void)|null} play plays the game with these pieces
 */
export function sumOf(answer, names, remove, link, play) {
  return el("div", {},
    el("ul", { class: "dg-pieces" }, names.map((name, i) => {
      const component = answer?.components[i];
      return el("li", {}, link(name), " ", component && (component.value ? [valueSign(component.value), " ", outcomeSign(component.outcome)] : el("span", {}, coversText(component.covers))),
        button("×", () => remove(i), { class: "quiet", "aria-label": `Remove the piece from ${name}` }));
    })),
    play && el("div", { class: "row" }, button("Play this digraph", play)),
    answer && [
      el("p", { class: "dg-sum" }, "The sum: ", answer.value ? [valueSign(answer.value), " "] : "no value, ", outcomeSign(answer.outcome), answer.outcome ? ` ${OUTCOMES[/** @type {"N"|"P"|"D"} */ (answer.outcome)].text}` : ""),
      answer.budget && el("p", { class: "notice" }, `The result is incomplete: ${answer.budget}.`),
      answer.turn && turn(answer.turn, names.length > 1)].flat());
}

/** @param {any} answer @param {boolean} several */
function turn(answer, several) {
  if (answer.plies.length === 0) return el("p", {}, TURNS.none);
  return el("div", {},
    el("h3", {}, `${TURNS[answer.kind] ?? "A turn"}${answer.remoteness !== undefined && answer.remoteness !== null ? ` (the game ends after ${answer.remoteness} ${answer.remoteness === 1 ? "ply" : "plies"} of good play)` : ""}`),
    el("ol", { class: "steps" }, answer.plies.map((/** @type {any} */ ply) => el("li", {}, ply.forced && el("strong", {}, "the only answer: "), several && `piece ${ply.component + 1}: `, `${ply.from} → ${ply.to}`))),
    answer.endless && el("p", {}, "This turn can go on forever."));
}
