// Families of positions that depend on a number n.

/** The patterns, the last n, and the rules. They make no claims about periods: the page shows what the program finds. */
export const FAMILIES = [
  { name: "Kayles", pattern: "kayles", to: 400, what: "knock down one pin or two that touch" },
  { name: "Top Entails", pattern: "top-entails", to: 3000, what: "take the top token, which entails, or split" },
  { name: "Dawson’s Kayles", pattern: "dawsons-kayles", to: 600, what: "knock down two pins that touch" },
  { name: "Grundy’s Game", pattern: "grundys-game", to: 5000, what: "split a heap into two unequal ones" },
  { name: "Dawson’s Chess", pattern: "dawsons-chess", to: 600, what: "pawns that must capture, octal 0.137" },
  { name: "Octal 0.156", pattern: "octal[0.156]", to: 6000, what: "take a whole heap of 1 or 2, split a heap by taking 2, or take 3 from a larger heap" },
  { name: "Treblecross", pattern: "treblecross", to: 20000, what: "the first player to make three adjacent crosses wins, octal 0.007" },
  { name: "Officers", pattern: "officers", to: 5000, what: "take one token from a larger heap, octal 0.6" },
  { name: "Subtraction {1, 3, 4}", pattern: "subtraction[1,3,4]", to: 200, what: "take 1, 3 or 4" },
  { name: "Subtraction {2, 5, 6}", pattern: "subtraction[2,5,6]", to: 200, what: "take 2, 5 or 6" },
  { name: "Hexadecimal 0.33F", pattern: "hexadecimal[0.33F]", to: 400, what: "take 1 or 2, or take 3 and leave up to three heaps" },
  { name: "Slide", pattern: "slide[-2,-3;30]", to: 30, what: "move the token 2 or 3 squares down the strip" },
  { name: "Wythoff, a row", pattern: "wythoff:7,{}", to: 60, what: "heaps of 7 and n" },
  { name: "Wythoff, all pairs", pattern: "wythoff:{a},{b}", to: 30, what: "heaps of a and of b: a map of two numbers" },
  { name: "Nim-heaps", pattern: "nim", to: 64, what: "take any number of tokens; the value is the size" },
];

/** The largest n that the program accepts in a request. */
export const MAX_N = 100_000;

/**
 * Returns a good width of the colour map: about twice its height, and a multiple of the period or a power of two.
 * @param {number} count
 * @param {number|null} period
 */
export function goodWidth(count, period) {
  const ideal = Math.max(10, Math.min(128, Math.sqrt(2.2 * count)));
  if (period !== null && period <= widest(count)) return period * Math.max(1, Math.round(ideal / period));
  return count <= 100 ? 10 : 2 ** Math.round(Math.log2(ideal));
}

/** Returns the largest width of the colour map. @param {number} count */
export const widest = (count) => Math.max(2, Math.min(500, count));
