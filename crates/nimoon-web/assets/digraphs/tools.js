// The toolbar above the drawing.
import { button, el } from "../dom.js";

const TOOLS = /** @type {const} */ ([
  ["draw", "✎ Draw", "Click to add a node. Drag from one node to another to add an arc, or out of a node and back to add a loop"],
  ["move", "✥ Move", "Drag a node to move it, or drag the background to scroll"],
  ["gray", "■ Gray", "Click a node to make it gray or white. A player who finds a piece on a gray node must move that piece"],
  ["piece", "● Piece", "Click a node to add a piece"],
  ["erase", "✕ Erase", "Click a node or an arc to delete it"],
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
      button("Lay out", hooks.arrange, { title: "Lay out the nodes automatically" }), button("Clear", hooks.clear)),
    words);
  return {
    element,
    words,
    /** @param {{tool: string, theory: string, past: boolean, future: boolean, source: string|null}} state */
    render({ tool, theory, past, future, source }) {
      for (const { id, input, words: hint } of tools) {
        input.checked = id === tool;
        input.disabled = id === "gray" && WITHOUT_GRAY.includes(theory);
        if (id === tool) words.textContent = `${hint}.`;
      }
      if (source !== null) words.textContent = `New arc from ${source}: go to a node and press Enter, or press Escape to cancel.`;
      undo.disabled = !past;
      redo.disabled = !future;
    },
  };
}
