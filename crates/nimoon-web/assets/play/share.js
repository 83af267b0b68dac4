// Everything that a user can take away from a board: a link, a frame for slides, pictures, LaTeX.
import { button, download, el, fill } from "../dom.js";
import { savePng } from "../loopy/export.js";
import { standalone, svg } from "../svg.js";
import { tikzOf } from "./tikz.js";

/** The gap between the boards in a picture. */
const GAP = 24;

/**
 * Puts the boards of a position beside each other into one picture.
 * @param {Element} board
 */
export function pictureOf(board) {
  const drawings = /** @type {SVGElement[]} */ ([...board.querySelectorAll("svg.picture")]);
  let x = 0;
  const height = Math.max(1, ...drawings.map((drawing) => Number(drawing.getAttribute("height"))));
  const placed = drawings.map((drawing) => {
    const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
    const [width, own] = ["width", "height"].map((side) => Number(drawing.getAttribute(side)));
    copy.removeAttribute("style");
    copy.setAttribute("x", String(x));
    copy.setAttribute("y", String(height - own));
    copy.querySelectorAll(".hit-area, .hit, .spot, .outline, .gone").forEach((part) => part.remove());
    x += width + GAP;
    return copy;
  });
  return svg("svg", { viewBox: `0 0 ${Math.max(1, x - GAP)} ${height}`, width: Math.max(1, x - GAP), height, class: "picture" }, placed);
}

/** Uses a picture while it is part of the page, since its styles come from there. @param {Element} board @param {(picture: SVGElement) => any} use */
async function withPicture(board, use) {
  const picture = pictureOf(board);
  const hidden = el("div", { class: "visually-hidden", "aria-hidden": "true" }, picture);
  document.body.append(hidden);
  try {
    return await use(picture);
  } finally {
    hidden.remove();
  }
}

/** @param {string} text @param {HTMLElement} told */
async function copy(text, told) {
  const done = await Promise.resolve().then(() => navigator.clipboard.writeText(text)).then(() => true, () => false);
  fill(told, done ? "Copied." : el("textarea", { readonly: true, rows: 3, "aria-label": "Copy this text" }, text));
}

/** The address of this state for frames. */
function framed() {
  const url = new URL(location.href);
  url.searchParams.set("embed", "1");
  return url.href;
}

/**
 * @param {{board: () => Element, positions: () => string[]}} of
 */
export function sharing({ board, positions }) {
  const told = el("div", { "aria-live": "polite" });
  return el("details", { class: "panel share" },
    el("summary", {}, "Share and export"),
    el("div", { class: "row" },
      button("Copy link", () => copy(location.href, told)),
      button("Copy frame for slides", () => copy(`<iframe src="${framed().replaceAll("&", "&amp;")}" width="800" height="560" title="nimoon"></iframe>`, told)),
      button("SVG", () => withPicture(board(), (picture) => download("position.svg", standalone(picture), "image/svg+xml"))),
      button("PNG", () => withPicture(board(), (picture) => savePng(picture, "position"))),
      button("LaTeX", () => withPicture(board(), (picture) => download("position.tex", tikzOf(standalone(picture), positions().join("\n")), "text/x-tex"))),
      button("Full screen", () => { /** @type {HTMLElement|null} */ (document.querySelector(".table"))?.requestFullscreen?.(); })),
    told);
}
