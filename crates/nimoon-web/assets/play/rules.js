// The rules and the goal of the position on the board.
import { ask } from "../api.js";
import { el, fill } from "../dom.js";
import { term } from "./position.js";

/** The rules by ruleset, asked for once. @type {Promise<Map<string, any>>|null} */
let catalogue = null;

function rulesets() {
  catalogue ??= ask("rulesets").then((all) => new Map(all.map((/** @type {any} */ entry) => [entry.name, entry])));
  catalogue.catch(() => { catalogue = null; });
  return catalogue;
}

const GOAL = "A player who cannot move loses. A move is made in one component, and the others stay as they are.";
/** What the words of the rules mean. */
const WORDS = [
  { pattern: /\bagain\b/i, text: "“Again” means that you must make one more move, in any component. If nothing is left to move, you lose." },
  { pattern: /\bentails?\b/i, text: "“Entails” means that your opponent must answer in the same component. An opponent who cannot loses." },
];

/**
 * Fills a box with the rules of these components.
 * @param {HTMLElement} box @param {string[]} positions @param {boolean} several whether there are several components
 */
export async function showRules(box, positions, several) {
  const names = [...new Set(positions.map((position) => term(position).ruleset))].filter(Boolean);
  const key = `${names.join(" ")} ${several}`;
  if (box.dataset.of === key) return;
  box.dataset.of = key;
  const known = await rulesets().catch(() => new Map());
  if (box.dataset.of !== key) return;
  const entries = names.map((name) => known.get(name)).filter(Boolean);
  const all = entries.map((entry) => entry.rules).join(" ");
  fill(box,
    entries.length > 0 && el("dl", { class: "rules" }, entries.flatMap((entry) => [el("dt", {}, entry.name), el("dd", {}, entry.rules)])),
    WORDS.filter(({ pattern }) => pattern.test(all)).map(({ text }) => el("p", {}, text)),
    el("p", {}, el("strong", {}, "Goal: "), several ? GOAL : GOAL.split(". ")[0], several ? "" : "."));
}
