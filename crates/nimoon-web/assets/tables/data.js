// The values of a family, and its period.
import { ask } from "../api.js";

/** What stands in place of a nimber. */
export const MOON = -1;
export const OTHER = -2;
export const NONE = -3;

/**
 * @typedef {import("../value.js").Value} Value
 * @typedef {{period: number, preperiod: number, saltus: number, proved: boolean, exceptions: Set<number>}} Period
 * @typedef {{pattern: string, first: number, count: number, asked: number, values: Int32Array, special: Map<number, Value>, moons: number[],
 *   largest: number, largestAt: number, budget: string|null}} Table
 */

/**
 * The values from one number up to another, as far as they are known; those before are left out.
 * @param {string} pattern
 * @param {number} first
 * @param {number} last
 * @param {AbortSignal} signal
 * @returns {Promise<Table>}
 */
export async function load(pattern, first, last, signal) {
  const rows = await ask("table", { pattern, range: `${first}..${last}` }, { signal, keep: false });
  const values = new Int32Array(rows.length ? first + rows.length : 0).fill(NONE);
  /** @type {Map<number, Value>} */
  const special = new Map();
  /** @type {number[]} */
  const moons = [];
  let [largest, largestAt] = [0, first];
  rows.forEach((/** @type {{value: Value|null}} */ { value }, /** @type {number} */ row) => {
    const n = first + row;
    if (value?.kind === "nimber") {
      values[n] = value.n;
      if (value.n > largest) [largest, largestAt] = [value.n, n];
      return;
    }
    if (value) special.set(n, value);
    values[n] = !value ? NONE : value.kind === "moon" || value.kind === "full-moon" ? MOON : OTHER;
    if (values[n] === MOON) moons.push(n);
  });
  return { pattern, first, count: values.length, asked: last + 1, values, special, moons, largest, largestAt, budget: rows.budget ?? null };
}

/** @param {Table} table @param {number} n @returns {Value|null} */
export function valueAt(table, n) {
  return table.special.get(n) ?? (table.values[n] >= 0 ? { kind: "nimber", n: table.values[n] } : null);
}

/** The position of a row. @param {Table} table @param {number} n */
export const positionAt = (table, n) => (table.pattern.includes("{}") ? table.pattern.replaceAll("{}", String(n)) : `${table.pattern}:${n}`);

/**
 * The period, where the program searches for one.
 * @param {string} pattern
 * @param {AbortSignal} signal
 * @returns {Promise<{period: Period|null, checkedTo: number}|null>} null where there is no search
 */
export async function periodOf(pattern, signal) {
  const ruleset = pattern.trim().replace(/:\{\}$/, "");
  if (ruleset.includes(":") || ruleset.includes("{}")) return null;
  try {
    const told = await ask("period", { ruleset, exceptions: true }, { signal });
    const period = told.period === null ? null : { period: told.period, preperiod: told.preperiod, saltus: told.saltus, proved: told.proved, exceptions: new Set(/** @type {number[]} */ (told.exceptions)) };
    return { period, checkedTo: told.checked_to };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
