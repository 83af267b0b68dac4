// Digraphs: draw nodes and arcs, see the values as you draw, and why.
import { ApiError, ask } from "../api.js";
import { announce, button, el, fill } from "../dom.js";
import { Canvas, key } from "../digraphs/canvas.js";
import { editor } from "../digraphs/edit.js";
import { EXAMPLES } from "../digraphs/examples.js";
import { reader, writer } from "../digraphs/files.js";
import { listen } from "../digraphs/input.js";
import { adjacency, neighbourhood, searcher } from "../digraphs/large.js";
import { MOST_ARCS, MOST_NODES, Model, decoded, encoded, encodedPieces } from "../digraphs/model.js";
import { nodePanel } from "../digraphs/node.js";
import { sumOf } from "../digraphs/pieces.js";
import { because, reasons } from "../digraphs/reasons.js";
import { refill } from "../digraphs/refill.js";
import { isFresh, isKnown, roundsOf, stepper } from "../digraphs/rounds.js";
import { toolbar } from "../digraphs/tools.js";
import { sentence } from "../play/choice.js";

/** How long drawing rests before the program is asked, in milliseconds. */
const REST = 120;
const THEORIES = ["auto", "short", "cyclic", "entailing", "carry-on", "general"];
/** The most reasons of a round that are asked for if the digraph is large, and goes with every question. */
const FEW = 3;

/**
 * A digraph that is too large to edit.
 * @typedef {{text: string, format: string, names: string[], gray: Set<string>, order: Map<string, number>, graph: ReturnType<typeof adjacency>, centre: number, near: import("../digraphs/large.js").Neighbourhood}} Large
 */

/** @type {import("../app.js").Mount} */
export function mount(root, parameters, change) {
  const model = new Model();
  const canvas = new Canvas();
  /** @type {Large|null} */
  let large = null;
  /** @type {import("../digraphs/input.js").Tool} */
  let tool = "draw";
  let theory = "auto";
  /** The chosen node, and where an arc begins that is drawn by keys. @type {{selected: number|null, pending: number|null}} */
  const chosen = { selected: null, pending: null };
  /** What the program says of the digraph as it is, or as it was if `stale`. @type {{drawing: import("../digraphs/large.js").Drawing, labels: Map<number, import("../digraphs/canvas.js").Label>, zones: import("../digraphs/canvas.js").Zone[]}|null} */
  let told = null;
  let stale = false;
  /** @type {any} */
  let sum = null;
  let round = new AbortController();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  /** The step that an address asks for. @type {number|null} */
  let wanted = null;
  /** How many texts were asked to be read; only the last one is drawn. */
  let readings = 0;
  /** What was explained of the digraph as it is. @type {Map<string, Promise<any>>} */
  let explained = new Map();
  /** Which node is explained beside the drawing. @type {{id: number, of: typeof explained}|null} */
  let answered = null;

  const notice = el("div", { "aria-live": "polite" });
  /** What was wrong with the address; it stays until something else is drawn. */
  const warning = el("div", {});
  const status = el("p", { class: "muted dg-status" });
  const help = el("p", { class: "muted", id: "dg-keys" }, "Keys: arrows and Page Down go from node to node, Enter chooses, n adds a node, Shift+N an option of this one, a begins an arc and Enter ends it, g gray, p piece, Shift+P takes it off, r renames, Delete deletes, Alt+arrows move, Ctrl+Z undoes.");
  const sumBox = el("div", {});
  const pieceTitle = el("h2", { id: "pieces-title" }, "Pieces");
  const chosenTheory = /** @type {HTMLSelectElement} */ (el("select", { id: "dg-theory", onchange: () => { theory = chosenTheory.value; changed({ structure: true }); } },
    THEORIES.map((name) => el("option", { value: name }, name === "auto" ? "the smallest that fits" : name))));
  const edit = editor(model, canvas, chosen, { changed, render: () => render(), refuse: (text) => { fill(notice, el("p", { class: "notice", role: "alert" }, text)); } });
  const tools = toolbar({ ...edit, choose, arrange: () => { model.keep(); edit.arrange(); changed({}); canvas.fit(); } });
  const chosenPanel = nodePanel({ ...edit, centre, link });
  const steps = stepper({ show: () => { render(); save(false); }, reason: async (name) => because(await explain(name)), link, isNear: (name) => !large || large.near.nodes.includes(idOf(name) ?? -1), most: () => (large ? FEW : 12) });
  const search = searcher({ centre: (node) => centre(node), back: () => { begin(EXAMPLES[0].id); } });
  const open = reader({ read, example: begin });
  const write = writer({
    picture: () => ({ element: canvas.element, bounds: canvas.bounds() }),
    request: () => ({ digraph: digraph(), theory, ...(large ? { around: large.names[large.centre], radius: search.radius() } : { max_nodes: 1000 }) }),
    address: () => (large ? null : encoded(model)),
  });
  fill(root,
    el("h1", { class: "visually-hidden" }, "Digraphs"),
    el("div", { class: "columns dg" },
      el("div", {},
        el("section", { class: "panel", "aria-label": "The drawing" },
          tools.element, warning, notice,
          el("div", { class: "dg-frame" }, canvas.element,
            el("div", { class: "dg-zoom" }, button("+", () => canvas.zoom(1.25), { "aria-label": "Larger" }), button("−", () => canvas.zoom(0.8), { "aria-label": "Smaller" }), button("⤢", () => canvas.fit(), { "aria-label": "Show everything" }))),
          el("div", { class: "row dg-below" }, el("label", {}, "Theory ", chosenTheory), status),
          el("p", { class: "muted dg-words" }, "Tinted ground is a cyclic zone, and dashed green arcs leave it for a number. Orange arcs are the turn to play. Gray squares are gray nodes."),
          el("details", {}, el("summary", {}, "Keyboard"), help)),
        steps.element),
      el("div", {},
        search.element, chosenPanel.element,
        el("section", { class: "panel", "aria-labelledby": "pieces-title" }, pieceTitle, sumBox),
        open.element, write)));

  // ---- What the program is asked ----

  const digraph = () => (large ? { text: large.text, format: large.format } : { text: model.text(), format: "json" });
  const isEmpty = () => !large && model.nodes.size === 0;
  const nameOf = (/** @type {number} */ id) => (large ? large.names[id] : model.name(id));
  const idOf = (/** @type {string} */ name) => (large ? large.order.get(name) : model.named(name)?.id);

  /** Why a node has its label; asked once as long as the digraph stays as it is. @param {string} name @returns {Promise<any>} */
  function explain(name) {
    const known = explained.get(name) ?? ask("label", { digraph: digraph(), theory, explain: name });
    explained.set(name, known);
    const now = explained;
    known.catch(() => now.delete(name));
    return known;
  }

  /** Something has changed. With `structure` the values are no longer known; with `pieces` only the sum is not. @param {{structure?: boolean, pieces?: boolean, push?: boolean}} what */
  function changed({ structure = false, pieces = false, push = true }) {
    if (structure) {
      stale = true;
      explained = new Map();
      steps.stop();
    }
    if (structure || pieces) sum = null;
    if (push) fill(warning);
    render();
    save(push);
    if (!structure && !pieces) return;
    round.abort();
    round = new AbortController();
    const { signal } = round;
    clearTimeout(timer);
    timer = setTimeout(() => { answer(signal, structure || stale); }, REST);
  }

  /** Asks for labels and the sum; only the newest answer is shown. @param {AbortSignal} signal @param {boolean} structure */
  async function answer(signal, structure) {
    try {
      if (isEmpty()) {
        told = null;
      } else if (structure) {
        const ids = large ? large.names.map((_, i) => i) : [...model.nodes.keys()];
        const drawing = await ask("label", { digraph: digraph(), theory, steps: true, output: "drawing" }, { signal });
        if (signal.aborted) return;
        const named = (/** @type {[number, number][]} */ arcs) => arcs.map(([from, to]) => /** @type {[number, number]} */ ([ids[from], ids[to]]));
        told = {
          drawing,
          labels: new Map(ids.map((id, i) => [id, drawing.nodes[i]])),
          zones: drawing.zones.map((/** @type {any} */ zone) => ({ nodes: zone.nodes.map((/** @type {number} */ i) => ids[i]), exits: named(zone.exits) })),
        };
        if (large) search.set(drawing, `${drawing.nodes.length.toLocaleString("en")} nodes and ${drawing.arcs.length.toLocaleString("en")} arcs: too many to draw at once, and for an address. Shown is what is near one node.`);
      }
      if (structure) {
        stale = false;
        steps.set(told?.drawing.nodes ?? [], wanted);
        wanted = null;
      }
      fill(notice, told?.drawing && /** @type {any} */ (told.drawing).budget && el("p", { class: "notice" }, `Not everything is known: ${/** @type {any} */ (told.drawing).budget}.`));
      render();
      sum = model.pieces.length ? await ask("sum", { digraph: digraph(), nodes: model.pieces.map(nameOf), theory }, { signal }) : null;
      if (signal.aborted) return;
      render();
      announce(summary());
    } catch (error) {
      if (signal.aborted) return;
      failed(error);
    }
  }

  /** @param {unknown} error */
  function failed(error) {
    const text = error instanceof Error ? error.message : String(error);
    if (stale) {
      told = null;
      stale = false;
      steps.set([], null);
    }
    fill(notice, el("p", { class: "notice error", role: "alert" }, sentence(text), "."));
    render();
    if (!(error instanceof ApiError)) throw error;
  }

  /** One line about the whole. */
  function summary() {
    if (isEmpty()) return "Click on the sheet to draw a node.";
    if (!told) return "";
    const { theory: used, nodes, arcs, zones } = told.drawing;
    const gray = nodes.filter((node) => node.color === "gray").length;
    const plural = (/** @type {number} */ n, /** @type {string} */ word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
    return `${used} theory: ${plural(nodes.length, "node")}${gray ? ` (${gray} gray)` : ""}, ${plural(arcs.length, "arc")}, ${plural(zones.length, "cyclic zone")}`;
  }

  // ---- What is shown ----

  function render() {
    const at = steps.at();
    const labels = told ? told.drawing.nodes : [];
    const { last, total } = roundsOf(labels);
    const step = at ?? total;
    const showing = at !== null && at < total;
    const shown = large
      ? large.near.nodes.map((id, i) => ({ id, name: nameOf(id), gray: large?.gray.has(nameOf(id)) ?? false, ...(large?.near.places[i] ?? { x: 0, y: 0 }), hidden: large?.near.hidden.get(id) ?? 0 }))
      : [...model.nodes.values()].map((node) => ({ ...node, hidden: 0 }));
    const there = new Set(shown.map((node) => node.id));
    /** @type {Map<string, number>} */
    const turn = new Map();
    if (sum?.turn && !stale) {
      sum.turn.plies.forEach((/** @type {any} */ ply, /** @type {number} */ i) => {
        const name = key([idOf(ply.from) ?? -1, idOf(ply.to) ?? -1]);
        if (!turn.has(name)) turn.set(name, i);
      });
    }
    canvas.render({
      nodes: shown.map((node) => {
        const label = told?.labels.get(node.id) ?? null;
        const known = label && (at === null || isKnown(label, step, last));
        return { ...node, label: known && (label.color === "gray") === node.gray ? label : null, fresh: at !== null && label !== null && isFresh(label, step, last), round: label?.round, pieces: model.pieces.filter((piece) => piece === node.id).length };
      }),
      arcs: large ? large.near.arcs : model.arcs(),
      zones: stale || showing ? [] : (told?.zones ?? []).map((zone) => ({ nodes: zone.nodes.filter((id) => there.has(id)), exits: zone.exits })).filter((zone) => zone.nodes.length > 0),
      turn: showing ? new Map() : turn,
      ...chosen,
      rounds: at !== null,
      stale,
    });
    root.classList.toggle("waiting", stale);
    canvas.element.dataset.tool = large ? "look" : tool;
    tools.element.hidden = large !== null;
    search.element.hidden = large === null;
    tools.render({ tool, theory, past: model.past.length > 0, future: model.future.length > 0, source: chosen.pending === null ? null : model.name(chosen.pending) });
    chosenTheory.value = theory;
    status.textContent = stale ? "…" : summary();
    renderChosen();
    renderSum();
  }

  function renderChosen() {
    const id = chosen.selected;
    if (id === null) {
      chosenPanel.show(null);
      answered = null;
      return;
    }
    const name = nameOf(id);
    const node = model.nodes.get(id);
    // Who is typing a name is not disturbed.
    if (document.activeElement?.id !== "dg-rename") {
      chosenPanel.show({
        id, name, gray: large ? large.gray.has(name) : node?.gray ?? false, label: stale ? null : told?.labels.get(id) ?? null, editable: large === null,
        pieces: model.pieces.filter((piece) => piece === id).length,
        options: [...(model.options.get(id) ?? [])].map((to) => ({ id: to, name: model.name(to) })),
        others: [...model.nodes.values()].filter((other) => !model.hasArc(id, other.id)),
      });
    }
    const now = explained;
    if (stale || !told) { fill(chosenPanel.why); answered = null; return; }
    // What is shown already is not told again.
    if (answered?.id === id && answered.of === now) return;
    answered = { id, of: now };
    const show = (/** @type {Element} */ element) => { if (explained === now && chosen.selected === id) refill(chosenPanel.why, element); };
    explain(name).then((why) => show(reasons(why, link)), (error) => show(el("p", { class: "notice error" }, sentence(error.message))));
  }

  function renderSum() {
    pieceTitle.textContent = model.pieces.length > 1 ? `The sum of ${model.pieces.length} pieces` : "Pieces";
    refill(sumBox, model.pieces.length === 0
      ? el("p", { class: "muted" }, "Put pieces on nodes to see the value of the sum, who wins, and the turn to play.")
      : sumOf(stale ? null : sum, model.pieces.map(nameOf), edit.take, link));
  }

  /** A node's name that can be chosen. @param {string} name */
  function link(name) {
    return button(name, () => { const id = idOf(name); if (id !== undefined) { if (large && !large.near.nodes.includes(id)) centre(id); select(id); } }, { class: "link" });
  }

  // ---- What can be done ----

  /** @param {import("../digraphs/input.js").Tool} next */
  function choose(next) {
    tool = next;
    chosen.pending = null;
    render();
  }

  /** @param {number|null} id */
  function select(id) {
    chosen.selected = id;
    changed({ push: false });
    if (id !== null) announce(canvas.words(id) || nameOf(id));
  }

  /** Chooses a node and goes to its name. @param {number} id */
  function named(id) {
    select(id);
    const field = /** @type {HTMLInputElement|null} */ (root.querySelector("#dg-rename"));
    field?.focus();
    field?.select();
  }

  /** @param {number} id */
  function centre(id) {
    if (!large) return;
    large.centre = id;
    large.near = neighbourhood(large.graph, id, search.radius());
    search.at(id);
    chosen.selected = id;
    render();
    canvas.fit();
  }

  // ---- Where digraphs come from, and where they go ----

  /** @param {string} id @param {boolean} [push] */
  async function begin(id, push = true) {
    const example = EXAMPLES.find((other) => other.id === id) ?? EXAMPLES[0];
    try {
      await read(example.text, "game", example.pieces, push);
    } catch (error) {
      failed(error);
    }
  }

  /** Reads a text; what is wrong with it is thrown. @param {string} text @param {string} format @param {string[]} [pieces] @param {boolean} [push] */
  async function read(text, format, pieces = [], push = true) {
    const turn = (readings += 1);
    root.classList.add("waiting");
    const found = await ask("label", { digraph: { text, format }, output: "digraph" }).catch((error) => {
      root.classList.toggle("waiting", stale);
      throw error;
    });
    if (turn !== readings) return;
    if (model.nodes.size > 0) model.keep();
    chosen.selected = chosen.pending = null;
    told = null;
    large = null;
    if (found.nodes.length > MOST_NODES || found.arcs.length > MOST_ARCS) {
      const order = new Map(found.nodes.map((/** @type {string} */ name, /** @type {number} */ i) => [name, i]));
      const graph = adjacency(found.nodes.length, found.arcs.map((/** @type {[string, string]} */ [from, to]) => [order.get(from), order.get(to)]));
      model.restore({ nodes: [], arcs: [], pieces: [] });
      search.set(null, "…");
      large = { text, format, names: found.nodes, gray: new Set(found.gray), order, graph, centre: 0, near: neighbourhood(graph, 0, search.radius()) };
      chosen.selected = 0;
      search.at(0);
    } else {
      const gray = new Set(found.gray);
      const order = new Map(found.nodes.map((/** @type {string} */ name, /** @type {number} */ id) => [name, id]));
      model.restore({
        nodes: found.nodes.map((/** @type {string} */ name, /** @type {number} */ id) => ({ id, name, gray: gray.has(name), x: 0, y: 0 })),
        arcs: found.arcs.map((/** @type {[string, string]} */ [from, to]) => [order.get(from), order.get(to)]),
        pieces: pieces.flatMap((name) => order.get(name) ?? []),
      });
      edit.arrange();
    }
    fill(notice);
    changed({ structure: true, push });
    canvas.fit();
    // On a phone what was read is far above where it was asked for.
    if (push) canvas.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {boolean} push */
  function save(push) {
    const text = large ? null : encoded(model);
    const next = new URLSearchParams();
    if (text !== null) {
      next.set("d", text);
      if (model.pieces.length) next.set("p", encodedPieces(model));
      if (chosen.selected !== null) next.set("n", String([...model.nodes.keys()].indexOf(chosen.selected)));
      if (steps.at() !== null && !stale) next.set("r", String(steps.at()));
    }
    if (theory !== "auto") next.set("t", theory);
    change(next, { push });
  }

  /** @param {URLSearchParams} next */
  function load(next) {
    const asked = next.get("t") ?? "auto";
    theory = THEORIES.includes(asked) ? asked : "auto";
    const text = next.get("d");
    const snapshot = text === null ? null : decoded(text, next.get("p") ?? "");
    if (text !== null && !snapshot) fill(warning, el("p", { class: "notice error", role: "alert" }, "The address has no digraph that can be read; here is an example."));
    if (!snapshot) { begin(next.get("x") ?? EXAMPLES[0].id, false); return; }
    large = null;
    model.restore(snapshot);
    const node = /^\d+$/.test(next.get("n") ?? "") ? Number(next.get("n")) : null;
    chosen.selected = node !== null && model.nodes.has(node) ? node : null;
    chosen.pending = null;
    wanted = /^\d{1,6}$/.test(next.get("r") ?? "") ? Number(next.get("r")) : null;
    told = null;
    changed({ structure: true, push: false });
    canvas.fit();
  }

  listen(canvas, {
    ...edit,
    tool: () => (large ? "move" : tool),
    editable: () => large === null,
    select,
    grasp: () => model.keep(),
    rename: named,
    open: (id) => { if (large) centre(id); else named(id); },
    source: (id) => { chosen.pending = id; render(); if (id !== null) announce(tools.words.textContent ?? ""); },
  });

  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || large || /** @type {Element} */ (event.target).matches?.("input[type=text], textarea")) return;
    const again = event.key.toLowerCase() === "y" || (event.key.toLowerCase() === "z" && event.shiftKey);
    if (!again && event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    if (again) edit.redo();
    else edit.undo();
  };
  addEventListener("keydown", keys);
  const watch = new ResizeObserver(([entry]) => {
    const first = canvas.size.width === 0 || canvas.element.getAttribute("viewBox") === null;
    canvas.size = { width: Math.max(50, entry.contentRect.width), height: Math.max(50, entry.contentRect.height) };
    if (first) canvas.fit();
    else canvas.look();
  });
  watch.observe(canvas.element);
  load(parameters);

  return {
    update: load,
    unmount() {
      removeEventListener("keydown", keys);
      watch.disconnect();
      steps.stop();
      readings += 1;
      clearTimeout(timer);
      round.abort();
    },
  };
}
