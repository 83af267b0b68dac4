// The view Digraphs: draw nodes and arcs, and see their values and the reasons while you draw.
import { ApiError, ask } from "../api.js";
import { announce, button, el, fill, showError } from "../dom.js";
import { Canvas, key } from "../digraphs/canvas.js";
import { editor } from "../digraphs/edit.js";
import { EXAMPLES } from "../digraphs/examples.js";
import { reader, writer } from "../digraphs/files.js";
import { listen } from "../digraphs/input.js";
import { adjacency, neighbourhood, searcher } from "../digraphs/large.js";
import { MAX_ARCS, MAX_NODES, Model, decoded, encoded, encodedPieces } from "../digraphs/model.js";
import { nodePanel } from "../digraphs/node.js";
import { sumOf } from "../digraphs/pieces.js";
import { conclusion, reasons } from "../digraphs/reasons.js";
import { refill } from "../digraphs/refill.js";
import { isFresh, isKnown, roundsOf, stepper } from "../digraphs/rounds.js";
import { toolbar } from "../digraphs/tools.js";
import { sentence } from "../play/choice.js";

/** How many milliseconds after the last change the page sends a request. */
const REST = 120;
const THEORIES = ["short", "cyclic", "entailing", "carry-on", "general"];
/** The choices of theories: the smallest for each node, the smallest for the whole digraph, or a given one. @type {Record<string, string>} */
const CHOICES = { smallest: "the smallest for each node", auto: "the smallest for all nodes", ...Object.fromEntries(THEORIES.map((name) => [name, name])) };
/** The number of reasons to request for each round. A large digraph is sent with every request, so it gets fewer. */
const MAX_REASONS = 12;
const MAX_REASONS_LARGE = 3;

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
  let theory = "smallest";
  /** The chosen node, and the start of an arc that the user draws with the keyboard. @type {{selected: number|null, pending: number|null}} */
  const chosen = { selected: null, pending: null };
  /** The answer of the program for the current digraph, or for an earlier one if `stale`. @type {{drawing: import("../digraphs/large.js").Drawing, labels: Map<number, import("../digraphs/canvas.js").Label>, zones: import("../digraphs/canvas.js").Zone[]}|null} */
  let labelling = null;
  let stale = false;
  /** @type {any} */
  let sum = null;
  let round = new AbortController();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  /** The step in the address. @type {number|null} */
  let requestedStep = null;
  /** The number of texts read so far; only the last one is drawn. */
  let readings = 0;
  /** The explanations for the current digraph. @type {Map<string, Promise<any>>} */
  let explained = new Map();
  /** The node whose explanation is visible. @type {{id: number, of: typeof explained}|null} */
  let explainedNode = null;

  const notice = el("div", { "aria-live": "polite" });
  /** An error of the address, which stays until the digraph changes. */
  const warning = el("div", {});
  const status = el("p", { class: "muted dg-status" });
  const help = el("p", { class: "muted", id: "dg-keys" }, "Keys: the arrows and Page Down go to other nodes and Enter chooses a node. n adds a node, and Shift+N adds an option of the current node. a starts an arc and Enter ends it. g makes a node gray or white. p adds a piece and Shift+P removes it. r renames the node, Delete deletes it, and Alt+arrows move it. Ctrl+Z undoes a change.");
  const sumBox = el("div", {});
  const pieceTitle = el("h2", { id: "pieces-title" }, "Pieces");
  const chosenTheory = /** @type {HTMLSelectElement} */ (el("select", { id: "dg-theory", onchange: () => { theory = chosenTheory.value; changed({ structure: true }); } },
    Object.entries(CHOICES).map(([name, words]) => el("option", { value: name }, words))));
  const edit = editor(model, canvas, chosen, { changed, render: () => render(), warn: (text) => { showError(notice, text); } });
  const tools = toolbar({ ...edit, choose, arrange: () => { model.remember(); edit.arrange(); changed({}); canvas.fit(); } });
  const chosenPanel = nodePanel({ ...edit, centre, link });
  const steps = stepper({ show: () => { render(); save(false); }, reason: async (name) => conclusion(await explain(name)), link, isNear: (name) => !large || large.near.nodes.includes(idOf(name) ?? -1), maxReasons: () => (large ? MAX_REASONS_LARGE : MAX_REASONS) });
  const search = searcher({ centre: (node) => centre(node), back: () => { begin(EXAMPLES[0].id); } });
  const open = reader({ read, example: begin });
  const write = writer({
    picture: () => ({ element: canvas.element, bounds: canvas.bounds() }),
    request: () => ({ ...labelled(), ...(large ? { around: large.names[large.centre], radius: search.radius() } : { max_nodes: 1000 }) }),
    address: () => (large ? null : encoded(model)),
  });
  fill(root,
    el("h1", { class: "visually-hidden" }, "Digraphs"),
    el("div", { class: "columns dg" },
      el("div", {},
        el("section", { class: "panel", "aria-label": "The drawing" },
          tools.element, warning, notice,
          el("div", { class: "dg-frame" }, canvas.element,
            el("div", { class: "dg-zoom" }, button("+", () => canvas.zoom(1.25), { "aria-label": "Zoom in" }), button("−", () => canvas.zoom(0.8), { "aria-label": "Zoom out" }), button("⤢", () => canvas.fit(), { "aria-label": "Fit to the window" }))),
          el("div", { class: "row dg-below" }, el("label", {}, "Theory ", chosenTheory), status),
          el("p", { class: "muted dg-words" }, "A tinted background marks a cyclic zone, and its dashed green arcs lead to numbers. Orange arcs show a good turn. Gray nodes are squares."),
          el("details", {}, el("summary", {}, "Keyboard"), help)),
        steps.element),
      el("div", {},
        search.element, chosenPanel.element,
        el("section", { class: "panel", "aria-labelledby": "pieces-title" }, pieceTitle, sumBox),
        open.element, write)));

  // ---- Requests to the program ----

  const digraph = () => (large ? { text: large.text, format: large.format } : { text: model.text(), format: "json" });
  const labelled = () => ({ digraph: digraph(), ...(theory === "smallest" ? { smallest: true } : { theory }) });
  /** The theory of a sum must fit only the nodes that the pieces can reach. */
  const summed = () => ({
    ...(theory === "smallest" ? { digraph: large ? digraph() : { text: model.text(model.reachable(model.pieces)), format: "json" } } : { digraph: digraph(), theory }),
    nodes: model.pieces.map(nameOf),
  });
  const isEmpty = () => !large && model.nodes.size === 0;
  const nameOf = (/** @type {number} */ id) => (large ? large.names[id] : model.name(id));
  const idOf = (/** @type {string} */ name) => (large ? large.order.get(name) : model.named(name)?.id);

  /** Requests the explanation of a node, once for each state of the digraph. @param {string} name @returns {Promise<any>} */
  function explain(name) {
    const known = explained.get(name) ?? ask("label", { ...labelled(), explain: name });
    explained.set(name, known);
    const now = explained;
    known.catch(() => now.delete(name));
    return known;
  }

  /** Handles a change. With `structure`, the values are outdated; with `pieces`, only the sum is. @param {{structure?: boolean, pieces?: boolean, push?: boolean}} what */
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

  /** Requests the labels and the sum, and shows only the newest answer. @param {AbortSignal} signal @param {boolean} structure */
  async function answer(signal, structure) {
    try {
      if (isEmpty()) {
        labelling = null;
      } else if (structure) {
        const ids = large ? large.names.map((_, i) => i) : [...model.nodes.keys()];
        const drawing = await ask("label", { ...labelled(), steps: true, output: "drawing" }, { signal });
        if (signal.aborted) return;
        const named = (/** @type {[number, number][]} */ arcs) => arcs.map(([from, to]) => /** @type {[number, number]} */ ([ids[from], ids[to]]));
        labelling = {
          drawing,
          labels: new Map(ids.map((id, i) => [id, drawing.nodes[i]])),
          zones: drawing.zones.map((/** @type {any} */ zone) => ({ nodes: zone.nodes.map((/** @type {number} */ i) => ids[i]), exits: named(zone.exits) })),
        };
        if (large) search.set(drawing, `${drawing.nodes.length.toLocaleString("en")} nodes and ${drawing.arcs.length.toLocaleString("en")} arcs. This is too large for one drawing and for an address, so the drawing shows the neighbourhood of one node.`);
      }
      if (structure) {
        stale = false;
        steps.set(labelling?.drawing.nodes ?? [], requestedStep);
        requestedStep = null;
      }
      fill(notice, labelling?.drawing && /** @type {any} */ (labelling.drawing).budget && el("p", { class: "notice" }, `The result is incomplete: ${/** @type {any} */ (labelling.drawing).budget}.`));
      render();
      sum = model.pieces.length ? await ask("sum", summed(), { signal }) : null;
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
      labelling = null;
      stale = false;
      steps.set([], null);
    }
    showError(notice, `${sentence(text)}.`);
    render();
    if (!(error instanceof ApiError)) throw error;
  }

  /** Summarizes the digraph in one line. */
  function summary() {
    if (isEmpty()) return "Click on the sheet to add a node.";
    if (!labelling) return "";
    const { nodes, arcs, zones } = labelling.drawing;
    const used = nodes[0]?.theory ? THEORIES.filter((name) => nodes.some((node) => node.theory === name)) : [labelling.drawing.theory];
    const gray = nodes.filter((node) => node.color === "gray").length;
    const plural = (/** @type {number} */ n, /** @type {string} */ word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
    return `${used.join(", ").replace(/, ([^,]*)$/, " and $1")} ${used.length === 1 ? "theory" : "theories"}: ${plural(nodes.length, "node")}${gray ? ` (${gray} gray)` : ""}, ${plural(arcs.length, "arc")}, ${plural(zones.length, "cyclic zone")}`;
  }

  // ---- Rendering ----

  function render() {
    const at = steps.at();
    const labels = labelling ? labelling.drawing.nodes : [];
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
        const label = labelling?.labels.get(node.id) ?? null;
        const known = label && (at === null || isKnown(label, step, last));
        return { ...node, label: known && (label.color === "gray") === node.gray ? label : null, fresh: at !== null && label !== null && isFresh(label, step, last), round: label?.round, pieces: model.pieces.filter((piece) => piece === node.id).length };
      }),
      arcs: large ? large.near.arcs : model.arcs(),
      zones: stale || showing ? [] : (labelling?.zones ?? []).map((zone) => ({ nodes: zone.nodes.filter((id) => there.has(id)), exits: zone.exits })).filter((zone) => zone.nodes.length > 0),
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
      explainedNode = null;
      return;
    }
    const name = nameOf(id);
    const node = model.nodes.get(id);
    // Do not disturb a user who is typing a name.
    if (document.activeElement?.id !== "dg-rename") {
      chosenPanel.show({
        id, name, gray: large ? large.gray.has(name) : node?.gray ?? false, label: stale ? null : labelling?.labels.get(id) ?? null, editable: large === null,
        pieces: model.pieces.filter((piece) => piece === id).length,
        options: [...(model.options.get(id) ?? [])].map((to) => ({ id: to, name: model.name(to) })),
        others: [...model.nodes.values()].filter((other) => !model.hasArc(id, other.id)),
      });
    }
    const now = explained;
    if (stale || !labelling) { fill(chosenPanel.why); explainedNode = null; return; }
    // The explanation is already visible.
    if (explainedNode?.id === id && explainedNode.of === now) return;
    explainedNode = { id, of: now };
    const show = (/** @type {Element} */ element) => { if (explained === now && chosen.selected === id) refill(chosenPanel.why, element); };
    explain(name).then((why) => show(reasons(why, link)), (error) => show(el("p", { class: "notice error" }, sentence(error.message))));
  }

  /** Plays the game with the pieces on the nodes where they are. The link holds what they can reach. */
  function play() {
    const position = model.pieces.map((piece) => `digraph[drawing.json]:${nameOf(piece)}`).join(" + ");
    location.hash = `#/play?${new URLSearchParams({ p: position, file: `drawing.json:${model.text(model.reachable(model.pieces))}` })}`;
  }

  function renderSum() {
    pieceTitle.textContent = model.pieces.length > 1 ? `The sum of ${model.pieces.length} pieces` : "Pieces";
    refill(sumBox, model.pieces.length === 0
      ? el("p", { class: "muted" }, "Add pieces to nodes to see the value of their sum, who wins, and a good turn.")
      : sumOf(stale ? null : sum, model.pieces.map(nameOf), edit.take, link, large ? null : play));
  }

  /** Creates a link that chooses a node. @param {string} name */
  function link(name) {
    return button(name, () => { const id = idOf(name); if (id !== undefined) { if (large && !large.near.nodes.includes(id)) centre(id); select(id); } }, { class: "link" });
  }

  // ---- Actions ----

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
    if (id !== null) announce(canvas.describe(id) || nameOf(id));
  }

  /** Chooses a node and moves the focus to its name. @param {number} id */
  function editName(id) {
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

  // ---- Loading and saving ----

  /** @param {string} id @param {boolean} [push] */
  async function begin(id, push = true) {
    const example = EXAMPLES.find((other) => other.id === id) ?? EXAMPLES[0];
    try {
      await read(example.text, "game", example.pieces, push);
    } catch (error) {
      failed(error);
    }
  }

  /** Reads a text, and throws an error if that is not possible. @param {string} text @param {string} format @param {string[]} [pieces] @param {boolean} [push] */
  async function read(text, format, pieces = [], push = true) {
    const turn = (readings += 1);
    root.classList.add("waiting");
    const found = await ask("label", { digraph: { text, format }, output: "digraph" }).catch((error) => {
      root.classList.toggle("waiting", stale);
      throw error;
    });
    if (turn !== readings) return;
    if (model.nodes.size > 0) model.remember();
    chosen.selected = chosen.pending = null;
    labelling = null;
    large = null;
    if (found.nodes.length > MAX_NODES || found.arcs.length > MAX_ARCS) {
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
    // On a phone, the drawing is far above the panel that opened the text.
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
    if (theory !== "smallest") next.set("t", theory);
    change(next, { push });
  }

  /** @param {URLSearchParams} next */
  function load(next) {
    const choice = next.get("t") ?? "";
    theory = Object.hasOwn(CHOICES, choice) ? choice : "smallest";
    const text = next.get("d");
    const snapshot = text === null ? null : decoded(text, next.get("p") ?? "");
    if (text !== null && !snapshot) fill(warning, el("p", { class: "notice error", role: "alert" }, "The digraph in the address cannot be read. The drawing shows an example instead."));
    if (!snapshot) { begin(next.get("x") ?? EXAMPLES[0].id, false); return; }
    large = null;
    model.restore(snapshot);
    const node = /^\d+$/.test(next.get("n") ?? "") ? Number(next.get("n")) : null;
    chosen.selected = node !== null && model.nodes.has(node) ? node : null;
    chosen.pending = null;
    requestedStep = /^\d{1,6}$/.test(next.get("r") ?? "") ? Number(next.get("r")) : null;
    labelling = null;
    changed({ structure: true, push: false });
    canvas.fit();
  }

  listen(canvas, {
    ...edit,
    tool: () => (large ? "move" : tool),
    editable: () => large === null,
    select,
    grasp: () => model.remember(),
    rename: editName,
    open: (id) => { if (large) centre(id); else editName(id); },
    source: (id) => { chosen.pending = id; render(); if (id !== null) announce(tools.words.textContent ?? ""); },
  });

  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || large || /** @type {Element} */ (event.target).matches?.("input[type=text], textarea")) return;
    const isRedo = event.key.toLowerCase() === "y" || (event.key.toLowerCase() === "z" && event.shiftKey);
    if (!isRedo && event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    if (isRedo) edit.redo();
    else edit.undo();
  };
  addEventListener("keydown", keys);
  const watch = new ResizeObserver(([entry]) => {
    const first = canvas.size.width === 0 || canvas.element.getAttribute("viewBox") === null;
    canvas.size = { width: Math.max(50, entry.contentRect.width), height: Math.max(50, entry.contentRect.height) };
    if (first) canvas.fit();
    else canvas.applyView();
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
