// Outcomes and orders of partizan games, as signs and in words.
import { el } from "../dom.js";

/** @typedef {"L"|"R"|"D"|null} Winner @typedef {{left_first: Winner, right_first: Winner}} Outcome */

const WINNERS = {
  L: { glyph: "◀", text: "Left wins", kind: "left" },
  R: { glyph: "▶", text: "Right wins", kind: "right" },
  D: { glyph: "≈", text: "a draw: play is endless", kind: "endless" },
};

/** Who wins. @param {Winner} winner */
export function winnerSign(winner) {
  if (!winner) return el("span", { class: "muted" }, "not known");
  const { glyph, text, kind } = WINNERS[winner];
  return el("span", { class: ["winner", `winner-${kind}`] }, `${glyph} ${text}`);
}

/** @param {Outcome} outcome */
export function outcomeWords({ left_first: left, right_first: right }) {
  switch (`${left}${right}`) {
    case "LL": return "Left wins, whoever starts";
    case "RR": return "Right wins, whoever starts";
    case "LR": return "who starts wins";
    case "RL": return "who starts loses";
    case "DD": return "a draw, whoever starts";
    case "LD": return "Left wins if she starts, and Right can draw if he does";
    case "DR": return "Right wins if he starts, and Left can draw if she does";
    case "DL": return "Left wins if Right starts, and it is a draw if she starts";
    case "RD": return "Right wins if Left starts, and it is a draw if he starts";
    default: return "not all is known";
  }
}

/** @type {Record<string, {sign: string, words: string}>} */
const RELATIONS = {
  "=": { sign: "=", words: "they are equal: each can stand for the other in all sums" },
  ">": { sign: ">", words: "the first is better for Left in all sums" },
  "<": { sign: "<", words: "the second is better for Left in all sums" },
  "||": { sign: "∥", words: "they are incomparable: which is better for Left depends on the rest of the sum" },
};

/** @param {string|null} relation */
export const relationOf = (relation) => RELATIONS[relation ?? ""] ?? { sign: "?", words: "how they compare is not known" };

/**
 * What the outcome of a difference of stoppers says about their order.
 * @param {Outcome} outcome
 * @returns {[string, string]} if Right starts, and if Left starts
 */
export function orderWords({ left_first: left, right_first: right }) {
  return [
    right === null ? "not known" : right === "R" ? "so not ≥" : "Left survives, so ≥",
    left === null ? "not known" : left === "L" ? "so not ≤" : "Right survives, so ≤",
  ];
}
