// Pictures. Attributes, not styles: the policy of the page allows no inline style.
import { append, set } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
/** Places to click are 30 units wide or so. */
const LEAST_SCALE = 0.8;

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  append(element, children);
  return element;
}

/**
 * A drawing that scales with the page, but is never drawn larger than a pixel a unit, nor much smaller than a finger can hit:
 * what is wider than the page is scrolled.
 * @param {number} width
 * @param {number} height
 * @param {string} label what it shows
 * @param {...any} children
 */
export function picture(width, height, label, ...children) {
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, class: "picture", role: "group", "aria-label": label },
    ...children,
  );
  drawing.style.minWidth = `${Math.round(width * LEAST_SCALE)}px`;
  return drawing;
}

/**
 * Something in a picture that can be chosen by mouse, touch or keyboard.
 * @param {string} label what choosing it does
 * @param {() => void} choose
 * @param {Record<string, any>} attributes
 * @param {...any} children
 */
export function target(label, choose, attributes, ...children) {
  const { class: classes, ...others } = attributes;
  return svg(
    "g",
    {
      role: "button",
      tabindex: "0",
      "aria-label": label,
      class: ["target", ...[classes].flat()],
      // The second click of a double click is none: what stands there by then is another choice.
      onclick: (/** @type {MouseEvent} */ event) => { if (event.detail < 2) choose(); },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          choose();
        }
      },
      ...others,
    },
    svg("title", {}, label),
    ...children,
  );
}

/**
 * The text of a picture as a file of its own, with the styles of the page written into it.
 * @param {SVGElement} picture
 */
export function standalone(picture) {
  const copy = /** @type {SVGElement} */ (picture.cloneNode(true));
  const properties = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor", "opacity", "paint-order", "stroke-linecap", "stroke-linejoin", "font-style"];
  const originals = [picture, ...picture.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    for (const property of properties) copies[i].setAttribute(property, style.getPropertyValue(property));
    copies[i].removeAttribute("class");
    copies[i].removeAttribute("tabindex");
    copies[i].removeAttribute("role");
  });
  copy.setAttribute("xmlns", SVG);
  return new XMLSerializer().serializeToString(copy);
}
