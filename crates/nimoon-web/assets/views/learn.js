// The view Learn: lessons, one after the other. In each the reader makes the moves.
import { button, el, fill } from "../dom.js";
import { LESSONS } from "../learn/lessons.js";
import { arena } from "../play/arena.js";
import { recall, store } from "../kept.js";

/** @param {URLSearchParams} parameters */
function read(parameters) {
  const step = Number(parameters.get("step") ?? recall("lesson") ?? 1);
  return Number.isInteger(step) && step >= 1 && step <= LESSONS.length ? step : 1;
}

/** @type {import("../app.js").Mount} */
export function mount(root, parameters, change) {
  let step = read(parameters);
  const done = new Set((recall("lessons-done") ?? "").split(",").filter(Boolean).map(Number));
  const title = el("h1", { tabindex: "-1" });
  const text = el("div", { class: "lesson-text" });
  const result = el("div", { class: "lesson-result", "aria-live": "polite" });
  const list = el("ol", { class: "lesson-list" });
  const back = button("← Back", () => go(step - 1));
  const next = button("Next lesson →", () => (step === LESSONS.length ? (location.hash = "#/puzzle") : go(step + 1)));
  const stage = arena({ label: "The board of the lesson", changed, share: 0.44 });

  fill(root, el("div", { class: "lesson" },
    el("nav", { class: "panel lesson-contents", "aria-label": "Lessons" }, el("h2", {}, "Lessons"), list),
    el("div", { class: "panel" }, title, text, stage.element, result, el("div", { class: "row lesson-steps" }, back, next))));

  /** @param {number} to */
  function go(to) {
    step = to;
    change(new URLSearchParams({ step: String(step) }));
    show();
    title.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /** Hears of every position. @param {any} current */
  function changed(current) {
    const lesson = LESSONS[step - 1];
    const you = lesson.first === "engine" ? 1 : 0;
    const isWon = current.ending ? current.ending.winner === you : false;
    const isDrawn = lesson.goal === "draw" && current.outcome === "D" && (current.repetitions > 0 || current.ending?.winner === null);
    const isLost = !isWon && (current.ending ? !isDrawn : current.mover === you && current.duty.kind === "move" && (lesson.goal === "draw" ? current.outcome === "P" : current.outcome !== "N"));
    fill(result);
    if (isWon || isDrawn) {
      done.add(step);
      store("lessons-done", [...done].join(","));
      fill(result, el("p", { class: "notice good" }, el("strong", {}, "Done. "), lesson.after));
      contents();
    } else if (isLost) {
      fill(result, el("p", { class: "notice error" }, "From here the engine can stop you. Press Undo, or ask for a hint after it."));
    }
    next.classList.toggle("primary", done.has(step));
  }

  function contents() {
    fill(list, LESSONS.map((lesson, i) => el("li", {}, el("a", { href: `#/learn?step=${i + 1}`, "aria-current": i + 1 === step && "step" }, lesson.title, done.has(i + 1) && el("span", { class: "lesson-done", role: "img", "aria-label": "done" }, " ✓")))));
  }

  function show() {
    const lesson = LESSONS[step - 1];
    store("lesson", String(step));
    fill(title, `${step}. ${lesson.title}`);
    fill(text, lesson.text.map((paragraph) => el("p", {}, paragraph)));
    fill(result);
    back.disabled = step === 1;
    next.textContent = step === LESSONS.length ? "To the puzzle of the day →" : "Next lesson →";
    next.classList.toggle("primary", done.has(step));
    contents();
    stage.begin({ position: lesson.position, first: lesson.first });
  }

  show();
  return {
    update(parameters) {
      step = read(parameters);
      show();
    },
    unmount: stage.stop,
  };
}
