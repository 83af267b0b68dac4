// Loopy values: a partizan expression, its graph, sides and outcome; two of them compared.
import { ApiError, ask, askText } from "../api.js";
import { addressCopier, announce, button, download, el, fill } from "../dom.js";
import { comparison } from "../loopy/compare.js";
import { savePng, saveSvg } from "../loopy/export.js";
import { ALSO_CALLED, EXAMPLES, NAMED, SIGNS, UNICYCLES, unicycleText } from "../loopy/games.js";
import { MOST_DRAWN, drawn, light, listed, options, vertexWords } from "../loopy/graph.js";
import { sentence } from "../play/choice.js";
import { outcomeWords, winnerSign } from "../loopy/words.js";

/**
 * @typedef {"canonical"|"onside"|"offside"|"given"} Which
 * @typedef {{g: string, h: string, which: Which|null}} State
 * @typedef {import("../loopy/graph.js").Form} Form
 */

/** How long a text must rest before it is asked about. */
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
function written({ g, h, which }) {
  const parameters = new URLSearchParams({ g });
  if (h.trim()) parameters.set("h", h);
  if (which) parameters.set("graph", which);
  return parameters;
}

/** What is asked about: an expression, or the text of a graph as the program writes it. @param {string} text */
export function gameOf(text) {
  if (/^\s*\{\s*"/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // The program says what is wrong with it.
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
  let told = null;
  /** @type {string|null} */
  let chosen = null;
  let round = new AbortController();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let resting;

  const field = (/** @type {"g"|"h"} */ key, /** @type {string} */ label, /** @type {string} */ hint) => {
    const input = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: `loopy-${key}`, spellcheck: "false", autocomplete: "off", autocapitalize: "off", placeholder: hint, "aria-describedby": `loopy-${key}-error`,
      onfocus: () => { last = input; },
      oninput: () => { state[key] = input.value; if (key === "g") state.which = null; clearTimeout(resting); resting = setTimeout(() => { change(written(state), { push: false }); solve(); }, REST); } }));
    const error = el("div", { id: `loopy-${key}-error` });
    return { input, error, row: el("div", {}, el("label", { for: `loopy-${key}` }, label), input, error) };
  };
  const first = field("g", "Game", "{0|pass}, over + *, a{1||a|0} …");
  const second = field("h", "Compared with", "another game, or nothing");
  /** Where signs are put. @type {HTMLInputElement} */
  let last = first.input;

  const facts = el("div", { class: "loopy-facts" });
  const tabs = el("div", { class: "row", role: "group", "aria-label": "Which graph" });
  const stage = el("div", { class: "loopy-stage" });
  const readout = el("div", { class: "loopy-readout" });
  const vertices = el("div", {});
  const compareBox = el("div", {});
  const notice = el("div", {});
  const exports = [
    button("SVG", () => withPicture((picture) => saveSvg(picture, "loopy"))),
    button("PNG", () => withPicture((picture) => { savePng(picture, "loopy").catch((error) => announce(error.message)); })),
    button("Graph (JSON)", () => { const form = current(); if (form) download("loopy.json", `${JSON.stringify(form.graph)}\n`, "application/json"); }),
    button("DOT", saveDot),
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
            el("div", { class: "row signs", role: "group", "aria-label": "Signs to put into the text" }, SIGNS.map((sign) => button(sign, () => put(sign), { class: "sign", "aria-label": `put in ${sign}` }))),
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
          el("p", { class: "muted" }, "Canonical forms with a single cycle. The letters are the players who go on around it."),
          el("div", { class: "row" }, UNICYCLES.map((unicycle) => button(unicycle.pattern, () => show(unicycleText(unicycle), ""), { class: "chip", title: `exits ${unicycle.exits.join(", ")}` })))))));

  function legend() {
    return el("p", { class: "loopy-legend" },
      el("span", { class: "key-left" }, "━━▶ Left’s moves, from the left side"), " ", el("span", { class: "key-right" }, "╍╍❯ Right’s moves, from the right side"));
  }

  /** @param {string} sign */
  function put(sign) {
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
    change(written(state));
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
      told = await ask("loopy", { game: gameOf(state.g), vertices: true }, { signal });
      chosen = null;
      fill(notice, told.budget && el("p", { class: "notice" }, `Not everything is known: ${told.budget}.`));
      render();
      announce(told.text === null ? "Its value is not known." : `Its value is ${told.text}: ${outcomeWords(told.outcome)}.`);
    } catch (error) {
      if (signal.aborted) return;
      told = null;
      render();
      failed(first, state.g, error);
    }
    await comparing;
    if (!signal.aborted) root.classList.remove("waiting");
  }

  /** @param {AbortSignal} signal */
  async function compared(signal) {
    if (!state.h.trim()) {
      fill(compareBox, el("p", { class: "muted" }, "Give a second game to compare with."));
      return;
    }
    try {
      const made = await comparison(state.g, state.h, gameOf, (text) => show(text, ""), signal);
      if (!signal.aborted) fill(compareBox, made);
    } catch (error) {
      if (signal.aborted) return;
      fill(compareBox, el("p", { class: "muted" }, "They cannot be compared yet."));
      // What is wrong with the first game is told there.
      const own = await ask("loopy", { game: gameOf(state.h) }, { signal }).then(() => null, (failure) => failure);
      if (own && !signal.aborted) failed(second, state.h, own);
      else if (!signal.aborted && told) fill(compareBox, el("p", { class: "notice error" }, sentence(/** @type {Error} */ (error).message)));
    }
  }

  /**
   * What is wrong, with its place in the text.
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

  /** The graphs that there are. @returns {{which: Which, title: string, form: Form}[]} */
  function forms() {
    if (!told) return [];
    const { onside, offside } = told.sides;
    const given = told.given ? [{ which: /** @type {Which} */ ("given"), title: "as given", form: told.given }] : [];
    if (told.canonical) return [{ which: "canonical", title: "canonical form", form: onside }, ...given];
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
    fill(tabs, all.length > 1 && all.map(({ which, title, form: other }) => button(title, () => { state.which = which; chosen = null; change(written(state)); render(); }, { "aria-pressed": other === form ? "true" : "false", class: "tab" })));
    for (const one of exports.slice(0, 4)) one.disabled = !form;
    if (!form) {
      fill(stage, el("p", { class: "muted" }, told ? "There is no graph to draw." : "–"));
      fill(readout);
      fill(vertices);
      return;
    }
    const { nodes, left, right } = form.graph;
    const size = `${count(nodes.length, "vertex", "vertices")}, ${count(left.length, "Left edge", "Left edges")}, ${count(right.length, "Right edge", "Right edges")}`;
    if (nodes.length > MOST_DRAWN) {
      exports[0].disabled = exports[1].disabled = true;
      fill(stage, el("p", { class: "notice" }, `The graph has ${size}, too many to be read as a picture. The JSON has them all.`));
      fill(readout);
      fill(vertices, el("p", { class: "muted" }, "It is in the JSON."));
      return;
    }
    const picture = drawn(form, { label: `A graph with ${size}`, show: (name) => tell(form, name ?? chosen), choose: (name) => { chosen = name; tell(form, name); announce(vertexWords(form, name)); } });
    fill(stage, el("div", { class: "loopy-scroll" }, picture), el("p", { class: "muted size" }, size));
    tell(form, chosen);
    fill(vertices, vertexTable(form));
  }

  /** @param {Form} form @param {string|null} name */
  function tell(form, name) {
    const picture = stage.querySelector("svg");
    if (picture) light(picture, name);
    if (name === null) {
      fill(readout, el("p", { class: "muted" }, "Point at a vertex, or go to it by the Tab key, to see what it equals and its options."));
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
    if (!told) { fill(facts, el("p", { class: "muted" }, "–")); return; }
    const also = ALSO_CALLED.get(told.text);
    const side = (/** @type {any} */ form) => (form ? el("code", {}, form.text) : el("span", { class: "muted" }, told.budget ? "not known" : "none was found"));
    fill(facts,
      el("p", { class: "loopy-value" }, el("code", {}, told.text ?? "not known"), also && el("span", { class: "muted" }, ` also called ${also}`)),
      el("p", {}, `${outcomeWords(told.outcome)[0].toUpperCase()}${outcomeWords(told.outcome).slice(1)}.`),
      el("dl", { class: "sets loopy-list" },
        el("dt", {}, "Left starts"), el("dd", { class: "left-first" }, winnerSign(told.outcome.left_first)),
        el("dt", {}, "Right starts"), el("dd", { class: "right-first" }, winnerSign(told.outcome.right_first)),
        el("dt", {}, "Onside"), el("dd", { class: "onside", title: "what it is worth if endless play is won by Left" }, side(told.sides.onside)),
        el("dt", {}, "Offside"), el("dd", { class: "offside", title: "what it is worth if endless play is won by Right" }, side(told.sides.offside)),
        el("dt", {}, "Stopper"), el("dd", { class: "stopper" }, told.stopper === null ? "not known" : told.stopper ? "yes: no cycle alternates between the players" : "no: the graph as given has an alternating cycle"),
        el("dt", {}, "Canonical form"), el("dd", { class: "canonical" }, told.canonical ? count(told.canonical.nodes.length, "vertex", "vertices") : "none: it equals no stopper")));
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
      fill(notice, el("p", { class: "notice error", role: "alert" }, sentence(/** @type {Error} */ (error).message)));
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
