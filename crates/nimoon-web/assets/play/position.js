// Positions as texts: how they are taken apart and put together. Rules are not known here; moves come from the program.

/** A term as `ruleset[parameters]:position`. @param {string} text */
export function term(text) {
  const match = /^\s*([a-z0-9-]+)\s*(?:\[(.*?)\])?\s*:\s*([\s\S]*?)\s*$/.exec(text);
  return match ? { ruleset: match[1], parameters: match[2] ?? null, position: match[3] } : { ruleset: "", parameters: null, position: text };
}

/** The number of a match. @param {RegExpExecArray|null} match @param {number} [group] */
export const number = (match, group = 1) => Number(match?.[group] ?? NaN);
