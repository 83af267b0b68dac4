// Pictures of the page as LaTeX: every shape of an SVG picture as a command of TikZ.

/** Signs that LaTeX does not know, as it writes them. The commands for moons are those of `nimoon label --format latex`. */
const SIGNS = /** @type {Record<string, string>} */ ({
  "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", $: "\\$", "&": "\\&", "#": "\\#", "^": "\\^{}", _: "\\_", "~": "\\~{}", "%": "\\%",
  "☾": "$\\moon{}$", "○": "$\\fullmoon$", "●": "$\\newmoon$", "∞": "$\\infty$", "…": "\\dots{}", "−": "$-$", "✓": "$\\surd$", "✗": "$\\times$", "≈": "$\\approx$",
  "<": "$<$", ">": "$>$", "|": "$|$", "→": "$\\to$", "↗": "$\\nearrow$", "↘": "$\\searrow$", "⇄": "$\\rightleftarrows$", "↑": "$\\uparrow$", "↓": "$\\downarrow$", "½": "$\\frac12$", "±": "$\\pm$", "‖": "$\\|$", "×": "$\\times$", "∗": "$\\ast$", "⇑": "$\\Uparrow$", "⇓": "$\\Downarrow$",
});

const COMMANDS = `\\providecommand{\\moon}[1]{{\\mathord{\\tikz[baseline=-0.7ex]\\fill (50:.75ex) arc[start angle=50,end angle=310,radius=.75ex] arc[start angle=294.2,end angle=65.8,radius=.63ex] -- cycle;}}_{#1}}
\\providecommand{\\fullmoon}{\\mathord{\\tikz[baseline=-0.7ex]\\draw[solid,line width=.5pt] (0,0) circle[radius=.72ex];}}
\\providecommand{\\newmoon}{\\mathord{\\tikz[baseline=-0.7ex]\\fill (0,0) circle[radius=.75ex];}}
`;

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** @param {string} text */
export const texOf = (text) => text
  .replace(/([☾∞])(\*?)([₀-₉,]+)/g, (_, sign, star, below) => `\uE000${sign === "☾" ? "\\moon" : "\\infty_"}{${star}${[...below].map((digit) => (digit === "," ? "," : String(SUBSCRIPTS.indexOf(digit)))).join("")}}\uE000`)
  .split("\uE000").map((part, i) => (i % 2 ? `$${part}$` : [...part].map((letter) => SIGNS[letter] ?? letter).join(""))).join("");

/** A colour as TikZ writes it; null if nothing is painted. @param {string|null} text */
function colour(text) {
  const match = /^rgba?\(\s*([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[, /]+([\d.]+))?\s*\)$/.exec(text ?? "");
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? "");
  if (hex) return `{rgb,255:red,${parseInt(hex[1], 16)};green,${parseInt(hex[2], 16)};blue,${parseInt(hex[3], 16)}}`;
  if (!match || match[4] === "0") return null;
  return `{rgb,255:red,${match[1]};green,${match[2]};blue,${match[3]}}`;
}

/** @param {number} value */
const short = (value) => String(Math.round(value * 100) / 100);
/** @param {number} x @param {number} y */
const point = (x, y) => `(${short(x)}pt,${short(y)}pt)`;

/** The options of a shape: what fills and draws it. @param {Element} shape @returns {string|null} */
function options(shape) {
  const [fill, stroke] = ["fill", "stroke"].map((name) => colour(shape.getAttribute(name)));
  const width = parseFloat(shape.getAttribute("stroke-width") ?? "1");
  const opacity = parseFloat(shape.getAttribute("opacity") ?? "1");
  const dashes = (shape.getAttribute("stroke-dasharray") ?? "none").split(/[ ,]+/).map(parseFloat).filter((dash) => dash >= 0);
  if (!fill && !(stroke && width > 0)) return null;
  return [fill && `fill=${fill}`, stroke && width > 0 && `draw=${stroke},line width=${short(width)}pt`, stroke && dashes.length > 1 && `dash pattern=on ${dashes[0]}pt off ${dashes[1]}pt`, opacity < 1 && `opacity=${short(opacity)}`, shape.getAttribute("stroke-linecap") === "round" && "line cap=round"].filter(Boolean).join(",");
}

/**
 * Writes a shape, and those in it.
 * @param {Element} element @param {number} x @param {number} y the origin @param {string[]} out
 */
function write(element, x, y, out) {
  const value = (/** @type {string} */ name) => parseFloat(element.getAttribute(name) ?? "0");
  const move = /translate\(\s*(-?[\d.]+)[ ,]+(-?[\d.]+)\s*\)/.exec(element.getAttribute("transform") ?? "");
  if (move) [x, y] = [x + Number(move[1]), y + Number(move[2])];
  const name = element.tagName.toLowerCase();
  if (name === "title" || element.getAttribute("opacity") === "0") return;
  if (name === "svg" && element.parentElement?.closest("svg")) [x, y] = [x + value("x"), y + value("y")];
  const drawn = options(element);
  if (name === "text") {
    const anchor = /** @type {Record<string, string>} */ ({ middle: "base", end: "base east" })[element.getAttribute("text-anchor") ?? ""] ?? "base west";
    const size = short(parseFloat(element.getAttribute("font-size") ?? "12"));
    const bold = Number(element.getAttribute("font-weight")) >= 600 ? "\\bfseries" : "";
    if (element.textContent?.trim()) out.push(`  \\node[anchor=${anchor},inner sep=0pt,text=${colour(element.getAttribute("fill")) ?? "black"}] at ${point(x + value("x"), y + value("y"))} {\\fontsize{${size}}{${size}}\\selectfont${bold} ${texOf(element.textContent)}};`);
    return;
  }
  const path = drawn && shapes[/** @type {keyof typeof shapes} */ (name)]?.(value, element, x, y);
  if (path) out.push(`  \\path[${drawn}] ${path};`);
  for (const child of element.children) write(child, x, y, out);
}

const shapes = {
  circle: (/** @type {(name: string) => number} */ value, /** @type {Element} */ _, /** @type {number} */ x, /** @type {number} */ y) => `${point(x + value("cx"), y + value("cy"))} circle[radius=${short(value("r"))}pt]`,
  line: (/** @type {(name: string) => number} */ value, /** @type {Element} */ _, /** @type {number} */ x, /** @type {number} */ y) => `${point(x + value("x1"), y + value("y1"))} -- ${point(x + value("x2"), y + value("y2"))}`,
  rect: (/** @type {(name: string) => number} */ value, /** @type {Element} */ _, /** @type {number} */ x, /** @type {number} */ y) => {
    const [width, height] = [value("width"), value("height")];
    const corner = Math.min(value("rx"), width / 2, height / 2);
    return `${corner > 0 ? `[rounded corners=${short(corner)}pt] ` : ""}${point(x + value("x"), y + value("y"))} rectangle ++${point(width, height)}`;
  },
  path: (/** @type {(name: string) => number} */ _, /** @type {Element} */ element, /** @type {number} */ x, /** @type {number} */ y) => {
    const d = element.getAttribute("d")?.trim();
    return d ? `[shift={${point(x, y)}}] svg {${d}}` : null;
  },
};

/**
 * Writes a picture.
 * @param {string} svg the text of an SVG file in which every shape has its colours
 * @param {string} [about] a comment
 */
export function tikzOf(svg, about = "") {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  /** @type {string[]} */
  const out = [];
  write(root, 0, 0, out);
  return `${about.split("\n").filter(Boolean).map((line) => `% ${line}\n`).join("")}% Needs \\usepackage{amssymb,tikz} and \\usetikzlibrary{svg.path}.\n${COMMANDS}\\begin{tikzpicture}[yscale=-1]\n${out.join("\n")}\n\\end{tikzpicture}\n`;
}
