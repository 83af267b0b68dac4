// Shows the labelling round by round, as in the figures of the papers: the labels of each round and the reasons.
import { announce, button, el, fill } from "../dom.js";
import { coversText, valueSign, valueText } from "../value.js";
import { refill } from "./refill.js";

/** How many milliseconds each round stays visible during playback. */
const PAUSE = 1100;

/** @typedef {import("./canvas.js").Label} Label */

/** Returns the number of rounds, and whether the zones at the end have nodes. @param {Label[]} labels */
export function roundsOf(labels) {
  const rounds = labels.flatMap((label) => (typeof label.round === "number" ? [label.round] : []));
  const last = rounds.reduce((max, round) => Math.max(max, round), -1);
  const rest = labels.some((label) => label.round === null);
  return { last, rest, total: Math.max(0, last + (rest ? 1 : 0)) };
}

/** Whether a label is known after a step. @param {Label} label @param {number} step @param {number} last */
export const isKnown = (label, step, last) => (typeof label.round === "number" ? label.round <= step : step > last);

/** Whether a label is new in a step. @param {Label} label @param {number} step @param {number} last */
export const isFresh = (label, step, last) => (typeof label.round === "number" ? label.round === step : step === last + 1);

/**
 * Creates the panel with the buttons, the slider, and the labels of the current round.
 * @param {{show: (step: number) => void, reason: (name: string) => Promise<string>, link: (name: string) => Element,
 *   isNear: (name: string) => boolean, maxReasons: () => number}} hooks nodes with `isNear` come first; the panel requests at most `maxReasons()` reasons
 */
export function stepper(hooks) {
  /** @type {Label[]} */
  let labels = [];
  let step = 0;
  let stepped = false;
  /** @type {ReturnType<typeof setInterval>|null} */
  let playing = null;
  let latestTurn = 0;

  const slider = /** @type {HTMLInputElement} */ (el("input", { type: "range", min: 0, max: 0, "aria-label": "Round", oninput: () => go(Number(slider.value)) }));
  const play = button("▶ Play", () => (playing ? pause() : start()));
  const first = button("«", () => go(0), { "aria-label": "First round", title: "First round" });
  const back = button("‹", () => go(step - 1), { "aria-label": "Previous round", title: "Previous round" });
  const forth = button("›", () => go(step + 1), { "aria-label": "Next round", title: "Next round" });
  const last = button("»", () => go(roundsOf(labels).total), { "aria-label": "Last round", title: "Last round" });
  const headline = el("p", { class: "dg-headline" });
  const list = el("ul", { class: "dg-assigned" });
  const element = el("section", { class: "panel", "aria-labelledby": "rounds-title" },
    el("h2", { id: "rounds-title" }, "Round by round"),
    el("div", { class: "row" }, first, back, play, forth, last, slider), headline, list);

  function start() {
    if (step >= roundsOf(labels).total) go(0);
    play.textContent = "‖ Pause";
    playing = setInterval(() => {
      if (step >= roundsOf(labels).total) pause();
      else go(step + 1, false);
    }, PAUSE);
  }

  function pause() {
    if (playing) clearInterval(playing);
    playing = null;
    play.textContent = "▶ Play";
  }

  /** @param {number} next @param {boolean} [byHand] */
  function go(next, byHand = true) {
    if (byHand) pause();
    stepped = true;
    step = Math.min(Math.max(0, next), roundsOf(labels).total);
    hooks.show(step);
    render();
    announce(headline.textContent ?? "");
  }

  function render() {
    const { last: end, rest, total } = roundsOf(labels);
    slider.max = String(total);
    slider.value = String(step);
    slider.setAttribute("aria-valuetext", rest && step > end ? "the zones" : `round ${step}`);
    for (const control of [play, slider]) control.disabled = total === 0;
    first.disabled = back.disabled = step === 0;
    last.disabled = forth.disabled = step >= total;
    const turn = (latestTurn += 1);
    if (labels.length === 0) { fill(headline, "No labels yet."); fill(list); return; }
    if (end < 0) { fill(headline, "No rounds: every node lies in a cyclic zone, or a search found the values."); fill(list); return; }
    if (!stepped) { fill(headline, `${end + 1} round${end ? "s" : ""}${rest ? ", then the remaining zones" : ""}${new Set(labels.map((label) => label.theory)).size > 1 ? "; each node has a round in its own theory" : ""}. Press Play or move the slider.`); fill(list); return; }
    const fresh = labels.filter((label) => isFresh(label, step, end));
    fill(headline, step > end ? `After round ${end} no more values can be assigned: ${count(fresh.length)} ${fresh.length === 1 ? "remains" : "remain"}, in cyclic zones.` : `Round ${step} of ${end}: ${count(fresh.length)} labelled.`);
    const limit = hooks.maxReasons();
    fresh.sort((a, b) => Number(hooks.isNear(b.node)) - Number(hooks.isNear(a.node)));
    const rows = fresh.slice(0, limit).map((label) => {
      const reason = el("span", { class: "muted" }, "…");
      hooks.reason(label.node).then((text) => { if (turn === latestTurn) reason.textContent = text; }, () => { reason.textContent = ""; });
      return el("li", {}, hooks.link(label.node), " ", label.color === "gray" ? el("span", {}, coversText(label.covers)) : valueSign(label.value), " ", reason);
    });
    refill(list, rows, fresh.length > limit && el("li", { class: "muted" }, `and ${fresh.slice(limit, limit + 40).map((label) => `${label.node} ${label.color === "gray" ? "" : valueText(label.value)}`.trim()).join(", ")}${fresh.length > limit + 40 ? ", …" : ""}`));
  }

  return {
    element,
    /** Replaces the labels. Without a step, the stepping ends. @param {Label[]} next @param {number|null} at */
    set(next, at) {
      pause();
      labels = next;
      const { total } = roundsOf(labels);
      stepped = at !== null;
      step = at === null ? total : Math.min(at, total);
      render();
    },
    /** Returns the current step, or null if the user is not stepping. */
    at: () => (stepped ? step : null),
    stop: pause,
  };
}

/** @param {number} n */
const count = (n) => `${n} node${n === 1 ? "" : "s"}`;
