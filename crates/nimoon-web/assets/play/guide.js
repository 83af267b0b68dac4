// The bartender's problem, step by step: a first win for a new player.
import { button, el } from "../dom.js";

/**
 * @param {{current: any, hinted: number|null, hint: () => void, undo: () => void, again: () => void, leave: () => void}} game
 */
export function guide({ current, hinted, hint, undo, again, leave }) {
  const yours = current.played.filter((/** @type {any} */ played) => played.seat === 0);
  const lost = !current.ending && current.mover === 0 && current.outcome !== "N";
  /** @type {(string|Node)[]} */
  let text;
  /** @type {(HTMLElement|false)[]} */
  let buttons = [];
  if (current.ending) {
    const won = current.ending.winner === 0;
    text = won
      ? ["You won! First you felled the glasses with green stems, and each gave you another move. Then you cut one edge of the third glass, which left two equal stalks. From there you had an answer to every move of the engine."]
      : ["The engine won this time. Take back your last turn or start again. You can ask for a hint at any time."];
    buttons = [!won && button("Take it back", undo, { class: "primary" }), button("Play again", again), button("Continue without the guide", leave)];
  } else if (lost) {
    text = ["After this move you cannot force a win. Take it back and try another one."];
    buttons = [button("Take it back", undo, { class: "primary" })];
  } else if (current.mover !== 0) {
    text = ["The engine is thinking."];
  } else if (yours.length === 0) {
    text = ["A bartender left three glasses and a stalk on the counter. You and the engine take turns. Click an edge to remove it; every edge that is no longer connected to the ground falls. If you remove a ",
      el("strong", { class: "is-green" }, "green"), " edge and a ", el("strong", { class: "is-lime" }, "lime"), " edge (dotted) falls, you move again. You can also click ⇄ to swap the colours of a green and a lime edge that touch. A player who cannot move loses. You can win: which edge do you remove first?"];
  } else if (current.duty.kind === "again") {
    text = ["A lime edge fell too, so you must move again. Is there another glass with a green stem? When all of them are gone, remove one edge so that two equal stalks remain."];
  } else {
    text = ["Good. Now copy the engine: whatever it does on one stalk, you can make the two stalks equal again."];
  }
  if (!current.ending && current.mover === 0 && !lost) buttons.push(button(hinted === null ? "Show me a move" : "Try the highlighted move", hint, { class: "primary" }));
  if (!current.ending) buttons.push(button("Leave the guide", leave, { class: "quiet" }));
  return el("section", { class: "panel guide", "aria-label": "The bartender's problem" },
    el("h2", {}, "The bartender's problem"),
    el("p", { "aria-live": "polite" }, text),
    el("div", { class: "row" }, buttons));
}
