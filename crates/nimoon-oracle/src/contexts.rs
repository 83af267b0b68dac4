//! Positions whose behaviour is clear from their definition, and the values that follow from
//! behaviour.
//!
//! A [`Contexts`] board holds, on one board, the smallest positions of every kind:
//!
//! ```text
//! *k        the heaps: *k → *0, …, *(k-1)
//! ∞_∅       loop → loop
//! ∞_{d}     J_d → J_d, *d
//! ninny f   n_f → n_f, g_f      with g_f gray, g_f → *f
//! ☾_{f}     m_f → *f, g_f
//! ☾_{e,f}   m → g_e, g_f
//! ○         o → t               with t gray and terminal
//! ```
//!
//! The outcomes of a white position of the carry-on theory beside the heaps, beside ∞_∅ and beside
//! the ∞_{d} determine its value, which [`Behaviour::value`] returns.
//!
//! ## References
//! [ACLNSS, Thm 2.4, Thm 2.5]: the outcomes of the sums that are read here.

use std::fmt;

use crate::graph::Outcome;
use crate::product::{Board, Product, ProductError};

/// The behaviour of a white position of the carry-on theory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Like the nim-heap of this size.
    Number(usize),
    /// ○: the mover wins, whatever else is on the board.
    FullMoon,
    /// ☾: the mover wins beside every heap and can force the opponent to move to any of these.
    Moon(Vec<usize>),
    /// The mover can force the opponent to move to this heap; beside it, the game is drawn.
    Ninny(usize),
    /// ∞: drawn, except beside the heaps that the mover can move to.
    Cyclic(Vec<usize>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |set: &[usize]| {
            let numbers: Vec<String> = set.iter().map(ToString::to_string).collect();
            numbers.join(",")
        };
        match self {
            Self::Number(n) => write!(f, "{n}"),
            Self::FullMoon => write!(f, "full-moon"),
            Self::Moon(forced) => write!(f, "moon{{{}}}", list(forced)),
            Self::Ninny(forced) => write!(f, "ninny{{{forced}}}"),
            Self::Cyclic(exits) => write!(f, "oo{{{}}}", list(exits)),
        }
    }
}

/// A white node of a [`Contexts`] board and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The node.
    pub node: usize,
    /// Its value, by definition.
    pub value: Value,
}

/// A board that holds positions of known behaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contexts {
    /// The board; node `k` is the heap `*k`.
    pub board: Board,
    /// The known positions, the heaps first.
    pub known: Vec<Context>,
    largest: usize,
}

impl Contexts {
    /// The heaps `*0`, …, `*largest`.
    ///
    /// ```
    /// use nimoon_oracle::{Contexts, Value};
    /// let heaps = Contexts::heaps(3);
    /// assert_eq!(heaps.known[2].value, Value::Number(2));
    /// ```
    pub fn heaps(largest: usize) -> Self {
        let known = (0..=largest).map(|k| Context { node: k, value: Value::Number(k) }).collect();
        Self { board: Board::heap(largest), known, largest }
    }

    /// Heaps and acyclic moons: what the entailing theory can stand beside.
    pub fn entailing(largest: usize) -> Self {
        let mut contexts = Self::heaps(largest);
        contexts.add_moons();
        contexts
    }

    /// Every kind of position that the carry-on theory can stand beside.
    pub fn carry_on(largest: usize) -> Self {
        let mut contexts = Self::heaps(largest);
        contexts.add_loop(&[]);
        for d in 0..=largest {
            contexts.add_loop(&[d]);
        }
        contexts.add_loop(&[0, 1.min(largest)]);
        let gray = contexts.add_moons();
        for (f, &forcing) in gray.iter().enumerate() {
            let node = contexts.board.len();
            contexts.add(Value::Ninny(f), vec![node, forcing]);
        }
        contexts
    }

    fn add(&mut self, value: Value, options: Vec<usize>) {
        self.known.push(Context { node: self.board.len(), value });
        self.board.gray.push(false);
        self.board.options.push(options);
    }

    fn add_gray(&mut self, options: Vec<usize>) -> usize {
        self.board.gray.push(true);
        self.board.options.push(options);
        self.board.len() - 1
    }

    fn add_loop(&mut self, exits: &[usize]) {
        let mut options = vec![self.board.len()];
        options.extend(exits);
        let mut exits = exits.to_vec();
        exits.dedup();
        self.add(Value::Cyclic(exits), options);
    }

    /// Adds moons of all sizes; returns the gray nodes that lead to each heap.
    fn add_moons(&mut self) -> Vec<usize> {
        let terminal = self.add_gray(Vec::new());
        self.add(Value::FullMoon, vec![terminal]);
        let gray: Vec<usize> = (0..=self.largest).map(|f| self.add_gray(vec![f])).collect();
        for (f, &forcing) in gray.iter().enumerate() {
            self.add(Value::Moon(vec![f]), vec![f, forcing]);
        }
        for (e, pair) in gray.windows(2).enumerate().take(2) {
            self.add(Value::Moon(vec![e, e + 1]), pair.to_vec());
        }
        gray
    }

    /// Solves every node of a board beside every node of this one.
    ///
    /// # Errors
    /// When the board names a node that it does not have, or is too large.
    pub fn beside(&self, board: &Board) -> Result<Product, ProductError> {
        Product::new(&[board, &self.board])
    }

    /// How a white node behaves, from a product made by [`Self::beside`].
    ///
    /// None unless this board is one of [`Self::carry_on`] and the node is there.
    pub fn behaviour(&self, product: &Product, node: usize) -> Option<Behaviour> {
        let beside = |context: &Context| product.outcome(&[node, context.node]);
        let heaps = self.known.get(..=self.largest)?.iter().map(beside);
        let pass = self.known.get(self.largest + 1)?;
        let exits = self.known.get(self.largest + 2..=2 * self.largest + 2)?;
        if pass.value != Value::Cyclic(Vec::new()) {
            return None;
        }
        Some(Behaviour {
            heaps: heaps.collect::<Option<_>>()?,
            pass: beside(pass)?,
            exits: exits.iter().map(beside).collect::<Option<_>>()?,
        })
    }
}

/// The outcomes of a white position beside the contexts that distinguish values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// Beside `*0`, `*1`, and so on.
    pub heaps: Vec<Outcome>,
    /// Beside ∞_∅.
    pub pass: Outcome,
    /// Beside ∞_{0}, ∞_{1}, and so on.
    pub exits: Vec<Outcome>,
}

impl Behaviour {
    /// The value with this behaviour, if there is one.
    ///
    /// The heaps must go beyond every number in the value: one more than the white nodes of the
    /// board is enough.
    ///
    /// ```
    /// use nimoon_oracle::{Board, Contexts, Value};
    /// // 0 terminal; 1 → 1, 0; 2 → 2.
    /// let board = Board::white(vec![vec![], vec![1, 0], vec![2]]);
    /// let contexts = Contexts::carry_on(4);
    /// let product = contexts.beside(&board).unwrap();
    /// let value = |node| contexts.behaviour(&product, node).unwrap().value();
    /// assert_eq!(value(0), Some(Value::Number(0)));
    /// assert_eq!(value(1), Some(Value::Cyclic(vec![0])));
    /// assert_eq!(value(2), Some(Value::Cyclic(vec![])));
    /// ```
    pub fn value(&self) -> Option<Value> {
        let places = |outcomes: &[Outcome], wanted: Outcome| -> Vec<usize> {
            (0..outcomes.len()).filter(|&k| outcomes[k] == wanted).collect()
        };
        let lost = places(&self.heaps, Outcome::P);
        let drawn = places(&self.heaps, Outcome::D);
        let won = places(&self.heaps, Outcome::N);
        match (lost.as_slice(), drawn.as_slice()) {
            ([], []) => match self.pass {
                Outcome::N => Some(Value::FullMoon),
                Outcome::D => Some(Value::Moon(places(&self.exits, Outcome::N))),
                Outcome::P => None,
            },
            (&[n], []) => Some(Value::Number(n)),
            ([], &[f]) if self.heaps.last() == Some(&Outcome::N) => Some(Value::Ninny(f)),
            ([], _) => Some(Value::Cyclic(won)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{D, N, P};

    fn values(board: &Board, nodes: &[usize]) -> Vec<Value> {
        let contexts = Contexts::carry_on(board.len() + 2);
        let product = contexts.beside(board).unwrap();
        let value = |&node: &usize| contexts.behaviour(&product, node).unwrap().value().unwrap();
        nodes.iter().map(value).collect()
    }

    #[test]
    fn the_known_positions_behave_as_listed() {
        let contexts = Contexts::carry_on(5);
        let bigger = Contexts::carry_on(7);
        let product = bigger.beside(&contexts.board).unwrap();
        for context in &contexts.known {
            let value = bigger.behaviour(&product, context.node).unwrap().value();
            assert_eq!(value.as_ref(), Some(&context.value));
        }
        assert_eq!(contexts.known.len(), 6 + 1 + 6 + 1 + 1 + 6 + 2 + 6);
    }

    #[test]
    fn the_smallest_heaps_still_make_contexts() {
        assert_eq!(Contexts::carry_on(0).known.len(), 1 + 1 + 1 + 1 + 1 + 1 + 1);
        assert!(Contexts::entailing(0).known.iter().any(|c| c.value == Value::FullMoon));
    }

    #[test]
    fn smiths_trap_is_made_of_numbers() {
        // a → b; b → a, c; c terminal: a reverts to 0, so b is mex{0, 0}.
        let trap = Board::white(vec![vec![1], vec![0, 2], vec![]]);
        let expected = [Value::Number(0), Value::Number(1), Value::Number(0)];
        assert_eq!(values(&trap, &[0, 1, 2]), expected);
    }

    /// The first example of the theory: x is a moon, not a ninny, and what moves to x is 0.
    #[test]
    fn a_moon_by_two_carry_on_moves_is_a_moon() {
        let board = Board {
            gray: vec![false, true, false, true, false, false],
            options: vec![vec![], vec![0], vec![2, 1], vec![2], vec![0, 3], vec![4]],
        };
        let expected = [Value::Number(0), Value::Ninny(0), Value::Moon(vec![0]), Value::Number(0)];
        assert_eq!(values(&board, &[0, 2, 4, 5]), expected);
    }

    /// The second: z terminal; h gray → z; t gray, terminal; y → t; g gray → y; x → z, h, g.
    #[test]
    fn a_moon_that_can_carry_on_to_a_checkmate_is_full() {
        let (z, h, t, y, g) = (0, 1, 2, 3, 4);
        let board = Board {
            gray: vec![false, true, true, false, true, false],
            options: vec![vec![], vec![z], vec![], vec![t], vec![y], vec![z, h, g]],
        };
        assert_eq!(
            values(&board, &[z, y, 5]),
            [Value::Number(0), Value::FullMoon, Value::FullMoon]
        );
    }

    #[test]
    fn behaviour_that_no_value_has_gives_no_value() {
        let odd = Behaviour { heaps: vec![P, P, N], pass: D, exits: vec![D; 3] };
        assert_eq!(odd.value(), None);
        let odd = Behaviour { heaps: vec![P, D, N], pass: D, exits: vec![D; 3] };
        assert_eq!(odd.value(), None);
        let odd = Behaviour { heaps: vec![N; 3], pass: P, exits: vec![D; 3] };
        assert_eq!(odd.value(), None);
        assert_eq!(Behaviour { heaps: vec![N, D, N], ..odd }.value(), Some(Value::Ninny(1)));
    }

    #[test]
    fn values_are_written_as_the_engine_reads_them() {
        let values = [Value::Number(3), Value::FullMoon, Value::Ninny(2)];
        assert_eq!(values.map(|v| v.to_string()), ["3", "full-moon", "ninny{2}"]);
        assert_eq!(Value::Moon(vec![0, 1]).to_string(), "moon{0,1}");
        assert_eq!(Value::Cyclic(vec![]).to_string(), "oo{}");
    }
}
