// The comparison of two games: their order, the reason, their sum and their difference.
import { ask } from "../api.js";
import { button, el } from "../dom.js";
import { orderWords, outcomeWords, relationOf, winnerSign } from "./words.js";

/** @param {boolean|null} known */
const yes = (known) => (known === null ? "unknown" : known ? "yes" : "no");

/**
 * @param {string} a
 * @param {string} b
 * @param {(text: string) => any} gameOf
 * @param {(text: string) => void} show
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLElement>}
 */
export async function comparison(a, b, gameOf, show, signal) {
  const order = await ask("compare", { a: gameOf(a), b: gameOf(b) }, { signal });
  const { sign, words } = relationOf(order.relation);
  const isText = typeof gameOf(a) === "string" && typeof gameOf(b) === "string";
  const [first, second] = await Promise.all([a, b].map((text) => ask("loopy", { game: gameOf(text), vertices: true }, { signal })));
  const both = first.canonical && second.canonical;
  const sides = both ? [["the difference", "onside"]] : [["onsides", "onside"], ["offsides", "offside"]];
  const why = [];
  for (const [title, side] of sides) {
    const [one, other] = [first.sides[side], second.sides[side]];
    if (!one || !other) continue;
    const difference = await ask("loopy", { game: `(${one.text}) - (${other.text})` }, { signal }).catch((error) => { if (signal.aborted) throw error; return null; });
    if (difference) why.push({ title, text: `${one.text} − (${other.text})`, outcome: difference.outcome });
  }
  const sum = isText ? `(${a.trim()}) + (${b.trim()})` : null;
  const summed = sum && await ask("loopy", { game: sum }, { signal }).catch((error) => { if (signal.aborted) throw error; return null; });
  return el("div", { class: "comparison" },
    el("p", { class: "relation" }, el("code", {}, short(a)), el("strong", {}, ` ${sign} `), el("code", {}, short(b))),
    el("p", {}, `${words[0].toUpperCase()}${words.slice(1)}.`),
    order.budget && el("p", { class: "notice" }, `The result is incomplete: ${order.budget}.`),
    el("table", { class: "order" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "If endless play is a win for"), el("th", { scope: "col" }, "≥"), el("th", { scope: "col" }, "≤"))),
      el("tbody", {},
        el("tr", {}, el("th", { scope: "row" }, "Left"), el("td", {}, yes(order.ge_plus)), el("td", {}, yes(order.le_plus))),
        el("tr", {}, el("th", { scope: "row" }, "Right"), el("td", {}, yes(order.ge_minus)), el("td", {}, yes(order.le_minus))))),
    why.length > 0 && [
      el("h3", {}, "Why"),
      el("p", {}, "G ≥ H if Left, moving second, survives in G − H, that is, Right moves first and cannot win. If a game does not equal a stopper, this condition applies to the onsides and to the offsides."),
      ...why.map(({ title, text, outcome }) => {
        const [ge, le] = orderWords(outcome);
        return el("dl", { class: "sets difference" },
          el("dt", {}, title), el("dd", {}, el("code", {}, short(text))),
          el("dt", {}, "Right starts"), el("dd", {}, winnerSign(outcome.right_first), ` – ${ge}`),
          el("dt", {}, "Left starts"), el("dd", {}, winnerSign(outcome.left_first), ` – ${le}`));
      })],
    summed && sum && [
      el("h3", {}, "Sum"),
      el("p", { class: "sum" }, el("code", {}, summed.text ?? "unknown"), ` – ${outcomeWords(summed.outcome)}. `, button("Show the sum", () => show(sum), { class: "link" }), " ", button("Show the difference", () => show(`(${a.trim()}) - (${b.trim()})`), { class: "link" }))]);
}

/** @param {string} text */
const short = (text) => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
