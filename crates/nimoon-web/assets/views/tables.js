// The view Tables: the values of a family as a chart and as a colour map.
import { ApiError, askText } from "../api.js";
import { announce, button, download, el, fill, showError } from "../dom.js";
import { sentence } from "../play/choice.js";
import { chart } from "../tables/chart.js";
import { nimberColour } from "../tables/colours.js";
import { isPair, load, nameOf, periodOf, positionAt, valueAt } from "../tables/data.js";
import { FAMILIES, MAX_N, goodWidth, widest } from "../tables/families.js";
import { map } from "../tables/map.js";
import { pane } from "../tables/pane.js";
import { valueSign, valueText, valueWords } from "../value.js";

/**
 * @typedef {{pattern: string, from: number, to: number, n: number, width: number|null, seen: [number, number]|null}} State
 */

/** The largest number of rows in the table in words. */
const MAX_ROWS = 200;
/** The largest number of values of n in a list. */
const MAX_LISTED = 60;
/** The largest n with a link to the view Play. */
const MAX_PLAYABLE = 40;

/** Parses a whole number and clamps it; returns `otherwise` for any other text. @param {string|null} text @param {number} min @param {number} max @param {number|null} otherwise */
function parseWhole(text, min, max, otherwise) {
  const n = text === null || !/^\d{1,9}$/.test(text.trim()) ? null : Number(text);
  return n === null ? otherwise : Math.max(min, Math.min(max, n));
}

/** @param {URLSearchParams} parameters @returns {State} */
function read(parameters) {
  const pattern = parameters.get("p") ?? FAMILIES[0].pattern;
  const family = FAMILIES.find((family) => family.pattern === pattern);
  const seen = /^(\d+)-(\d+)$/.exec(parameters.get("x") ?? "");
  return {
    pattern,
    from: parseWhole(parameters.get("from"), 0, 1e9, 0) ?? 0,
    to: parseWhole(parameters.get("to"), 0, 1e9, null) ?? family?.to ?? 200,
    n: parseWhole(parameters.get("n"), 0, MAX_N, 0) ?? 0,
    width: parseWhole(parameters.get("w"), 1, 500, null),
    seen: seen ? [Number(seen[1]), Number(seen[2])] : null,
  };
}

/** @param {State} state */
function parametersOf({ pattern, from, to, n, width, seen }) {
  const parameters = new URLSearchParams({ p: pattern, to: String(to) });
  if (from > 0) parameters.set("from", String(from));
  if (n > 0) parameters.set("n", String(n));
  if (width !== null) parameters.set("w", String(width));
  if (seen) parameters.set("x", seen.join("-"));
  return parameters;
}

/** @param {number} n @param {string} noun */
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** @returns {import("../tables/data.js").Table} */
const emptyTable = () => ({ pattern: "", first: 0, count: 0, requested: 0, values: new Int32Array(0), special: new Map(), moons: [], largest: null, budget: null, across: null });

/** @type {import("../app.js").Mount} */
export function mount(root, parameters, change) {
  let state = read(parameters);
  let table = emptyTable();
  /** @type {import("../tables/data.js").Period|null} */
  let period = null;
  /** The result of the search for a period, in words. */
  let periodWords = "";
  let round = new AbortController();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let saving;

  const width = () => table.across ?? Math.min(state.width ?? goodWidth(table.count, period?.period ?? null), widest(table.count));
  const shown = () => ({ table, period, n: state.n, width: width() });
  const words = (/** @type {number} */ n) => (table.count === 0 ? "no values yet" : `${nameOf(table, n)}: ${valueWords(valueAt(table, n))}${period?.exceptions.has(n) ? ", exceptional" : ""}`);
  const listener = {
    choose,
    hover: (/** @type {number|null} */ n) => renderReadout(n),
    moved,
    now: () => ({ n: state.n, count: table.count, words: words(state.n) }),
  };
  const chartModel = chart(shown);
  const mapModel = map(shown);
  const chartPane = pane("Chart of the values; arrow keys choose n, plus and minus zoom", "chart-pane", chartModel, listener);
  const mapPane = pane("Colour map of the values; arrow keys choose n, plus and minus zoom", "map-pane", mapModel, listener);

  const notice = el("div", {});
  const facts = el("div", { class: "table-facts" });
  const readout = el("div", { class: "table-readout" });
  /** The same for a map of two numbers, which has no chart. */
  const readoutOfPair = el("div", { class: "table-readout only-pair" });
  const legendBox = el("div", { class: "table-legend" });
  const rowsBox = el("div", {});
  const rows = /** @type {HTMLDetailsElement} */ (el("details", { ontoggle: () => renderRows() }, el("summary", {}, "The visible values as a table"), rowsBox));
  const family = /** @type {HTMLSelectElement} */ (el("select", { id: "family", onchange: () => { const chosen = FAMILIES.find(({ pattern }) => pattern === family.value); if (chosen) begin(chosen.pattern, 0, chosen.to); } },
    el("option", { value: "" }, "other"), FAMILIES.map(({ name, pattern, what }) => el("option", { value: pattern, title: what }, name))));
  const pattern = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: "pattern", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": "table-notice" }));
  const from = /** @type {HTMLInputElement} */ (el("input", { type: "number", id: "from", min: 0, max: MAX_N, step: 1, inputmode: "numeric" }));
  const to = /** @type {HTMLInputElement} */ (el("input", { type: "number", id: "up-to", min: 0, max: MAX_N, step: 1, inputmode: "numeric" }));
  const jump = /** @type {HTMLInputElement} */ (el("input", { type: "number", id: "jump", min: 0, step: 1, inputmode: "numeric" }));
  const slider = /** @type {HTMLInputElement} */ (el("input", { type: "range", id: "map-width", min: 1, oninput: () => setWidth(Number(slider.value)) }));
  const widthText = /** @type {HTMLInputElement} */ (el("input", { type: "number", id: "map-width-number", min: 1, "aria-label": "Width of the colour map", inputmode: "numeric", onchange: () => setWidth(Number(widthText.value)) }));
  const snap = button("Snap to the period", () => snapToPeriod());
  const hint = el("p", { class: "muted family-hint" });
  notice.id = "table-notice";

  /** @param {typeof chartPane} which */
  const tools = (which) => el("div", { class: "row tools" },
    button("−", () => which.zoom(1 / 1.6), { "aria-label": "Zoom out" }), button("+", () => which.zoom(1.6), { "aria-label": "Zoom in" }), button("Fit", () => which.fit()));

  fill(root,
    el("h1", { class: "visually-hidden" }, "Tables"),
    el("section", { class: "panel", "aria-label": "Family of positions" },
      el("form", { class: "family", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); begin(pattern.value, parseWhole(from.value, 0, 1e9, 0) ?? 0, parseWhole(to.value, 0, 1e9, 200) ?? 200); } },
        el("div", {}, el("label", { for: "family" }, "Family"), family),
        el("div", { class: "wide" }, el("label", { for: "pattern" }, "Ruleset, or pattern with {} for n, or with {a} and {b}"), pattern),
        el("div", {}, el("label", { for: "from" }, "n from"), from),
        el("div", {}, el("label", { for: "up-to" }, "up to"), to),
        el("button", { class: "primary" }, "Show")),
      hint, notice),
    el("div", { class: "columns table-columns" },
      el("div", {},
        el("section", { class: "panel only-single", "aria-labelledby": "chart-title" },
          el("div", { class: "heading" }, el("h2", { id: "chart-title" }, "Chart"), tools(chartPane)),
          readout, chartPane.canvas,
          el("form", { class: "row", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); const n = parseWhole(jump.value, table.first, table.count - 1, null); if (n !== null && table.count) { choose(n); announce(words(n)); } } },
            el("label", { for: "jump" }, "Jump to n"), jump, el("button", {}, "Go"))),
        el("section", { class: "panel", "aria-labelledby": "map-title" },
          el("div", { class: "heading" }, el("h2", { id: "map-title" }, "Colour map"), tools(mapPane)),
          el("div", { class: "row only-single" }, el("label", { for: "map-width" }, "Width"), slider, widthText, snap),
          readoutOfPair, mapPane.canvas, legendBox)),
      el("div", {},
        el("section", { class: "panel", "aria-labelledby": "facts-title" }, el("h2", { id: "facts-title" }, "Summary"), facts),
        el("section", { class: "panel", "aria-labelledby": "export-title" },
          el("h2", { id: "export-title" }, "Export"),
          el("div", { class: "row" }, button("CSV", saveCsv), button("LaTeX", saveLatex), button("Chart as SVG", () => saveSvg(chartPane, "chart")), button("Chart as PNG", () => savePng(chartPane, "chart")), button("Map as SVG", () => saveSvg(mapPane, "map")), button("Map as PNG", () => savePng(mapPane, "map"))),
          el("p", { class: "muted" }, "Pictures show the visible part. The CSV file has all values, LaTeX the visible ones.")),
        el("section", { class: "panel", "aria-label": "The values in words" }, rows))));

  /** @param {string} name @param {number} first @param {number} last */
  function begin(name, first, last) {
    state = { pattern: name.trim(), from: first, to: last, n: 0, width: null, seen: null };
    change(parametersOf(state));
    solve();
  }

  async function solve() {
    round.abort();
    round = new AbortController();
    const { signal } = round;
    renderControls();
    root.classList.add("waiting");
    fill(notice, el("p", { class: "muted" }, "Computing the values …"));
    try {
      const searching = periodOf(state.pattern, signal);
      // An error of the search is reported below, after the values.
      searching.catch(() => {});
      table = await load(state.pattern, state.from, state.to, signal);
      period = null;
      periodWords = "";
      state.n = Math.max(table.first, Math.min(state.n, Math.max(0, table.count - 1)));
      if (!new URLSearchParams(location.hash.split("?")[1]).has("n") && table.moons.length) state.n = table.moons[table.moons.length - 1];
      fill(notice, table.count < table.requested && el("p", { class: "notice" }, `${table.count ? `The table ends at n = ${table.count - 1}` : "No value is known"}: ${table.budget ?? "a limit was reached"}.`));
      show();
      const found = await searching;
      if (signal.aborted) return;
      period = found?.period ?? null;
      periodWords = found && !found.period ? `The search found no period in the heaps up to ${found.checkedTo}.` : "";
      show();
      announce(`${counted(table.count - table.first, "value")}. ${summary()}`);
    } catch (error) {
      if (signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      const column = error instanceof ApiError && error.column ? ` (column ${error.column})` : "";
      // Do not show values of another family.
      table = emptyTable();
      period = null;
      periodWords = "";
      show();
      showError(notice, `${sentence(message)}${column}`);
      announce(message);
    } finally {
      if (!signal.aborted) root.classList.remove("waiting");
    }
  }

  /** Draws everything again. */
  function show() {
    root.classList.toggle("with-pairs", table.across !== null);
    mapModel.sized(mapPane.canvas.clientWidth);
    if (state.seen) chartModel.setRange(...state.seen);
    else chartModel.fit();
    mapModel.fit();
    mapModel.reveal(state.n);
    renderControls();
    renderFacts();
    renderLegend();
    renderReadout(null);
    renderRows();
    chartPane.draw();
    mapPane.draw();
  }

  function save() {
    clearTimeout(saving);
    saving = setTimeout(() => change(parametersOf(state), { push: false }), 250);
  }

  /** Saves the visible range after it changed. */
  function moved() {
    if (table.count === 0) return;
    const [first, last] = chartModel.range();
    state.seen = first === table.first && last === table.count - 1 ? null : [first, last];
    save();
    renderRows();
  }

  /** @param {number} n */
  function choose(n) {
    if (table.count === 0) return;
    state.n = n;
    chartModel.reveal(n);
    mapModel.reveal(n);
    moved();
    renderReadout(null);
    chartPane.draw();
    mapPane.draw();
  }

  /** @param {number} wide */
  function setWidth(wide) {
    if (!Number.isFinite(wide) || wide < 1) { renderControls(); return; }
    state.width = Math.max(1, Math.min(widest(table.count), Math.round(wide)));
    mapModel.fit();
    mapModel.reveal(state.n);
    save();
    renderControls();
    mapPane.draw();
  }

  /** Sets the width to the nearest multiple of the period. */
  function snapToPeriod() {
    if (!period) return;
    const max = Math.max(1, Math.floor(widest(table.count) / period.period));
    setWidth(period.period * Math.max(1, Math.min(max, Math.round(width() / period.period))));
    announce(`The map is ${counted(width(), "cell")} wide.`);
  }

  function renderControls() {
    family.value = FAMILIES.some((other) => other.pattern === state.pattern) ? state.pattern : "";
    hint.textContent = FAMILIES.find((other) => other.pattern === state.pattern)?.what ?? "";
    pattern.value = state.pattern;
    from.value = String(state.from);
    to.value = String(state.to);
    slider.max = widthText.max = String(widest(table.count));
    slider.value = widthText.value = String(width());
    snap.hidden = !period || period.period > widest(table.count);
    jump.max = String(Math.max(0, table.count - 1));
  }

  function summary() {
    if (!period) return periodWords;
    const { period: length, preperiod, saltus, proved, exceptions } = period;
    const grows = saltus ? `, with values growing by ${saltus} in each period` : "";
    return `Period ${length} from ${preperiod} on${grows}; ${proved ? "proved for all n" : "observed, not proved"}; ${counted(exceptions.size, "exceptional value")}.`;
  }

  /** Lists values of n as buttons. A long list shows its end, where the rarest values are. @param {number[]} list */
  const listed = (list) => [
    list.length > MAX_LISTED && el("span", { class: "muted" }, `the last ${MAX_LISTED} of ${list.length}: `),
    list.slice(-MAX_LISTED).map((n) => [button(String(n), () => choose(n), { class: "chip small", "aria-label": `n ${n}` }), " "]).flat(),
  ].flat();

  function renderFacts() {
    const { first, count, moons, special, largest } = table;
    if (count === 0) { fill(facts, el("p", { class: "muted" }, "–")); return; }
    const exceptions = period ? [...period.exceptions].filter((n) => n < count) : [];
    fill(facts,
      el("dl", { class: "sets" },
        el("dt", {}, "Values"), el("dd", {}, String(count - first)),
        el("dt", {}, "Largest nimber"), el("dd", { class: "largest" }, largest ? [`${largest.nimber} `, button(`at ${largest.at}`, () => choose(largest.at), { class: "link" })] : "none: no value is a nimber"),
        special.size > 0 && [el("dt", {}, "Moons"), el("dd", { class: "moon-count" }, String(moons.length))],
        special.size > moons.length && [el("dt", {}, "Cyclic and other values"), el("dd", {}, String(special.size - moons.length))]),
      el("p", { class: "period" }, summary()),
      period && exceptions.length > 0 && [el("h3", {}, "Exceptional values ", el("span", { class: "key-exception", "aria-hidden": "true" }, "□")), el("p", { class: "places exceptions" }, listed(exceptions))],
      moons.length > 0 && [el("h3", {}, "Moons ", el("span", { "aria-hidden": "true" }, "☾")), el("p", { class: "places moons" }, listed(moons))]);
  }

  function renderLegend() {
    const { count, largest, moons } = table;
    if (count === 0) { fill(legendBox); return; }
    const most = largest?.nimber ?? 0;
    const steps = largest ? [...new Set([0, 0.04, 0.16, 0.36, 0.64, 1].map((part) => Math.round(part * most)))] : [];
    fill(legendBox,
      steps.map((value) => {
        const swatch = el("span", { class: "swatch" });
        swatch.style.backgroundColor = nimberColour(value, most).colour;
        return el("span", { class: "key" }, swatch, String(value));
      }),
      moons.length > 0 && el("span", { class: "key" }, el("span", { class: "swatch swatch-moon" }), "☾ moon"),
      period && period.exceptions.size > 0 && el("span", { class: "key" }, el("span", { class: "swatch swatch-exception" }), "exceptional"),
      period && period.preperiod > 0 && el("span", { class: "key" }, el("span", { class: "swatch swatch-border" }), `period from ${period.preperiod}`));
  }

  /** @param {number|null} hovered */
  function renderReadout(hovered) {
    const box = table.across === null ? readout : readoutOfPair;
    if (table.count === 0) { fill(box); return; }
    const n = hovered ?? state.n;
    const exceptional = period?.exceptions.has(n);
    const place = period && n >= period.preperiod ? `index ${(n - period.preperiod) % period.period} in the period` : "";
    fill(box, table.across === null ? el("span", {}, "n = ", el("strong", { class: "n" }, String(n))) : el("strong", { class: "n" }, nameOf(table, n)), valueSign(valueAt(table, n)),
      el("span", { class: "muted" }, exceptional ? "exceptional" : place),
      hovered === null && (n <= MAX_PLAYABLE || table.across !== null) && el("a", { href: `#/play?${new URLSearchParams({ p: positionAt(table, n) })}` }, "Play this position"));
  }

  function renderRows() {
    if (table.count === 0) fill(rowsBox);
    if (!rows.open || table.count === 0) return;
    const [first, last] = chartModel.range();
    const shownTo = Math.min(last, first + MAX_ROWS - 1);
    fill(rowsBox,
      el("p", { class: "muted" }, shownTo < last ? `The first ${MAX_ROWS} rows of n = ${first} to ${last}. Zoom in to see others.` : `n = ${first} to ${last}.`),
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Visible values" }, el("table", {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "n"), el("th", { scope: "col" }, "Value"), el("th", { scope: "col" }, ""))),
        el("tbody", {}, Array.from({ length: Math.max(0, shownTo - first + 1) }, (_, i) => first + i).map((n) => el("tr", {}, el("th", { scope: "row" }, String(n)), el("td", {}, valueText(valueAt(table, n))), el("td", {}, period?.exceptions.has(n) ? "exceptional" : n === period?.preperiod ? "the period begins" : table.special.has(n) ? valueWords(valueAt(table, n)) : "")))))));
  }

  const fileName = () => table.pattern.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "table";

  /** Saves the visible rows as a table for a paper. */
  async function saveLatex() {
    if (table.count === 0) return;
    if (isPair(table.pattern)) { showError(notice, "A map of two numbers has no such table: save the map, or the CSV file."); return; }
    const [first, last] = chartModel.range();
    try {
      download(`${fileName()}.tex`, await askText("table", { pattern: table.pattern, range: `${first}..${Math.min(last, first + MAX_ROWS - 1)}`, output: "latex" }), "text/x-tex");
    } catch (error) {
      showError(notice, sentence(/** @type {Error} */ (error).message));
    }
  }

  async function saveCsv() {
    if (table.count === 0) return;
    const { across } = table;
    if (across !== null) {
      const rows = Array.from({ length: table.count }, (_, n) => `${Math.floor(n / across)},${n % across},${valueText(valueAt(table, n))}`);
      download(`${fileName()}.csv`, `a,b,value\n${rows.join("\n")}\n`, "text/csv");
      return;
    }
    try {
      download(`${fileName()}.csv`, await askText("table", { pattern: table.pattern, range: `${table.first}..${table.count - 1}`, output: "csv" }), "text/csv");
    } catch (error) {
      showError(notice, sentence(/** @type {Error} */ (error).message));
    }
  }

  /** @param {typeof chartPane} which @param {string} kind */
  function saveSvg(which, kind) {
    download(`${fileName()}-${kind}.svg`, which.svg(`${table.pattern}, ${kind}`), "image/svg+xml");
  }

  /** @param {typeof chartPane} which @param {string} kind */
  async function savePng(which, kind) {
    const blob = await which.png();
    if (blob) download(`${fileName()}-${kind}.png`, blob, "image/png");
  }

  const theme = new MutationObserver(() => { chartPane.draw(); mapPane.draw(); });
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });

  solve();
  return {
    update(parameters) {
      const next = read(parameters);
      const same = next.pattern === state.pattern && next.from === state.from && next.to === state.to;
      state = next;
      if (same && table.count) show();
      else solve();
    },
    unmount() {
      clearTimeout(saving);
      round.abort();
      theme.disconnect();
      chartPane.close();
      mapPane.close();
      root.classList.remove("waiting", "with-pairs");
    },
  };
}
