// Named games and examples.

/** Named games: the label, the expression, and a description. */
export const NAMED = [
  { name: "0", text: "0", what: "no moves at all" },
  { name: "1", text: "1", what: "a free move for Left" },
  { name: "½", text: "1/2", what: "half a move for Left" },
  { name: "∗", text: "*", what: "a nim-heap of one: {0|0}" },
  { name: "↑", text: "^", what: "up, a positive infinitesimal: {0|*}" },
  { name: "±1", text: "+-1", what: "a switch: {1|-1}" },
  { name: "tiny 1", text: "Tiny(1)", what: "tiny-one: {0||0|-1}" },
  { name: "on", text: "on", what: "Left can always pass: {pass|}" },
  { name: "off", text: "off", what: "Right can always pass: {|pass}" },
  { name: "dud", text: "dud", what: "both players can always pass: {pass|pass}, the deathless universal draw" },
  { name: "over", text: "over", what: "{0|pass}, greater than 0 and less than all positive numbers" },
  { name: "under", text: "under", what: "the negative of over: {pass|0}" },
  { name: "upon", text: "upon", what: "{pass|*}, greater than all the ups ^[1], ^[2], ^[3] …" },
  { name: "tis", text: "tis{tisn{|tis}|}", what: "tis = {tisn|}, where tisn = {|tis}; it does not equal a stopper" },
  { name: "tisn", text: "tisn{|tis{tisn|}}", what: "the negative of tis" },
];

/** Other names of games, by the text that the program prints. */
export const ALSO_CALLED = new Map([["1 & 0", "tis"], ["0 & -1", "tisn"], ["^[on]", "upon"], ["v[on]", "−upon"]]);

/** Symbols to insert into the text. */
export const SIGNS = ["{", "|", "}", "pass", "*", "^", "v", "+", "-", "&"];

/** Examples of one game, or of two games to compare. */
export const EXAMPLES = [
  { title: "on + off is dud", g: "on + off", h: "dud" },
  { title: "over is positive", g: "over", h: "0" },
  { title: "over is less than every positive number", g: "over", h: "1/1024" },
  { title: "upon is less than over", g: "upon", h: "over" },
  { title: "over + over is over", g: "over + over", h: "over" },
  { title: "upon + ∗ compared with 0", g: "upon + *", h: "0" },
  { title: "Siegel's game that does not equal a stopper", g: "a{1||a|0}", h: "" },
  { title: "tis compared with tisn", g: "tis{tisn{|tis}|}", h: "tisn{|tis{tisn|}}" },
  { title: "A game given by its sides", g: "1 & 0", h: "tis{tisn{|tis}|}" },
];

/** Unicycles: canonical forms with a single cycle. At each vertex one player moves along the cycle and the other has an exit. */
export const UNICYCLES = [
  { pattern: "LLRR", exits: ["0", "0", "*", "*"] },
  { pattern: "LLRLRR", exits: ["0", "0", "0", "0", "*", "*"] },
  { pattern: "LLLRLRRRLR", exits: ["-1", "-1", "-1", "0", "0", "0", "0", "0", "-1", "-1"] },
];

/** Writes a unicycle as an expression. @param {{pattern: string, exits: string[]}} unicycle */
export function unicycleText({ pattern, exits }) {
  return [...pattern].reduceRight((next, player, i) => {
    const name = i === 0 ? "a" : "";
    return player === "L" ? `${name}{${next}|${exits[i]}}` : `${name}{${exits[i]}|${next}}`;
  }, "a");
}
