// Sizes for drawings of edges: the steps between vertices, and the room that each element takes.

/**
 * Returns the sizes. Visible values need more room.
 * @param {boolean} values @param {boolean} coins whether vertices are coins
 * @returns {import("./curves.js").Sizes}
 */
export const sizes = (values, coins) => ({
  ...(values ? { stepX: 128, stepY: 122, reach: 36, spot: { x: 28, y: 14 }, handle: { x: 28, above: 13, below: 32 } }
    : { stepX: 74, stepY: 78, reach: 27, spot: { x: 14, y: 14 }, handle: { x: 14, above: 14, below: 14 } }),
  vertex: coins ? 15 : 6,
});
