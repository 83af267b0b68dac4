// The first screen: what this is, in a sentence and in a game that plays itself.
import { ENGINE } from "../api.js";
import { el, fill } from "../dom.js";
import { arena } from "../play/arena.js";
import { BARTENDER } from "../play/positions.js";

const TASKS = [
  { href: "#/learn", title: "Learn", words: "Fifteen short lessons, from one heap to the bartender’s problem. A move in each." },
  { href: "#/play", title: "Play", words: "Every ruleset and any sum of them, against the engine or a friend." },
  { href: "#/puzzle", title: "Puzzle of the day", words: "One move wins. Find it." },
  { href: "#/digraphs", title: "Explore", words: "Draw a game as nodes and arcs, and watch the values appear." },
  { href: "#/loopy", title: "Values", words: "Loopy games such as on, over and upon: graphs, sides, order." },
  { href: "#/tables", title: "Tables", words: "Thousands of positions at once: charts, maps, periods." },
  { href: "#/calculate", title: "Calculate", words: "Remoteness, compounds, affine forms, ordinals, certificates." },
];

/** @type {import("../app.js").Mount} */
export function mount(root) {
  const stage = arena({ label: "A game that plays itself", share: 0.42 });
  fill(root, el("div", { class: "home" },
    el("div", { class: "home-words" },
      el("h1", {}, "Play, draw and solve games where play may never end."),
      el("p", {}, "nimoon computes who wins, and why, where a move can grant another move, demand an answer, or lead back to where the game began. A player who cannot move loses."),
      el("p", { class: "row" }, el("a", { class: "action primary", href: "#/learn" }, "Start with lesson 1"), el("a", { class: "action", href: "#/play" }, "Play the bartender’s problem")),
      el("p", { class: "muted" }, ENGINE === "page" ? "Your browser computes every answer. Nothing leaves it." : "The program on this machine answers. Nothing leaves it.")),
    stage.element),
  el("ul", { class: "tasks" }, TASKS.map(({ href, title, words }) => el("li", {}, el("a", { href }, el("strong", {}, title), el("span", {}, words))))));
  stage.begin({ position: BARTENDER, auto: true });
  return { unmount: stage.stop };
}
