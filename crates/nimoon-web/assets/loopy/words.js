// Describes the outcomes and the order of partizan games.
import { el } from "../dom.js";

/** @typedef {"L"|"R"|"D"|null} Winner @typedef {{left_first: Winner, right_first: Winner}} Outcome */

const WINNERS = {
  L: { glyph: "◀", text: "Left wins", kind: "left" },
  R: { glyph: "▶", text: "Right wins", kind: "right" },
  D: { glyph: "≈", text: "a draw: play is endless", kind: "endless" },
};

/** Creates a label that says who wins. @param {Winner} winner */
export function winnerSign(winner) {
  if (!winner) return el("span", { class: "muted" }, "unknown");
  const { glyph, text, kind } = WINNERS[winner];
  return el("span", { class: ["winner", `winner-${kind}`] }, `${glyph} ${text}`);
}

/** @param {Outcome} outcome */
export function outcomeWords({ left_first: left, right_first: right }) {
  switch (`${left}${right}`) {
    case "LL": return "Left wins, no matter who starts";
    case "RR": return "Right wins, no matter who starts";
    case "LR": return "the player who starts wins";
    case "RL": return "the player who starts loses";
    case "DD": return "a draw, no matter who starts";
    case "LD": return "Left wins if Left starts, and it is a draw if Right starts";
    case "DR": return "Right wins if Right starts, and it is a draw if Left starts";
    case "DL": return "Left wins if Right starts, and it is a draw if Left starts";
    case "RD": return "Right wins if Left starts, and it is a draw if Right starts";
    default: return "the outcome is not completely known";
  }
}

/** @type {Record<string, {sign: string, words: string}>} */
const RELATIONS = {
  "=": { sign: "=", words: "they are equal: either can replace the other in every sum" },
  ">": { sign: ">", words: "the first is better for Left in every sum" },
  "<": { sign: "<", words: "the second is better for Left in every sum" },
  "||": { sign: "∥", words: "they are incomparable: which is better for Left depends on the rest of the sum" },
};

/** @param {string|null} relation */
export const relationOf = (relation) => RELATIONS[relation ?? ""] ?? { sign: "?", words: "their order is unknown" };

/**
 * Describes what the outcome of a difference of stoppers says about their order.
 * @param {Outcome} outcome
 * @returns {[string, string]} if Right starts, and if Left starts
 */
export function orderWords({ left_first: left, right_first: right }) {
  return [
    right === null ? "unknown" : right === "R" ? "so not ≥" : "Left survives, so ≥",
    left === null ? "unknown" : left === "L" ? "so not ≤" : "Right survives, so ≤",
  ];
}
