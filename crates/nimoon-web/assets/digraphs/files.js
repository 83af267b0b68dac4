// Reads digraphs in all formats of nimoon, and exports pictures and digraphs.
import { ApiError, askText } from "../api.js";
import { button, download, el, fill, showError } from "../dom.js";
import { sentence } from "../play/choice.js";
import { standalone } from "../svg.js";
import { EXAMPLES } from "./examples.js";

/** The formats: the name in requests, the name for users, and the file extensions. */
const FORMATS = [
  { id: "game", title: ".game", extensions: ["game"] },
  { id: "json", title: "JSON", extensions: ["json"] },
  { id: "dot", title: "DOT", extensions: ["dot", "gv"] },
  { id: "edges", title: "edge list", extensions: ["edges", "el", "txt", "edgelist"] },
  { id: "aut", title: "Aldebaran .aut", extensions: ["aut"] },
  { id: "pgsolver", title: "PGSolver", extensions: ["pg", "gm", "pgsolver"] },
];

/** Guesses the format of a text. @param {string} text */
export function guess(text) {
  const start = text.replace(/^\uFEFF/, "").replace(/^(\s*(#|\/\/).*\n)+/, "").trimStart();
  if (start.startsWith("{")) return "json";
  if (/^(strict\s+)?(di)?graph\b[^:]*\{/i.test(start) || start.startsWith("/*")) return "dot";
  if (/^des\s*\(/.test(start)) return "aut";
  if (/^(parity\s+\d+\s*;|start\s+\d+\s*;|\d+\s+\d+\s+[01]\s+[\d,\s]*("[^"]*")?\s*;)/.test(start)) return "pgsolver";
  return start.split("\n").some((line) => /^\s*[^\s#:]+\s*:/.test(line)) ? "game" : "edges";
}

/**
 * Creates the panel that opens examples, files and pasted text.
 * @param {{read: (text: string, format: string) => Promise<void>, example: (id: string) => void}} hooks
 */
export function reader(hooks) {
  const notice = el("div", {});
  const source = /** @type {HTMLTextAreaElement} */ (el("textarea", { id: "dg-source", rows: 7, spellcheck: "false", autocomplete: "off", placeholder: "z:\na: z\nc: c g\ng: z\ngray g" }));
  const format = /** @type {HTMLSelectElement} */ (el("select", { id: "dg-format" }, el("option", { value: "" }, "detected"), FORMATS.map(({ id, title }) => el("option", { value: id }, title))));
  const file = /** @type {HTMLInputElement} */ (el("input", { type: "file", class: "visually-hidden", onchange: async () => {
    const chosen = file.files?.[0];
    file.value = "";
    if (!chosen) return;
    const text = await chosen.text();
    const end = chosen.name.split(".").pop()?.toLowerCase() ?? "";
    const known = FORMATS.find(({ extensions }) => extensions.includes(end));
    format.value = known?.id ?? "";
    // A long text would slow down the page, so the text area shows only short ones.
    source.value = text.length < 50_000 ? text : "";
    await read(text);
  } }));
  const example = /** @type {HTMLSelectElement} */ (el("select", { id: "dg-example", onchange: () => { const { value } = example; example.value = ""; fill(notice); if (value) hooks.example(value); } },
    el("option", { value: "" }, "choose…"), EXAMPLES.map(({ id, title }) => el("option", { value: id }, title))));

  /** @param {string} text */
  async function read(text) {
    fill(notice);
    const kind = format.value || guess(text);
    try {
      await hooks.read(text, kind);
    } catch (error) {
      const place = error instanceof ApiError && error.line ? `Line ${error.line}${error.column ? `, column ${error.column}` : ""}: ` : "";
      const message = /** @type {Error} */ (error).message.replace(/^line \d+(, column \d+)?: /i, "");
      const title = FORMATS.find(({ id }) => id === kind)?.title;
      showError(notice, `${place}${sentence(message)} (read as ${title})`);
      if (error instanceof ApiError && error.line && source.value === text) selectError(error.line, error.column ?? 1);
    }
  }

  /** Selects the text at an error. @param {number} line @param {number} column */
  function selectError(line, column) {
    const lines = source.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0);
    const within = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    const rest = /^\S*/.exec((lines[line - 1] ?? "").slice(within))?.[0].length ?? 0;
    source.focus();
    source.setSelectionRange(start + within, start + within + Math.max(1, rest));
  }

  const element = el("section", { class: "panel", "aria-labelledby": "open-title" },
    el("h2", { id: "open-title" }, "Open"),
    el("div", { class: "row" }, el("label", {}, "Example ", example), el("label", { class: "file" }, "Open a file", file)),
    el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); read(source.value); } },
      el("label", { for: "dg-source" }, "Or paste a digraph"), source,
      el("div", { class: "row" }, el("button", { class: "primary" }, "Draw this"), el("label", {}, "read as ", format))),
    notice);
  return { element, clear: () => fill(notice) };
}

/**
 * Creates the panel that exports.
 * @param {{picture: () => {element: SVGSVGElement, bounds: {x: number, y: number, width: number, height: number}}, request: () => any, address: () => string|null}} hooks
 */
export function writer(hooks) {
  const notice = el("div", { "aria-live": "polite" });
  const fail = (/** @type {unknown} */ error) => showError(notice, sentence(/** @type {Error} */ (error).message));

  function drawing() {
    const { element, bounds } = hooks.picture();
    const view = element.getAttribute("viewBox") ?? "";
    element.setAttribute("viewBox", `${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`);
    element.classList.add("is-exported");
    try {
      const { width, height } = bounds;
      const text = standalone(element).replace(/^<svg/, `<svg width="${Math.round(width)}" height="${Math.round(height)}"`);
      return { text, width, height };
    } finally {
      element.classList.remove("is-exported");
      element.setAttribute("viewBox", view);
    }
  }

  async function png() {
    const { text, width, height } = drawing();
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const scale = Math.min(2, 8000 / Math.max(width, height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("this browser cannot create a PNG picture");
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--paper");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    download("digraph.png", blob, "image/png");
  }

  /** @param {string} output @param {string} name */
  async function exportText(output, name) {
    download(name, await askText("label", { ...hooks.request(), output, steps: true }), "text/plain");
  }

  const action = (/** @type {string} */ title, /** @type {() => unknown} */ act, /** @type {string} */ words) =>
    button(title, async () => { fill(notice); try { await act(); } catch (error) { fail(error); } }, { title: words });

  return el("section", { class: "panel", "aria-labelledby": "export-title" },
    el("h2", { id: "export-title" }, "Export"),
    el("div", { class: "row" },
      action("SVG", () => download("digraph.svg", drawing().text, "image/svg+xml"), "The picture as shown"),
      action("PNG", png, "The picture as shown"),
      action("DOT", () => exportText("dot", "digraph.dot"), "For Graphviz; nimoon reads it back"),
      action("TikZ", () => exportText("latex", "digraph.tex"), "For LaTeX, in the layout of nimoon"),
      action(".game", () => exportText("game", "digraph.game"), "A file that nimoon reads"),
      action("JSON", () => exportText("digraph", "digraph.json"), "A file that nimoon reads"),
      action("Copy address", async () => {
        if (hooks.address() === null) throw new Error("the digraph is too large for an address: export a file instead");
        await navigator.clipboard.writeText(location.href);
        fill(notice, el("p", { class: "muted" }, "✓ Copied."));
      }, "The address contains the whole digraph")),
    notice);
}
