// Replaces the contents of a panel without losing the focus of keyboard users.
import { fill } from "../dom.js";

const FOCUSABLE = "button, input, select, textarea, summary, [tabindex]";

/** Identifies a control among its neighbours. @param {Element} element */
const identity = (element) => element.id || element.getAttribute("aria-label") || element.textContent;

/**
 * Works like `fill`, and returns the focus to the same control, or to the one in its place.
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
  const same = controls.find((control) => identity(control) === identity(focused));
  (same ?? controls[Math.min(Math.max(0, before), controls.length - 1)])?.focus({ preventScroll: true });
}
