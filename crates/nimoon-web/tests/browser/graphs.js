// Random drawings for the tests: connected, with parallel edges, loops and cycles.

/** Returns a generator of numbers below n, which are the same for each seed. */
export function generator(seed) {
  let state = seed >>> 0;
  return (n) => {
    // xorshift
    state ^= state << 13; state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5; state >>>= 0;
    return state % n;
  };
}

/** Creates a position of at most `max` edges, as a text and as a list of edges. */
export function position(ruleset, random, max) {
  const count = 1 + random(max);
  const name = (vertex) => (vertex === 0 ? "0" : ruleset === "coins" ? "abcdefghijklmnopqrstuvwxyz"[vertex - 1] : String(vertex));
  let vertices = 1;
  const edges = Array.from({ length: count }, () => {
    // Connect a new vertex or two old ones. This also creates loops and parallel edges.
    const isNew = vertices === 1 || (vertices < 26 && random(2) === 0);
    const ends = [random(vertices), isNew ? vertices : random(vertices)].sort((a, b) => a - b);
    if (isNew) vertices += 1;
    return { ends, color: ruleset === "green-lime" ? "gl"[random(2)] : "" };
  });
  // Some drawings of coins are not connected to the ground.
  const isFloating = ruleset === "coins" && random(4) === 0;
  const kept = edges.filter(({ ends }) => !isFloating || ends[0] !== 0);
  const named = (kept.length ? kept : edges).map(({ ends, color }) => {
    const [a, b] = ends.map(name);
    return a === "0" && ruleset === "coins" ? { a: b, b: a, color } : { a, b, color };
  });
  return { text: `${ruleset}:${named.map(({ a, b, color }) => `${a}-${b}${color}`).join(",")}`, edges: named };
}

/** Returns the pairs of a green and a lime edge that share a vertex other than the ground. */
export function pairsOf(edges) {
  return edges.flatMap((one, i) => edges.slice(i + 1).flatMap((other, k) => {
    const vertex = [one.a, one.b].find((name) => name !== "0" && (name === other.a || name === other.b));
    return vertex === undefined || one.color === other.color ? [] : [{ one: i, other: i + 1 + k, vertex }];
  }));
}
