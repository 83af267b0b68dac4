//! Sums of boards with white and gray nodes, written out and solved.
//!
//! A position of a sum is a node for each board. At most one piece is on a gray node, and then that
//! piece must be moved; otherwise any piece may be moved [ACLNSS, Def. 1.3, 1.5].

use std::collections::HashMap;
use std::fmt;

use crate::graph::{Graph, Outcome, Solution, solve};

/// A board for one piece: the colour and the options of each node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// Whether a piece on the node must be moved at once. A node beyond the end is white.
    pub gray: Vec<bool>,
    /// The options of a piece on the node; one row for each node.
    pub options: Vec<Vec<usize>>,
}

impl Board {
    /// A board of white nodes only.
    pub fn white(options: Vec<Vec<usize>>) -> Self {
        Self { gray: vec![false; options.len()], options }
    }

    /// The nim-heap of `size`: a piece on node `k` stands for the heap `*k`.
    ///
    /// ```
    /// use nimoon_oracle::Board;
    /// assert_eq!(Board::heap(2).options, [vec![], vec![0], vec![0, 1]]);
    /// ```
    pub fn heap(size: usize) -> Self {
        Self::white((0..=size).map(|k| (0..k).collect()).collect())
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.options.is_empty()
    }

    /// Whether a piece on this node must be moved at once.
    pub fn is_gray(&self, node: usize) -> bool {
        self.gray.get(node).copied().unwrap_or(false)
    }
}

/// Why boards have no product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProductError {
    /// An option or a start is not a node of its board.
    NoSuchNode {
        /// Which board.
        board: usize,
        /// The node.
        node: usize,
    },
    /// More positions than [`Product::LIMIT`].
    TooLarge,
    /// A start with a number of nodes other than the number of boards, or with two gray nodes.
    NoSuchStart,
}

impl fmt::Display for ProductError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchNode { board, node } => {
                write!(f, "node {node} is named, but board {board} has fewer nodes")
            }
            Self::TooLarge => {
                write!(f, "the sum has more than {} positions", Product::LIMIT)
            }
            Self::NoSuchStart => {
                write!(f, "a start needs one node per board, at most one of them gray")
            }
        }
    }
}

impl std::error::Error for ProductError {}

/// A sum of boards, with every position solved.
#[derive(Clone, Debug)]
pub struct Product {
    sizes: Vec<usize>,
    gray: Vec<Vec<bool>>,
    /// The place of a position in the solution: its code, or an entry of this table.
    places: Option<HashMap<usize, usize>>,
    solution: Solution,
}

impl Product {
    /// The largest number of positions that is solved.
    pub const LIMIT: usize = 1 << 28;

    /// Solves the sum from every tuple of nodes.
    ///
    /// ```
    /// use nimoon_oracle::{Board, Outcome, Product};
    /// let heaps = Board::heap(3);
    /// let nim = Product::new(&[&heaps, &heaps, &heaps]).unwrap();
    /// assert_eq!(nim.outcome(&[1, 2, 3]), Some(Outcome::P));
    /// assert_eq!(nim.outcome(&[1, 1, 3]), Some(Outcome::N));
    /// assert_eq!(nim.remoteness(&[1, 1, 0]), Some(2));
    /// ```
    ///
    /// # Errors
    /// When an option is not a node, or there are too many tuples.
    pub fn new(boards: &[&Board]) -> Result<Self, ProductError> {
        let (sizes, total) = check(boards)?;
        let mut graph = Graph::default();
        let mut tuple = vec![0; boards.len()];
        let mut codes = Vec::new();
        for code in 0..total {
            codes.clear();
            moves(boards, &sizes, &tuple, code, |_, _, to| codes.push(to));
            graph.push(codes.iter().copied());
            for (node, &size) in tuple.iter_mut().zip(&sizes) {
                *node += 1;
                if *node < size {
                    break;
                }
                *node = 0;
            }
        }
        Ok(Self::solved(boards, sizes, None, &graph))
    }

    /// Solves only the positions that play from one tuple can reach.
    ///
    /// ```
    /// use nimoon_oracle::{Board, Outcome, Product};
    /// let (pass, heap) = (Board::white(vec![vec![0]]), Board::heap(50));
    /// let sum = Product::reachable(&[&pass, &heap], &[0, 3]).unwrap();
    /// assert_eq!(sum.outcome(&[0, 3]), Some(Outcome::D));
    /// assert_eq!(sum.outcome(&[0, 4]), None);
    /// ```
    ///
    /// # Errors
    /// When an option or a start is not a node, two starts are gray, or there are too many
    /// tuples (counted as if all could be reached).
    pub fn reachable(boards: &[&Board], start: &[usize]) -> Result<Self, ProductError> {
        let (sizes, _) = check(boards)?;
        if start.len() != boards.len() {
            return Err(ProductError::NoSuchStart);
        }
        for (board, (&node, &size)) in start.iter().zip(&sizes).enumerate() {
            if node >= size {
                return Err(ProductError::NoSuchNode { board, node });
            }
        }
        if start.iter().zip(boards).filter(|(node, board)| board.is_gray(**node)).count() > 1 {
            return Err(ProductError::NoSuchStart);
        }
        let mut graph = Graph::default();
        let mut tuples = vec![start.to_vec()];
        let mut places = HashMap::from([(encode(&sizes, start), 0)]);
        let mut next = 0;
        while next < tuples.len() {
            let tuple = tuples[next].clone();
            let mut options = Vec::new();
            moves(boards, &sizes, &tuple, encode(&sizes, &tuple), |piece, node, code| {
                let place = *places.entry(code).or_insert_with(|| {
                    let mut moved = tuple.clone();
                    moved[piece] = node;
                    tuples.push(moved);
                    tuples.len() - 1
                });
                options.push(place);
            });
            graph.push(options);
            next += 1;
        }
        Ok(Self::solved(boards, sizes, Some(places), &graph))
    }

    fn solved(
        boards: &[&Board],
        sizes: Vec<usize>,
        places: Option<HashMap<usize, usize>>,
        graph: &Graph,
    ) -> Self {
        let gray = boards.iter().map(|board| (0..board.len()).map(|v| board.is_gray(v)).collect());
        Self { sizes, gray: gray.collect(), places, solution: solve(graph) }
    }

    /// The place of a tuple in the solution, if it is a position and was solved.
    fn place(&self, tuple: &[usize]) -> Option<usize> {
        let fits = tuple.len() == self.sizes.len()
            && tuple.iter().zip(&self.sizes).all(|(node, size)| node < size);
        if !fits || tuple.iter().zip(&self.gray).filter(|(node, gray)| gray[**node]).count() > 1 {
            return None;
        }
        let code = encode(&self.sizes, tuple);
        match &self.places {
            Some(places) => places.get(&code).copied(),
            None => Some(code),
        }
    }

    /// The outcome of a tuple; none if it is not a position of the sum, or was not reachable.
    pub fn outcome(&self, tuple: &[usize]) -> Option<Outcome> {
        self.place(tuple).map(|place| self.solution.outcomes[place])
    }

    /// The remoteness of a tuple in plies; none for a draw, or without an outcome.
    pub fn remoteness(&self, tuple: &[usize]) -> Option<usize> {
        self.place(tuple).and_then(|place| self.solution.remoteness[place])
    }
}

/// The sizes of the boards and the number of tuples, when every option is a node.
fn check(boards: &[&Board]) -> Result<(Vec<usize>, usize), ProductError> {
    let mut total: usize = 1;
    for (index, board) in boards.iter().enumerate() {
        if let Some(&node) = board.options.iter().flatten().find(|&&node| node >= board.len()) {
            return Err(ProductError::NoSuchNode { board: index, node });
        }
        total = total.checked_mul(board.len()).ok_or(ProductError::TooLarge)?;
    }
    if total > Product::LIMIT {
        return Err(ProductError::TooLarge);
    }
    Ok((boards.iter().map(|board| board.len()).collect(), total))
}

/// A tuple as one number; the first board has the lowest digit.
fn encode(sizes: &[usize], tuple: &[usize]) -> usize {
    tuple.iter().zip(sizes).rev().fold(0, |code, (node, size)| code * size + node)
}

/// Calls `found` with each move: the piece, its new node, and the code of the new tuple.
fn moves(
    boards: &[&Board],
    sizes: &[usize],
    tuple: &[usize],
    code: usize,
    mut found: impl FnMut(usize, usize, usize),
) {
    let mut gray = (0..boards.len()).filter(|&piece| boards[piece].is_gray(tuple[piece]));
    let entailed = gray.next();
    if gray.next().is_some() {
        // Tuples with two gray pieces are not positions; no move leads there either.
        return;
    }
    let mut unit = 1;
    for (piece, board) in boards.iter().enumerate() {
        if entailed.is_none_or(|gray| gray == piece) {
            let without = code - unit * tuple[piece];
            for &node in &board.options[tuple[piece]] {
                found(piece, node, without + unit * node);
            }
        }
        unit *= sizes[piece];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{D, N, P};

    #[test]
    fn nim_is_won_by_the_nim_sum() {
        let heaps = Board::heap(5);
        let nim = Product::new(&[&heaps, &heaps, &heaps]).unwrap();
        for a in 0..6 {
            for b in 0..6 {
                for c in 0..6 {
                    let expected = if a ^ b ^ c == 0 { P } else { N };
                    assert_eq!(nim.outcome(&[a, b, c]), Some(expected));
                    let there = Product::reachable(&[&heaps, &heaps, &heaps], &[a, b, c]).unwrap();
                    assert_eq!(there.outcome(&[a, b, c]), Some(expected));
                    assert_eq!(there.remoteness(&[a, b, c]), nim.remoteness(&[a, b, c]));
                }
            }
        }
    }

    #[test]
    fn a_piece_on_a_gray_node_must_be_moved_and_a_terminal_one_loses_at_once() {
        // 0 is a terminal gray node, 1 moves to it: checkmate, whatever else is on the board.
        let board = Board { gray: vec![true, false], options: vec![vec![], vec![0]] };
        let heap = Board::heap(3);
        let sum = Product::new(&[&board, &heap]).unwrap();
        for k in 0..=3 {
            assert_eq!(sum.outcome(&[0, k]), Some(P));
            assert_eq!(sum.remoteness(&[0, k]), Some(0));
            assert_eq!(sum.outcome(&[1, k]), Some(N));
            assert_eq!(sum.remoteness(&[1, k]), Some(1));
        }
    }

    #[test]
    fn two_pieces_on_gray_nodes_are_not_a_position() {
        let board = Board { gray: vec![true, false], options: vec![vec![1], vec![0]] };
        let pairs = Product::new(&[&board, &board]).unwrap();
        assert_eq!(pairs.outcome(&[0, 0]), None);
        assert_eq!(pairs.outcome(&[0, 1]), Some(D));
        assert_eq!(
            Product::reachable(&[&board, &board], &[0, 0]).unwrap_err(),
            ProductError::NoSuchStart
        );
    }

    #[test]
    fn missing_nodes_are_rejected() {
        let bad = Board::white(vec![vec![7]]);
        let error = ProductError::NoSuchNode { board: 0, node: 7 };
        assert_eq!(Product::new(&[&bad]).unwrap_err(), error);
        let heap = Board::heap(1);
        let error = ProductError::NoSuchNode { board: 0, node: 2 };
        assert_eq!(Product::reachable(&[&heap], &[2]).unwrap_err(), error);
        assert_eq!(Product::reachable(&[&heap], &[]).unwrap_err(), ProductError::NoSuchStart);
        let wide = Board::heap(4000);
        let sum = [&wide, &wide, &wide];
        assert_eq!(Product::new(&sum).unwrap_err(), ProductError::TooLarge);
        assert_eq!(Product::new(&[&heap]).unwrap().outcome(&[0, 0]), None);
    }

    #[test]
    fn the_empty_sum_is_lost_and_a_board_without_nodes_has_no_positions() {
        assert_eq!(Product::new(&[]).unwrap().outcome(&[]), Some(P));
        assert_eq!(Product::new(&[&Board::default()]).unwrap().outcome(&[0]), None);
    }

    /// z terminal; g₁ gray → z; c → c, g₁; g₂ gray → c; x → z, g₂, and y → x.
    #[test]
    fn the_node_that_the_printed_algorithm_calls_a_ninny_wins_beside_every_heap() {
        let (z, g1, c, g2, x) = (0, 1, 2, 3, 4);
        let board = Board {
            gray: vec![false, true, false, true, false, false],
            options: vec![vec![], vec![z], vec![c, g1], vec![c], vec![z, g2], vec![x]],
        };
        let heaps = Board::heap(6);
        let sum = Product::new(&[&board, &heaps]).unwrap();
        for k in 0..=6 {
            assert_eq!(sum.outcome(&[x, k]), Some(N));
            assert_eq!(sum.outcome(&[c, k]), Some(if k == 0 { D } else { N }));
            assert_eq!(sum.outcome(&[5, k]), Some(if k == 0 { P } else { N }));
        }
    }
}
