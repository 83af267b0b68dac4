// Loads the values of a family and its period.
import { ask } from "../api.js";

/** Entries of a table for values that are not nimbers. */
export const MOON = -1;
export const OTHER = -2;
export const NONE = -3;

/**
 * @typedef {import("../value.js").Value} Value
 * @typedef {{period: number, preperiod: number, saltus: number, proved: boolean, exceptions: Set<number>}} Period
 * @typedef {{pattern: string, first: number, count: number, requested: number, values: Int32Array, special: Map<number, Value>, moons: number[],
 *   largest: {nimber: number, at: number}|null, budget: string|null, across: number|null}} Table
 *   `largest` is null if no value is a nimber; `across` is how many values a row of two numbers has
 */

/** The largest number in a map of two numbers: each row is a request of its own. */
export const MAX_PAIR = 60;

/** Whether a pattern has two numbers. @param {string} pattern */
export const isPair = (pattern) => pattern.includes("{a}") && pattern.includes("{b}");

/**
 * Loads the values from one number up to another, as far as they are known.
 * @param {string} pattern
 * @param {number} first
 * @param {number} last
 * @param {AbortSignal} signal
 * @returns {Promise<Table>}
 */
export async function load(pattern, first, last, signal) {
  if (isPair(pattern)) return loadPairs(pattern, Math.min(last, MAX_PAIR), signal);
  const rows = await ask("table", { pattern, range: `${first}..${last}` }, { signal, cached: false });
  return collected(pattern, first, last, rows, null);
}

/** Loads all pairs of numbers up to the last one. @param {string} pattern @param {number} last @param {AbortSignal} signal @returns {Promise<Table>} */
async function loadPairs(pattern, last, signal) {
  const rows = [];
  for (let a = 0; a <= last; a += 1) {
    const row = await ask("table", { pattern: pattern.replaceAll("{a}", String(a)).replaceAll("{b}", "{}"), range: `0..${last}` }, { signal });
    rows.push(...row, ...Array(last + 1 - row.length).fill({ value: null }));
  }
  return collected(pattern, 0, rows.length - 1, rows, last + 1);
}

/** @param {string} pattern @param {number} first @param {number} last @param {any} rows @param {number|null} across @returns {Table} */
function collected(pattern, first, last, rows, across) {
  const values = new Int32Array(rows.length ? first + rows.length : 0).fill(NONE);
  /** @type {Map<number, Value>} */
  const special = new Map();
  /** @type {number[]} */
  const moons = [];
  /** @type {{nimber: number, at: number}|null} */
  let largest = null;
  for (const [row, { value }] of /** @type {{value: Value|null}[]} */ (rows).entries()) {
    const n = first + row;
    if (value?.kind === "nimber") {
      values[n] = value.n;
      if (largest === null || value.n > largest.nimber) largest = { nimber: value.n, at: n };
      continue;
    }
    if (value) special.set(n, value);
    values[n] = !value ? NONE : value.kind === "moon" || value.kind === "full-moon" ? MOON : OTHER;
    if (values[n] === MOON) moons.push(n);
  }
  return { pattern, first, count: values.length, requested: last + 1, values, special, moons, largest, budget: rows.budget ?? null, across };
}

/** @param {Table} table @param {number} n @returns {Value|null} */
export function valueAt(table, n) {
  return table.special.get(n) ?? (table.values[n] >= 0 ? { kind: "nimber", n: table.values[n] } : null);
}

/** Returns the position of a row. @param {Table} table @param {number} n */
export const positionAt = (table, n) => (table.across !== null ? table.pattern.replaceAll("{a}", String(Math.floor(n / table.across))).replaceAll("{b}", String(n % table.across)) : table.pattern.includes("{}") ? table.pattern.replaceAll("{}", String(n)) : `${table.pattern}:${n}`);

/** Names a row: by its number, or by its two numbers. @param {Table} table @param {number} n */
export const nameOf = (table, n) => (table.across === null ? `n ${n}` : `a ${Math.floor(n / table.across)}, b ${n % table.across}`);

/**
 * Requests the period, if the program can search for one.
 * @param {string} pattern
 * @param {AbortSignal} signal
 * @returns {Promise<{period: Period|null, checkedTo: number}|null>} null if there is no search for this pattern
 */
export async function periodOf(pattern, signal) {
  const ruleset = pattern.trim().replace(/:\{\}$/, "");
  if (ruleset.includes(":") || ruleset.includes("{}")) return null;
  try {
    const answer = await ask("period", { ruleset, exceptions: true }, { signal });
    const period = answer.period === null ? null : { period: answer.period, preperiod: answer.preperiod, saltus: answer.saltus, proved: answer.proved, exceptions: new Set(/** @type {number[]} */ (answer.exceptions)) };
    return { period, checkedTo: answer.checked_to };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
