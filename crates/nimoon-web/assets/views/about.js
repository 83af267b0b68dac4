// About nimoon: its rulesets and its JSON API, both read from the program itself.
import { ENGINE, ask } from "../api.js";
import { el, fill } from "../dom.js";
import { sentence } from "../play/choice.js";

/** @type {import("../app.js").Mount} */
export function mount(root) {
  const list = el("div", {}, el("p", {}, "…"));
  const rulesets = el("div", { class: "rulesets" }, el("p", {}, "…"));
  const failed = (/** @type {HTMLElement} */ box) => (/** @type {Error} */ error) => fill(box, el("p", { class: "notice error" }, sentence(error.message)));
  fill(
    root,
    el("section", { class: "panel" },
      el("h1", {}, "nimoon"),
      el("p", {}, "nimoon computes exact values of impartial games that classical theory does not cover: games with cycles, with carry-on moves (the mover moves again) and with entailing moves (the opponent must answer in the same component). ", ENGINE === "page" ? "Your browser computes every answer with the engine that this page carries, and no data leaves the machine. For questions that are too large for a page, use the program nimoon." : "The program on your own machine serves this page, and no data leaves the machine."),
      el("p", {}, "Values: a nimber n equals the nim-heap of size n. A moon ☾ wins beside every nim-heap. A full moon ○ has a checkmate. A ninny ∞* and a cyclic value ∞ are values of zones in which play can go on forever. Outcomes: N means that the next player wins, P that the previous player wins, and D that neither player can force a win.")),
    el("section", { class: "panel" },
      el("h2", {}, "Rulesets"),
      el("p", {}, "Write a position as ruleset, colon, position. Write a sum with plus signs between its components."),
      rulesets),
    el("section", { class: "panel" },
      el("h2", {}, "JSON API"),
      ENGINE === "page" ? el("p", {}, "The program ", el("code", {}, "nimoon serve"), " answers the same questions as JSON over HTTP, and describes them on this page.") : el("p", {}, "This page uses the requests below. The answers equal those of the command line with --format json. See the ",
        el("a", { href: "./api/openapi.json" }, "OpenAPI document"), "."),
      list),
  );
  ask("rulesets").then((all) => fill(rulesets, all.map(rules)), failed(rulesets));
  if (ENGINE === "page") fill(list);
  else ask("openapi.json").then((document) => fill(list, Object.entries(document.paths).map(described(document))), failed(list));
}

/** Describes a ruleset. @param {{name: string, rules: string, notation: string, example: string, source: string, parameters: string|null}} ruleset */
const rules = ({ name, rules, notation, example, source, parameters }) => el("details", {},
  el("summary", {}, el("code", {}, name)),
  el("p", {}, rules),
  el("p", {}, "Notation: ", el("code", { class: "written" }, notation)),
  el("p", { class: "muted" }, source),
  el("p", {}, parameters?.startsWith("the name of a file")
    ? ["In the terminal: ", el("code", {}, `nimoon play '${example}'`)]
    : el("a", { href: `#/play?${new URLSearchParams({ p: example })}` }, `Play ${example}`)));

/** @param {any} document */
const described = (document) => (/** @type {[string, any]} */ [path, methods]) => {
  const [method, operation] = /** @type {[string, any]} */ (Object.entries(methods)[0]);
  const body = operation.requestBody?.content?.["application/json"];
  const schema = body && resolved(document, body.schema);
  const fields = Object.entries(schema?.properties ?? {});
  return el("details", {},
    el("summary", {}, el("code", {}, `${method.toUpperCase()} ${path}`), ` – ${operation.summary}`),
    operation.description && el("p", {}, operation.description),
    fields.length > 0 && el("table", {},
      el("thead", {}, el("tr", {}, el("th", {}, "field"), el("th", {}, "meaning"))),
      el("tbody", {}, fields.map(([name, field]) => el("tr", {},
        el("td", {}, el("code", {}, name), schema.required?.includes(name) ? " (required)" : ""),
        el("td", {}, resolved(document, field).description ?? ""))))),
    body?.example && el("pre", { tabindex: "0" }, `curl -H 'content-type: application/json' ${new URL(`.${path}`, location.href.split("#")[0])} -d '${JSON.stringify(body.example)}'`));
};

/** @param {any} document @param {any} schema */
function resolved(document, schema) {
  const name = schema?.$ref?.split("/").pop();
  return name ? { ...document.components.schemas[name], ...schema } : schema ?? {};
}
