// The panel of the chosen node: its name, colour, pieces and arcs, and the reasons for its label.
import { button, el, fill } from "../dom.js";
import { coversText, outcomeSign, valueSign } from "../value.js";
import { refill } from "./refill.js";

/**
 * @typedef {{rename: (id: number, name: string) => string|null, gray: (id: number) => void, piece: (id: number, off?: boolean) => void, erase: (id: number) => void,
 *   connect: (from: number, to: number) => void, disconnect: (from: number, to: number) => void, centre: (id: number) => void, link: (name: string) => Element}} Hooks
 * @typedef {{id: number, name: string, gray: boolean, label: import("./canvas.js").Label|null, pieces: number, options: {id: number, name: string}[], others: {id: number, name: string}[], editable: boolean}} Chosen
 */

/** @param {Hooks} hooks */
export function nodePanel(hooks) {
  const body = el("div", {});
  const why = el("div", { "aria-live": "polite" });
  const element = el("section", { class: "panel dg-chosen", "aria-labelledby": "node-title" }, el("h2", { id: "node-title" }, "Node"), body, why);

  /** @param {Chosen|null} chosen */
  function show(chosen) {
    if (!chosen) {
      fill(body, el("p", { class: "muted" }, "Choose a node to see the reasons for its value."));
      fill(why);
      return;
    }
    const { id, label } = chosen;
    const labelText = label && (chosen.gray ? el("span", {}, coversText(label.covers)) : el("span", {}, valueSign(label.value), " ", outcomeSign(label.outcome)));
    refill(body, el("div", { class: "row" }, el("strong", { class: "dg-title" }, chosen.name), labelText, label?.theory !== undefined && el("span", { class: "muted" }, `${label.theory} theory`)), chosen.editable ? edited(chosen) : el("div", { class: "row" }, pieceButtons(chosen), button("Centre here", () => hooks.centre(id))));
  }

  /** @param {Chosen} chosen */
  const pieceButtons = ({ id, pieces }) => el("span", { class: "row" },
    button("Add a piece", () => hooks.piece(id)), pieces > 0 && button("Remove a piece", () => hooks.piece(id, true)));

  /** @param {Chosen} chosen */
  function edited(chosen) {
    const { id } = chosen;
    const problem = el("p", { class: "notice error", role: "alert", hidden: true });
    const name = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: "dg-rename", value: chosen.name, autocomplete: "off", spellcheck: "false" }));
    const rename = () => {
      if (name.value === chosen.name) return;
      const reason = hooks.rename(id, name.value);
      problem.hidden = reason === null;
      problem.textContent = reason === null ? "" : `Cannot rename the node: ${reason}.`;
      if (reason === null) chosen.name = name.value;
    };
    name.addEventListener("change", rename);
    const gray = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox", onchange: () => hooks.gray(id) }));
    gray.checked = chosen.gray;
    const target = /** @type {HTMLSelectElement} */ (el("select", { id: "dg-target", onchange: () => { if (target.value) hooks.connect(id, Number(target.value)); } },
      el("option", { value: "" }, "choose…"), chosen.others.map((other) => el("option", { value: other.id }, other.id === id ? `${other.name} (a loop)` : other.name))));
    return el("div", {},
      el("form", { class: "row dg-form", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); rename(); } }, el("label", { for: "dg-rename" }, "Name"), name, el("label", {}, gray, "gray")),
      problem,
      el("div", { class: "row" }, pieceButtons(chosen), button("Delete node", () => hooks.erase(id))),
      el("div", { class: "row" }, el("span", {}, "Arcs to"), chosen.options.map((option) => el("span", { class: "dg-chip" }, hooks.link(option.name), button("×", () => hooks.disconnect(id, option.id), { class: "quiet", "aria-label": `Delete the arc to ${option.name}` }))),
        el("label", {}, "new arc to ", target)));
  }

  return { element, why, show };
}
