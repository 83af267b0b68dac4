// Why a node has its label, as the program tells it: the options, what each move achieves, the sets, and the conclusion.
import { el } from "../dom.js";
import { coversText, heapsText, valueSign } from "../value.js";

const KINDS = /** @type {Record<string, string>} */ ({
  ordinary: "ordinary move", "carry-on": "carry-on move: move again", checkmate: "checkmate: the opponent is stuck", suicide: "suicide: the mover gets stuck",
  endless: "runs in a gray circle", entailing: "entailing move: to be answered here",
});
const FATES = /** @type {Record<string, string>} */ ({ loses: "loses", reverts: "reverts", same: "changes nothing", holds: "does not lose" });

/** The conclusion alone. @param {any} told */
export const because = (told) => told.text.trimEnd().split("\n").at(-1) ?? "";

/**
 * @param {any} told the explanation
 * @param {(name: string) => Element} link a way to another node
 */
export function reasons(told, link) {
  const sentences = told.text.split("\n");
  const last = sentences.slice(sentences.findLastIndex((/** @type {string} */ line, /** @type {number} */ i) => line === "" && i < sentences.length - 1) + 1);
  const beside = told.options.some((/** @type {any} */ option) => option.beside_mex);
  return el("div", { class: "dg-reasons" },
    el("p", {}, sentences[0]),
    told.options.length > 0 ? el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Options" }, el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "option"), el("th", { scope: "col" }, "the move"), el("th", { scope: "col" }, "wins beside"), beside && el("th", { scope: "col" }, `beside ${told.mex}`))),
      el("tbody", {}, told.options.map((/** @type {any} */ option) => el("tr", {},
        el("td", {}, link(option.option), " ", option.value ? valueSign(option.value) : ""),
        el("td", {}, KINDS[option.kind] ?? option.kind, option.to !== undefined && option.to !== option.option && [" to ", link(option.to)], "covers" in option && ` (${coversText(option.covers)})`),
        el("td", {}, heapsText(option.wins)),
        beside && el("td", {}, option.beside_mex ? FATES[option.beside_mex] : "", option.reply !== undefined && [" by ", link(option.reply)])))))) : el("p", {}, "It has no options."),
    el("dl", { class: "sets" },
      set("wins beside", heapsText(told.wins)),
      told.value && told.mex !== null && set("mex", String(told.mex)),
      told.direct && told.value && set("direct", numbers(told.direct)),
      told.forced && told.value && set("forced", numbers(told.forced)),
      told.value?.kind === "cyclic" && set("exits", numbers(told.value.exits))),
    last.filter((/** @type {string} */ line) => line.trim() !== "" && line !== sentences[0]).map((/** @type {string} */ line) => el("p", {}, line)));
}

/** @param {string} name @param {string} text */
const set = (name, text) => el("div", { class: "dg-set" }, el("dt", {}, name), el("dd", {}, text));

/** @param {number[]} list */
const numbers = (list) => (list.length ? `{${list.join(",")}}` : "none");
