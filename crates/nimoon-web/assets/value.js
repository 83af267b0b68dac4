// How values look: each kind has its own shape, colour and text, so that no reader depends on colour alone.
import { el } from "./dom.js";

/**
 * @typedef {{kind: "nimber", n: number} | {kind: "full-moon"} | {kind: "moon", forced?: number[]}
 *   | {kind: "ninny", forced: number} | {kind: "cyclic", exits: number[]}
 *   | {kind: "general", win: Heaps, loss: Heaps, draw: Heaps}
 *   | {kind: "control", term: string|null, equations?: Record<string, string>, start?: string, win: Heaps, loss: Heaps, draw: Heaps}} Value
 *   A newer program may send kinds that this page does not know. They have `text` too.
 * @typedef {{only: number[]} | {all_except: number[]}} Heaps
 */

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** @param {number[]} numbers */
function subscript(numbers) {
  return numbers.map((n) => [...String(n)].map((digit) => SUBSCRIPTS[Number(digit)]).join("")).join(",");
}

/**
 * Returns the value in the notation of the papers, as the command line prints it.
 * @param {Value|null|undefined} value
 * @returns {string}
 */
export function valueText(value) {
  if (!value) return "–";
  switch (value.kind) {
    case "nimber": return String(value.n);
    case "full-moon": return "○";
    case "moon": return `☾${subscript(value.forced ?? [])}`;
    case "ninny": return `∞*${subscript([value.forced])}`;
    case "cyclic": return `∞${subscript(value.exits)}`;
    case "general": return written(value, "?");
    default: return written(value, "term" in value && value.term ? value.term : "?");
  }
}

/** The text that came with a value of a kind that has no sign of its own. @param {any} value @param {string} otherwise */
const written = (value, otherwise) => (typeof value.text === "string" && value.text !== "" ? value.text : otherwise);

/** @param {number[]} numbers */
const list = (numbers) => (numbers.length ? numbers.join(", ") : "none");

/**
 * Describes the value in words.
 * @param {Value|null|undefined} value
 */
export function valueWords(value) {
  if (!value) return "no value";
  switch (value.kind) {
    case "nimber": return `nimber ${value.n}`;
    case "full-moon": return "full moon: checkmate";
    case "moon": return value.forced ? `moon, forced values ${list(value.forced)}` : "moon";
    case "ninny": return `ninny ${value.forced}`;
    case "cyclic": return value.exits.length ? `cyclic, exits ${list(value.exits)}` : "cyclic, no exit";
    case "general": return `by search: wins beside ${heapsText(value.win)}, draws beside ${heapsText(value.draw)}`;
    default: {
      const sets = "win" in value && value.win ? `: wins beside ${heapsText(value.win)}, draws beside ${heapsText(value.draw)}` : "";
      return `${valueText(value)}${sets}`;
    }
  }
}

/** Formats a set of nim-heaps. @param {Heaps} heaps */
export function heapsText(heaps) {
  if ("only" in heaps) return heaps.only.length ? `{${heaps.only.join(",")}}` : "none";
  return heaps.all_except.length ? `all but {${heaps.all_except.join(",")}}` : "all";
}

/** Describes what a gray node covers. @param {any} covers */
export function coversText(covers) {
  if (covers === null || covers === undefined) return "covers no set";
  if (covers === "new-moon") return "● new moon";
  if (covers === "full-moon") return "○ full moon";
  return `covers ${heapsText(covers)}`;
}

/**
 * Creates a small label with the value.
 * @param {Value|null|undefined} value
 */
export function valueSign(value) {
  return el("span", { class: ["value", valueClass(value)], title: valueWords(value), role: "img", "aria-label": valueWords(value) }, valueText(value));
}

/** The class that sets fill and stroke by the kind of value. @param {Value|null|undefined} value */
export const valueClass = (value) => `value-${kindOf(value)}`;

const KINDS = ["nimber", "moon", "full-moon", "ninny", "cyclic", "general"];

/** The kind of a value as far as it has colours of its own. @param {Value|null|undefined} value */
const kindOf = (value) => (!value ? "none" : KINDS.includes(value.kind) ? value.kind : "general");

export const OUTCOMES = {
  N: { glyph: "▲", text: "the next player wins" },
  P: { glyph: "▼", text: "the previous player wins" },
  D: { glyph: "≈", text: "a draw" },
};

/** @param {"N"|"P"|"D"|null|undefined} outcome */
export function outcomeSign(outcome) {
  const entry = outcome ? OUTCOMES[outcome] : { glyph: "?", text: "unknown" };
  return el("span", { class: ["outcome", `outcome-${outcome ?? "none"}`], title: entry.text, role: "img", "aria-label": `${outcome ?? ""}: ${entry.text}` }, `${entry.glyph} ${outcome ?? ""}`);
}

export const ACHIEVES = {
  winning: { glyph: "✓", text: "wins" },
  drawing: { glyph: "≈", text: "draws" },
  losing: { glyph: "✗", text: "loses" },
};

/** Creates a label that says what a move achieves. @param {"winning"|"drawing"|"losing"|null} achieves */
export function achievesSign(achieves) {
  const entry = achieves ? ACHIEVES[achieves] : { glyph: "?", text: "unknown" };
  return el("span", { class: ["achieves", `achieves-${achieves ?? "none"}`] }, `${entry.glyph} ${entry.text}`);
}
