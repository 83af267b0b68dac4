// How boards fill the window, and what shows the last move: what it took stays as a shadow, what it made is marked.
import { svg } from "../svg.js";

/** The largest factor by which boards grow. */
const MOST = 2.6;
/** The part of the window's height that boards fill, if they are not too wide. */
const SHARE = 0.46;
/** What surrounds each picture, and the gap between two of them. */
const FRAME = { x: 20, y: 46 };
const GAP = 12;
/** More changes than these are not one move, or cannot be seen at a glance. */
const MOST_MARKED = 40;

/** Whether the user asked for less motion. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Returns the height of boards of these sizes if they are laid out in rows.
 * @param {{width: number, height: number}[]} sizes @param {number} factor @param {number} width
 */
function flow(sizes, factor, width) {
  let [x, row, total] = [0, 0, 0];
  for (const size of sizes) {
    const [w, h] = [size.width * factor + FRAME.x, size.height * factor + FRAME.y];
    if (w > width) return Infinity;
    if (x > 0 && x + GAP + w > width) { total += row + GAP; [x, row] = [0, 0]; }
    x += (x > 0 ? GAP : 0) + w;
    row = Math.max(row, h);
  }
  return total + row;
}

/**
 * Returns the factor by which pictures of these sizes grow so that they fill their part of the window.
 * @param {{width: number, height: number}[]} sizes @param {number} width @param {number} height
 */
export function factorFor(sizes, width, height) {
  let [low, high] = [1, MOST];
  if (sizes.length === 0 || flow(sizes, low, width) > height) return 1;
  for (let i = 0; i < 12; i += 1) {
    const middle = (low + high) / 2;
    if (flow(sizes, middle, width) <= height) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Scales the pictures of a board. In one game boards never grow again, so that nothing jumps.
 * @param {HTMLElement} board @param {number} [most] the factor so far in this game @param {number} [share]
 * @returns {number} the factor
 */
export function fit(board, most = Infinity, share = SHARE) {
  const pictures = /** @type {SVGElement[]} */ ([...board.querySelectorAll("svg.picture")]);
  const sizes = pictures.map((picture) => ({ width: Number(picture.getAttribute("width")), height: Number(picture.getAttribute("height")) }));
  const factor = Math.min(most, factorFor(sizes, board.clientWidth, Math.max(260, innerHeight * share)));
  pictures.forEach((picture, i) => { picture.style.width = `${Math.round(sizes[i].width * factor)}px`; });
  return factor;
}

/** Returns the things of a picture by their keys. @param {Element} picture */
const things = (picture) => new Map([...picture.querySelectorAll("[data-key]")].map((thing) => [/** @type {string} */ (thing.getAttribute("data-key")), /** @type {SVGElement} */ (thing)]));

/** Whether a thing stands elsewhere than before. @param {SVGElement} thing @param {SVGElement} old */
const shift = (thing, old) => ({ x: Number(old.getAttribute("cx")) - Number(thing.getAttribute("cx")), y: Number(old.getAttribute("cy")) - Number(thing.getAttribute("cy")) });

/**
 * Marks in the picture of a component what the last move changed, and moves, drops and fills it if `animate`.
 * @param {Element|undefined} now the component @param {Element|undefined} before the component before the move
 * @param {string} words the move in words @param {boolean} animate
 */
export function mark(now, before, words, animate) {
  const [picture, old] = [now, before].map((component) => /** @type {SVGElement|null|undefined} */ (component?.querySelector("svg.picture")));
  if (!picture || !old) return;
  const layer = picture.querySelector("[data-layer]") ?? picture;
  // Drawings of another scale have other places.
  if (layer.getAttribute("data-layer") !== (old.querySelector("[data-layer]")?.getAttribute("data-layer") ?? null)) return;
  const [has, had] = [things(picture), things(old)];
  const gone = [...had].filter(([key]) => !has.has(key));
  const came = [...has].filter(([key]) => !had.has(key));
  if (gone.length + came.length > MOST_MARKED) return;
  const moving = animate && !isStill();
  for (const [, thing] of came) thing.classList.add("came", ...(moving ? ["is-moving"] : []));
  const shadows = gone.map(([key, thing]) => {
    const copy = /** @type {SVGElement} */ (thing.cloneNode(true));
    for (const element of [copy, ...copy.querySelectorAll("*")]) ["data-key", "tabindex", "role", "aria-label"].forEach((name) => element.removeAttribute(name));
    copy.querySelectorAll("title, .hit-area, .spot, .badge, .outline").forEach((part) => part.remove());
    copy.classList.remove("target", "hinted");
    // The move names the edge that it removes first, and after a semicolon the edges that fall.
    const edge = /^edge (\S+-\S+) /.exec(key)?.[1];
    const made = words.split(";")[0].split(/\s+/);
    const fell = edge !== undefined && !made.includes(edge) && !made.includes(edge.split("-").reverse().join("-"));
    return svg("g", { class: ["gone", fell && "is-fallen", moving && "is-moving"], "aria-hidden": "true" }, copy);
  });
  layer.prepend(...shadows);
  for (const [key, thing] of has) {
    const from = had.get(key);
    if (!from || !thing.hasAttribute("data-moves")) continue;
    const { x, y } = shift(thing, from);
    if (x === 0 && y === 0) continue;
    thing.classList.add("came");
    const shadow = /** @type {SVGElement} */ (from.cloneNode(false));
    shadow.removeAttribute("data-key");
    layer.append(svg("g", { class: "gone", "aria-hidden": "true" }, shadow));
    if (moving) thing.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 200, easing: "ease-out" });
  }
  // The shadows may lie outside of a picture that has become smaller.
  const [w, h] = ["width", "height"].map((side) => Math.max(Number(picture.getAttribute(side)), Number(old.getAttribute(side))));
  if (layer === picture && gone.length > 0) {
    picture.setAttribute("viewBox", `0 0 ${w} ${h}`);
    picture.setAttribute("width", String(w));
    picture.setAttribute("height", String(h));
  }
}

/**
 * Lights up the things on the board that belong to a row of the list of moves, and the other way round.
 * @param {HTMLElement} board @param {HTMLElement} list
 */
export function linkHighlights(board, list) {
  const numbers = (/** @type {Element} */ thing) => (thing.getAttribute("data-choices") ?? thing.getAttribute("data-move") ?? "").split(" ").filter(Boolean);
  const light = (/** @type {Event} */ event) => {
    const from = event.target instanceof Element ? event.target.closest("[data-choices], [data-move]") : null;
    const moves = from && event.type !== "pointerout" && event.type !== "focusout" ? numbers(from) : [];
    for (const thing of [...board.querySelectorAll("[data-choices]"), ...list.querySelectorAll("[data-move]")]) {
      thing.classList.toggle("is-lit", thing !== from && numbers(thing).some((number) => moves.includes(number)));
    }
  };
  for (const box of [board, list]) for (const type of ["pointerover", "pointerout", "focusin", "focusout"]) box.addEventListener(type, light);
}
