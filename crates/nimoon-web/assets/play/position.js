// Parses the text of positions. The page knows no rules: all moves come from the program.

/** Splits a term of the form `ruleset[parameters]:position`. @param {string} text */
export function term(text) {
  const match = /^\s*([a-z0-9-]+)\s*(?:\[(.*?)\])?\s*:\s*([\s\S]*?)\s*$/.exec(text);
  return match ? { ruleset: match[1], parameters: match[2] ?? null, position: match[3] } : { ruleset: "", parameters: null, position: text };
}

/** Returns a group of a match as a number. @param {RegExpExecArray|null} match @param {number} [group] */
export const number = (match, group = 1) => Number(match?.[group] ?? NaN);
