// The reasons for a label, from the program: the options, what each move achieves, the sets, and the conclusion.
import { el } from "../dom.js";
import { coversText, heapsText, valueSign } from "../value.js";

const KINDS = /** @type {Record<string, string>} */ ({
  ordinary: "ordinary move", "carry-on": "carry-on move: move again", checkmate: "checkmate: the opponent is stuck", suicide: "suicide: the mover gets stuck",
  endless: "runs in a gray cycle", entailing: "entailing move: the opponent must answer here",
});
const FATES = /** @type {Record<string, string>} */ ({ loses: "loses", reverts: "reverts", same: "changes nothing", holds: "does not lose" });

/** Returns the conclusion of an explanation. @param {any} explanation */
export const conclusion = (explanation) => explanation.text.trimEnd().split("\n").at(-1) ?? "";

/**
 * @param {any} explanation
 * @param {(name: string) => Element} link creates a link to another node
 */
export function reasons(explanation, link) {
  const sentences = explanation.text.split("\n");
  const last = sentences.slice(sentences.findLastIndex((/** @type {string} */ line, /** @type {number} */ i) => line === "" && i < sentences.length - 1) + 1);
  const beside = explanation.options.some((/** @type {any} */ option) => option.beside_mex);
  return el("div", { class: "dg-reasons" },
    el("p", {}, sentences[0]),
    explanation.options.length > 0 ? el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Options" }, el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "option"), el("th", { scope: "col" }, "the move"), el("th", { scope: "col" }, "wins beside"), beside && el("th", { scope: "col" }, `beside ${explanation.mex}`))),
      el("tbody", {}, explanation.options.map((/** @type {any} */ option) => el("tr", {},
        el("td", {}, link(option.option), " ", option.value ? valueSign(option.value) : ""),
        el("td", {}, KINDS[option.kind] ?? option.kind, option.to !== undefined && option.to !== option.option && [" to ", link(option.to)], "covers" in option && ` (${coversText(option.covers)})`),
        el("td", {}, heapsText(option.wins)),
        beside && el("td", {}, option.beside_mex ? FATES[option.beside_mex] : "", option.reply !== undefined && [" by ", link(option.reply)])))))) : el("p", {}, "It has no options."),
    el("dl", { class: "sets" },
      set("wins beside", heapsText(explanation.wins)),
      explanation.value && explanation.mex !== null && set("mex", String(explanation.mex)),
      explanation.direct && explanation.value && set("direct", numbers(explanation.direct)),
      explanation.forced && explanation.value && set("forced", numbers(explanation.forced)),
      explanation.value?.kind === "cyclic" && set("exits", numbers(explanation.value.exits))),
    last.filter((/** @type {string} */ line) => line.trim() !== "" && line !== sentences[0]).map((/** @type {string} */ line) => el("p", {}, line)));
}

/** @param {string} name @param {string} text */
const set = (name, text) => el("div", { class: "dg-set" }, el("dt", {}, name), el("dd", {}, text));

/** @param {number[]} list */
const numbers = (list) => (list.length ? `{${list.join(",")}}` : "none");
