// The lessons, in order: each has a text and a position that the reader wins.
import { BARTENDER } from "../play/positions.js";

/**
 * @typedef {{title: string, text: string[], position: string, first?: "you"|"engine", goal?: "draw", after: string}} Lesson
 *   `after` is what the reader has learnt. The goal is to win, if it is not a draw.
 */

/** @type {Lesson[]} */
export const LESSONS = [
  {
    title: "The last move wins",
    text: ["Two players take turns. A move takes any number of tokens from one heap. A player who cannot move loses.", "Click a token to take it and all tokens to its right. Take the whole heap."],
    position: "nim:3",
    after: "From one heap, the next player wins. A heap of n tokens has the value n, a nimber.",
  },
  {
    title: "Copy your opponent",
    text: ["Here are two equal heaps, and the engine starts. Whatever it does in one heap, do the same in the other."],
    position: "nim:3 + nim:3",
    first: "engine",
    after: "Two equal components cancel: the player who has just moved wins. The sum has the value 0.",
  },
  {
    title: "Make heaps equal",
    text: ["You start, and the heaps differ. Leave the engine a position from which you can copy."],
    position: "nim:5 + nim:3",
    after: "A position is lost for the next player exactly if its value is 0. To win, move to 0.",
  },
  {
    title: "The mex",
    text: ["From the first heap, a move takes 1 or 2 tokens. Its value is the mex of the values of its options: the smallest number that is not among them. So heaps of 0, 1, 2, 3, 4, 5 tokens have the values 0, 1, 2, 0, 1, 2.", "The heap of 5 equals 2, and the other heap equals 1. Make them equal."],
    position: "subtraction[1,2]:5 + nim:1",
    after: "Every position of a game without loops equals a nim-heap, and mex finds it.",
  },
  {
    title: "Add without carrying",
    text: ["Three heaps: 1, 4 and 7. Write them in binary, and add without carrying: 001 + 100 + 111 = 010. That is not 0, so you can win. Change one heap so that the sum becomes 0."],
    position: "nim:1 + nim:4 + nim:7",
    after: "Nimbers add without carrying. This solves every sum of games whose values are nimbers.",
  },
  {
    title: "Rows that split",
    text: ["In Kayles, a move knocks down one pin or two adjacent pins. A row can split into two, and the two rows are a sum.", "Find the move that leaves two equal rows."],
    position: "kayles:5",
    after: "A position that splits has the sum of the values of its parts.",
  },
  {
    title: "Move again",
    text: ["Draw a line between two dots. If you complete a box, you must move again, anywhere. If you then have no move, you lose.", "Here one line is missing. Complete the box, and use your second move."],
    position: "nimstring:1x1/11/10 + nim:2",
    after: "A move after which the mover moves again is a carry-on move. Boxes are not counted here: only the last move matters.",
  },
  {
    title: "When to complete a box",
    text: ["This is a small Dots and Boxes board. To take every box at once is often a mistake: after the last one you must still move."],
    position: "nimstring:1x3",
    after: "Before you take the last boxes of a chain, ask who must move afterwards.",
  },
  {
    title: "A move that must be answered",
    text: ["In Top Entails, a move splits a heap into two, or removes the top token. After the top token is removed, the opponent must answer in that same heap.", "The heap of 1 is a checkmate: remove its token, and there is nothing to answer with."],
    position: "top-entails:1 + nim:6",
    after: "A move that must be answered is an entailing move. A position from which one can mate at once is a full moon ○: it wins beside everything.",
  },
  {
    title: "The moon",
    text: ["The heap of 3 wins beside any nim-heap, because you can force the engine to leave what you like. Such a position is called a moon ☾.", "Remove the top token of the heap of 3, and see what the engine must do."],
    position: "top-entails:3 + nim:4",
    after: "A moon plus a nimber is a moon: the next player wins, whatever the nimber is.",
  },
  {
    title: "Games that need not end",
    text: ["The token slides 5 or 6 squares down, or 12 squares up, so play can go round for ever. A player who cannot win may then keep a draw.", "But from square 13 there is an exit to a position of value 2. Beside a heap of 2, that exit wins: leave the cycle."],
    position: "slide[-5,-6,+12;14]:13 + nim:2",
    after: "A cyclic value ∞ has exits: the numbers to which a player can leave. Beside an equal number, the exit wins. Beside any other number, the game is a draw.",
  },
  {
    title: "Keep a draw",
    text: ["The same token beside a heap of 1. No exit fits, so you cannot force a win, and the engine cannot either.", "Keep the token moving until a position comes back."],
    position: "slide[-5,-6,+12;14]:13 + nim:1",
    goal: "draw",
    after: "The outcome is D, a draw: neither player can force the end.",
  },
  {
    title: "Edges that fall",
    text: ["In Green-Lime Hackenbush, a move removes an edge, and all edges without a path to the ground fall. If you remove a green edge and a lime edge (dotted) falls, you move again.", "Fell the stalk of two edges with a single cut, and finish the heap."],
    position: "green-lime:gl + nim:1",
    after: "A green stem with lime above it is a carry-on move.",
  },
  {
    title: "Swap two colours",
    text: ["A second kind of move: click ⇄ to swap the colours of a green and a lime edge that touch. A swap ends your turn, and it can be undone by the opponent, so play can go round here as well.", "Cut the stem of this glass first. Then you move again."],
    position: "green-lime:0-1g,1-2l,1-3l + nim:3",
    after: "This glass is a moon with the forced value 0: ☾₀.",
  },
  {
    title: "The bartender’s problem",
    text: ["Now everything together: a glass that is cyclic, a glass that is a moon, a ninny and a stalk. Their sum is ∞₀,₂, and you can win.", "Each glass with a green stem gives you another move. In the end, leave two equal stalks."],
    position: BARTENDER,
    after: "You have won the problem of the paper. In Play you find more positions, and “Explain this position” shows the values that add up.",
  },
];
