// What the page remembers on this machine: the theme, finished lessons, the streak of puzzles.

/** Returns what was stored. Some browsers forbid it in frames of another site. @param {string} name @returns {string|null} */
export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} text */
export function store(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // It is forgotten when the page is closed.
  }
}
