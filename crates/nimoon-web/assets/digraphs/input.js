// Handles mouse, touch and keyboard on the picture of a digraph. The hooks carry out the edits.

/**
 * @typedef {"draw"|"move"|"gray"|"piece"|"erase"} Tool
 * @typedef {{
 *   tool: () => Tool, editable: () => boolean,
 *   select: (id: number|null) => void, add: (x: number, y: number, from: number|null) => unknown, connect: (from: number, to: number) => void,
 *   gray: (id: number) => void, piece: (id: number, off?: boolean) => void, erase: (id: number) => void, disconnect: (from: number, to: number) => void,
 *   grasp: (id: number) => void, drop: (id: number, x: number, y: number) => void, beside: (id: number|null, from?: number|null) => void, rename: (id: number) => void, open: (id: number) => void,
 *   source: (id: number|null) => void,
 * }} Hooks
 */

/** How many pixels a pointer may move during a click. */
const STILL = 6;

/**
 * @param {import("./canvas.js").Canvas} canvas
 * @param {Hooks} hooks
 */
export function listen(canvas, hooks) {
  const stage = canvas.element;
  /** The positions of the pointers on the picture. @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  /** @type {{kind: "node"|"arc"|"ground", id: number, arc: [number, number], start: {x: number, y: number}, held: {x: number, y: number}, moved: boolean, left: boolean, pan: boolean}|null} */
  let hold = null;
  /** The last distance between two fingers. */
  let pinch = 0;

  const nodeAt = (/** @type {Element|null} */ element) => {
    const found = element?.closest?.("[data-node]");
    return found && stage.contains(found) ? Number(found.getAttribute("data-node")) : null;
  };
  const arcAt = (/** @type {Element|null} */ element) => {
    const found = element?.closest?.("[data-arc]")?.getAttribute("data-arc")?.split(">").map(Number);
    return found ? /** @type {[number, number]} */ ([found[0], found[1]]) : null;
  };

  stage.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    try { stage.setPointerCapture(event.pointerId); } catch { /* The pointer already left the picture. */ }
    if (pointers.size === 2) {
      release();
      pinch = distance();
      return;
    }
    if (pointers.size > 2) return;
    const element = /** @type {Element} */ (event.target);
    const id = nodeAt(element);
    const arc = arcAt(element);
    const shape = id === null ? null : canvas.shapes.get(id);
    const start = canvas.point(event.clientX, event.clientY);
    hold = {
      kind: id !== null ? "node" : arc ? "arc" : "ground",
      id: id ?? -1,
      arc: arc ?? [-1, -1],
      start: { x: event.clientX, y: event.clientY },
      held: shape ? { x: start.x - shape.x, y: start.y - shape.y } : start,
      moved: false,
      left: false,
      pan: event.button === 1 || id === null || (hooks.tool() !== "move" && !(hooks.tool() === "draw" && hooks.editable())),
    };
  });

  stage.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 2) {
      const now = distance();
      const [a, b] = [...pointers.values()];
      if (pinch > 0) canvas.zoom(now / pinch, canvas.point((a.x + b.x) / 2, (a.y + b.y) / 2));
      pinch = now;
      return;
    }
    if (!hold) return;
    if (!hold.moved) {
      if (Math.hypot(event.clientX - hold.start.x, event.clientY - hold.start.y) < STILL) return;
      hold.moved = true;
      if (hold.kind === "node" && !hold.pan && hooks.tool() === "move") hooks.grasp(hold.id);
    }
    const point = canvas.point(event.clientX, event.clientY);
    if (hold.pan) {
      const before = canvas.point(hold.start.x, hold.start.y);
      canvas.view.x -= point.x - before.x;
      canvas.view.y -= point.y - before.y;
      hold.start = { x: event.clientX, y: event.clientY };
      canvas.applyView();
    } else if (hooks.tool() === "move") {
      canvas.move(hold.id, Math.round(point.x - hold.held.x), Math.round(point.y - hold.held.y));
    } else {
      const from = canvas.shapes.get(hold.id);
      // To draw a loop, the pointer leaves the node and comes back.
      if (from && Math.hypot(point.x - from.x, point.y - from.y) > 30) hold.left = true;
      canvas.stretch(from ?? null, point);
    }
  });

  stage.addEventListener("pointerup", (event) => {
    pointers.delete(event.pointerId);
    const done = hold;
    release();
    if (!done) return;
    const point = canvas.point(event.clientX, event.clientY);
    const tool = hooks.tool();
    if (!done.moved) {
      clicked(done, point, tool);
    } else if (done.kind === "node" && !done.pan && tool === "move") {
      hooks.drop(done.id, Math.round(point.x - done.held.x), Math.round(point.y - done.held.y));
    } else if (done.kind === "node" && !done.pan && tool === "draw") {
      const over = nodeAt(document.elementFromPoint(event.clientX, event.clientY));
      const inside = document.elementFromPoint(event.clientX, event.clientY);
      if (over === null) {
        if (inside && stage.contains(inside)) hooks.add(point.x, point.y, done.id);
      } else if (over !== done.id || done.left) hooks.connect(done.id, over);
    }
  });
  stage.addEventListener("pointercancel", (event) => {
    pointers.delete(event.pointerId);
    const done = hold;
    release();
    const node = done && canvas.scene.nodes.find((node) => node.id === done.id);
    if (node) canvas.move(node.id, node.x, node.y);
  });

  function release() {
    hold = null;
    pinch = 0;
    canvas.stretch(null);
  }

  /** @param {NonNullable<typeof hold>} done @param {{x: number, y: number}} point @param {Tool} tool */
  function clicked(done, point, tool) {
    if (done.kind === "node") {
      const source = canvas.scene.pending;
      if (source !== null) hooks.connect(source, done.id);
      else if (!hooks.editable() || tool === "draw" || tool === "move") hooks.select(done.id);
      else if (tool === "erase") hooks.erase(done.id);
      else if (tool === "gray") hooks.gray(done.id);
      else hooks.piece(done.id);
    } else if (done.kind === "arc" && tool === "erase" && hooks.editable()) {
      hooks.disconnect(...done.arc);
    } else if (done.kind === "ground" && tool === "draw" && hooks.editable()) {
      hooks.add(point.x, point.y, null);
    } else hooks.select(null);
  }

  const distance = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };

  stage.addEventListener("dblclick", (event) => {
    const id = nodeAt(/** @type {Element} */ (event.target));
    if (id !== null) hooks.open(id);
  });

  stage.addEventListener("wheel", (event) => {
    // Without a modifier key, the wheel scrolls the page.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    canvas.zoom(Math.exp(-event.deltaY * 0.002), canvas.point(event.clientX, event.clientY));
  }, { passive: false });

  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const id = nodeAt(/** @type {Element} */ (event.target));
    if (pressed(event, id)) event.preventDefault();
  });

  /** Handles a key; returns whether it has a meaning here. @param {KeyboardEvent} event @param {number|null} id */
  function pressed(event, id) {
    const editable = hooks.editable();
    const arrow = ARROWS[event.key];
    if (arrow && id !== null) {
      const shape = canvas.shapes.get(id);
      if (event.altKey && shape) {
        hooks.grasp(id);
        hooks.drop(id, shape.x + 20 * arrow.x, shape.y + 20 * arrow.y);
      } else toward(id, arrow);
      return true;
    }
    if (event.altKey) return false;
    if (event.key === "Escape") { hooks.source(null); return true; }
    if (id !== null && (event.key === "Enter" || event.key === " ")) {
      const source = canvas.scene.pending;
      if (source !== null) hooks.connect(source, id);
      else if (!editable && canvas.scene.selected === id) hooks.open(id);
      else hooks.select(id);
      return true;
    }
    if (id !== null && (event.key === "PageDown" || event.key === "PageUp")) {
      const order = [...canvas.shapes.keys()];
      const next = order.indexOf(id) + (event.key === "PageDown" ? 1 : order.length - 1);
      canvas.focus(order[next % order.length]);
      return true;
    }
    if (!editable) return false;
    if (event.key === "n") { hooks.beside(id); return true; }
    if (id === null) return false;
    switch (event.key) {
      case "N": hooks.beside(id, id); return true;
      case "a": hooks.source(id); return true;
      case "g": hooks.gray(id); return true;
      case "p": hooks.piece(id); return true;
      case "P": hooks.piece(id, true); return true;
      case "r": case "F2": hooks.rename(id); return true;
      case "Delete": case "Backspace": hooks.erase(id); return true;
      default: return false;
    }
  }

  /** Moves the focus to the nearest node in a direction. @param {number} id @param {{x: number, y: number}} arrow */
  function toward(id, arrow) {
    const here = canvas.shapes.get(id);
    if (!here) return;
    let best = { id, cost: Infinity };
    for (const [other, shape] of canvas.shapes) {
      const along = (shape.x - here.x) * arrow.x + (shape.y - here.y) * arrow.y;
      const across = Math.abs((shape.x - here.x) * arrow.y) + Math.abs((shape.y - here.y) * arrow.x);
      if (other !== id && along > 0 && along + 2 * across < best.cost) best = { id: other, cost: along + 2 * across };
    }
    if (best.id !== id) canvas.focus(best.id);
  }
}

/** @type {Record<string, {x: number, y: number}>} */
const ARROWS = { ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 } };
