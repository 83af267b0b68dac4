// Pictures. They use attributes because the content security policy forbids inline styles.
import { append, set } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
/** Click targets are about 30 units wide, so a smaller scale would make them too small for a finger. */
const MIN_SCALE = 0.8;

/**
 * Creates an SVG element.
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
 * Creates a drawing that scales with the page. One unit takes at most one pixel, and at least `MIN_SCALE` pixels, so that
 * targets stay large enough for a finger. Wider drawings scroll.
 * @param {number} width
 * @param {number} height
 * @param {string} label the name for screen readers
 * @param {...any} children
 */
export function picture(width, height, label, ...children) {
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, class: "picture", role: "group", "aria-label": label },
    ...children,
  );
  drawing.style.minWidth = `${Math.round(width * MIN_SCALE)}px`;
  return drawing;
}

/**
 * Creates a part of a picture that the user can choose by mouse, touch or keyboard.
 * @param {string} label what the choice does
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
      // Ignore the second click of a double click: by then another choice is at this point.
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
 * Returns a picture as the text of an SVG file, with the styles of the page as attributes.
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
