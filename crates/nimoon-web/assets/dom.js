// Small helpers to make elements. No innerHTML anywhere: texts are texts.

/** @typedef {Node|string|number|null|undefined|false} Child */

/**
 * Sets attributes; `on…` are listeners, `class` may be a list, null and false leave an attribute out.
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
 * An HTML element.
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
 * A button.
 * @param {string} text
 * @param {(event: MouseEvent) => void} act
 * @param {Record<string, any>} [attributes]
 */
export function button(text, act, attributes = {}) {
  return /** @type {HTMLButtonElement} */ (el("button", { type: "button", onclick: act, ...attributes }, text));
}

/** A button that copies the address, and says so on itself. */
export function addressCopier() {
  const words = "Copy address";
  const copier = button(words, async () => {
    const done = await Promise.resolve().then(() => navigator.clipboard.writeText(location.href)).then(() => "✓ Copied", () => "See the address bar");
    copier.textContent = done;
    announce(done);
    setTimeout(() => { copier.textContent = words; }, 2000);
  });
  return copier;
}

/** Tells those who do not see the page what happened. @param {string} text */
export function announce(text) {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

/**
 * Offers a text or picture as a file.
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
