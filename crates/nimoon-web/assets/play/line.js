// Good play from here: the refutation of a losing move, and how the game goes on if both play well.
import { ask } from "../api.js";
import { el, fill } from "../dom.js";
import { sentence } from "./choice.js";

/** How many plies of a line are shown. */
const PLIES = 24;

/**
 * Plays the best moves of both sides and lists them.
 * @param {HTMLElement} box @param {any} game @param {(seat: number) => string} name @param {AbortSignal} signal
 */
export async function showLine(box, game, name, signal) {
  fill(box, el("p", { class: "muted" }, "…"));
  const moves = [...game.moves];
  let now = await ask("moves", { ...game, moves }, { signal });
  const from = now.played.length;
  while (!now.ending && moves.length - game.moves.length < PLIES) {
    const { move } = await ask("engine", { game: { ...game, moves }, skill: 10, seed: 0 }, { signal });
    if (signal.aborted || move === null) return;
    moves.push(move);
    now = await ask("moves", { ...game, moves: [...moves] }, { signal });
  }
  if (signal.aborted) return;
  const { ending } = now;
  fill(box,
    el("ol", { class: "steps line" }, now.played.slice(from).map((/** @type {any} */ played) => el("li", {}, el("strong", {}, name(played.seat)), `: ${played.words}`))),
    el("p", {}, ending ? (ending.winner === null ? "Play goes round: a draw." : `${sentence(name(1 - ending.winner))} cannot move.`) : "… and so on."));
}

/**
 * Says how the opponent wins after a move.
 * @param {HTMLElement} box @param {any} game @param {import("./board.js").Move} move @param {AbortSignal} signal
 */
export async function showRefutation(box, game, move, signal) {
  fill(box, el("p", { class: "muted" }, "…"));
  const after = await ask("explain", { ...game, moves: [...game.moves, move.move] }, { signal });
  if (signal.aborted) return;
  const plies = after.turn?.plies ?? [];
  fill(box,
    el("p", {}, el("strong", {}, `${sentence(move.words)} loses. `), plies.length > 0 ? "The opponent answers:" : "The opponent need not even move."),
    el("ol", { class: "steps" }, plies.map((/** @type {any} */ ply) => el("li", {}, ply.forced && "forced: ", `component ${ply.component}: ${ply.words}`))),
    (after.reason?.sentences ?? []).map((/** @type {string} */ text) => el("p", {}, text)));
}
