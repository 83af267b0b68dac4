// The view Calculate: questions that have no board. A form for each, and the answer as a table.
import { ApiError, ask } from "../api.js";
import { addressCopier, announce, button, download, el, fill, showError } from "../dom.js";
import { sentence } from "../play/choice.js";
import { report } from "../calculate/report.js";
import { TABS } from "../calculate/tabs.js";

/** @typedef {{tab: import("../calculate/tabs.js").Tab, values: Record<string, string>}} State */

/** @param {URLSearchParams} parameters @returns {State} */
function read(parameters) {
  const tab = TABS.find(({ id }) => id === parameters.get("what")) ?? TABS[0];
  return { tab, values: Object.fromEntries(tab.fields.map(({ name, value }) => [name, parameters.get(name) ?? value])) };
}

/** @type {import("../app.js").Mount} */
export function mount(root, parameters, change) {
  let { tab, values } = read(parameters);
  let round = new AbortController();
  /** @type {any} */
  let answer = null;
  const tabs = el("div", { class: "row", role: "group", "aria-label": "What to calculate" });
  const title = el("h2", { id: "calculate-title" });
  const about = el("p", {});
  const form = el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); take(); go(); } });
  const examples = el("p", { class: "row" });
  const notice = el("div", {});
  const result = el("section", { class: "panel", "aria-label": "The answer" });
  fill(root,
    el("h1", { class: "visually-hidden" }, "Calculate"),
    el("section", { class: "panel", "aria-labelledby": "calculate-title" }, tabs, title, about, form, examples, notice),
    result);

  /** @param {import("../calculate/tabs.js").Field} field */
  function control({ name, label, kind, choices }) {
    const id = `calculate-${name}`;
    if (kind === "check") return el("label", {}, el("input", { type: "checkbox", id, name, checked: values[name] === "1" }), label);
    const input = kind === "area" ? el("textarea", { id, name, rows: 6, spellcheck: "false", autocapitalize: "off" })
      : kind === "choice" ? el("select", { id, name }, (choices ?? []).map((choice) => el("option", {}, choice)))
      : el("input", { type: "text", id, name, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    /** @type {HTMLInputElement} */ (input).value = values[name];
    return el("div", {}, el("label", { for: id }, label), input);
  }

  /** Reads the form. */
  function take() {
    for (const { name, kind } of tab.fields) {
      const input = /** @type {HTMLInputElement} */ (form.querySelector(`[name="${name}"]`));
      values[name] = kind === "check" ? (input.checked ? "1" : "") : input.value;
    }
  }

  function render() {
    fill(tabs, TABS.map((other) => button(other.title, () => { ({ tab, values } = read(new URLSearchParams({ what: other.id }))); render(); go(); }, { "aria-pressed": other === tab ? "true" : "false", class: "tab" })));
    title.textContent = tab.title;
    about.textContent = tab.about;
    fill(form, tab.fields.map(control), el("div", { class: "row" }, el("button", { class: "primary" }, "Calculate"), addressCopier(), button("JSON", () => { if (answer) download(`${tab.id}.json`, `${JSON.stringify(answer, null, 1)}\n`, "application/json"); })));
    fill(examples, "Examples: ", tab.examples.map(([name, example]) => button(name, () => { values = { ...Object.fromEntries(tab.fields.map(({ name, value }) => [name, value])), ...example }; render(); go(); }, { class: "link" })));
  }

  async function go() {
    round.abort();
    round = new AbortController();
    const { signal } = round;
    const { tab: asked } = { tab };
    change(new URLSearchParams({ what: tab.id, ...Object.fromEntries(tab.fields.filter(({ name, value }) => values[name] !== value).map(({ name }) => [name, values[name]])) }));
    fill(notice);
    root.classList.add("waiting");
    try {
      answer = await ask(tab.question, tab.request(values), { signal });
      if (signal.aborted) return;
      fill(result, el("h2", {}, "Answer"), answer.budget && el("p", { class: "notice" }, `The result is incomplete: ${answer.budget}.`), asked.words?.(answer), report(answer, asked.columns));
      announce("The answer is here.");
    } catch (error) {
      if (signal.aborted) return;
      answer = null;
      fill(result, el("h2", {}, "Answer"), el("p", { class: "muted" }, "–"));
      const place = error instanceof ApiError && error.column ? ` (${error.line && error.line > 1 ? `line ${error.line}, ` : ""}column ${error.column})` : "";
      showError(notice, `${sentence(/** @type {Error} */ (error).message)}${place}`);
    } finally {
      if (!signal.aborted) root.classList.remove("waiting");
    }
  }

  render();
  go();
  return {
    update(parameters) { ({ tab, values } = read(parameters)); render(); go(); },
    unmount() { round.abort(); root.classList.remove("waiting"); },
  };
}
