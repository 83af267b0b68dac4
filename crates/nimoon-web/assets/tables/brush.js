// Brushes: the same drawing commands paint on a canvas or write an SVG file.

/** @typedef {{align?: "left"|"center"|"right", size?: number, bold?: boolean}} Lettering */
/**
 * @typedef {object} Brush
 * @property {(points: number[], width: number, height: number, colour: string) => void} cells rectangles of one size, given by their upper left corners
 * @property {(points: number[], colour: string, width?: number, dash?: number[]) => void} line
 * @property {(x: number, y: number, width: number, height: number, colour: string, stroke?: number) => void} box an outline
 * @property {(x: number, y: number, text: string, colour: string, lettering?: Lettering) => void} text
 */

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

/** @param {CanvasRenderingContext2D} context @returns {Brush} */
export function canvasBrush(context) {
  return {
    cells(points, width, height, colour) {
      context.fillStyle = colour;
      for (let i = 0; i < points.length; i += 2) context.fillRect(points[i], points[i + 1], width, height);
    },
    line(points, colour, width = 1, dash = []) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.setLineDash(dash);
      context.beginPath();
      for (let i = 0; i < points.length; i += 2) context.lineTo(points[i], points[i + 1]);
      context.stroke();
      context.setLineDash([]);
    },
    box(x, y, width, height, colour, stroke = 1) {
      context.strokeStyle = colour;
      context.lineWidth = stroke;
      context.strokeRect(x, y, width, height);
    },
    text(x, y, text, colour, { align = "left", size = 12, bold = false } = {}) {
      context.fillStyle = colour;
      context.textAlign = align;
      context.font = `${bold ? "600 " : ""}${size}px ${FONT}`;
      context.fillText(text, x, y);
    },
  };
}

const ANCHORS = { left: "start", center: "middle", right: "end" };
const ESCAPES = /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" });

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter]);
/** @param {number} n */
const number = (n) => String(Math.round(n * 100) / 100);

/**
 * Creates a brush that writes SVG; `file` returns the text.
 * @param {number} width
 * @param {number} height
 * @param {string} paper
 * @returns {Brush & {file: (title: string) => string}}
 */
export function svgBrush(width, height, paper) {
  /** @type {string[]} */
  const parts = [];
  return {
    cells(points, w, h, colour) {
      let d = "";
      for (let i = 0; i < points.length; i += 2) d += `M${number(points[i])} ${number(points[i + 1])}h${number(w)}v${number(h)}h${number(-w)}z`;
      if (d) parts.push(`<path fill="${colour}" d="${d}"/>`);
    },
    line(points, colour, stroke = 1, dash = []) {
      let d = "";
      for (let i = 0; i < points.length; i += 2) d += `${i ? "L" : "M"}${number(points[i])} ${number(points[i + 1])}`;
      parts.push(`<path fill="none" stroke="${colour}" stroke-width="${stroke}"${dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : ""} d="${d}"/>`);
    },
    box(x, y, w, h, colour, stroke = 1) {
      parts.push(`<rect x="${number(x)}" y="${number(y)}" width="${number(w)}" height="${number(h)}" fill="none" stroke="${colour}" stroke-width="${stroke}"/>`);
    },
    text(x, y, text, colour, { align = "left", size = 12, bold = false } = {}) {
      parts.push(`<text x="${number(x)}" y="${number(y)}" fill="${colour}" font-family="${FONT}" font-size="${size}"${bold ? ' font-weight="600"' : ""} text-anchor="${ANCHORS[align]}">${escaped(text)}</text>`);
    },
    file(title) {
      return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${escaped(title)}</title><rect width="${width}" height="${height}" fill="${paper}"/>${parts.join("")}</svg>\n`;
    },
  };
}
