// The moves behind a target of a board: usually one. If there are several, a dialog asks the player to choose.
import { ACHIEVES, valueText, valueWords } from "../value.js";
import { svg } from "../svg.js";
import { button, el } from "../dom.js";

/** @typedef {import("./board.js").Move} Move */
/** @typedef {import("./board.js").Table} Table */

/** The longest value on a board. */
const MAX_BADGE = 6;
const ORDER = ["winning", "drawing", "losing"];

/** Returns the move that achieves most. @param {Move[]} moves */
export const best = (moves) =>
  [...moves].sort((a, b) => ORDER.indexOf(a.achieves ?? "losing") - ORDER.indexOf(b.achieves ?? "losing"))[0];

/**
 * Makes the move, or asks which one if there are several.
 * @param {Move[]} moves @param {Table} table
 */
export function choices(moves, table) {
  const different = moves.filter((move, i) => moves.findIndex((other) => other.words === move.words && other.to === move.to) === i);
  if (different.length === 1) {
    table.choose(different[0]);
    return;
  }
  const dialog = /** @type {HTMLDialogElement} */ (el("dialog", { class: "choices", "aria-label": "Which move?" }));
  const close = () => { dialog.close(); dialog.remove(); };
  dialog.append(
    el("h2", {}, "Which move?"),
    // The hinted move comes first and is highlighted.
    ...different.sort((one, other) => Number(other.move === table.hinted) - Number(one.move === table.hinted))
      .map((move) => button(sentence(move.name), () => { close(); table.choose(move); }, { class: move.move === table.hinted && "primary" })),
    button("Cancel", close, { class: "quiet" }),
  );
  dialog.addEventListener("cancel", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Capitalizes the first letter. @param {string} words */
export const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** Gives each move a name; where another part of the component has a move of the same words, the name says which part. @param {Move[]} moves */
export function nameMoves(moves) {
  /** @type {Map<string, Set<number>>} */
  const parts = new Map();
  for (const { component, words, part } of moves) parts.set(`${component} ${words}`, (parts.get(`${component} ${words}`) ?? new Set()).add(part));
  for (const move of moves) move.name = (parts.get(`${move.component} ${move.words}`)?.size ?? 1) > 1 ? `${move.words}, in part ${move.part}` : move.words;
}

/**
 * Creates a small label with the value of the best of these moves, or null if values are hidden.
 * @param {Move[]} moves @param {Table} table @param {number} x @param {number} y
 */
export function badge(moves, table, x, y) {
  const move = best(moves);
  if (!table.values || !move?.achieves) return null;
  const value = move.value ? valueText(move.value) : "";
  // The table has values that are too long for a board.
  const text = `${ACHIEVES[move.achieves].glyph}${value.length > MAX_BADGE ? "" : value}`;
  const width = [...text].reduce((sum, letter) => sum + (/[₀-₉,*]/.test(letter) ? 5.5 : 9.5), 13);
  return svg("g", { "aria-hidden": "true", class: ["badge", `badge-${move.achieves}`], transform: `translate(${x} ${y})` },
    svg("rect", { x: -width / 2, y: -10, width, height: 20, rx: 6 }),
    svg("text", { y: 5, "text-anchor": "middle", "font-size": 13 }, text));
}

/** @param {Move[]} moves @param {Table} table */
export const hinted = (moves, table) => moves.some((move) => move.move === table.hinted);

/**
 * Describes these moves and, if values are visible, what they achieve.
 * @param {Move[]} moves @param {Table} table
 */
export const label = (moves, table) =>
  moves.map((move) => (table.values && move.achieves
    ? `${move.name}: ${ACHIEVES[move.achieves].text}${move.value ? `, leaves ${valueWords(move.value)}` : ""}`
    : move.name)).join("; or ");

/** The numbers of these moves, for a target that makes one of them. @param {Move[]} moves */
export const numbers = (moves) => moves.map((move) => move.move).join(" ");
