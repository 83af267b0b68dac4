// Positions as LaTeX, with TikZ for boards that have a simple picture there.
import { term } from "./position.js";

/** @param {string} text */
const plain = (text) => text.replace(/[\\{}$&#^_~%]/g, (sign) => (sign === "\\" ? "\\textbackslash{}" : "^~".includes(sign) ? `\\${sign}{}` : `\\${sign}`));

/** @param {string} body */
const picture = (body) => `\\begin{tikzpicture}[baseline=0pt]\n${body}\\end{tikzpicture}`;

/** @param {string} position */
function nimstring(position) {
  const [size, horizontal = "", vertical = ""] = position.split("/");
  const [rows, columns] = size.split("x").map(Number);
  let body = "";
  const line = (/** @type {boolean} */ drawn, /** @type {number[]} */ from, /** @type {number[]} */ to) => `  \\draw[${drawn ? "thick" : "densely dotted"}] (${from[1]},${-from[0]}) -- (${to[1]},${-to[0]});\n`;
  for (let row = 0; row <= rows; row += 1) for (let column = 0; column < columns; column += 1) body += line(horizontal[row * columns + column] === "1", [row, column], [row, column + 1]);
  for (let row = 0; row < rows; row += 1) for (let column = 0; column <= columns; column += 1) body += line(vertical[row * (columns + 1) + column] === "1", [row, column], [row + 1, column]);
  for (let row = 0; row <= rows; row += 1) for (let column = 0; column <= columns; column += 1) body += `  \\fill (${column},${-row}) circle (2pt);\n`;
  return picture(body);
}

/** @param {string} position */
function heaps(position) {
  const sizes = position.replaceAll("!", "").split(",").map(Number);
  if (sizes.some((size) => !(size <= 60))) return null;
  return picture(sizes.map((size, row) => Array.from({ length: size }, (_, i) => `  \\fill (${(i * 0.4).toFixed(1)},${(-row * 0.5).toFixed(1)}) circle (1.6mm);\n`).join("")).join(""));
}

const PICTURES = /** @type {Record<string, (position: string) => string|null>} */ ({ nimstring, nim: heaps, kayles: heaps, "top-entails": heaps, subtraction: heaps, "grundys-game": heaps });

/** Writes one component. @param {string} text */
function component(text) {
  const { ruleset, parameters, position } = term(text);
  const drawn = PICTURES[ruleset]?.(position);
  const name = `\\texttt{${plain(text)}}`;
  return drawn ? `% ${ruleset}${parameters ? `[${parameters}]` : ""}:${position}\n${drawn}` : name;
}

/**
 * Writes the components of a sum. Load tikz in the preamble.
 * @param {string[]} positions
 */
export const latexOf = (positions) => `% \\usepackage{tikz}\n${positions.map(component).join("\n$+$\n")}\n`;
