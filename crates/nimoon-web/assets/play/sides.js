// Games of Left and Right: what the player to move can expect, in the words of other games.

export const SIDES = /** @type {Record<string, string>} */ ({ left: "Left", right: "Right" });

/** Whether the next player wins, if `winner` wins when this side starts. @param {"L"|"R"|"D"|null} winner @param {string} side */
const forMover = (winner, side) => (winner === null ? null : winner === "D" ? "D" : SIDES[side].startsWith(winner) ? "N" : "P");

/**
 * Gives the state of a game of Left and Right an `outcome` for the player to move, as other games have one. Other states stay as they are.
 * @param {any} state the state of a game, as the program returns it
 */
export function settle(state) {
  if (!state.side || typeof state.outcome !== "object") return state;
  const outcome = (/** @type {any} */ winners) => forMover(winners[`${state.side}_first`], state.side);
  return { ...state, winners: state.outcome, outcome: outcome(state.outcome), components: state.components.map((/** @type {any} */ component) => ({ ...component, outcome: outcome(component.outcome) })) };
}

/** Left or Right, whoever sits on this seat. @param {any} state @param {number} seat */
export const sideOf = (state, seat) => (state?.side ? SIDES[seat === state.mover ? state.side : state.side === "left" ? "right" : "left"] : "");
