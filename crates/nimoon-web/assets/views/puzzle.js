// The view Puzzle: a position for each day in which one first move wins. A streak is kept on this machine.
import { button, el, fill } from "../dom.js";
import { dayBefore, dayOf, puzzleOf } from "../learn/daily.js";
import { arena } from "../play/arena.js";
import { recall, store } from "../kept.js";
import { sentence } from "../play/choice.js";

/** @type {import("../app.js").Mount} */
export function mount(root, parameters, change) {
  const today = dayOf();
  const read = (/** @type {URLSearchParams} */ from) => { const day = from.get("day") ?? ""; return /^\d{4}-\d\d-\d\d$/.test(day) ? day : today; };
  let day = read(parameters);
  let loading = new AbortController();
  const title = el("h1", {});
  const intro = el("p", {});
  const result = el("div", { "aria-live": "polite" });
  const streak = el("p", { class: "muted streak" });
  const stage = arena({ label: "The board of the puzzle", changed, share: 0.46 });
  let position = "";
  fill(root, el("div", { class: "panel puzzle" }, title, intro, streak, stage.element, result,
    el("div", { class: "row" },
      button("← The day before", () => go(dayBefore(day))),
      button("Today", () => go(today)),
      button("Look at it in Play", () => { location.hash = `#/play?${new URLSearchParams({ p: position })}`; }))));

  /** @param {string} to */
  function go(to) {
    day = to;
    change(new URLSearchParams(day === today ? {} : { day }));
    load();
  }

  function showStreak() {
    const [last, length] = (recall("streak") ?? "").split(" ");
    const lives = last === today || last === dayBefore(today);
    fill(streak, lives ? `Solved ${length} ${length === "1" ? "day" : "days"} in a row.` : "Solve the puzzle of today to begin a streak.");
  }

  /** Counts today's puzzle once. */
  function solved() {
    if (day !== today) return;
    const [last, length] = (recall("streak") ?? "").split(" ");
    if (last === today) return;
    store("streak", `${today} ${last === dayBefore(today) ? Number(length) + 1 : 1}`);
    showStreak();
  }

  /** @param {any} current */
  function changed(current) {
    fill(result);
    if (current.ending?.winner === 0) {
      solved();
      fill(result, el("p", { class: "notice good" }, el("strong", {}, "Solved. "), "Come back tomorrow for the next one."));
    } else if (current.ending || (current.mover === 0 && current.played.length > 0 && current.outcome !== "N" && current.duty.kind === "move")) {
      fill(result, el("p", { class: "notice error" }, "That was not the move: the engine can stop you now. Press Undo and try another one."));
    }
  }

  async function load() {
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    fill(title, day === today ? "Puzzle of the day" : `Puzzle of ${day}`);
    fill(intro, "You are to move, and only one move wins. Find it, and win against the engine. A player who cannot move loses.");
    showStreak();
    try {
      position = await puzzleOf(day, signal);
      if (!signal.aborted) stage.begin({ position });
    } catch (error) {
      if (!signal.aborted) fill(result, el("p", { class: "notice error" }, sentence(/** @type {Error} */ (error).message)));
    }
  }

  load();
  return {
    update(parameters) {
      const next = read(parameters);
      if (next !== day) { day = next; load(); }
    },
    unmount() { loading.abort(); stage.stop(); },
  };
}
