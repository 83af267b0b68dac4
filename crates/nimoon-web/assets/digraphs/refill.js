// Replacing what a panel shows without taking the focus away from who uses it by keys.
import { fill } from "../dom.js";

const FOCUSABLE = "button, input, select, textarea, summary, [tabindex]";

/** What tells a control from its neighbours. @param {Element} element */
const sign = (element) => element.id || element.getAttribute("aria-label") || element.textContent;

/**
 * As `fill`; a control that had the focus has it again, or the one that stands in its place.
 * @param {Element} element
 * @param {...(import("../dom.js").Child|import("../dom.js").Child[])} children
 */
export function refill(element, ...children) {
  const focused = document.activeElement;
  const inside = focused !== null && focused !== element && element.contains(focused);
  const before = inside ? [...element.querySelectorAll(FOCUSABLE)].indexOf(focused) : -1;
  fill(element, ...children);
  if (!inside) return;
  const controls = /** @type {HTMLElement[]} */ ([...element.querySelectorAll(FOCUSABLE)]);
  const same = controls.find((control) => sign(control) === sign(focused));
  (same ?? controls[Math.min(Math.max(0, before), controls.length - 1)])?.focus({ preventScroll: true });
}
