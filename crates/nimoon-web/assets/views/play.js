// Play.
import { el, fill } from "../dom.js";

/** @type {import("../app.js").Mount} */
export function mount(root) {
  fill(root, el("h1", {}, "Play"));
}
