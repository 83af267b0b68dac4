// Families of positions that are told apart by a number.

/** What is asked for, up to where, and what there is to see. */
export const FAMILIES = [
  { name: "Kayles", pattern: "kayles", to: 400, what: "knock down one pin or two that touch: period 12 after 14 exceptions" },
  { name: "Top Entails", pattern: "top-entails", to: 3000, what: "take the top token, which entails, or split: moons are rare" },
  { name: "Dawson’s Kayles", pattern: "dawsons-kayles", to: 600, what: "knock down two pins that touch: period 34" },
  { name: "Grundy’s Game", pattern: "grundys-game", to: 5000, what: "split a heap into two unequal ones: no period is known" },
  { name: "Dawson’s Chess", pattern: "dawsons-chess", to: 600, what: "pawns that must capture, octal 0.137: period 34" },
  { name: "Octal 0.156", pattern: "octal[0.156]", to: 6000, what: "period 349 from 3479 on" },
  { name: "Treblecross", pattern: "treblecross", to: 20000, what: "three crosses side by side win, octal 0.007: no period is known" },
  { name: "Officers", pattern: "officers", to: 5000, what: "take one token from a larger heap, octal 0.6: no period is known" },
  { name: "Subtraction {1, 3, 4}", pattern: "subtraction[1,3,4]", to: 200, what: "take 1, 3 or 4: period 7" },
  { name: "Subtraction {2, 5, 6}", pattern: "subtraction[2,5,6]", to: 200, what: "take 2, 5 or 6: period 11" },
  { name: "Hexadecimal 0.33F", pattern: "hexadecimal[0.33F]", to: 400, what: "three heaps may be left: values may grow for ever" },
  { name: "Slide", pattern: "slide[-2,-3;30]", to: 30, what: "a token goes down the strip by 2 or by 3" },
  { name: "Wythoff, a row", pattern: "wythoff:7,{}", to: 60, what: "heaps of 7 and n" },
  { name: "Nim-heaps", pattern: "nim", to: 64, what: "the value is the size" },
];

/** The largest number that the program takes here. */
export const LARGEST = 100_000;

/**
 * A good width of the colour map: twice as wide as high, in whole periods or a power of two.
 * @param {number} count
 * @param {number|null} period
 */
export function goodWidth(count, period) {
  const wanted = Math.max(10, Math.min(128, Math.sqrt(2.2 * count)));
  if (period !== null && period <= widest(count)) return period * Math.max(1, Math.round(wanted / period));
  return count <= 100 ? 10 : 2 ** Math.round(Math.log2(wanted));
}

/** @param {number} count */
export const widest = (count) => Math.max(2, Math.min(500, count));
