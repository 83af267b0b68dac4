// A canvas that the user can scroll and zoom by mouse, touch and keyboard, and on which one n is chosen.
import { el } from "../dom.js";
import { canvasBrush, svgBrush } from "./brush.js";
import { tokens } from "./colours.js";

/**
 * @typedef {object} Model
 * @property {() => void} fit
 * @property {(dx: number, dy: number, width: number, height: number) => void} pan
 * @property {(factor: number, x: number, y: number, width: number, height: number) => boolean} zoom
 * @property {(x: number, y: number, width: number) => number|null} at
 * @property {(n: number, width: number) => [number, number]} placeOf
 * @property {(n: number) => void} reveal
 * @property {() => number} stride
 * @property {(brush: import("./brush.js").Brush, width: number, height: number) => void} draw
 * @property {() => number} [height] the height that shows everything
 *
 * @typedef {object} Listener
 * @property {(n: number) => void} choose
 * @property {(n: number|null) => void} hover
 * @property {() => void} moved called when the visible range changed
 * @property {() => {n: number, count: number, words: string}} now
 */

/** How many pixels a pointer may move during a click. */
const STILL = 4;

/**
 * @param {string} label
 * @param {string} name a class for its size
 * @param {Model} model
 * @param {Listener} listener
 */
export function pane(label, name, model, listener) {
  // The role slider makes screen readers read the value at each n.
  const canvas = /** @type {HTMLCanvasElement} */ (el("canvas", { class: ["table-pane", name], tabindex: "0", role: "slider", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0, "aria-valuetext": "" }));
  let drawing = 0;
  let [width, height] = [0, 0];

  function paint() {
    drawing = 0;
    if (model.height) canvas.style.height = `${model.height()}px`;
    const box = canvas.getBoundingClientRect();
    if (box.width === 0) return;
    [width, height] = [Math.round(box.width), Math.round(box.height)];
    const ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    model.draw(canvasBrush(context), width, height);
    const { n, count, words } = listener.now();
    canvas.setAttribute("aria-valuemax", String(Math.max(0, count - 1)));
    canvas.setAttribute("aria-valuenow", String(n));
    canvas.setAttribute("aria-valuetext", words);
  }

  function draw() {
    if (!drawing) drawing = requestAnimationFrame(paint);
  }

  function moved() {
    draw();
    listener.moved();
  }

  /** @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  /** @type {{x: number, y: number, moved: boolean}|null} */
  let began = null;
  const place = (/** @type {PointerEvent|WheelEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, place(event));
    canvas.setPointerCapture(event.pointerId);
    began = pointers.size === 1 ? { ...place(event), moved: false } : null;
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = place(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      listener.hover(model.at(now.x, now.y, width));
      return;
    }
    if (pointers.size === 1 && began) {
      if (Math.hypot(now.x - began.x, now.y - began.y) > STILL) began.moved = true;
      if (began.moved) {
        model.pan(now.x - before.x, now.y - before.y, width, height);
        moved();
      }
    } else if (pointers.size === 2) {
      const other = /** @type {{x: number, y: number}} */ ([...pointers].find(([id]) => id !== event.pointerId)?.[1]);
      const distance = (/** @type {{x: number, y: number}} */ one) => Math.max(10, Math.hypot(one.x - other.x, one.y - other.y));
      model.zoom(distance(now) / distance(before), (now.x + other.x) / 2, (now.y + other.y) / 2, width, height);
      model.pan((now.x - before.x) / 2, (now.y - before.y) / 2, width, height);
      moved();
    }
    pointers.set(event.pointerId, now);
  });
  const ended = (/** @type {PointerEvent} */ event) => {
    pointers.delete(event.pointerId);
    if (event.type === "pointerup" && began && !began.moved) {
      const n = model.at(began.x, began.y, width);
      if (n !== null) listener.choose(n);
    }
    if (pointers.size === 0) began = null;
  };
  canvas.addEventListener("pointerup", ended);
  canvas.addEventListener("pointercancel", ended);
  canvas.addEventListener("pointerleave", () => listener.hover(null));
  canvas.addEventListener("wheel", (event) => {
    const { x, y } = place(event);
    if (event.shiftKey) {
      model.pan(-(event.deltaX || event.deltaY), 0, width, height);
    } else if (!model.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0018)), x, y, width, height)) {
      // The zoom is at its limit: let the page scroll.
      return;
    }
    event.preventDefault();
    moved();
  }, { passive: false });

  /** Zooms around the chosen n if it is visible, otherwise around the middle. @param {number} factor */
  function zoom(factor) {
    const [x, y] = model.placeOf(listener.now().n, width);
    const seen = x >= 0 && x <= width && y >= 0 && y <= height;
    model.zoom(factor, seen ? x : width / 2, seen ? y : height / 2, width, height);
    moved();
  }

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { n, count } = listener.now();
    const fine = event.shiftKey ? 10 : 1;
    const steps = /** @type {Record<string, number>} */ ({ ArrowLeft: -fine, ArrowRight: fine, ArrowUp: -model.stride(), ArrowDown: model.stride(), PageUp: -100, PageDown: 100, Home: -count, End: count });
    if (event.key in steps) listener.choose(Math.max(0, Math.min(count - 1, n + steps[event.key])));
    else if (event.key === "+" || event.key === "=") zoom(1.6);
    else if (event.key === "-") zoom(1 / 1.6);
    else if (event.key === "0") { model.fit(); moved(); }
    else return;
    event.preventDefault();
  });

  const sized = new ResizeObserver(draw);
  sized.observe(canvas);
  return {
    canvas,
    draw,
    zoom,
    fit() { model.fit(); moved(); },
    /** Returns the visible part as an SVG file. @param {string} title */
    svg(title) {
      const brush = svgBrush(width, height, tokens().paper);
      model.draw(brush, width, height);
      return brush.file(title);
    },
    /** @returns {Promise<Blob|null>} */
    png() {
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const context = /** @type {CanvasRenderingContext2D} */ (copy.getContext("2d"));
      context.fillStyle = tokens().paper;
      context.fillRect(0, 0, copy.width, copy.height);
      context.drawImage(canvas, 0, 0);
      return new Promise((resolve) => copy.toBlob(resolve, "image/png"));
    },
    close() {
      sized.disconnect();
      cancelAnimationFrame(drawing);
    },
  };
}
