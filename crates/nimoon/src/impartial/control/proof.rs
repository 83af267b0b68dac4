//! What shows the value of a node, of a sum, or an order, to readers who do not trust this crate: the
//! pairs of places that hold in the comparison game. Each pair can be checked by itself, given the
//! others.

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::control::automaton::Automaton;
use crate::impartial::control::layers::Layers;
use crate::impartial::control::order::Order;
use crate::impartial::control::{Control, Place};
use crate::limits::{Interrupted, Work};

/// Pairs of a state of one automaton, and a place of another that is above it.
pub type Pairs = Vec<(u32, Place)>;

/// A value, and why something equals it.
#[derive(Clone, Debug)]
pub struct ValueProof {
    /// The value.
    pub value: Control,
    /// Pairs from the thing to the states of the value.
    pub below: Pairs,
    /// Pairs from the states of the value to the thing.
    pub above: Pairs,
}

/// The value of a partial sum.
#[derive(Clone, Debug)]
pub struct TotalProof {
    /// The states of the sum of the total before it and the next value.
    pub places: Vec<(Place, Place)>,
    /// The value, with pairs of these states and its own.
    pub proof: ValueProof,
}

/// The automaton of all white nodes of a digraph. The places of its proofs are nodes.
pub struct Prover {
    automaton: Automaton,
    /// The place of each white node.
    places: Vec<Option<Place>>,
    /// The node of each state.
    nodes: Vec<Node>,
}

impl Prover {
    /// Finds all duels of a digraph.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn new(digraph: &Digraph, layers: &Layers, work: &mut Work) -> Result<Self, Interrupted> {
        let white: Vec<Node> = digraph.nodes().filter(|&node| !digraph.is_gray(node)).collect();
        let (automaton, found) = Automaton::of_digraph(digraph, layers, &white, work)?;
        let mut places = vec![None; digraph.len()];
        let mut nodes = vec![0; automaton.states.len()];
        for (node, place) in white.into_iter().zip(found) {
            places[node as usize] = Some(place);
            if let Place::State(state) = place {
                nodes[state as usize] = node;
            }
        }
        Ok(Self { automaton, places, nodes })
    }

    /// The value of each white node that has no number.
    ///
    /// ```
    /// use nimoon::{Digraph, Work, impartial::control::{Layers, Prover}};
    /// // Node 3 passes, or enters the gray node 2, where the opponent chooses between 0 and 1.
    /// let digraph = Digraph::new(4, [2], vec![(1, 0), (2, 0), (2, 1), (3, 3), (3, 2)]).unwrap();
    /// let mut work = Work::default();
    /// let layers = Layers::of(&digraph, &work);
    /// let prover = Prover::new(&digraph, &layers, &mut work).unwrap();
    /// let values = prover.values(&mut work).unwrap();
    /// assert_eq!((values[0].0, values[0].1.value.to_string().as_str()), (3, "[0/1]"));
    /// ```
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn values(&self, work: &mut Work) -> Result<Vec<(Node, ValueProof)>, Interrupted> {
        let states: Vec<Place> = (0..self.nodes.len() as u32).map(Place::State).collect();
        let values = Control::of_places(&self.automaton, &states, work)?;
        let mut proofs = Vec::with_capacity(states.len());
        for (state, value) in states.into_iter().zip(values) {
            let Place::State(number) = state else { continue };
            let proof = equal((&self.automaton, state), value, |place| self.named(place), work)?;
            proofs.push((self.nodes[number as usize], proof));
        }
        proofs.sort_unstable_by_key(|&(node, _)| node);
        Ok(proofs)
    }

    /// Why one white node is at most another; none if it is not, or a node is gray. There are no
    /// pairs between numbers.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn below(
        &self,
        low: Node,
        high: Node,
        work: &mut Work,
    ) -> Result<Option<Pairs>, Interrupted> {
        let [Some(low), Some(high)] = [low, high].map(|node| self.places[node as usize]) else {
            return Ok(None);
        };
        if let Place::Number(_) = high {
            return Ok((low == high).then(Vec::new));
        }
        let found = pairs((&self.automaton, low), (&self.automaton, high), work)?;
        let named = |place| self.named(place);
        let all = found
            .map(|pairs| pairs.into_iter().map(|(p, q)| (state(named(Place::State(p))), named(q))));
        Ok(all.map(Iterator::collect))
    }

    /// A place with its node.
    fn named(&self, place: Place) -> Place {
        match place {
            Place::State(state) => Place::State(self.nodes[state as usize]),
            number @ Place::Number(_) => number,
        }
    }
}

fn state(place: Place) -> u32 {
    match place {
        Place::State(state) => state,
        Place::Number(_) => unreachable!("a state has a node"),
    }
}

/// Why something equals a value, with names for its places.
fn equal(
    own: (&Automaton, Place),
    value: Control,
    named: impl Fn(Place) -> Place,
    work: &mut Work,
) -> Result<ValueProof, Interrupted> {
    let automaton = value.automaton();
    let of_value = (&automaton, value.start());
    let below = pairs(own, of_value, work)?.unwrap_or_default();
    let above = pairs(of_value, own, work)?.unwrap_or_default();
    let below = below.into_iter().map(|(p, q)| (state(named(Place::State(p))), q)).collect();
    let above = above.into_iter().map(|(p, q)| (p, named(q))).collect();
    Ok(ValueProof { value, below, above })
}

/// The pairs that can be reached from two starts and hold; none if those of the starts do not.
fn pairs(
    low: (&Automaton, Place),
    high: (&Automaton, Place),
    work: &mut Work,
) -> Result<Option<Pairs>, Interrupted> {
    let order = Order::of(low, high, work)?;
    if !order.holds(low.1, high.1) {
        return Ok(None);
    }
    let mut reached = vec![order.left.index(low.1)];
    let mut next = 0;
    while let Some(&p) = reached.get(next) {
        next += 1;
        for &result in order.left.actions(p).iter().flatten() {
            if !reached.contains(&result) {
                reached.push(result);
            }
        }
    }
    reached.sort_unstable();
    let mut pairs = Vec::new();
    for p in reached {
        let Place::State(number) = order.left.list()[p] else { continue };
        work.count_all(order.right.len() as u64)?;
        let above = (0..order.right.len()).filter(|&q| order.holds_at(p, q));
        pairs.extend(above.map(|q| (number, order.right.list()[q])));
    }
    Ok(Some(pairs))
}

/// The values of the first value, of the first two and so on, each with its proof from the one before
/// it.
///
/// # Errors
/// When a limit is hit.
pub fn totals(values: &[Control], work: &mut Work) -> Result<Vec<TotalProof>, Interrupted> {
    let mut total = Control::number(0);
    let mut proofs = Vec::with_capacity(values.len());
    for value in values {
        let [left, right] = [&total, value].map(Control::automaton);
        let next = Control::sum(&[total.clone(), value.clone()], work)?;
        let (sum, start, places) =
            Automaton::sum((&left, total.start()), (&right, value.start()), work)?;
        let proof = equal((&sum, start), next.clone(), |place| place, work)?;
        proofs.push(TotalProof { places, proof });
        total = next;
    }
    Ok(proofs)
}
