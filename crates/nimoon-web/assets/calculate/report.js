// An answer of the program as tables and lists, whatever its shape.
import { el } from "../dom.js";
import { coversText, heapsText, outcomeSign, valueSign } from "../value.js";

/** Names of fields that are not plain words. @type {Record<string, string>} */
const NAMES = { ge_plus: "first survives moving second, sides on", remoteness_by: "remoteness by", outcome_by: "outcome by", affine_impartial: "affine impartial", conway_form: "Conway form" };

/** @param {string} key */
const named = (key) => NAMES[key] ?? key.replaceAll("_", " ");

/** @param {any} value */
const isSet = (value) => value !== null && typeof value === "object" && ("only" in value || "all_except" in value);

/** Shows one field. @param {string} key @param {any} value @returns {import("../dom.js").Child|import("../dom.js").Child[]} */
function cell(key, value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (key === "outcome" && ["N", "P", "D"].includes(value)) return outcomeSign(value);
  if (typeof value !== "object") return typeof value === "string" && /[{}|<>^*+=]/.test(value) ? el("code", {}, value) : String(value);
  if (isSet(value)) return heapsText(value);
  if (key === "covers") return coversText(value);
  if (typeof value.kind === "string" && (typeof value.text === "string" || key === "value")) return valueSign(value);
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.every((one) => typeof one !== "object") ? value.join(", ") : report(value);
  return report(value);
}

/**
 * Shows an answer: a list of objects as a table, an object as a list of its fields.
 * @param {any} answer @param {string[]} [columns] the fields to show, in order; all if there are none
 * @returns {HTMLElement}
 */
export function report(answer, columns) {
  if (Array.isArray(answer)) {
    const keys = columns ?? [...new Set(answer.flatMap((row) => Object.keys(row)))];
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rows of the answer" }, el("table", {},
      el("thead", {}, el("tr", {}, keys.map((key) => el("th", { scope: "col" }, named(key))))),
      el("tbody", {}, answer.slice(0, 500).map((row) => el("tr", {}, keys.map((key, i) => el(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : {}, cell(key, row[key]))))))));
  }
  const fields = Object.entries(answer).filter(([key]) => key !== "budget" && (!columns || columns.includes(key)));
  return el("dl", { class: "report" }, fields.flatMap(([key, value]) => [el("dt", {}, named(key)), el("dd", {}, cell(key, value))]));
}
