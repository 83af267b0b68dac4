// A place on a board, and the moves that it stands for: usually one; where there are several, the player is asked.
import { ACHIEVES, valueText, valueWords } from "../value.js";
import { svg } from "../svg.js";
import { button, el } from "../dom.js";

/** @typedef {import("./board.js").Move} Move */
/** @typedef {import("./board.js").Table} Table */

const ORDER = ["winning", "drawing", "losing"];

/** The best of these moves, as they come sorted. @param {Move[]} moves */
export const best = (moves) =>
  [...moves].sort((a, b) => ORDER.indexOf(a.achieves ?? "losing") - ORDER.indexOf(b.achieves ?? "losing"))[0];

/**
 * Makes the one move, or asks which.
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
    // What was hinted at is lit here too, and first.
    ...different.sort((one, other) => Number(other.move === table.hinted) - Number(one.move === table.hinted))
      .map((move) => button(sentence(move.words), () => { close(); table.choose(move); }, { class: move.move === table.hinted && "primary" })),
    button("Cancel", close, { class: "quiet" }),
  );
  dialog.addEventListener("cancel", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} words */
export const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * What the best of these moves is worth, as a small sign in the picture; nothing unless values are shown.
 * @param {Move[]} moves @param {Table} table @param {number} x @param {number} y
 */
export function badge(moves, table, x, y) {
  const move = best(moves);
  if (!table.values || !move?.achieves) return null;
  const text = `${ACHIEVES[move.achieves].glyph}${move.value ? valueText(move.value) : ""}`;
  const width = [...text].reduce((sum, letter) => sum + (/[₀-₉,*]/.test(letter) ? 5.5 : 9.5), 13);
  return svg("g", { "aria-hidden": "true", class: ["badge", `badge-${move.achieves}`], transform: `translate(${x} ${y})` },
    svg("rect", { x: -width / 2, y: -10, width, height: 20, rx: 6 }),
    svg("text", { y: 5, "text-anchor": "middle", "font-size": 13 }, text));
}

/** @param {Move[]} moves @param {Table} table */
export const hinted = (moves, table) => moves.some((move) => move.move === table.hinted);

/**
 * What choosing these moves does and, where values are shown, what it achieves.
 * @param {Move[]} moves @param {Table} table
 */
export const label = (moves, table) =>
  moves.map((move) => (table.values && move.achieves
    ? `${move.words}: ${ACHIEVES[move.achieves].text}${move.value ? `, leaves ${valueWords(move.value)}` : ""}`
    : move.words)).join("; or ");
