// The bartender's problem, step by step: a first win for somebody who has never seen the game.
import { button, el } from "../dom.js";

/**
 * @param {{told: any, start: string, hinted: number|null, hint: () => void, undo: () => void, again: () => void, leave: () => void}} game
 */
export function guide({ told, hinted, hint, undo, again, leave }) {
  const yours = told.played.filter((/** @type {any} */ played) => played.seat === 0);
  const lost = !told.ending && told.mover === 0 && told.outcome !== "N";
  /** @type {(string|Node)[]} */
  let text;
  /** @type {(HTMLElement|false)[]} */
  let buttons = [];
  if (told.ending) {
    const won = told.ending.winner === 0;
    text = won
      ? ["You have won! The glasses with green stems fell first, each with a free move; then one edge of the third glass left two stalks that are alike, and every move of the engine had its answer."]
      : ["Not this time. Take your last turn back or begin again, and ask for a hint whenever you like."];
    buttons = [!won && button("Take it back", undo, { class: "primary" }), button("Play it again", again), button("Go on without guide", leave)];
  } else if (lost) {
    text = ["That lets the engine off: from here you cannot force a win. Take it back and look again."];
    buttons = [button("Take it back", undo, { class: "primary" })];
  } else if (told.mover !== 0) {
    text = ["The engine is thinking."];
  } else if (yours.length === 0) {
    text = ["A bartender has left four things on the counter. You and the engine take turns. Click an edge to cut it: what is no longer connected to the ground falls. Cut a ",
      el("strong", { class: "is-green" }, "green"), " edge so that a ", el("strong", { class: "is-lime" }, "lime"), " one (dotted) falls, and you move again. Or click ⇄ to swap the colours of a green and a lime edge that touch. Who cannot move loses. You can win: which edge first?"];
  } else if (told.duty.kind === "again") {
    text = ["A lime edge fell with it, so you must move again. Is there another glass with a green stem? When none is left to fell, cut one edge so that the two stalks that stay are alike."];
  } else {
    text = ["Good. Now copy the engine: whatever it does on one stalk, there is an answer that keeps the two sides equal."];
  }
  if (!told.ending && told.mover === 0 && !lost) buttons.push(button(hinted === null ? "Show me a move" : "The lit one is good", hint, { class: "primary" }));
  if (!told.ending) buttons.push(button("Without guide", leave, { class: "quiet" }));
  return el("section", { class: "panel guide", "aria-label": "The bartender's problem" },
    el("h2", {}, "The bartender's problem"),
    el("p", { "aria-live": "polite" }, text),
    el("div", { class: "row" }, buttons));
}
