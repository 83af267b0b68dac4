// The labelling round by round, as in the papers' figures: what was assigned in a round, and why.
import { announce, button, el, fill } from "../dom.js";
import { coversText, valueSign, valueText } from "../value.js";
import { refill } from "./refill.js";

/** How long a round is shown while it plays, in milliseconds. */
const PAUSE = 1100;

/** @typedef {import("./canvas.js").Label} Label */

/** How many rounds there are, and whether nodes are left for the zones at the end. @param {Label[]} labels */
export function roundsOf(labels) {
  const rounds = labels.flatMap((label) => (typeof label.round === "number" ? [label.round] : []));
  const last = rounds.reduce((most, round) => Math.max(most, round), -1);
  const rest = labels.some((label) => label.round === null);
  return { last, rest, total: Math.max(0, last + (rest ? 1 : 0)) };
}

/** Whether a label is known after a step. @param {Label} label @param {number} step @param {number} last */
export const isKnown = (label, step, last) => (typeof label.round === "number" ? label.round <= step : step > last);

/** Whether a label is new in a step. @param {Label} label @param {number} step @param {number} last */
export const isFresh = (label, step, last) => (typeof label.round === "number" ? label.round === step : step === last + 1);

/**
 * The buttons, the slider, and what happened in the round that is shown.
 * @param {{show: (step: number) => void, reason: (name: string) => Promise<string>, link: (name: string) => Element,
 *   isNear: (name: string) => boolean, most: () => number}} hooks `isNear` nodes come first, and of at most `most` the reasons are asked
 */
export function stepper(hooks) {
  /** @type {Label[]} */
  let labels = [];
  let step = 0;
  let stepped = false;
  /** @type {ReturnType<typeof setInterval>|null} */
  let playing = null;
  let asked = 0;

  const slider = /** @type {HTMLInputElement} */ (el("input", { type: "range", min: 0, max: 0, "aria-label": "Round", oninput: () => go(Number(slider.value)) }));
  const play = button("▶ Play", () => (playing ? pause() : start()));
  const first = button("«", () => go(0), { "aria-label": "First round", title: "First round" });
  const back = button("‹", () => go(step - 1), { "aria-label": "Round before", title: "Round before" });
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
    const turn = (asked += 1);
    if (labels.length === 0) { fill(headline, "Nothing is labelled."); fill(list); return; }
    if (end < 0) { fill(headline, "No rounds: every node lies in a cyclic zone, or the values come from a search."); fill(list); return; }
    if (!stepped) { fill(headline, `${end + 1} round${end ? "s" : ""}${rest ? ", and zones that are left over" : ""}. Play them, or move the slider.`); fill(list); return; }
    const fresh = labels.filter((label) => isFresh(label, step, end));
    fill(headline, step > end ? `After round ${end} nothing more can be assigned: ${count(fresh.length)} left, in cyclic zones.` : `Round ${step} of ${end}: ${count(fresh.length)} assigned.`);
    const most = hooks.most();
    fresh.sort((a, b) => Number(hooks.isNear(b.node)) - Number(hooks.isNear(a.node)));
    const rows = fresh.slice(0, most).map((label) => {
      const reason = el("span", { class: "muted" }, "…");
      hooks.reason(label.node).then((text) => { if (turn === asked) reason.textContent = text; }, () => { reason.textContent = ""; });
      return el("li", {}, hooks.link(label.node), " ", label.color === "gray" ? el("span", {}, coversText(label.covers)) : valueSign(label.value), " ", reason);
    });
    refill(list, rows, fresh.length > most && el("li", { class: "muted" }, `and ${fresh.slice(most, most + 40).map((label) => `${label.node} ${label.color === "gray" ? "" : valueText(label.value)}`.trim()).join(", ")}${fresh.length > most + 40 ? ", …" : ""}`));
  }

  return {
    element,
    /** New labels: what was being shown is over, unless a step is given. @param {Label[]} next @param {number|null} at */
    set(next, at) {
      pause();
      labels = next;
      const { total } = roundsOf(labels);
      stepped = at !== null;
      step = at === null ? total : Math.min(at, total);
      render();
    },
    /** The step that is shown, or null while nobody steps. */
    at: () => (stepped ? step : null),
    stop: pause,
  };
}

/** @param {number} n */
const count = (n) => `${n} node${n === 1 ? "" : "s"}`;
