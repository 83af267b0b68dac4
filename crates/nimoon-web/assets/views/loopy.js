// The view Loopy values: the graph, the sides and the outcome of a partizan expression, and the comparison of two.
import { ApiError, ask, askText } from "../api.js";
import { addressCopier, announce, button, copier, download, el, fill, showError } from "../dom.js";
import { comparison } from "../loopy/compare.js";
import { savePng, saveSvg } from "../loopy/export.js";
import { ALSO_CALLED, EXAMPLES, NAMED, SIGNS, UNICYCLES, unicycleText } from "../loopy/games.js";
import { MAX_DRAWN, drawn, highlight, listed, options, vertexWords } from "../loopy/graph.js";
import { sentence } from "../play/choice.js";
import { texOf, tikzOf } from "../play/tikz.js";
import { standalone } from "../svg.js";
import { outcomeWords, winnerSign } from "../loopy/words.js";

/**
 * @typedef {"canonical"|"onside"|"offside"|"given"} Which
 * @typedef {{g: string, h: string, which: Which|null}} State
 * @typedef {import("../loopy/graph.js").Form} Form
 */

/** How many milliseconds after the last key the page sends a request. */
const REST = 350;

/** @param {URLSearchParams} parameters @returns {State} */
function read(parameters) {
  const which = parameters.get("graph");
  return {
    g: parameters.get("g") ?? "upon",
    h: parameters.get("h") ?? (parameters.has("g") ? "" : "over"),
    which: which === "onside" || which === "offside" || which === "given" || which === "canonical" ? which : null,
  };
}

/** @param {State} state */
function parametersOf({ g, h, which }) {
  const parameters = new URLSearchParams({ g });
  if (h.trim()) parameters.set("h", h);
  if (which) parameters.set("graph", which);
  return parameters;
}

/** Returns the game of a request: an expression, or a graph if the text is the JSON of one. @param {string} text */
export function gameOf(text) {
  if (/^\s*\{\s*"/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // The program reports the error.
    }
  }
  return text;
}

/** @param {number} n @param {string} one @param {string} many */
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

/** @type {import("../app.js").Mount} */
export function mount(root, parameters, change) {
  let state = read(parameters);
  /** @type {any} */
  let answer = null;
  /** @type {string|null} */
  let chosen = null;
  let round = new AbortController();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let resting;

  const field = (/** @type {"g"|"h"} */ key, /** @type {string} */ label, /** @type {string} */ hint) => {
    const input = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: `loopy-${key}`, spellcheck: "false", autocomplete: "off", autocapitalize: "off", placeholder: hint, "aria-describedby": `loopy-${key}-error`,
      onfocus: () => { last = input; },
      oninput: () => { state[key] = input.value; if (key === "g") state.which = null; clearTimeout(resting); resting = setTimeout(() => { change(parametersOf(state), { push: false }); solve(); }, REST); } }));
    const error = el("div", { id: `loopy-${key}-error` });
    return { input, error, row: el("div", {}, el("label", { for: `loopy-${key}` }, label), input, error) };
  };
  const first = field("g", "Game", "{0|pass}, over + *, a{1||a|0} …");
  const second = field("h", "Compare with", "another game (optional)");
  /** The field that receives symbols. @type {HTMLInputElement} */
  let last = first.input;

  const facts = el("div", { class: "loopy-facts" });
  const tabs = el("div", { class: "row", role: "group", "aria-label": "Form of the graph" });
  const stage = el("div", { class: "loopy-stage" });
  const readout = el("div", { class: "loopy-readout" });
  const vertices = el("div", {});
  const compareBox = el("div", {});
  const notice = el("div", {});
  const exports = [
    button("SVG", () => withPicture((picture) => saveSvg(picture, "loopy"))),
    button("PNG", () => withPicture((picture) => { savePng(picture, "loopy").catch((error) => announce(error.message)); })),
    button("LaTeX", () => withPicture((picture) => download("loopy.tex", tikzOf(standalone(picture), answer?.text ?? ""), "text/x-tex"))),
    button("Graph (JSON)", () => { const form = current(); if (form) download("loopy.json", `${JSON.stringify(form.graph)}\n`, "application/json"); }),
    button("DOT", saveDot),
    copier("Copy value as LaTeX", () => texOf(answer?.text ?? "")),
    addressCopier(),
  ];

  fill(root,
    el("h1", { class: "visually-hidden" }, "Loopy values"),
    el("div", { class: "columns" },
      el("div", {},
        el("section", { class: "panel", "aria-label": "The game" },
          el("div", { class: "row", role: "group", "aria-label": "Named games" }, NAMED.map(({ name, text, what }) => button(name, () => show(text, state.h), { class: "chip", title: what, "aria-label": `${name}: ${what}` }))),
          el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); go(); } },
            first.row,
            el("div", { class: "row signs", role: "group", "aria-label": "Symbols to insert" }, SIGNS.map((sign) => button(sign, () => insert(sign), { class: "sign", "aria-label": `insert ${sign}` }))),
            second.row,
            el("div", { class: "row" }, el("button", { class: "primary" }, "Show"), button("⇄ Swap", () => { if (state.h.trim()) show(state.h, state.g); }))),
          notice),
        el("section", { class: "panel", "aria-labelledby": "loopy-graph-title" },
          el("h2", { id: "loopy-graph-title" }, "Graph"),
          tabs, stage, legend(), readout,
          el("div", { class: "row" }, exports),
          el("details", {}, el("summary", {}, "The graph as a table"), vertices))),
      el("div", {},
        el("section", { class: "panel", "aria-labelledby": "loopy-value-title" }, el("h2", { id: "loopy-value-title" }, "Value"), facts),
        el("section", { class: "panel", "aria-labelledby": "loopy-compare-title" }, el("h2", { id: "loopy-compare-title" }, "Order, sum and difference"), compareBox),
        el("section", { class: "panel", "aria-labelledby": "loopy-examples-title" },
          el("h2", { id: "loopy-examples-title" }, "Examples"),
          el("ul", { class: "plain" }, EXAMPLES.map(({ title, g, h }) => el("li", {}, button(title, () => show(g, h), { class: "link" }), " ", el("code", { class: "muted" }, h ? `${g} ? ${h}` : g)))),
          el("h3", {}, "Unicycles"),
          el("p", { class: "muted" }, "Canonical forms with a single cycle. The letters name the players who move along it."),
          el("div", { class: "row" }, UNICYCLES.map((unicycle) => button(unicycle.pattern, () => show(unicycleText(unicycle), ""), { class: "chip", title: `exits ${unicycle.exits.join(", ")}` })))))));

  function legend() {
    return el("p", { class: "loopy-legend" },
      el("span", { class: "key-left" }, "━━▶ Left’s moves leave on the left"), " ", el("span", { class: "key-right" }, "╍╍❯ Right’s moves leave on the right"));
  }

  /** @param {string} sign */
  function insert(sign) {
    const [from, to] = [last.selectionStart ?? last.value.length, last.selectionEnd ?? last.value.length];
    last.setRangeText(sign, from, to, "end");
    last.focus();
    last.dispatchEvent(new Event("input"));
  }

  /** @param {string} g @param {string} h */
  function show(g, h) {
    state = { g, h, which: null };
    go();
  }

  function go() {
    clearTimeout(resting);
    change(parametersOf(state));
    solve();
  }

  async function solve() {
    round.abort();
    round = new AbortController();
    const { signal } = round;
    for (const [{ input }, text] of /** @type {const} */ ([[first, state.g], [second, state.h]])) if (input.value !== text) input.value = text;
    root.classList.add("waiting");
    fill(first.error);
    fill(second.error);
    first.input.removeAttribute("aria-invalid");
    second.input.removeAttribute("aria-invalid");
    const comparing = compared(signal);
    try {
      answer = await ask("loopy", { game: gameOf(state.g), vertices: true }, { signal });
      chosen = null;
      fill(notice, answer.budget && el("p", { class: "notice" }, `The result is incomplete: ${answer.budget}.`));
      render();
      announce(answer.text === null ? "Its value is unknown." : `Its value is ${answer.text}: ${outcomeWords(answer.outcome)}.`);
    } catch (error) {
      if (signal.aborted) return;
      answer = null;
      render();
      failed(first, state.g, error);
    }
    await comparing;
    if (!signal.aborted) root.classList.remove("waiting");
  }

  /** @param {AbortSignal} signal */
  async function compared(signal) {
    if (!state.h.trim()) {
      fill(compareBox, el("p", { class: "muted" }, "Enter a second game to compare."));
      return;
    }
    try {
      const made = await comparison(state.g, state.h, gameOf, (text) => show(text, ""), signal);
      if (!signal.aborted) fill(compareBox, made);
    } catch (error) {
      if (signal.aborted) return;
      fill(compareBox, el("p", { class: "muted" }, "The games could not be compared."));
      // An error of the first game appears at its own field.
      const own = await ask("loopy", { game: gameOf(state.h) }, { signal }).then(() => null, (failure) => failure);
      if (own && !signal.aborted) failed(second, state.h, own);
      else if (!signal.aborted && answer) fill(compareBox, el("p", { class: "notice error" }, sentence(/** @type {Error} */ (error).message)));
    }
  }

  /**
   * Shows an error with its place in the text.
   * @param {typeof first} where
   * @param {string} text
   * @param {unknown} error
   */
  function failed(where, text, error) {
    const message = error instanceof Error ? error.message : String(error);
    const column = error instanceof ApiError ? error.column : undefined;
    const letters = [...text];
    const at = column === undefined ? null : Math.min(column - 1, letters.length);
    where.input.setAttribute("aria-invalid", "true");
    fill(where.error, el("div", { class: "notice error", role: "alert" },
      at === null ? null : el("div", { class: "mono place" }, letters.slice(Math.max(0, at - 30), at).join(""), el("mark", {}, letters[at] ?? "␣"), letters.slice(at + 1, at + 30).join("")),
      el("div", {}, sentence(message), at === null ? "" : ` (column ${at + 1}) `,
        at === null ? null : button("Go there", () => { where.input.focus(); const units = letters.slice(0, at).join("").length; where.input.setSelectionRange(units, units + (letters[at]?.length ?? 0)); }, { class: "link" }))));
    announce(message);
  }

  /** Returns the available graphs. @returns {{which: Which, title: string, form: Form}[]} */
  function forms() {
    if (!answer) return [];
    const { onside, offside } = answer.sides;
    const given = answer.given ? [{ which: /** @type {Which} */ ("given"), title: "as given", form: answer.given }] : [];
    if (answer.canonical) return [{ which: "canonical", title: "canonical form", form: onside }, ...given];
    return [
      ...given,
      ...(onside ? [{ which: /** @type {Which} */ ("onside"), title: "onside", form: onside }] : []),
      ...(offside ? [{ which: /** @type {Which} */ ("offside"), title: "offside", form: offside }] : []),
    ];
  }

  const current = () => { const all = forms(); return (all.find(({ which }) => which === state.which) ?? all[0])?.form; };

  function render() {
    renderFacts();
    const all = forms();
    const form = current();
    fill(tabs, all.length > 1 && all.map(({ which, title, form: other }) => button(title, () => { state.which = which; chosen = null; change(parametersOf(state)); render(); }, { "aria-pressed": other === form ? "true" : "false", class: "tab" })));
    for (const one of exports.slice(0, 5)) one.disabled = !form;
    if (!form) {
      fill(stage, el("p", { class: "muted" }, answer ? "No graph is available." : "–"));
      fill(readout);
      fill(vertices);
      return;
    }
    const { nodes, left, right } = form.graph;
    const size = `${count(nodes.length, "vertex", "vertices")}, ${count(left.length, "Left edge", "Left edges")}, ${count(right.length, "Right edge", "Right edges")}`;
    if (nodes.length > MAX_DRAWN) {
      exports.slice(0, 3).forEach((one) => { one.disabled = true; });
      fill(stage, el("p", { class: "notice" }, `The graph has ${size}, which is too large for a picture. Download the JSON to see all of it.`));
      fill(readout);
      fill(vertices, el("p", { class: "muted" }, "The JSON has the whole graph."));
      return;
    }
    const picture = drawn(form, { label: `A graph with ${size}`, show: (name) => describe(form, name ?? chosen), choose: (name) => { chosen = name; describe(form, name); announce(vertexWords(form, name)); } });
    fill(stage, el("div", { class: "loopy-scroll" }, picture), el("p", { class: "muted size" }, size));
    describe(form, chosen);
    fill(vertices, vertexTable(form));
  }

  /** @param {Form} form @param {string|null} name */
  function describe(form, name) {
    const picture = stage.querySelector("svg");
    if (picture) highlight(picture, name);
    if (name === null) {
      fill(readout, el("p", { class: "muted" }, "Point at a vertex, or press Tab to go to it, to see its value and its options."));
      return;
    }
    const { value, left, right } = options(form, name);
    fill(readout, el("p", {}, el("strong", {}, name), value !== null && [" = ", el("code", {}, value)], name === form.graph.start && " (start)"),
      el("p", {}, el("span", { class: "key-left" }, "Left’s options: "), listed(left), ". ", el("span", { class: "key-right" }, "Right’s options: "), listed(right), "."));
  }

  /** @param {Form} form */
  function vertexTable(form) {
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "All vertices" }, el("table", {},
      el("thead", {}, el("tr", {}, ["Vertex", "Equals", "Left’s options", "Right’s options"].map((title) => el("th", { scope: "col" }, title)))),
      el("tbody", {}, form.graph.nodes.map((name) => {
        const { value, left, right } = options(form, name);
        const names = (/** @type {typeof left} */ list) => list.map((option) => option.name).join(", ") || "–";
        return el("tr", {}, el("th", { scope: "row" }, name === form.graph.start ? `→ ${name}` : name), el("td", { class: "mono" }, value ?? "–"), el("td", {}, names(left)), el("td", {}, names(right)));
      }))));
  }

  function renderFacts() {
    if (!answer) { fill(facts, el("p", { class: "muted" }, "–")); return; }
    const also = ALSO_CALLED.get(answer.text);
    const side = (/** @type {any} */ form) => (form ? el("code", {}, form.text) : el("span", { class: "muted" }, answer.budget ? "unknown" : "not found"));
    fill(facts,
      el("p", { class: "loopy-value" }, el("code", {}, answer.text ?? "unknown"), also && el("span", { class: "muted" }, ` also called ${also}`)),
      el("p", {}, `${outcomeWords(answer.outcome)[0].toUpperCase()}${outcomeWords(answer.outcome).slice(1)}.`),
      el("dl", { class: "sets loopy-list" },
        el("dt", {}, "Left starts"), el("dd", { class: "left-first" }, winnerSign(answer.outcome.left_first)),
        el("dt", {}, "Right starts"), el("dd", { class: "right-first" }, winnerSign(answer.outcome.right_first)),
        el("dt", {}, "Onside"), el("dd", { class: "onside", title: "the value if endless play is a win for Left" }, side(answer.sides.onside)),
        el("dt", {}, "Offside"), el("dd", { class: "offside", title: "the value if endless play is a win for Right" }, side(answer.sides.offside)),
        el("dt", {}, "Stopper"), el("dd", { class: "stopper" }, answer.stopper === null ? "unknown" : answer.stopper ? "yes: no cycle alternates between the players" : "no: the given graph has an alternating cycle"),
        el("dt", {}, "Canonical form"), el("dd", { class: "canonical" }, canonicalWords())));
  }

  /** Describes the canonical form. Only if both sides are known can there be none. */
  function canonicalWords() {
    if (answer.canonical) return count(answer.canonical.nodes.length, "vertex", "vertices");
    if (answer.sides.onside && answer.sides.offside) return "none: the game does not equal a stopper";
    return answer.budget ? "not found within the limit" : "not found";
  }

  /** @param {(picture: SVGElement) => void} act */
  function withPicture(act) {
    const picture = /** @type {SVGElement|null} */ (stage.querySelector("svg"));
    if (picture) act(picture);
  }

  async function saveDot() {
    const form = current();
    if (!form) return;
    try {
      download("loopy.dot", await askText("loopy", { game: form.graph, output: "dot", as_given: true }), "text/vnd.graphviz");
    } catch (error) {
      showError(notice, sentence(/** @type {Error} */ (error).message));
    }
  }

  solve();
  return {
    update(parameters) {
      state = read(parameters);
      solve();
    },
    unmount() {
      clearTimeout(resting);
      round.abort();
      root.classList.remove("waiting");
    },
  };
}
