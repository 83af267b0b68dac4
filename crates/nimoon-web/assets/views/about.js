// What this is, and what can be asked: read from the description that the program itself gives.
import { ask } from "../api.js";
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
      el("p", {}, "Exact values of impartial games where classical theory stops: games with cycles, with carry-on moves (move again) and with entailing moves (answer here). The page is served by the program on your own machine; nothing leaves it."),
      el("p", {}, "Values: a nimber n is equal to the nim-heap of n; ☾ a moon wins beside every nim-heap; ○ a full moon has a checkmate; ∞* a ninny and ∞ a cyclic value stand for zones in which play can go round for ever. N means that the next player wins, P the previous one, D that nobody can force a win.")),
    el("section", { class: "panel" },
      el("h2", {}, "Rulesets"),
      el("p", {}, "Positions are written as ruleset, colon, position, and sums with a plus sign between them."),
      rulesets),
    el("section", { class: "panel" },
      el("h2", {}, "JSON API"),
      el("p", {}, "Everything on this page is asked of the program by these paths, and the answers are those of the command line with --format json. ",
        el("a", { href: "/api/openapi.json" }, "OpenAPI document"), "."),
      list),
  );
  ask("rulesets").then((all) => fill(rulesets, all.map(rules)), failed(rulesets));
  ask("openapi.json").then((document) => fill(list, Object.entries(document.paths).map(described(document))), failed(list));
}

/** Games in which the players have moves of their own. They are played in the terminal. */
const PARTIZAN = ["backsliding", "fox-geese"];

/** A ruleset. @param {{name: string, rules: string, notation: string, example: string, source: string, parameters: string|null}} ruleset */
const rules = ({ name, rules, notation, example, source, parameters }) => el("details", {},
  el("summary", {}, el("code", {}, name)),
  el("p", {}, rules),
  el("p", {}, "Written ", el("code", { class: "written" }, notation)),
  el("p", { class: "muted" }, source),
  el("p", {}, PARTIZAN.includes(name) || parameters?.startsWith("the name of a file")
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
        el("td", {}, el("code", {}, name), schema.required?.includes(name) ? " (needed)" : ""),
        el("td", {}, resolved(document, field).description ?? ""))))),
    body?.example && el("pre", { tabindex: "0" }, `curl -H 'content-type: application/json' ${location.origin}${path} -d '${JSON.stringify(body.example)}'`));
};

/** @param {any} document @param {any} schema */
function resolved(document, schema) {
  const name = schema?.$ref?.split("/").pop();
  return name ? { ...document.components.schemas[name], ...schema } : schema ?? {};
}
