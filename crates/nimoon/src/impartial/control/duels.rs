//! Duels: from digraphs to control automata.
//!
//! While a component stands on gray nodes the players move in it by turns. The player who enters a
//! duel chooses how to fight it, and the opponent which of the results comes about; a result is a
//! white node to which the opponent had to move. What matters are the minimal sets of results:
//!
//! - opponent to move on g: for each option of g, the option itself if it is white, or a set of
//!   results of the option if it is gray; the union of these. Without options, the empty set;
//! - player to move on g: a set of results of a gray option. A move to a white node would hand
//!   over.
//!
//! This is a least fixpoint: a duel without end is not won. There can be exponentially many minimal
//! sets: a gray node with n gray options, each of which has two ways to go on, has 2ⁿ of them. So
//! they are counted, and the work ends at a limit. [`Forcing`] needs none of them: it tells in
//! linear time what a player can force.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::control::automaton::{Automaton, Place, Results, State, in_order, minimal};
use crate::impartial::control::layers::Layers;
use crate::limits::{Interrupted, Work};

impl Automaton {
    /// The automaton of everything that play in control can reach from some nodes, and the place of
    /// each of these. This takes minimal sets of results, which can be exponentially many.
    pub(crate) fn of_digraph(
        digraph: &Digraph,
        layers: &Layers,
        nodes: &[Node],
        work: &mut Work,
    ) -> Result<(Self, Vec<Place>), Interrupted> {
        let number = |node| layers.number(node);
        let mut duels = Duels::new(digraph, &number);
        let places = nodes.iter().map(|&node| duels.place(node)).collect();
        duels.explore(work)?;
        duels.settle(work)?;
        let mut states = Vec::new();
        for (state, &node) in (0..).zip(&duels.states) {
            let gray = digraph.options(node).iter().filter(|&&option| digraph.is_gray(option));
            let all = gray.flat_map(|&option| duels.of(option, Mover::Opponent)).cloned().collect();
            let mut actions = minimal(all, work)?;
            // A duel that may lead back where it began gains nothing: what it is worth is below the
            // value of the state, and the least solution of X = f ∨ (X ∧ r) is that of X = f.
            actions.retain(|action| !action.contains(&Place::State(state)));
            states.push(State { exits: layers.wins(node), actions });
        }
        let wins = states.iter().map(|state| state.exits.clone()).collect();
        Ok((Self::with_wins(states, wins), places))
    }
}

/// What a player in control can do by a duel: which gray node to enter, and the results between which
/// the opponent then chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The gray node.
    pub through: Node,
    /// The results; none if the opponent is stuck.
    pub results: Vec<ActionResult>,
}

/// Where a duel can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionResult {
    /// On a number.
    Number(u64),
    /// On a white node without a number.
    Node(Node),
}

/// The least sets of results to which a player in control at a white node can limit the opponent,
/// for each gray node that can be entered.
///
/// # Errors
/// When a limit is hit.
pub fn actions(
    digraph: &Digraph,
    number: &dyn Fn(Node) -> Option<u64>,
    node: Node,
    work: &mut Work,
) -> Result<Vec<Action>, Interrupted> {
    let mut duels = Duels { most: 1, ..Duels::new(digraph, number) };
    duels.place(node);
    duels.explore(work)?;
    duels.settle(work)?;
    let mut found = Vec::new();
    for &through in digraph.options(node).iter().filter(|&&option| digraph.is_gray(option)) {
        for results in duels.of(through, Mover::Opponent) {
            let results = results.iter().map(|&place| match place {
                Place::Number(n) => ActionResult::Number(n),
                Place::State(state) => ActionResult::Node(duels.states[state as usize]),
            });
            found.push(Action { through, results: results.collect() });
        }
    }
    Ok(found)
}

/// From where a player in control can force one of some results: white nodes with certain numbers,
/// or the opponent stuck on a gray node.
///
/// ```
/// use nimoon::{Digraph, Work, impartial::control::{Forcing, Layers}};
/// // From node 3 the opponent is made to choose between 0 and 1, from node 4 to move to 1.
/// let arcs = vec![(1, 0), (2, 0), (2, 1), (3, 3), (3, 2), (4, 4), (4, 5), (5, 1)];
/// let digraph = Digraph::new(6, [2, 5], arcs).unwrap();
/// let work = Work::default();
/// let layers = Layers::of(&digraph, &work);
/// let forcing = |number| Forcing::of(&digraph, &layers, &work, |n| n == number).unwrap();
/// assert!(!forcing(1).can(3) && forcing(1).can(4));
/// let any = Forcing::of(&digraph, &layers, &work, |_| true).unwrap();
/// assert!(any.can(3) && any.can(4));
/// ```
#[derive(Clone, Debug)]
pub struct Forcing {
    from: FixedBitSet,
}

impl Forcing {
    /// From where the player in control can force one of the numbers wanted, or get the opponent
    /// stuck. If no number is wanted, the nodes that can do so are full moons.
    ///
    /// # Errors
    /// When the time is over, or somebody asks to stop.
    pub fn of(
        digraph: &Digraph,
        layers: &Layers,
        work: &Work,
        wanted: impl Fn(u64) -> bool,
    ) -> Result<Self, Interrupted> {
        let mut pace = work.pace();
        // White nodes, and gray nodes on which the player is to move; gray nodes on which the
        // opponent is.
        let mut free = FixedBitSet::with_capacity(digraph.len());
        let mut entailed = FixedBitSet::with_capacity(digraph.len());
        let mut left: Vec<u32> =
            digraph.nodes().map(|node| digraph.options(node).len() as u32).collect();
        let mut found = Vec::new();
        for node in digraph.nodes() {
            if digraph.is_gray(node) {
                if left[node as usize] == 0 {
                    entailed.insert(node as usize);
                    found.push((node, Mover::Opponent));
                }
            } else if layers.number(node).is_some_and(&wanted) {
                free.insert(node as usize);
                found.push((node, Mover::Player));
            }
        }
        while let Some((node, mover)) = found.pop() {
            pace.step()?;
            for &from in digraph.predecessors(node) {
                let place = from as usize;
                match mover {
                    Mover::Opponent => {
                        if layers.number(from).is_none() && !free.put(place) {
                            found.push((from, Mover::Player));
                        }
                    }
                    Mover::Player => {
                        if digraph.is_gray(from) {
                            left[place] -= 1;
                            if left[place] == 0 && !entailed.put(place) {
                                found.push((from, Mover::Opponent));
                            }
                        }
                    }
                }
            }
        }
        let from =
            digraph.nodes().filter(|&node| !digraph.is_gray(node) && free.contains(node as usize));
        let from = from.map(|node| node as usize).collect();
        Ok(Self { from })
    }

    /// Whether the player to move on a white node can; a number forces itself.
    pub fn can(&self, node: Node) -> bool {
        self.from.contains(node as usize)
    }
}

/// Who is to move on a gray node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mover {
    /// The player who is in control when the duel is over.
    Player,
    Opponent,
}

/// The duels below some nodes: for each gray node and each mover, the minimal sets of results to
/// which the player can limit the opponent without ever handing over.
struct Duels<'a> {
    digraph: &'a Digraph,
    number: &'a dyn Fn(Node) -> Option<u64>,
    /// How many states are visited; the others are only results.
    most: usize,
    states: Vec<Node>,
    places: FxHashMap<Node, u32>,
    fights: FxHashMap<(Node, Mover), usize>,
    /// What each fight is, which other ones depend on it, and its sets of results.
    order: Vec<(Node, Mover)>,
    users: Vec<Vec<usize>>,
    results: Vec<Vec<Results>>,
}

impl<'a> Duels<'a> {
    fn new(digraph: &'a Digraph, number: &'a dyn Fn(Node) -> Option<u64>) -> Self {
        Self {
            digraph,
            number,
            most: usize::MAX,
            states: Vec::new(),
            places: FxHashMap::default(),
            fights: FxHashMap::default(),
            order: Vec::new(),
            users: Vec::new(),
            results: Vec::new(),
        }
    }

    /// The place of a white node.
    fn place(&mut self, node: Node) -> Place {
        if let Some(n) = (self.number)(node) {
            return Place::Number(n);
        }
        let states = &mut self.states;
        Place::State(*self.places.entry(node).or_insert_with(|| {
            states.push(node);
            states.len() as u32 - 1
        }))
    }

    fn fight(&mut self, node: Node, mover: Mover) -> usize {
        let order = &mut self.order;
        let fight = *self.fights.entry((node, mover)).or_insert_with(|| {
            order.push((node, mover));
            order.len() - 1
        });
        if fight == self.users.len() {
            self.users.push(Vec::new());
            self.results.push(Vec::new());
        }
        fight
    }

    fn of(&self, node: Node, mover: Mover) -> &[Results] {
        self.fights.get(&(node, mover)).map_or(&[], |&fight| &self.results[fight])
    }

    /// Finds all states and fights.
    fn explore(&mut self, work: &mut Work) -> Result<(), Interrupted> {
        let (mut states, mut fights) = (0, 0);
        while states < self.states.len().min(self.most) || fights < self.order.len() {
            work.count()?;
            if let Some(&node) = self.states.get(states).filter(|_| states < self.most) {
                states += 1;
                for &option in self.digraph.options(node) {
                    if self.digraph.is_gray(option) {
                        self.fight(option, Mover::Opponent);
                    }
                }
                continue;
            }
            let (node, mover) = self.order[fights];
            for &option in self.digraph.options(node) {
                let other = match mover {
                    _ if self.digraph.is_gray(option) && mover == Mover::Opponent => Mover::Player,
                    _ if self.digraph.is_gray(option) => Mover::Opponent,
                    Mover::Opponent => {
                        self.place(option);
                        continue;
                    }
                    // A move to a white node would hand over.
                    Mover::Player => continue,
                };
                let other = self.fight(option, other);
                self.users[other].push(fights);
            }
            fights += 1;
        }
        Ok(())
    }

    /// The least solution, from no results on: a duel without end is not won. What was found last
    /// is tried first, since it is needed by what was found before.
    fn settle(&mut self, work: &mut Work) -> Result<(), Interrupted> {
        let mut waiting: Vec<usize> = (0..self.order.len()).collect();
        let mut is_waiting = vec![true; self.order.len()];
        while let Some(fight) = waiting.pop() {
            is_waiting[fight] = false;
            let found = self.results_of(fight, work)?;
            if found == self.results[fight] {
                continue;
            }
            self.results[fight] = found;
            for &user in &self.users[fight] {
                if !std::mem::replace(&mut is_waiting[user], true) {
                    waiting.push(user);
                }
            }
        }
        Ok(())
    }

    fn results_of(&self, fight: usize, work: &mut Work) -> Result<Vec<Results>, Interrupted> {
        work.count()?;
        let (node, mover) = self.order[fight];
        let options = self.digraph.options(node);
        if mover == Mover::Player {
            let gray = options.iter().filter(|&&option| self.digraph.is_gray(option));
            let all = gray.flat_map(|&option| self.of(option, Mover::Opponent));
            return minimal(all.cloned().collect(), work);
        }
        // The opponent may choose any option, so a set of results is one for each of them.
        let mut sets: Vec<Results> = vec![Box::default()];
        for &option in options {
            let white;
            let some: &[Results] = if self.digraph.is_gray(option) {
                self.of(option, Mover::Player)
            } else {
                let number = (self.number)(option).map(Place::Number);
                let place = number.unwrap_or_else(|| Place::State(self.places[&option]));
                white = [Box::from([place])];
                &white
            };
            let mut unions = Vec::new();
            for set in &sets {
                for more in some {
                    work.count()?;
                    unions.push(in_order(set.iter().chain(more.iter()).copied().collect()));
                }
            }
            sets = minimal(unions, work)?;
        }
        Ok(sets)
    }
}
