// The colours of the theme for drawing, and the colour scale of nimbers.

/** Reads the tokens of the theme. */
export function tokens() {
  const style = getComputedStyle(document.documentElement);
  const of = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  return { paper: of("panel"), ink: of("ink"), soft: of("soft"), line: of("line"), point: of("nimber"), moon: of("table-moon"), other: of("table-other"), exception: of("table-exception"), period: of("table-period"), cursor: of("focus"), band: of("moon-back") };
}

/** Mixes two colours of the form #rrggbb. @param {string} from @param {string} to @param {number} part */
export function between(from, to, part) {
  const channels = (/** @type {string} */ colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const [a, b] = [channels(from), channels(to)];
  return `rgb(${a.map((channel, i) => Math.round(channel + (b[i] - channel) * part)).join(",")})`;
}

/** From dark to bright in even steps of lightness, so that the order is visible without colour too. */
const STOPS = [[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]];
const STEPS = 64;

const SCALE = Array.from({ length: STEPS + 1 }, (_, i) => {
  const at = (i / STEPS) * (STOPS.length - 1);
  const low = Math.min(Math.floor(at), STOPS.length - 2);
  const colour = STOPS[low].map((from, channel) => Math.round(from + (STOPS[low + 1][channel] - from) * (at - low)));
  return { colour: `rgb(${colour.join(",")})`, isDark: i < STEPS * 0.55 };
});

/** Returns the colour of a nimber, given the largest nimber. Small nimbers are more common, so their colours differ more. @param {number} value @param {number} largest */
export const nimberColour = (value, largest) => SCALE[Math.round(Math.sqrt(Math.min(value, largest) / Math.max(1, largest)) * STEPS)];
