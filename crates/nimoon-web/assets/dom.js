// Small helpers that create elements. Nothing uses innerHTML, so text is never parsed as HTML.

/** @typedef {Node|string|number|null|undefined|false} Child */

/**
 * Sets attributes. `on…` adds a listener, `class` accepts a list, and null or false omits the attribute.
 * @param {Element} element
 * @param {Record<string, any>} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  return element;
}

/**
 * @param {Element} element
 * @param {(Child|Child[])[]} children
 */
export function append(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/**
 * Creates an HTML element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child|Child[])} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children);
  return element;
}

/**
 * Replaces the contents of an element.
 * @param {Element} element
 * @param {...(Child|Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/**
 * Creates a button.
 * @param {string} text
 * @param {(event: MouseEvent) => void} act
 * @param {Record<string, any>} [attributes]
 */
export function button(text, act, attributes = {}) {
  return /** @type {HTMLButtonElement} */ (el("button", { type: "button", onclick: act, ...attributes }, text));
}

/**
 * Creates a button that copies a text and confirms it in its own text.
 * @param {string} title
 * @param {() => string} text
 * @param {string} [otherwise] what to say where the browser forbids it
 */
export function copier(title, text, otherwise = "This browser cannot copy") {
  const copying = button(title, async () => {
    const done = await Promise.resolve().then(() => navigator.clipboard.writeText(text())).then(() => "✓ Copied", () => otherwise);
    copying.textContent = done;
    announce(done);
    setTimeout(() => { copying.textContent = title; }, 2000);
  });
  return copying;
}

export const addressCopier = () => copier("Copy address", () => location.href, "Copy it from the address bar");

/**
 * Shows an error and scrolls it into view, since the control that caused it may be far away.
 * @param {Element} box
 * @param {string} text
 * @param {...(Child|Child[])} children
 */
export function showError(box, text, ...children) {
  const alert = el("div", { class: "notice error", role: "alert" }, el("p", {}, text), ...children);
  fill(box, alert);
  alert.scrollIntoView({ block: "nearest" });
}

/** Announces a change to screen readers. @param {string} text */
export function announce(text) {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

/**
 * Downloads a text or picture as a file.
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} type
 */
export function download(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
