// The tools above the drawing.
import { button, el } from "../dom.js";

const TOOLS = /** @type {const} */ ([
  ["draw", "✎ Draw", "Click for a node, drag from a node for an arc; out of a node and back for a loop"],
  ["move", "✥ Move", "Drag nodes; drag the ground to look elsewhere"],
  ["gray", "■ Gray", "Click a node to make it gray or white: who finds a piece on a gray node must move it"],
  ["piece", "● Piece", "Click a node to put a piece on it"],
  ["erase", "✕ Erase", "Click a node or an arc"],
]);

/** Theories that have no gray nodes. */
const WITHOUT_GRAY = ["short", "cyclic"];

/**
 * @param {{choose: (tool: import("./input.js").Tool) => void, undo: () => void, redo: () => void, arrange: () => void, clear: () => void}} hooks
 */
export function toolbar(hooks) {
  const tools = TOOLS.map(([id, title, words]) => {
    const input = /** @type {HTMLInputElement} */ (el("input", { type: "radio", name: "dg-tool", value: id, onchange: () => hooks.choose(id) }));
    return { id, input, words, label: el("label", { class: "dg-tool", title: words }, input, title) };
  });
  const undo = button("↶ Undo", hooks.undo, { "aria-keyshortcuts": "Control+Z" });
  const redo = button("↷ Redo", hooks.redo, { "aria-keyshortcuts": "Control+Y" });
  const words = el("p", { class: "muted dg-words" });
  const element = el("div", {},
    el("div", { class: "row dg-tools", role: "group", "aria-label": "Tools" }, tools.map(({ label }) => label), undo, redo,
      button("Lay out", hooks.arrange, { title: "Place the nodes anew" }), button("Clear", hooks.clear)),
    words);
  return {
    element,
    words,
    /** @param {{tool: string, theory: string, past: boolean, future: boolean, source: string|null}} state */
    render({ tool, theory, past, future, source }) {
      for (const { id, input, words: told } of tools) {
        input.checked = id === tool;
        input.disabled = id === "gray" && WITHOUT_GRAY.includes(theory);
        if (id === tool) words.textContent = `${told}.`;
      }
      if (source !== null) words.textContent = `An arc from ${source}: go to a node and press Enter, or Escape.`;
      undo.disabled = !past;
      redo.disabled = !future;
    },
  };
}
