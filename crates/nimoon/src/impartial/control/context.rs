//! Contexts: positions beside which two values have different outcomes.
//!
//! If x is not below y, there is a white position S such that the player to move fares better in
//! x + S than in y + S. It follows the play by which the spoiler wins the comparison game
//! (Theorem 4), from the removals of pairs (p ; q) backwards:
//!
//! - p wins beside *k and q does not: S = *k;
//! - p is the number j: S is a white node with a loop and a move to *j. It can only be finished by
//!   handing over at j, so q + S is won only if j can be forced from q;
//! - p has an action E that q cannot answer: S is a white node with a loop and, for each e in E, a
//!   move to a gray node, on which the opponent chooses a context for (e ; q'), where q' is one of
//!   the places in which the opponent can keep q. In p + S the mover plays E, gets some e, enters
//!   the gray node of e, and wins whatever the opponent chooses. In q + S handing over wins nothing
//!   because of the loop, and when the mover leaves S, the opponent chooses the context for the
//!   place where q then stands.

use rustc_hash::FxHashMap;

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::control::automaton::Place;
use crate::impartial::control::drawing::Drawing;
use crate::impartial::control::order::Order;
use crate::impartial::control::value::Control;
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// A position that tells two values apart.
#[derive(Clone, Debug)]
pub struct Context {
    /// The digraph of the position.
    pub digraph: Digraph,
    /// The names of its nodes: `*0`, `*1`, … for nim-heaps, `S`, `S1`, … for other white nodes, and
    /// `g`, `g1`, … for gray ones.
    pub names: Vec<String>,
    /// Where the component stands.
    pub start: Node,
    /// The outcome beside the first value.
    pub first: Outcome,
    /// The outcome beside the second value.
    pub second: Outcome,
}

impl Control {
    /// A position beside which the player to move fares better with this value than with another
    /// one; none if there is no such position.
    ///
    /// ```
    /// use nimoon::{Outcome, Work, impartial::control::Control};
    /// let mut work = Work::default();
    /// let [x, y] = ["[0/[1, 2]]", "[0/1, 0/2]"].map(|text| Control::read(text, &mut work).unwrap());
    /// let context = x.context(&y, &mut work).unwrap().unwrap();
    /// assert_eq!((context.first, context.second), (Outcome::N, Outcome::D));
    /// assert!(y.context(&x, &mut work).unwrap().is_none());
    /// ```
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn context(&self, other: &Self, work: &mut Work) -> Result<Option<Context>, Interrupted> {
        let mut drawing = Drawing::default();
        let beside = |value: &Self, k: u64, work: &mut Work| {
            Self::sum(&[value.clone(), Self::number(k)], work).map(|sum| sum.outcome())
        };
        if let Some(m) = other.as_number().filter(|_| self.as_number() != other.as_number()) {
            // Beside the number itself the other one is lost, and nothing else is.
            let start = drawing.heap(m, work)?;
            let first = beside(self, m, work)?;
            return drawing.finish(start, first, Outcome::P, work).map(Some);
        }
        let [low, high] = [self, other].map(Self::automaton);
        let order = Order::of((&low, self.start()), (&high, other.start()), work)?;
        if self.as_number() == other.as_number() && self.as_number().is_some()
            || order.holds(self.start(), other.start())
        {
            return Ok(None);
        }
        let (p, q) = (order.left.index(self.start()), order.right.index(other.start()));
        // A heap says most with least.
        let others = order.left.wins(p).complement().union(&order.right.wins(q));
        if let Some(k) = others.mex() {
            let start = drawing.heap(k, work)?;
            let second = beside(other, k, work)?;
            return drawing.finish(start, Outcome::N, second, work).map(Some);
        }
        let mut maker = Maker { order, drawing, known: FxHashMap::default() };
        let start = maker.all((p, q), work)?;
        maker.drawing.finish(start, Outcome::N, Outcome::D, work).map(Some)
    }
}

type Pair = (usize, usize);

struct Maker<'a> {
    order: Order<'a>,
    drawing: Drawing,
    known: FxHashMap<Pair, Node>,
}

impl Maker<'_> {
    /// The node of the context for a pair, after those for all pairs that it leads to.
    fn all(&mut self, first: Pair, work: &mut Work) -> Result<Node, Interrupted> {
        // Whether the pair was opened before: then all that it needs is known.
        let mut stack = vec![(first, false)];
        while let Some((pair, opened)) = stack.pop() {
            work.count()?;
            if self.known.contains_key(&pair) {
                continue;
            }
            let (p, q) = pair;
            let Some((action, lost)) = self.order.reason(p, q, work)? else {
                let node = self.at_once(pair, work)?;
                self.known.insert(pair, node);
                continue;
            };
            let kept = self.kept(q, &lost);
            let results = self.order.left.actions(p)[action].clone();
            if opened {
                let start = self.drawing.white("S");
                self.drawing.arc(start, start);
                for result in results {
                    let gray = self.drawing.gray("g");
                    self.drawing.arc(start, gray);
                    for &q in &kept {
                        self.drawing.arc(gray, self.known[&(result, q)]);
                    }
                }
                self.known.insert(pair, start);
            } else {
                stack.push((pair, true));
                let pairs = results.iter().flat_map(|&e| kept.iter().map(move |&q| (e, q)));
                stack.extend(pairs.map(|pair| (pair, false)));
            }
        }
        Ok(self.known[&first])
    }

    /// Places in which the opponent can keep the component that began at q.
    fn kept(&self, q: usize, lost: &fixedbitset::FixedBitSet) -> Vec<usize> {
        let mut kept = vec![q];
        let mut next = 0;
        while next < kept.len() {
            for action in self.order.right.actions(kept[next]) {
                let stay = action.iter().copied().filter(|&place| lost.contains(place));
                // One answer is enough; one that is kept already adds nothing.
                let mut stay = stay.collect::<Vec<usize>>();
                stay.sort_by_key(|place| !kept.contains(place));
                if let Some(&place) = stay.first().filter(|place| !kept.contains(place)) {
                    kept.push(place);
                }
            }
            next += 1;
        }
        kept
    }

    /// The context of a pair that fails without a duel.
    fn at_once(&mut self, (p, q): Pair, work: &mut Work) -> Result<Node, Interrupted> {
        if let Place::Number(j) = self.order.left.list()[p] {
            let heap = self.drawing.heap(j, work)?;
            let start = self.drawing.white("S");
            self.drawing.arc(start, start);
            self.drawing.arc(start, heap);
            return Ok(start);
        }
        // The least heap that the first wins and the second does not.
        let others = self.order.left.wins(p).complement().union(&self.order.right.wins(q));
        let k = others.mex().unwrap_or_else(|| unreachable!("the pair fails at a heap"));
        self.drawing.heap(k, work)
    }
}
