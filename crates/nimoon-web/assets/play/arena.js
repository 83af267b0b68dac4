// A small game: a board, a sentence above it, and a few buttons. Lessons, puzzles and the first screen use it.
import { ask } from "../api.js";
import { announce, button, el, fill } from "../dom.js";
import { boards } from "./board.js";
import { nameMoves, sentence } from "./choice.js";
import { fit, isStill, mark } from "./stage.js";

/** How many milliseconds pass before the engine moves. */
const PAUSE = 600;
/** How many milliseconds pass between two plies of a game that plays itself. */
const BEAT = 1500;

/**
 * @typedef {{position: string, first?: "you"|"engine", auto?: boolean, given?: any}} Setting `auto` lets the engine play both sides
 * @typedef {{element: HTMLElement, begin: (setting: Setting) => void, stop: () => void, hint: () => Promise<void>}} Arena
 */

/**
 * @param {{changed?: (current: any, arena: {moves: number[]}) => void, share?: number, label: string}} options `changed` hears of every new position
 * @returns {Arena}
 */
export function arena({ changed = () => {}, share = 0.4, label }) {
  /** @type {Setting} */
  let setting = { position: "" };
  /** @type {number[]} */
  let moves = [];
  /** @type {any} */
  let current = null;
  /** @type {any} */
  let earlier = null;
  /** @type {number|null} */
  let hinted = null;
  let factor = Infinity;
  let round = new AbortController();
  const headline = el("p", { class: "headline", "aria-live": "polite" });
  const board = el("div", { class: "boards" });
  const undo = button("↶ Undo", takeBack);
  const again = button("Start again", () => begin(setting));
  const help = button("Hint", () => hint());
  const pausing = button("Pause", () => { if (round.signal.aborted) { round = new AbortController(); pausing.textContent = "Pause"; autoplay(round.signal); } else { round.abort(); pausing.textContent = "Go on"; } });
  const row = el("div", { class: "row" });
  const element = el("section", { class: "arena", "aria-label": label }, headline, board, row);

  const players = () => (setting.first === "engine" ? ["engine", "person"] : ["person", "engine"]);
  const game = (made = moves) => ({ position: setting.position, moves: made, players: players(), ...(setting.given ? { given: setting.given } : {}) });
  const isYours = () => current && !current.ending && players()[current.mover] === "person" && !setting.auto;

  /** @param {Setting} next */
  function begin(next) {
    if (next.position !== setting.position) { current = null; fill(board); }
    setting = next;
    moves = [];
    factor = Infinity;
    fill(row, ...(setting.auto ? [pausing] : [help, undo, again]));
    refresh(false);
  }

  /** @param {boolean} animate */
  async function refresh(animate) {
    round.abort();
    round = new AbortController();
    const { signal } = round;
    hinted = null;
    try {
      await load(signal, animate);
      if (setting.auto) { if (!isStill()) await autoplay(signal); }
      else if (!current.ending && !isYours()) await engine(signal);
    } catch (error) {
      if (!signal.aborted) fill(headline, sentence(/** @type {Error} */ (error).message));
    }
  }

  /** @param {AbortSignal} signal @param {boolean} animate */
  async function load(signal, animate) {
    const [answer, before] = await Promise.all([ask("moves", game(), { signal }), moves.length > 0 ? ask("moves", game(moves.slice(0, -1)), { signal }) : null]);
    if (signal.aborted) return;
    nameMoves(answer.moves);
    [current, earlier] = [answer, before];
    render(animate);
    changed(current, { moves });
  }

  const wait = (/** @type {number} */ time, /** @type {AbortSignal} */ signal) => new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, time);
    signal.addEventListener("abort", () => { clearTimeout(timer); reject(new DOMException("stopped", "AbortError")); }, { once: true });
  });

  /** @param {AbortSignal} signal */
  async function engine(signal) {
    const [{ move }] = await Promise.all([ask("engine", { game: game(), skill: 10, seed: 0 }, { signal }), wait(isStill() ? 0 : PAUSE, signal)]);
    if (signal.aborted || move === null) return;
    moves = [...moves, move];
    await load(signal, true);
    if (current.played.length > 0) announce(`The engine: ${current.played.at(-1).words}.`);
    if (!current.ending && !isYours()) await engine(signal);
  }

  /** Plays both sides again and again. @param {AbortSignal} signal */
  async function autoplay(signal) {
    try {
      while (!signal.aborted) {
        await wait(BEAT, signal);
        if (current.ending) moves = [];
        else {
          const { move } = await ask("engine", { game: game(), skill: 10, seed: 0 }, { signal });
          moves = [...moves, move];
        }
        await load(signal, true);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async function hint() {
    if (!isYours()) return;
    const { signal } = round;
    const { move } = await ask("engine", { game: game(), skill: 10, seed: 0 }, { signal });
    if (signal.aborted) return;
    hinted = move;
    render(false);
    const lit = /** @type {SVGElement|null} */ (board.querySelector(".hinted"));
    lit?.focus({ preventScroll: true });
  }

  function takeBack() {
    if (!current) return;
    let keep = moves.length - 1;
    while (keep >= 0 && players()[current.played[keep].seat] === "engine") keep -= 1;
    if (keep < 0) return;
    moves = moves.slice(0, keep);
    refresh(false);
  }

  /** @param {import("./board.js").Move} move */
  function choose(move) {
    if (!isYours() || !current.moves.includes(move)) return;
    moves = [...moves, move.move];
    refresh(true);
  }

  /** @param {boolean} animate */
  function render(animate) {
    const table = { start: setting.position, values: false, hinted, choose };
    const last = current.played.at(-1);
    const before = earlier && last ? boards(earlier, { ...table, hinted: null }, false) : null;
    fill(board, boards(current, table, isYours()));
    if (before) mark(board.children[last.component], before[last.component], last.words, animate);
    factor = fit(board, factor, share);
    const keptHeight = Math.max(board.offsetHeight, Number(board.dataset.height ?? 0));
    if (board.dataset.of !== setting.position) Object.assign(board.dataset, { of: setting.position, height: String(board.offsetHeight) });
    else board.dataset.height = String(keptHeight);
    board.style.minHeight = `${board.dataset.height}px`;
    fill(headline, ...words());
    headline.className = `headline duty-${current.ending ? (isWon() || setting.auto ? "over" : "lost") : current.duty.kind}`;
    undo.disabled = !current.played.some((/** @type {any} */ played) => players()[played.seat] === "person");
    help.disabled = !isYours();
  }

  const isWon = () => current.ending?.winner !== null && current.ending && players()[current.ending.winner] === "person";

  function words() {
    const name = (/** @type {number} */ seat) => (setting.auto ? `Player ${seat + 1}` : players()[seat] === "person" ? "You" : "The engine");
    const last = current.played.at(-1);
    if (current.ending) {
      const { winner } = current.ending;
      if (winner === null) return [el("strong", {}, "A draw: "), "play can go on forever."];
      return [el("strong", {}, `${name(winner)} ${name(winner) === "You" ? "win" : "wins"}. `), `${name(1 - winner)} cannot move.`];
    }
    const mover = name(current.mover);
    const said = last ? `${name(last.seat)}: ${last.words}. ` : "";
    if (current.duty.kind === "again") return [said, el("strong", {}, `${mover} must move again.`)];
    if (current.duty.kind === "answer") return [said, el("strong", {}, `${mover} must answer in the same component.`)];
    return [said, el("strong", {}, mover === "You" ? "Your move." : `${mover} to move.`)];
  }

  return { element, begin, hint, stop: () => round.abort() };
}
