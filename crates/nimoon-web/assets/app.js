// The page: navigation between views, each a module of its own, and the theme.
//
// A view is a module with `mount(root, parameters, change)`. `parameters` are those after the `?` of the address.
// `change` replaces them without mounting the view again. `mount` returns `update(parameters)`, which is called when
// the user or the browser's buttons change the address, and `unmount()`.
import { ENGINE, PROGRAM } from "./api.js";
import { button, el, fill } from "./dom.js";
import { recall, store } from "./kept.js";

/**
 * @typedef {{update?: (parameters: URLSearchParams) => void, unmount?: () => void}} Mounted
 * @typedef {(root: HTMLElement, parameters: URLSearchParams,
 *   change: (parameters: URLSearchParams, options?: {push?: boolean}) => void) => Mounted|void} Mount
 * @type {{id: string, title: string, load: () => Promise<{mount: Mount}>}[]}
 */
const VIEWS = [
  { id: "learn", title: "Learn", load: () => import("./views/learn.js") },
  { id: "play", title: "Play", load: () => import("./views/play.js") },
  { id: "puzzle", title: "Puzzle", load: () => import("./views/puzzle.js") },
  { id: "digraphs", title: "Explore", load: () => import("./views/digraphs.js") },
  { id: "tables", title: "Tables", load: () => import("./views/tables.js") },
  { id: "loopy", title: "Values", load: () => import("./views/loopy.js") },
  { id: "calculate", title: "Calculate", load: () => import("./views/calculate.js") },
  { id: "about", title: "About", load: () => import("./views/about.js") },
];
const HOME = { id: "", title: "Games where play may never end", load: () => import("./views/home.js") };

const root = /** @type {HTMLElement} */ (document.getElementById("view"));
/** @type {{id: string, mounted: Mounted}|null} */
let shown = null;

/** The view and the parameters in the address. */
function readAddress() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return { id: path, parameters: new URLSearchParams(query) };
}

/** @param {string} id @param {URLSearchParams} parameters */
const hash = (id, parameters) => {
  const query = parameters.toString();
  return `#/${id}${query ? `?${query}` : ""}`;
};

async function show() {
  const { id, parameters } = readAddress();
  const view = VIEWS.find((view) => view.id === id) ?? HOME;
  // A user who comes back from another view finds this one unchanged.
  links.get(view.id)?.setAttribute("href", hash(view.id, parameters));
  if (shown?.id === view.id) {
    shown.mounted.update?.(parameters);
    return;
  }
  if (shown) scrollTo(0, 0);
  shown?.mounted.unmount?.();
  shown = null;
  for (const [other, link] of links) {
    if (other === view.id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = view === HOME ? `nimoon: ${view.title}` : `${view.title} – nimoon`;
  document.body.dataset.view = view.id;
  try {
    const module = await view.load();
    if (readAddress().id !== id) return;
    fill(root);
    const change = (/** @type {URLSearchParams} */ parameters, { push = true } = {}) => {
      const next = hash(view.id, parameters);
      links.get(view.id)?.setAttribute("href", next);
      if (next === location.hash) return;
      // The address holds the state of the page, so that a user can share it.
      if (push) history.pushState(null, "", next);
      else history.replaceState(null, "", next);
    };
    shown = { id: view.id, mounted: module.mount(root, parameters, change) ?? {} };
  } catch (error) {
    fill(root, el("div", { class: "notice error", role: "alert" },
      el("p", {}, `Cannot load this view${ENGINE === "page" ? "" : ": is nimoon still running?"} (${/** @type {Error} */ (error).message})`),
      button("Try again", () => location.reload())));
  }
}

function theme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("theme"));
  const chosen = () => recall("theme") ?? (dark.matches ? "dark" : "light");
  const apply = () => {
    document.documentElement.dataset.theme = chosen();
    button.textContent = chosen() === "dark" ? "☀" : "☾";
  };
  button.addEventListener("click", () => {
    store("theme", chosen() === "dark" ? "light" : "dark");
    apply();
  });
  dark.addEventListener("change", apply);
  apply();
}

/** Says who answers, and how far a long question is. */
function engine() {
  const box = /** @type {HTMLElement} */ (document.getElementById("engine"));
  const name = ENGINE === "page" ? "engine: in this page" : PROGRAM ? `engine: nimoon at ${PROGRAM}` : "engine: nimoon on this machine";
  fill(box, name);
  box.title = ENGINE === "page" ? "Your browser computes every answer. Nothing leaves this machine." : "The program nimoon computes every answer. Nothing leaves your machine.";
  if (ENGINE !== "page") return;
  import("./engine/engine.js").then(({ onProgress, prepare }) => {
    onProgress((words) => { fill(box, words ?? name); box.classList.toggle("is-busy", words !== null); });
    // The first screen comes first.
    (window.requestIdleCallback ?? setTimeout)(prepare);
  });
}

const navigation = /** @type {HTMLElement} */ (document.getElementById("navigation"));
const links = new Map(VIEWS.map((view) => [view.id, el("a", { href: `#/${view.id}` }, view.title)]));
fill(navigation, ...links.values());
// The fragment of the address names the view, so the skip link must not change it.
document.querySelector(".skip")?.addEventListener("click", (event) => { event.preventDefault(); root.focus(); });
theme();
engine();
// In a frame, as in slides, only the view itself is shown: `?embed=1` in front of the fragment.
document.documentElement.classList.toggle("embedded", new URLSearchParams(location.search).get("embed") === "1");
addEventListener("hashchange", show);
show();
