// The view Play: boards to click, against the engine or against a person at the same screen.
import { ApiError, ask } from "../api.js";
import { addressCopier, announce, button, download, el, fill, showError } from "../dom.js";
import { boards } from "../play/board.js";
import { nameMoves, sentence } from "../play/choice.js";
import { settle, sideOf } from "../play/sides.js";
import { fit, linkHighlights, mark } from "../play/stage.js";
import { explain } from "../play/explain.js";
import { guide } from "../play/guide.js";
import { showLine, showRefutation } from "../play/line.js";
import { showRules } from "../play/rules.js";
import { scripting } from "../play/script.js";
import { setup } from "../play/setup.js";
import { sharing } from "../play/share.js";
import { BARTENDER, PRESETS, RULESETS, another, random } from "../play/positions.js";
import { achievesSign, outcomeSign, valueSign } from "../value.js";

/**
 * @typedef {import("../play/board.js").Move} Move
 * @typedef {{start: string, moves: number[], opponent: "engine"|"person", first: "you"|"engine", skill: number, values: boolean, guided: boolean, starts: "left"|"right",
 *   rules: import("../play/script.js").Rules|null, files: Record<string, string>}} State
 *   `rules` is a script that the position may name, `files` are the contents of files that it may name; `starts` matters in partizan games
 */

/** How many milliseconds the engine waits before a move, so that the user can see the position. */
const pause = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 550);

/** @param {URLSearchParams} parameters @returns {State} */
function read(parameters) {
  const moves = (parameters.get("m") ?? "").split(".").filter((word) => /^\d{1,9}$/.test(word)).map(Number);
  const skill = Number(parameters.get("skill") ?? 10);
  const start = parameters.get("p") ?? BARTENDER;
  const opponent = parameters.get("with") === "person" ? "person" : "engine";
  const first = parameters.get("first") === "engine" ? "engine" : "you";
  // The guide is about one problem, and addresses the player who starts.
  const canGuide = start === BARTENDER && opponent === "engine" && first === "you";
  return {
    start,
    moves,
    opponent,
    first,
    skill: Number.isInteger(skill) && skill >= 0 && skill <= 10 ? skill : 10,
    values: parameters.get("values") === "1",
    starts: parameters.get("starts") === "right" ? "right" : "left",
    rules: readRules(parameters.get("rules")),
    files: Object.fromEntries(parameters.getAll("file").map((text) => { const [, name, content] = /^([^:]*):([\s\S]*)$/.exec(text) ?? ["", "", ""]; return [name, content]; }).filter(([name]) => name)),
    guided: canGuide && (parameters.has("guided") ? parameters.get("guided") === "1" : !parameters.has("p")),
  };
}

/** Reads a script from the address: its name, a colon, and its text. @param {string|null} text */
function readRules(text) {
  const match = /^([a-z][a-z0-9-]*):([\s\S]*)$/.exec(text ?? "");
  return match ? { name: match[1], source: match[2] } : null;
}

/** @param {State} state */
function parametersOf(state) {
  const parameters = new URLSearchParams({ p: state.start });
  if (state.rules) parameters.set("rules", `${state.rules.name}:${state.rules.source}`);
  for (const [name, text] of Object.entries(state.files)) parameters.append("file", `${name}:${text}`);
  if (state.starts === "right") parameters.set("starts", "right");
  if (state.moves.length) parameters.set("m", state.moves.join("."));
  if (state.opponent === "person") parameters.set("with", "person");
  if (state.first === "engine") parameters.set("first", "engine");
  if (state.skill !== 10) parameters.set("skill", String(state.skill));
  if (state.values) parameters.set("values", "1");
  if (state.guided) parameters.set("guided", "1");
  return parameters;
}

/** Errors that may disappear if the user tries again. */
const TEMPORARY = ["offline", "busy", "time", "bug"];

/** What a hint achieves, for users who hide the values. */
const HINTS = { winning: "It wins.", drawing: "It keeps the draw.", losing: "Every move loses against good play." };

/** @type {import("../app.js").Mount} */
export function mount(root, parameters, change) {
  let state = read(parameters);
  /** The undone moves, the latest last. @type {number[][]} */
  let undone = [];
  /** @type {any} */
  let current = null;
  /** The game before its last move. @type {any} */
  let earlier = null;
  /** Whether the last move has not been shown yet. */
  let isNew = false;
  /** @type {number|null} */
  let hinted = null;
  let explaining = false;
  let round = new AbortController();
  /** Whether the board does not show `state` yet, so that no move is possible. */
  let waiting = false;
  /** The last state that the program answered, which an error restores. @type {{state: State, undone: number[][]}|null} */
  let settled = null;
  /** Where the focus was before its element disappeared. @type {{box: Element, component: number}|null} */
  let place = null;
  /** The position that the explanation shows. @type {any} */
  let explained = null;

  const headline = el("div", { class: "headline", "aria-live": "polite" });
  /** The hint or the last moves; on a phone the list of moves is far away. */
  const latest = el("p", { class: "latest" });
  const notice = el("div", {});
  /** Errors of the form below, which may be far from the board. */
  const formNotice = el("div", {});
  /** The largest sizes of the boards so far: when one shrinks, the others must not jump. @type {{key: string, sizes: {width: number, height: number}[], top: number}} */
  let held = { key: "", sizes: [], top: 0 };
  /** By how much the boards of this game grow to fill the window. */
  let sized = { key: "", factor: Infinity };
  const board = el("div", { class: "boards" });
  const guideBox = el("div", {});
  const rulesBox = el("div", {});
  /** The line of best play, or why a move loses. */
  const lineBox = el("div", { class: "line-box", "aria-live": "polite" });
  const movesBox = el("div", {});
  const historyBox = el("div", {});
  const explainBox = el("div", { class: "explanation" });
  // A text area, because boards of several lines can be pasted. Enter plays, Shift+Enter starts a new line.
  const source = /** @type {HTMLTextAreaElement} */ (el("textarea", { id: "position", rows: 2, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": "position-error",
    onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); source.form?.requestSubmit(); } } }));
  formNotice.id = "position-error";

  const undo = button("↶ Undo", () => takeBack(), { "aria-keyshortcuts": "u" });
  const redo = button("↷ Redo", () => redoMove(), { "aria-keyshortcuts": "r" });
  const hint = button("Hint", () => showHint(), { "aria-keyshortcuts": "h" });
  const line = button("Best play", () => onDemand((signal) => showLine(lineBox, game(), playerName, signal)), { title: "how the game goes on if both play well" });
  // A game that repeats positions may never end, so the players may agree on a draw. The engine agrees if it cannot win.
  const draw = button("Agree on a draw", () => { current = { ...current, ending: { kind: "agreed", winner: null } }; render(); });
  const values = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox", id: "values", onchange: () => { state.values = values.checked; save(false); render(); } }));
  const why = /** @type {HTMLDetailsElement} */ (el("details", { class: "panel only-impartial", ontoggle: () => { explaining = why.open; renderExplanation(); } },
    el("summary", {}, "Explain this position"), explainBox));
  const opponent = /** @type {HTMLSelectElement} */ (el("select", { id: "opponent", onchange: () => { state.opponent = opponent.value === "person" ? "person" : "engine"; state.guided = false; save(); refresh(); } },
    el("option", { value: "engine" }, "the engine"), el("option", { value: "person" }, "a person at this screen")));
  const first = /** @type {HTMLSelectElement} */ (el("select", { id: "first", onchange: () => { state.first = first.value === "engine" ? "engine" : "you"; begin(state.start); } },
    el("option", { value: "you" }, "you"), el("option", { value: "engine" }, "the engine")));
  const starts = /** @type {HTMLSelectElement} */ (el("select", { id: "starts", onchange: () => { const side = starts.value === "right" ? "right" : "left"; state = { ...state, starts: side, moves: [] }; undone = []; save(); refresh(); } },
    el("option", { value: "left" }, "Left"), el("option", { value: "right" }, "Right")));
  const skill = /** @type {HTMLInputElement} */ (el("input", { type: "range", id: "skill", min: 0, max: 10, oninput: () => { state.skill = Number(skill.value); skillText.textContent = skillWords(); save(false); } }));
  const skillText = el("span", { class: "muted" });
  const preset = /** @type {HTMLSelectElement} */ (el("select", { id: "preset", onchange: () => { const chosen = PRESETS.find((other) => other.name === preset.value); if (chosen) begin(chosen.text, chosen.text === BARTENDER); preset.value = ""; } },
    el("option", { value: "" }, "choose…"), PRESETS.map((other) => el("option", {}, other.name))));
  const ruleset = /** @type {HTMLSelectElement} */ (el("select", { id: "ruleset" }, el("option", { value: "" }, "any"), RULESETS.map((name) => el("option", {}, name))));

  const script = scripting({ use: (rules, position, box) => { state = { ...state, rules }; begin(position, false, box); } });
  fill(root,
    el("h1", { class: "visually-hidden" }, "Play"),
    el("div", { class: "columns" },
      el("div", {},
        guideBox,
        el("section", { class: "panel table", "aria-label": "The board" },
          el("div", { class: "standing" }, headline, latest), notice, board,
          el("div", { class: "row" }, undo, redo, hint, draw, line, el("label", {}, values, "Show values")), lineBox,
          el("details", {}, el("summary", {}, "Keyboard"), el("p", { class: "muted" }, "Tab goes to the next move and Enter makes it. h shows a hint and goes to it, u undoes a move, r redoes it, and v shows or hides the values."))),
        why,
        script.element,
        setup({ use: (text, add) => { begin(add ? [state.start, text].filter(Boolean).join(" + ") : text); root.querySelector(".table")?.scrollIntoView({ block: "nearest" }); } }),
        sharing({ board: () => board, positions: () => current?.components.map((/** @type {any} */ component) => component.position) ?? [] })),
      el("div", {},
        el("section", { class: "panel", "aria-labelledby": "rules-title" }, el("h2", { id: "rules-title" }, "Rules and goal"), rulesBox),
        el("section", { class: "panel", "aria-labelledby": "moves-title" }, el("h2", { id: "moves-title" }, "Moves"), movesBox),
        el("section", { class: "panel", "aria-labelledby": "history-title" }, el("h2", { id: "history-title" }, "History"), historyBox),
        el("section", { class: "panel", "aria-labelledby": "new-title" },
          el("h2", { id: "new-title" }, "New game"),
          el("div", { class: "row" }, el("label", {}, "Position ", preset)),
          el("div", { class: "row" }, button("Random position", () => begin(random(ruleset.value || undefined))), el("label", {}, "of ", ruleset), button("Add one", () => begin([state.start, another(ruleset.value || undefined)].filter(Boolean).join(" + ")))),
          el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); begin(source.value, false, formNotice); } },
            el("label", { for: "position" }, "Any sum of positions"),
            source, formNotice,
            el("p", { class: "muted" }, "For example ", el("code", {}, "nim:3 + kayles:5"), ". See ", el("a", { href: "#/about" }, "all rulesets and their notation"), "."),
            el("div", { class: "row" }, el("button", { class: "primary" }, "Play this"), addressCopier(), button("Export", saveFile), el("label", { class: "file" }, "Import", importer()))),
          el("div", { class: "row" }, el("label", {}, "You play against ", opponent)),
          el("div", { class: "row only-engine" }, el("label", {}, "First player ", first)),
          el("div", { class: "row only-sides" }, el("label", {}, "The first player is ", starts)),
          el("div", { class: "row only-engine" }, el("label", {}, "Skill of the engine ", skill), skillText)))));

  script.show(state.rules);
  const skillWords = () => (state.skill === 10 ? "perfect" : state.skill === 0 ? "random moves" : `${state.skill} of 10`);

  /** The players by seat; the first seat starts. */
  const players = () => (state.opponent === "person" ? ["person", "person"] : state.first === "you" ? ["person", "engine"] : ["engine", "person"]);
  const given = () => ({ ...(state.rules ? { rules: { [state.rules.name]: state.rules.source } } : {}), ...(Object.keys(state.files).length ? { files: state.files } : {}) });
  const game = () => ({ position: state.start, moves: state.moves, players: players(), ...(state.starts === "right" ? { starts: "right" } : {}), ...(Object.keys(given()).length ? { given: given() } : {}) });
  const isEngineToMove = () => current && !current.ending && players()[current.mover] === "engine";

  /** @param {boolean} [push] */
  function save(push = true) {
    change(parametersOf(state), { push });
  }

  /** @param {string} start @param {boolean} [guided] @param {HTMLElement} [box] where an error appears */
  function begin(start, guided = false, box = notice) {
    state = { ...state, start: start.trim(), moves: [], guided, starts: "left", first: guided ? "you" : state.first, opponent: guided ? "engine" : state.opponent };
    undone = [];
    save();
    refresh(box);
  }

  /** Requests the state of the game, shows it, and lets the engine move if it is its turn. @param {HTMLElement} [box] where an error appears */
  async function refresh(box = notice) {
    round.abort();
    round = new AbortController();
    const { signal } = round;
    hinted = null;
    fill(lineBox);
    waiting = true;
    root.classList.add("waiting");
    if (!current) fill(headline, "Loading …");
    try {
      const before = state.moves.length > 0 ? ask("moves", { ...game(), moves: state.moves.slice(0, -1) }, { signal }).catch(() => null) : null;
      const answer = settle(await ask("moves", game(), { signal }));
      const past = await before;
      earlier = past && settle(past);
      if (signal.aborted) return;
      nameMoves(answer.moves);
      isNew = current !== null && answer.played.length > current.played.length;
      current = answer;
      settled = { state: { ...state }, undone: [...undone] };
      waiting = false;
      fill(formNotice);
      source.removeAttribute("aria-invalid");
      fill(notice, current.budget && el("p", { class: "notice" }, `The result is incomplete: ${current.budget}.`));
      render();
      if (isEngineToMove()) await engineMoves(signal);
    } catch (error) {
      if (signal.aborted) return;
      failed(error, box);
    } finally {
      if (!signal.aborted) root.classList.remove("waiting");
    }
  }

  /** @param {AbortSignal} signal */
  async function engineMoves(signal) {
    const seed = [...state.start].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
    const [{ move }] = await Promise.all([
      ask("engine", { game: game(), skill: state.skill, seed }, { signal }),
      new Promise((resolve) => setTimeout(resolve, pause())),
    ]);
    if (signal.aborted || move === null) return;
    const made = current.moves.find((/** @type {Move} */ other) => other.move === move);
    if (made) announce(`The engine: ${made.words}.`);
    state.moves = [...state.moves, move];
    save(false);
    await refresh();
  }

  /** Shows an error. The game returns to its last known state, and the user can correct the request or try again. @param {unknown} error @param {HTMLElement} [box] */
  function failed(error, box = notice) {
    const text = error instanceof Error ? error.message : String(error);
    const column = error instanceof ApiError && error.column ? ` (${error.line && error.line > 1 ? `line ${error.line}, ` : ""}column ${error.column})` : "";
    const requested = { state: { ...state }, undone: [...undone] };
    const go = (/** @type {typeof requested} */ to) => { state = { ...to.state, values: state.values, skill: state.skill }; undone = [...to.undone]; };
    if (settled) go(settled);
    waiting = settled === null;
    if (!current) { fill(headline, "No game is loaded."); fill(board); fill(movesBox); }
    save(false);
    render();
    source.value = requested.state.start;
    fill(notice);
    fill(formNotice);
    source.removeAttribute("aria-invalid");
    if (box === formNotice) source.setAttribute("aria-invalid", "true");
    showError(box, `${sentence(text)}${column}`,
      error instanceof ApiError && TEMPORARY.includes(error.kind) && button("Try again", () => { go(requested); save(false); refresh(); }),
      !settled && state.moves.length > 0 && button("Play it from the start", () => begin(state.start)));
    announce(text);
  }

  /** @param {Move} move */
  function choose(move) {
    // Ignore a second click, and a choice that belongs to an earlier position.
    if (waiting || !current || current.ending || isEngineToMove() || !current.moves.includes(move)) return;
    state.moves = [...state.moves, move.move];
    undone = [];
    save();
    refresh();
  }

  /** Returns the index of the last move that a person chose, or -1. */
  function lastDecision() {
    const seats = (current?.played ?? []).map((/** @type {any} */ played) => played.seat);
    let last = state.moves.length - 1;
    while (last >= 0 && players()[seats[last]] === "engine") last -= 1;
    return last;
  }

  /** Takes back the last move of a person, and the answers of the engine. */
  function takeBack() {
    const keep = lastDecision();
    if (keep < 0) return;
    undone.push(state.moves.slice(keep));
    state.moves = state.moves.slice(0, keep);
    save();
    refresh();
  }

  function redoMove() {
    const moves = undone.pop();
    if (!moves) return;
    state.moves = [...state.moves, ...moves];
    save();
    refresh();
  }

  /** Shows something about the position that the user asked for. @param {(signal: AbortSignal) => Promise<void>} show */
  async function onDemand(show) {
    const { signal } = round;
    try {
      await show(signal);
    } catch (error) {
      if (!signal.aborted) fill(lineBox, el("p", { class: "notice error" }, sentence(/** @type {Error} */ (error).message)));
    }
  }

  /** Shows why a move loses: by the reasons, or by the best play of both sides, where only that is known. @param {Move} move @param {AbortSignal} signal */
  function refute(move, signal) {
    if (current.side) return showLine(lineBox, { ...game(), moves: [...state.moves, move.move] }, playerName, signal);
    return showRefutation(lineBox, game(), move, signal);
  }

  /** Highlights the recommended move. @param {boolean} [focus] whether the move gets the focus, so that Enter makes it */
  async function showHint(focus = false) {
    if (waiting || !current || current.ending || isEngineToMove()) return;
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

  const table = () => ({ start: state.start, values: state.values, hinted, choose, files: state.files });

  function render() {
    values.checked = state.values;
    opponent.value = state.opponent;
    first.value = state.first;
    skill.value = String(state.skill);
    skillText.textContent = skillWords();
    source.value = state.start;
    root.classList.toggle("with-person", state.opponent === "person");
    root.classList.toggle("with-sides", Boolean(current?.side));
    starts.value = state.starts;
    undo.disabled = lastDecision() < 0;
    redo.disabled = undone.length === 0;
    hint.disabled = true;
    draw.hidden = true;
    if (!current) return;
    const open = !current.ending && !isEngineToMove();
    keepPlace();
    fill(headline, ...headlineOf());
    const lost = current.ending && state.opponent === "engine" && current.ending.winner !== null && players()[current.ending.winner] === "engine";
    headline.className = `headline duty-${current.ending ? (lost ? "lost" : "over") : current.duty.kind}`;
    fill(latest, latestOf());
    // Keep the scroll position of long boards.
    const scrolled = [...board.children].map((component) => component.scrollLeft);
    const last = current.played.at(-1);
    const before = earlier && last ? boards(earlier, { ...table(), hinted: null }, false) : null;
    fill(board, boards(current, table(), open));
    if (before) mark(board.children[last.component], before[last.component], last.words, isNew);
    isNew = false;
    [...board.children].forEach((component, i) => { component.scrollLeft = scrolled[i] ?? 0; });
    fill(movesBox, movesTable(open));
    fill(historyBox, historyList());
    hint.disabled = !open;
    line.disabled = Boolean(current.ending);
    showRules(rulesBox, current.components.map((/** @type {any} */ component) => component.position), current.components.length > 1);
    draw.hidden = !open || current.repetitions === 0 || (state.opponent === "engine" && current.outcome === "P");
    fill(guideBox, state.guided && guide({ current, hinted, hint: () => showHint(), undo: takeBack, again: () => begin(BARTENDER, true), leave: () => { state.guided = false; save(false); render(); } }));
    const size = [state.start, state.values, state.guided, innerWidth, innerHeight].join(" ");
    if (size !== sized.key) sized = { key: size, factor: Infinity };
    sized.factor = fit(board, sized.factor);
    holdSizes();
    if (open) returnToPlace();
    renderExplanation();
  }

  /** Keeps each board and the text above the boards as large as they have been in this game. */
  function holdSizes() {
    const key = [state.start, state.values, state.guided, innerWidth].join(" ");
    const guideTop = /** @type {HTMLElement|null} */ (guideBox.firstElementChild);
    if (held.key !== key) held = { key, sizes: [], top: 0 };
    const components = /** @type {HTMLElement[]} */ ([...board.children]);
    components.forEach((component, i) => {
      const before = held.sizes[i] ?? { width: 0, height: 0 };
      held.sizes[i] = { width: Math.max(before.width, component.offsetWidth), height: Math.max(before.height, component.offsetHeight) };
    });
    components.forEach((component, i) => {
      component.style.minWidth = `min(100%, ${held.sizes[i].width}px)`;
      component.style.minHeight = `${held.sizes[i].height}px`;
    });
    held.top = Math.max(held.top, guideTop?.offsetHeight ?? 0);
    if (guideTop) guideTop.style.minHeight = `${held.top}px`;
  }

  /** Remembers where the focus is before its element disappears, until the user can choose a move again. */
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
  const located = (move) => `${move.name}${current.components.length > 1 ? `, in component ${move.component}` : ""}`;

  /** Describes the hint, or else the last moves of the other player. */
  function latestOf() {
    const move = current.moves.find((/** @type {Move} */ other) => other.move === hinted);
    if (move) return `Hint: ${located(move)}. ${move.achieves ? HINTS[/** @type {keyof typeof HINTS} */ (move.achieves)] : ""}`;
    const mover = current.ending ? current.played.at(-1)?.seat : 1 - current.mover;
    const since = current.played.slice(current.played.findLastIndex((/** @type {any} */ played) => played.seat !== mover) + 1);
    return since.length > 0 && `${playerName(mover, true)}: ${since.map((/** @type {any} */ played) => played.words).join(", then ")}.`;
  }

  /** @param {number} seat @param {boolean} [subject] */
  function playerName(seat, subject = false) {
    if (state.opponent === "person") return sideOf(current, seat) || `Player ${seat + 1}`;
    if (players()[seat] === "engine") return subject ? "The engine" : "the engine";
    return subject ? "You" : "you";
  }

  function headlineOf() {
    if (current.ending) {
      const { kind, winner } = current.ending;
      if (winner === null) return [el("strong", {}, "A draw: "), kind === "agreed" ? "both players agreed." : "play can go on forever."];
      const you = state.opponent === "engine" && players()[winner] === "person";
      return [el("strong", { class: "result" }, `${playerName(winner, true)} ${you ? "win" : "wins"}! `), kind === "stuck" ? `${playerName(1 - winner, true)} cannot move.` : ""];
    }
    const mover = playerName(current.mover, true);
    const verb = (/** @type {string} */ you, /** @type {string} */ other) => (mover === "You" ? you : other);
    const rest = current.repetitions > 0 ? ` This position has occurred ${current.repetitions === 1 ? "once" : `${current.repetitions} times`} before.` : "";
    switch (current.duty.kind) {
      case "again": return [el("strong", {}, `${mover} must move again`), ", in any component.", rest];
      case "answer": return [el("strong", {}, `${mover} must answer in component ${current.duty.component}`), ", which is highlighted.", rest];
      default: return [el("strong", {}, `${mover} ${verb("are", "is")} to move${current.side && state.opponent === "engine" ? `, as ${sideOf(current, current.mover)}` : ""}.`), " A player who cannot move loses.", rest];
    }
  }

  /** @param {boolean} open */
  function movesTable(open) {
    if (current.ending) return el("p", { class: "muted" }, "The game is over.");
    const several = current.components.length > 1;
    const limit = 300;
    // The program sorts moves by what they achieve, which would give away hidden values.
    const sorted = state.values ? current.moves : [...current.moves].sort((one, other) => one.move - other.move);
    const shown = sorted.filter((/** @type {Move} */ move, /** @type {number} */ i) => i < limit || move.move === hinted);
    const rows = shown.map((/** @type {Move} */ move) => el("tr", { class: move.move === hinted && "hinted", "data-move": move.move },
      el("td", {}, open ? button(`${several ? `${move.component}: ` : ""}${sentence(move.name)}`, (event) => { if (event.detail < 2) choose(move); }, { class: "link" }) : sentence(move.name),
        move.again && el("span", { class: "then" }, " move again"), move.entails && el("span", { class: "then" }, " must be answered")),
      state.values && el("td", {}, achievesSign(move.achieves), move.achieves === "losing" && open && current.outcome !== "P" && button("why?", () => onDemand((signal) => refute(move, signal)), { class: "link", "aria-label": `Why does it lose: ${move.name}` })),
      state.values && el("td", {}, move.value ? valueSign(move.value) : ""),
      state.values && el("td", { class: "number" }, move.remoteness ?? "")));
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "All moves" },
      state.values && el("p", {}, "The sum: ", current.value && valueSign(current.value), " ", outcomeSign(current.outcome)),
      el("table", {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Move"), state.values && [el("th", { scope: "col" }, "Result"), el("th", { scope: "col" }, "Leaves"), el("th", { scope: "col", title: "plies until the game ends under good play; the reply to a carry-on move counts as one ply" }, "Plies")])),
        el("tbody", {}, rows)),
      current.count > rows.length && el("p", { class: "muted" }, `and ${current.count - rows.length} more`));
  }

  function historyList() {
    if (current.played.length === 0) return el("p", { class: "muted" }, "No moves yet.");
    return el("ol", { class: "history" }, current.played.map((/** @type {any} */ played) => el("li", { class: `seat-${played.seat}` },
      el("strong", {}, playerName(played.seat, true)), `: ${played.words}`, played.again && el("em", {}, " (moves again)"), played.entails && el("em", {}, " (must be answered)"))));
  }

  function renderExplanation() {
    // Keep an explanation that is already there, with the details that the user opened.
    if (!explaining || !current || explained === current) return;
    explained = current;
    const { signal } = round;
    if (current.ending) {
      fill(explainBox, el("p", { class: "muted" }, "The game is over."));
      return;
    }
    explain(explainBox, game(), signal).catch((error) => {
      explained = null;
      if (!signal.aborted) fill(explainBox, el("p", { class: "notice error" }, sentence(error.message)));
    });
  }

  function saveFile() {
    const now = current?.components.map((/** @type {any} */ component) => component.position).join(" + ");
    download("game.json", `${JSON.stringify({ start: state.start, moves: state.moves, now }, null, 1)}\n`, "application/json");
  }

  function importer() {
    return el("input", { type: "file", class: "visually-hidden", accept: ".json,.txt,application/json,text/plain", onchange: async (/** @type {Event} */ event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      const file = input.files?.[0];
      input.value = "";
      if (!file) return;
      if (file.size > 100_000) { failed(new Error(`the file ${file.name} is too large: a game has at most 100,000 bytes`), formNotice); return; }
      const text = await file.text();
      try {
        const read = JSON.parse(text);
        const isMove = (/** @type {unknown} */ move) => typeof move === "number" && Number.isSafeInteger(move) && move >= 0;
        if (typeof read?.start !== "string" || !Array.isArray(read.moves) || !read.moves.every(isMove)) throw new Error(`the file ${file.name} is not a game: expected "start" with a position and "moves" with a list of numbers, as Export writes them`);
        state = { ...state, start: read.start, moves: read.moves, guided: false };
        undone = [];
        save();
        refresh(formNotice);
      } catch (error) {
        // Text that is not JSON is a position.
        if (error instanceof SyntaxError) begin(text, false, formNotice);
        else failed(error, formNotice);
      }
    } });
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "u") takeBack();
    else if (event.key === "r") redoMove();
    else if (event.key === "h") showHint(true);
    else if (event.key === "v") { state.values = !state.values; save(false); render(); }
  }
  addEventListener("keydown", keys);
  linkHighlights(board, movesBox);

  render();
  refresh();
  return {
    update(parameters) {
      state = read(parameters);
      undone = [];
      document.querySelector("dialog.choices")?.remove();
      refresh();
    },
    unmount() {
      round.abort();
      document.querySelector("dialog.choices")?.remove();
      root.classList.remove("waiting", "with-person", "with-sides");
      removeEventListener("keydown", keys);
    },
  };
}
