// Starting positions.

export const BARTENDER = "green-lime:0-1g,1-2l,1-3g,2-3g + green-lime:lg + green-lime:0-1l,1-2g,1-3l + green-lime:0-1g,1-2l,1-3l";

/** @type {{name: string, text: string}[]} */
export const PRESETS = [
  { name: "The bartender's problem", text: BARTENDER },
  { name: "Green-lime: two glasses", text: "green-lime:0-1g,1-2l,1-3l + green-lime:0-1l,1-2g,1-3l" },
  { name: "Nimstring, 2 by 2", text: "nimstring:2x2" },
  { name: "Nimstring beside a heap", text: "nimstring:1x3 + nim:2" },
  { name: "Christmas lights", text: "lights:2b1s2b + lights:1b2s1b1s1b" },
  { name: "Top entails", text: "top-entails:5 + top-entails:4" },
  { name: "Nim", text: "nim:3 + nim:4 + nim:5" },
  { name: "Slide", text: "slide[-2,-3,+1;9]:7 + nim:2" },
  { name: "Kayles", text: "kayles:7 + kayles:4" },
  { name: "Strings and coins", text: "coins:a-b,b-c,c-a,a-0,b-0,c-0" },
  { name: "Toads and frogs that slide back", text: "backsliding:tt..ff" },
  { name: "Fox and geese", text: "fox-geese:6/geese=5.1,5.3,5.5/fox=2.4" },
  { name: "Wythoff's game", text: "wythoff:5,8" },
  { name: "A mixed sum", text: "top-entails:5 + nimstring:1x2 + lights:2b1s1b + green-lime:gll + nim:3" },
];

/** Where random numbers come from. */
let chance = Math.random;

/** Returns a random number from 0 to n − 1. @param {number} n */
const below = (n) => Math.floor(chance() * n);

/**
 * Makes something with random numbers that depend on the seed only.
 * @template T
 * @param {number} seed @param {() => T} make
 */
export function seeded(seed, make) {
  let state = seed >>> 0;
  chance = () => {
    // A generator with 32 bits of state: a counter, and a hash of it.
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  try {
    return make();
  } finally {
    chance = Math.random;
  }
}
/** @param {number} least @param {number} most */
const between = (least, most) => least + below(most - least + 1);

/** Random positions that the program solves at once. @type {Record<string, () => string>} */
const RANDOM = {
  "green-lime": () => {
    const count = between(2, 5);
    const edges = [];
    for (let i = 1; i <= count; i += 1) edges.push(`${below(i)}-${i}${"gl"[below(2)]}`);
    return `green-lime:${edges.join(",")}`;
  },
  nimstring: () => {
    const [rows, columns] = [between(1, 2), between(2, 3)];
    const bits = (/** @type {number} */ n) => Array.from({ length: n }, () => (chance() < 0.4 ? "1" : "0")).join("");
    // Leave at least one edge to draw.
    const position = `${rows}x${columns}/0${bits((rows + 1) * columns - 1)}/${bits(rows * (columns + 1))}`;
    return `nimstring:${position}`;
  },
  lights: () => `lights:${Array.from({ length: between(2, 4) }, (_, i) => `${between(1, 3)}${"bs"[i % 2]}`).join("")}`,
  "top-entails": () => `top-entails:${between(4, 9)}`,
  nim: () => `nim:${between(2, 7)}`,
  slide: () => { const last = between(6, 12); return `slide[-${between(1, 3)},-${between(4, 5)},+${between(1, 3)};${last}]:${between(2, last)}`; },
  kayles: () => `kayles:${between(3, 8)}`,
  coins: () => {
    const count = between(3, 4);
    const names = "abcd";
    const edges = [];
    for (let i = 1; i < count; i += 1) edges.push(`${names[below(i)]}-${names[i]}`);
    for (let i = 0; i < count; i += 1) edges.push(`${names[i]}-0`);
    return `coins:${edges.join(",")}`;
  },
};

export const RULESETS = Object.keys(RANDOM);

/** Returns a random component of this ruleset, or of any ruleset. @param {string} [ruleset] */
export const another = (ruleset) => RANDOM[ruleset ?? RULESETS[below(RULESETS.length)]]();

/** Returns a random sum of two or three components, or of one or two components of this ruleset. @param {string} [ruleset] */
export function random(ruleset) {
  const count = ruleset ? between(1, 2) : between(2, 3);
  return Array.from({ length: count }, () => another(ruleset)).join(" + ");
}
