// Play: boards to click, against the engine or a person at the same screen.
import { ApiError, ask } from "../api.js";
import { addressCopier, announce, button, download, el, fill } from "../dom.js";
import { boards } from "../play/board.js";
import { sentence } from "../play/choice.js";
import { explain } from "../play/explain.js";
import { guide } from "../play/guide.js";
import { BARTENDER, PRESETS, RULESETS, another, random } from "../play/positions.js";
import { achievesSign, outcomeSign, valueSign } from "../value.js";

/**
 * @typedef {import("../play/board.js").Move} Move
 * @typedef {{start: string, moves: number[], opponent: "engine"|"person", first: "you"|"engine", skill: number, values: boolean, guided: boolean}} State
 */

/** How long the engine waits before a move, so that it can be seen. */
const PAUSE = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 550);

/** @param {URLSearchParams} parameters @returns {State} */
function read(parameters) {
  const moves = (parameters.get("m") ?? "").split(".").filter((word) => /^\d{1,9}$/.test(word)).map(Number);
  const skill = Number(parameters.get("skill") ?? 10);
  const start = parameters.get("p") ?? BARTENDER;
  const opponent = parameters.get("with") === "person" ? "person" : "engine";
  const first = parameters.get("first") === "engine" ? "engine" : "you";
  // The guide speaks of one problem, and to who begins.
  const canGuide = start === BARTENDER && opponent === "engine" && first === "you";
  return {
    start,
    moves,
    opponent,
    first,
    skill: Number.isInteger(skill) && skill >= 0 && skill <= 10 ? skill : 10,
    values: parameters.get("values") === "1",
    guided: canGuide && (parameters.has("guided") ? parameters.get("guided") === "1" : !parameters.has("p")),
  };
}

/** @param {State} state */
function written(state) {
  const parameters = new URLSearchParams({ p: state.start });
  if (state.moves.length) parameters.set("m", state.moves.join("."));
  if (state.opponent === "person") parameters.set("with", "person");
  if (state.first === "engine") parameters.set("first", "engine");
  if (state.skill !== 10) parameters.set("skill", String(state.skill));
  if (state.values) parameters.set("values", "1");
  if (state.guided) parameters.set("guided", "1");
  return parameters;
}

/** Failures that may be gone a moment later. */
const PASSING = ["offline", "busy", "time", "bug"];

/** What a hint achieves, for those who do not ask for values. */
const HINTS = { winning: "It wins.", drawing: "It holds the draw.", losing: "No move wins here, unless the other side errs." };

/** @type {import("../app.js").Mount} */
export function mount(root, parameters, change) {
  let state = read(parameters);
  /** What was taken back, the latest last. @type {number[][]} */
  let undone = [];
  /** @type {any} */
  let told = null;
  /** @type {number|null} */
  let hinted = null;
  let explaining = false;
  let round = new AbortController();
  /** Whether the board is not that of `state`, so that it cannot be played on. */
  let waiting = false;
  /** What the program answered last: who fails goes back there. @type {{state: State, undone: number[][]}|null} */
  let settled = null;
  /** Where the keyboard was when what it stood on went away. @type {{box: Element, component: number}|null} */
  let place = null;
  /** What is explained. @type {any} */
  let explained = null;

  const headline = el("div", { class: "headline", "aria-live": "polite" });
  /** The hint, or what was moved last: on a phone the list of moves is far away. */
  const latest = el("p", { class: "latest" });
  const notice = el("div", {});
  const board = el("div", { class: "boards" });
  const guideBox = el("div", {});
  const movesBox = el("div", {});
  const historyBox = el("div", {});
  const explainBox = el("div", { class: "explanation" });
  const source = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: "position", spellcheck: "false", autocomplete: "off" }));

  const undo = button("↶ Undo", () => takeBack(), { "aria-keyshortcuts": "u" });
  const redo = button("↷ Redo", () => makeAgain(), { "aria-keyshortcuts": "r" });
  const hint = button("Hint", () => showHint(), { "aria-keyshortcuts": "h" });
  // A game that goes round has no end of its own: the players may agree on a draw, and the engine does where it cannot win.
  const draw = button("Agree on a draw", () => { told = { ...told, ending: { kind: "agreed", winner: null } }; render(); });
  const values = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox", id: "values", onchange: () => { state.values = values.checked; save(false); render(); } }));
  const why = /** @type {HTMLDetailsElement} */ (el("details", { class: "panel", ontoggle: () => { explaining = why.open; renderExplanation(); } },
    el("summary", {}, "Explain this position"), explainBox));
  const opponent = /** @type {HTMLSelectElement} */ (el("select", { id: "opponent", onchange: () => { state.opponent = opponent.value === "person" ? "person" : "engine"; state.guided = false; save(); ask_again(); } },
    el("option", { value: "engine" }, "the engine"), el("option", { value: "person" }, "a person here")));
  const first = /** @type {HTMLSelectElement} */ (el("select", { id: "first", onchange: () => { state.first = first.value === "engine" ? "engine" : "you"; begin(state.start); } },
    el("option", { value: "you" }, "you"), el("option", { value: "engine" }, "the engine")));
  const skill = /** @type {HTMLInputElement} */ (el("input", { type: "range", id: "skill", min: 0, max: 10, oninput: () => { state.skill = Number(skill.value); skillText.textContent = skillWords(); save(false); } }));
  const skillText = el("span", { class: "muted" });
  const preset = /** @type {HTMLSelectElement} */ (el("select", { id: "preset", onchange: () => { const chosen = PRESETS.find((other) => other.name === preset.value); if (chosen) begin(chosen.text, chosen.text === BARTENDER); preset.value = ""; } },
    el("option", { value: "" }, "choose…"), PRESETS.map((other) => el("option", {}, other.name))));
  const ruleset = /** @type {HTMLSelectElement} */ (el("select", { id: "ruleset" }, el("option", { value: "" }, "any"), RULESETS.map((name) => el("option", {}, name))));

  fill(root,
    el("h1", { class: "visually-hidden" }, "Play"),
    el("div", { class: "columns" },
      el("div", {},
        guideBox,
        el("section", { class: "panel table", "aria-label": "The board" },
          el("div", { class: "standing" }, headline, latest), notice, board,
          el("div", { class: "row" }, undo, redo, hint, draw, el("label", {}, values, "Show values")),
          el("details", {}, el("summary", {}, "Keyboard"), el("p", { class: "muted" }, "Tab goes from move to move and Enter makes it; h lights up a hint and goes there, u undoes, r makes again, v shows values."))),
        why),
      el("div", {},
        el("section", { class: "panel", "aria-labelledby": "moves-title" }, el("h2", { id: "moves-title" }, "Moves"), movesBox),
        el("section", { class: "panel", "aria-labelledby": "history-title" }, el("h2", { id: "history-title" }, "Played so far"), historyBox),
        el("section", { class: "panel", "aria-labelledby": "new-title" },
          el("h2", { id: "new-title" }, "New game"),
          el("div", { class: "row" }, el("label", {}, "Position ", preset)),
          el("div", { class: "row" }, button("Random position", () => begin(random(ruleset.value || undefined))), el("label", {}, "of ", ruleset), button("Add one", () => begin([state.start, another(ruleset.value || undefined)].filter(Boolean).join(" + ")))),
          el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); begin(source.value); } },
            el("label", { for: "position" }, "Any sum of positions"),
            source,
            el("p", { class: "muted" }, "As in ", el("code", {}, "nim:3 + kayles:5"), "; ", el("a", { href: "#/about" }, "all rulesets and how they are written"), "."),
            el("div", { class: "row" }, el("button", { class: "primary" }, "Play this"), addressCopier(), button("Export", save_file), el("label", { class: "file" }, "Import", importer()))),
          el("div", { class: "row" }, el("label", {}, "You play against ", opponent)),
          el("div", { class: "row only-engine" }, el("label", {}, "Who begins? ", first)),
          el("div", { class: "row only-engine" }, el("label", {}, "Its skill ", skill), skillText)))));

  const skillWords = () => (state.skill === 10 ? "perfect" : state.skill === 0 ? "plays anything" : `${state.skill} of 10`);

  /** Who sits where: the first seat begins. */
  const players = () => (state.opponent === "person" ? ["person", "person"] : state.first === "you" ? ["person", "engine"] : ["engine", "person"]);
  const game = () => ({ position: state.start, moves: state.moves, players: players() });
  const isEngine = () => told && !told.ending && players()[told.mover] === "engine";

  /** @param {boolean} [push] */
  function save(push = true) {
    change(written(state), { push });
  }

  /** @param {string} start @param {boolean} [guided] */
  function begin(start, guided = false) {
    state = { ...state, start: start.trim(), moves: [], guided, first: guided ? "you" : state.first, opponent: guided ? "engine" : state.opponent };
    undone = [];
    save();
    ask_again();
  }

  /** Asks how the game stands, shows it, and lets the engine move if it is its turn. */
  async function ask_again() {
    round.abort();
    round = new AbortController();
    const { signal } = round;
    hinted = null;
    waiting = true;
    root.classList.add("waiting");
    if (!told) fill(headline, "One moment …");
    try {
      const answer = await ask("moves", game(), { signal });
      if (signal.aborted) return;
      told = answer;
      settled = { state: { ...state }, undone: [...undone] };
      waiting = false;
      fill(notice, told.budget && el("p", { class: "notice" }, `Not everything is known: ${told.budget}.`));
      render();
      if (isEngine()) await engineMoves(signal);
    } catch (error) {
      if (signal.aborted) return;
      failed(error);
    } finally {
      if (!signal.aborted) root.classList.remove("waiting");
    }
  }

  /** @param {AbortSignal} signal */
  async function engineMoves(signal) {
    const seed = [...state.start].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
    const [{ move }] = await Promise.all([
      ask("engine", { game: game(), skill: state.skill, seed }, { signal }),
      new Promise((resolve) => setTimeout(resolve, PAUSE())),
    ]);
    if (signal.aborted || move === null) return;
    const made = told.moves.find((/** @type {Move} */ other) => other.move === move);
    if (made) announce(`The engine: ${made.words}.`);
    state.moves = [...state.moves, move];
    save(false);
    await ask_again();
  }

  /** Tells what is wrong. The game goes back to where it stood, and what was asked for can be mended or tried again. @param {unknown} error */
  function failed(error) {
    const text = error instanceof Error ? error.message : String(error);
    const column = error instanceof ApiError && error.column ? ` (column ${error.column})` : "";
    const wanted = { state: { ...state }, undone: [...undone] };
    const go = (/** @type {typeof wanted} */ to) => { state = { ...to.state, values: state.values, skill: state.skill }; undone = [...to.undone]; };
    if (settled) go(settled);
    waiting = settled === null;
    if (!told) { fill(headline, "There is no game to play."); fill(board); fill(movesBox); }
    save(false);
    render();
    source.value = wanted.state.start;
    fill(notice, el("div", { class: "notice error", role: "alert" },
      el("p", {}, `${sentence(text)}${column}`),
      error instanceof ApiError && PASSING.includes(error.kind) && button("Try again", () => { go(wanted); save(false); ask_again(); }),
      !settled && state.moves.length > 0 && button("Play it from the start", () => begin(state.start))));
    announce(text);
  }

  /** @param {Move} move */
  function choose(move) {
    // A second click, or a question asked before somebody went back, may come late.
    if (waiting || !told || told.ending || isEngine() || !told.moves.includes(move)) return;
    state.moves = [...state.moves, move.move];
    undone = [];
    save();
    ask_again();
  }

  /** Where the last decision of a person is among the moves, or -1. */
  function lastDecision() {
    const seats = (told?.played ?? []).map((/** @type {any} */ played) => played.seat);
    let last = state.moves.length - 1;
    while (last >= 0 && players()[seats[last]] === "engine") last -= 1;
    return last;
  }

  /** Takes back the last decision of the person, with what the engine answered. */
  function takeBack() {
    const keep = lastDecision();
    if (keep < 0) return;
    undone.push(state.moves.slice(keep));
    state.moves = state.moves.slice(0, keep);
    save();
    ask_again();
  }

  function makeAgain() {
    const moves = undone.pop();
    if (!moves) return;
    state.moves = [...state.moves, ...moves];
    save();
    ask_again();
  }

  /** The recommended move lights up. @param {boolean} [focus] whether the keyboard goes there, so that it is made by Enter */
  async function showHint(focus = false) {
    if (waiting || !told || told.ending || isEngine()) return;
    const { signal } = round;
    try {
      const { move } = await ask("engine", { game: game(), skill: 10, seed: 0 }, { signal });
      if (signal.aborted) return;
      hinted = move;
      render();
      announce(latest.textContent ?? "");
      const lit = /** @type {SVGElement|null} */ (board.querySelector(".hinted"));
      lit?.scrollIntoView({ block: "nearest", inline: "nearest" });
      if (focus) lit?.focus({ preventScroll: true });
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  const table = () => ({ start: state.start, values: state.values, hinted, choose });

  function render() {
    values.checked = state.values;
    opponent.value = state.opponent;
    first.value = state.first;
    skill.value = String(state.skill);
    skillText.textContent = skillWords();
    source.value = state.start;
    root.classList.toggle("with-person", state.opponent === "person");
    undo.disabled = lastDecision() < 0;
    redo.disabled = undone.length === 0;
    hint.disabled = true;
    draw.hidden = true;
    if (!told) return;
    const open = !told.ending && !isEngine();
    keepPlace();
    fill(headline, ...headlineOf());
    const lost = told.ending && state.opponent === "engine" && told.ending.winner !== null && players()[told.ending.winner] === "engine";
    headline.className = `headline duty-${told.ending ? (lost ? "lost" : "over") : told.duty.kind}`;
    fill(latest, latestOf());
    // Who has scrolled to a place on a long board stays there.
    const scrolled = [...board.children].map((component) => component.scrollLeft);
    fill(board, boards(told, table(), open));
    [...board.children].forEach((component, i) => { component.scrollLeft = scrolled[i] ?? 0; });
    fill(movesBox, movesTable(open));
    fill(historyBox, historyList());
    hint.disabled = !open;
    draw.hidden = !open || told.repetitions === 0 || (state.opponent === "engine" && told.outcome === "P");
    fill(guideBox, state.guided && guide({ told, start: state.start, hinted, hint: () => showHint(), undo: takeBack, again: () => begin(BARTENDER, true), leave: () => { state.guided = false; save(false); render(); } }));
    if (open) returnToPlace();
    renderExplanation();
  }

  /** What has the focus is about to go; that it is not lost, its place is kept until there is something to choose again. */
  function keepPlace() {
    const active = document.activeElement;
    const box = [board, movesBox].find((other) => active !== null && other.contains(active));
    if (box) place = { box, component: [...board.children].findIndex((component) => component.contains(active)) };
    else if (active !== null && active !== document.body) place = null;
  }

  function returnToPlace() {
    if (!place) return;
    const find = (/** @type {Element|undefined} */ within) => within?.querySelector(".hinted.target, .hinted button") ?? within?.querySelector(".target, button");
    const next = /** @type {HTMLElement|SVGElement|null|undefined} */ (find(place.box.children[place.component]) ?? find(place.box));
    next?.focus({ preventScroll: true });
    place = null;
  }

  /** @param {Move} move */
  const placed = (move) => `${move.words}${told.components.length > 1 ? `, in component ${move.component}` : ""}`;

  /** The hint in words, or else what the other side has done since. */
  function latestOf() {
    const move = told.moves.find((/** @type {Move} */ other) => other.move === hinted);
    if (move) return `Hint: ${placed(move)}. ${move.achieves ? HINTS[/** @type {keyof typeof HINTS} */ (move.achieves)] : ""}`;
    const mover = told.ending ? told.played.at(-1)?.seat : 1 - told.mover;
    const since = told.played.slice(told.played.findLastIndex((/** @type {any} */ played) => played.seat !== mover) + 1);
    return since.length > 0 && `${who(mover, true)}: ${since.map((/** @type {any} */ played) => played.words).join(", then ")}.`;
  }

  /** @param {number} seat @param {boolean} [subject] */
  function who(seat, subject = false) {
    if (state.opponent === "person") return `Player ${seat + 1}`;
    if (players()[seat] === "engine") return subject ? "The engine" : "the engine";
    return subject ? "You" : "you";
  }

  function headlineOf() {
    if (told.ending) {
      const { kind, winner } = told.ending;
      if (winner === null) return [el("strong", {}, "A draw: "), kind === "agreed" ? "both agreed." : "play goes round for ever."];
      const you = state.opponent === "engine" && players()[winner] === "person";
      return [el("strong", { class: "result" }, `${who(winner, true)} ${you ? "win" : "wins"}! `), kind === "stuck" ? `${who(1 - winner, true)} cannot move.` : ""];
    }
    const mover = who(told.mover, true);
    const verb = (/** @type {string} */ you, /** @type {string} */ other) => (mover === "You" ? you : other);
    const rest = told.repetitions > 0 ? ` This position stood before (${told.repetitions} ×).` : "";
    switch (told.duty.kind) {
      case "again": return [el("strong", {}, `${mover} must move again`), ", anywhere.", rest];
      case "answer": return [el("strong", {}, `${mover} must answer in component ${told.duty.component}`), ", which is lit.", rest];
      default: return [el("strong", {}, `${mover} ${verb("are", "is")} to move.`), " Who cannot move loses.", rest];
    }
  }

  /** @param {boolean} open */
  function movesTable(open) {
    if (told.ending) return el("p", { class: "muted" }, "The game is over.");
    const several = told.components.length > 1;
    const most = 300;
    // Sorted by what they achieve only for those who want to know it.
    const sorted = state.values ? told.moves : [...told.moves].sort((one, other) => one.move - other.move);
    const shown = sorted.filter((/** @type {Move} */ move, /** @type {number} */ i) => i < most || move.move === hinted);
    const rows = shown.map((/** @type {Move} */ move) => el("tr", { class: move.move === hinted && "hinted" },
      el("td", {}, open ? button(`${several ? `${move.component}: ` : ""}${sentence(move.words)}`, (event) => { if (event.detail < 2) choose(move); }, { class: "link" }) : sentence(move.words),
        move.again && el("span", { class: "then" }, " move again"), move.entails && el("span", { class: "then" }, " to be answered")),
      state.values && el("td", {}, achievesSign(move.achieves)),
      state.values && el("td", {}, move.value ? valueSign(move.value) : ""),
      state.values && el("td", { class: "number" }, move.remoteness ?? "")));
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "All moves" },
      state.values && el("p", {}, "The sum: ", told.value && valueSign(told.value), " ", outcomeSign(told.outcome)),
      el("table", {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Move"), state.values && [el("th", { scope: "col" }, "It"), el("th", { scope: "col" }, "Leaves"), el("th", { scope: "col", title: "plies to the end of the game if both play well; the reply to a carry-on move counts as one" }, "Plies")])),
        el("tbody", {}, rows)),
      told.count > rows.length && el("p", { class: "muted" }, `and ${told.count - rows.length} more`));
  }

  function historyList() {
    if (told.played.length === 0) return el("p", { class: "muted" }, "Nothing yet.");
    return el("ol", { class: "history" }, told.played.map((/** @type {any} */ played) => el("li", { class: `seat-${played.seat}` },
      el("strong", {}, who(played.seat, true)), `: ${played.words}`, played.again && el("em", {}, " (moves again)"), played.entails && el("em", {}, " (to be answered)"))));
  }

  function renderExplanation() {
    // What is explained already stays as it is, with what was opened in it.
    if (!explaining || !told || explained === told) return;
    explained = told;
    const { signal } = round;
    if (told.ending) {
      fill(explainBox, el("p", { class: "muted" }, "The game is over."));
      return;
    }
    explain(explainBox, game(), signal).catch((error) => {
      explained = null;
      if (!signal.aborted) fill(explainBox, el("p", { class: "notice error" }, sentence(error.message)));
    });
  }

  function save_file() {
    const now = told?.components.map((/** @type {any} */ component) => component.position).join(" + ");
    download("game.json", `${JSON.stringify({ start: state.start, moves: state.moves, now }, null, 1)}\n`, "application/json");
  }

  function importer() {
    return el("input", { type: "file", class: "visually-hidden", accept: ".json,.txt,application/json,text/plain", onchange: async (/** @type {Event} */ event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      const file = input.files?.[0];
      input.value = "";
      if (!file) return;
      if (file.size > 100_000) { failed(new Error("the file is too large to be a game")); return; }
      const text = await file.text();
      try {
        const read = JSON.parse(text);
        const isMove = (/** @type {unknown} */ move) => typeof move === "number" && Number.isSafeInteger(move) && move >= 0;
        if (typeof read?.start !== "string" || !Array.isArray(read.moves) || !read.moves.every(isMove)) throw new Error(`the file ${file.name} is no game: expected "start" with a position and "moves" with numbers, as Export writes them`);
        state = { ...state, start: read.start, moves: read.moves, guided: false };
        undone = [];
        save();
        ask_again();
      } catch (error) {
        // A text that is no JSON is a position.
        if (error instanceof SyntaxError) begin(text);
        else failed(error);
      }
    } });
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "u") takeBack();
    else if (event.key === "r") makeAgain();
    else if (event.key === "h") showHint(true);
    else if (event.key === "v") { state.values = !state.values; save(false); render(); }
  }
  addEventListener("keydown", keys);

  render();
  ask_again();
  return {
    update(parameters) {
      state = read(parameters);
      undone = [];
      document.querySelector("dialog.choices")?.remove();
      ask_again();
    },
    unmount() {
      round.abort();
      document.querySelector("dialog.choices")?.remove();
      root.classList.remove("waiting", "with-person");
      removeEventListener("keydown", keys);
    },
  };
}
