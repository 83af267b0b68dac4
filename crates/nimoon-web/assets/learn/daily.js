// A puzzle for each day: a random position in which exactly one first move wins.
import { ask } from "../api.js";
import { RULESETS, another, seeded } from "../play/positions.js";

/** How many positions are tried before the last one is taken. */
const TRIES = 60;
/** A puzzle has at least this many first moves, and at most so many. */
const LEAST = 5;
const MOST = 40;

/** The date as in 2026-01-31, where the reader lives. @param {Date} [date] */
export const dayOf = (date = new Date()) => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;

/** The day before, in the same form. @param {string} day */
export function dayBefore(day) {
  const [year, month, date] = day.split("-").map(Number);
  return dayOf(new Date(year, month - 1, date - 1, 12));
}

/** @param {string} text */
const seedOf = (text) => [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);

/** A random sum of two or three components. @param {number} seed */
const candidate = (seed) => seeded(seed, () => Array.from({ length: 2 + (seed % 2) }, (_, i) => another(RULESETS[(seed >>> (3 * i + 1)) % RULESETS.length])).join(" + "));

/**
 * Finds the puzzle of a day: the same one for everybody.
 * @param {string} day @param {AbortSignal} signal
 */
export async function puzzleOf(day, signal) {
  const seed = seedOf(day);
  let position = "nim:3 + nim:5";
  for (let i = 0; i < TRIES; i += 1) {
    const tried = candidate((seed + Math.imul(i, 0x9e3779b9)) >>> 0);
    const { moves, count } = await ask("moves", { position: tried, moves: [], players: ["person", "engine"] }, { signal });
    const wins = moves.filter((/** @type {any} */ move) => move.achieves === "winning");
    const results = new Set(wins.map((/** @type {any} */ move) => `${move.component} ${move.to}`));
    if (results.size === 1 && count >= LEAST && count <= MOST) return tried;
    if (i === TRIES - 1) position = tried;
  }
  return position;
}
