//! Games that have been evaluated: their sides, and the graph as given, which is made when it is
//! needed.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::graph::components::strongly_connected;
use crate::limits::{Interrupted, Work};
use crate::partizan::graph::{Graph, Vertex};
use crate::partizan::sides::Sides;
use crate::partizan::stoppers::{Stopper, Stoppers};
use crate::partizan::survival::Arena;
use crate::player::Player;

/// What an [`Expression`](super::Expression) stands for.
///
/// ```
/// use nimoon::partizan::notation::Expression;
/// use nimoon::{Work, partizan::Stoppers};
/// let (mut stoppers, mut work) = (Stoppers::new(), Work::default());
/// // Two vertices that Left goes round on: a form of on, but not its canonical form.
/// let expression: Expression = "a{{a|}|}".parse().unwrap();
/// let game = expression.evaluate(&mut stoppers, &mut work).unwrap();
/// assert!(game.is_stopper(&stoppers, &mut work).unwrap());
/// assert_eq!(game.graph(&stoppers, &mut work).unwrap().unwrap().len(), 2);
/// let on = game.sides().stopper().unwrap();
/// assert_eq!(stoppers.text(on), "on");
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) sides: Sides,
    /// The terms whose product is the graph, each with how often it stands there; none for `G & H`.
    pub(super) terms: Option<Vec<(Term, u32)>>,
}

/// A part of a sum.
#[derive(Clone, Debug)]
pub(super) enum Term {
    /// In canonical form.
    Stopper(Stopper),
    /// As given, from vertex 0.
    Graph(Arc<Graph>),
}

impl Term {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Stopper(a), Self::Stopper(b)) => a == b,
            (Self::Graph(a), Self::Graph(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Game {
    pub(super) fn of_stopper(stopper: Stopper) -> Self {
        Self { sides: Sides::of(stopper), terms: Some(vec![(Term::Stopper(stopper), 1)]) }
    }

    pub(super) fn of_graph(graph: Graph, sides: Sides) -> Self {
        Self { sides, terms: Some(vec![(Term::Graph(Arc::new(graph)), 1)]) }
    }

    /// The sides, as far as they are found.
    pub fn sides(&self) -> Sides {
        self.sides
    }

    /// The graph as given, from vertex 0; none for `G & H`.
    ///
    /// # Errors
    /// When the work is interrupted: the graph of a sum is a product.
    pub fn graph(
        &self,
        stoppers: &Stoppers,
        work: &mut Work,
    ) -> Result<Option<Graph>, Interrupted> {
        self.terms.as_ref().map(|terms| product(stoppers, terms, work)).transpose()
    }

    /// Whether the graph as given has no alternating cycle; for `G & H`, whether the sides are
    /// equal.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn is_stopper(&self, stoppers: &Stoppers, work: &mut Work) -> Result<bool, Interrupted> {
        let Some(terms) = &self.terms else { return Ok(self.sides.stopper().is_some()) };
        if let [(Term::Stopper(_), 1)] = terms[..] {
            return Ok(true);
        }
        // An alternating cycle in one term is one in the sum. If at most one term can be played in
        // forever, there is no other.
        let mut loopy = 0;
        for (term, times) in terms {
            let graph = match term {
                Term::Graph(graph) if !graph.is_stopper(0) => return Ok(false),
                Term::Graph(graph) => Arc::clone(graph),
                Term::Stopper(_) => Arc::new(product(stoppers, &[(term.clone(), 1)], work)?),
            };
            if has_cycle(&graph) {
                loopy += times;
            }
        }
        Ok(loopy < 2 || product(stoppers, terms, work)?.is_stopper(0))
    }

    /// The terms as part of a sum: a game that equals a stopper is replaced by its canonical form.
    pub(super) fn into_terms(self) -> Option<Vec<(Term, u32)>> {
        match self.sides.stopper() {
            Some(stopper) => Some(vec![(Term::Stopper(stopper), 1)]),
            None => self.terms,
        }
    }
}

/// Both lists of terms.
pub(super) fn joined(
    mut a: Vec<(Term, u32)>,
    b: impl IntoIterator<Item = (Term, u32)>,
) -> Vec<(Term, u32)> {
    for (term, times) in b {
        match a.last_mut() {
            Some((last, count)) if last.same(&term) => *count = count.saturating_add(times),
            _ => a.push((term, times)),
        }
    }
    a
}

fn has_cycle(graph: &Graph) -> bool {
    let all = |vertex: Vertex| {
        Player::BOTH.into_iter().flat_map(move |player| graph.options(vertex, player)).copied()
    };
    strongly_connected(graph.len(), |vertex, list| list.extend(all(vertex)))
        .iter()
        .any(|component| component.len() > 1 || all(component[0]).any(|to| to == component[0]))
}

/// Graphs side by side, in which a stopper has one vertex only.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) options: Vec<[Vec<Vertex>; 2]>,
    stoppers: FxHashMap<u32, Vertex>,
    /// What vertices equal that are there in another form.
    pub(super) equal: FxHashMap<Vertex, Stopper>,
}

impl Builder {
    /// A vertex with a few options, and where it is found again.
    const VERTEX_BYTES: u64 = 96;

    /// A new vertex without options.
    pub(super) fn vertex(&mut self, work: &mut Work) -> Result<Vertex, Interrupted> {
        work.hold(Self::VERTEX_BYTES * self.options.len() as u64)?;
        // A vertex takes about as much memory as this many states.
        for _ in 0..4 {
            work.count()?;
        }
        self.options.push([Vec::new(), Vec::new()]);
        Ok(self.options.len() as Vertex - 1)
    }

    /// The canonical form of a stopper.
    pub(super) fn stopper(
        &mut self,
        stoppers: &Stoppers,
        stopper: Stopper,
        work: &mut Work,
    ) -> Result<Vertex, Interrupted> {
        let mut waiting = Vec::new();
        let start = self.met(stopper.0, &mut waiting, work)?;
        while let Some((number, vertex)) = waiting.pop() {
            for player in Player::BOTH {
                for &to in Arena::options(stoppers, number, player) {
                    work.count()?;
                    let to = self.met(to, &mut waiting, work)?;
                    self.options[vertex as usize][player.index()].push(to);
                }
            }
        }
        Ok(start)
    }

    fn met(
        &mut self,
        number: u32,
        waiting: &mut Vec<(u32, Vertex)>,
        work: &mut Work,
    ) -> Result<Vertex, Interrupted> {
        if let Some(&vertex) = self.stoppers.get(&number) {
            return Ok(vertex);
        }
        let vertex = self.vertex(work)?;
        self.stoppers.insert(number, vertex);
        waiting.push((number, vertex));
        Ok(vertex)
    }

    /// All vertices of a graph; the first becomes the start.
    pub(super) fn graph(&mut self, graph: &Graph, work: &mut Work) -> Result<Vertex, Interrupted> {
        let base = self.options.len() as Vertex;
        for vertex in 0..graph.len() as Vertex {
            let here = self.vertex(work)?;
            for player in Player::BOTH {
                let list = graph.options(vertex, player);
                for &to in list {
                    work.count()?;
                    self.options[here as usize][player.index()].push(base + to);
                }
            }
        }
        Ok(base)
    }

    pub(super) fn term(
        &mut self,
        stoppers: &Stoppers,
        term: &Term,
        work: &mut Work,
    ) -> Result<Vertex, Interrupted> {
        match term {
            Term::Stopper(stopper) => self.stopper(stoppers, *stopper, work),
            Term::Graph(graph) => self.graph(graph, work),
        }
    }

    /// The graph, and which vertices of it equal stoppers that are known.
    pub(super) fn finish(self) -> (Graph, FxHashMap<Vertex, Stopper>) {
        let mut known = self.equal;
        known.extend(self.stoppers.iter().map(|(&number, &vertex)| (vertex, Stopper(number))));
        (Graph::of_options(self.options), known)
    }
}

/// The product of terms: a move is one in one of them.
///
/// Its vertices are multisets of vertices, so that equal terms are interchangeable; ended terms are
/// left out.
pub(super) fn product(
    stoppers: &Stoppers,
    terms: &[(Term, u32)],
    work: &mut Work,
) -> Result<Graph, Interrupted> {
    let mut builder = Builder::default();
    if let [(term, 1)] = terms {
        // The first vertex is the start.
        builder.term(stoppers, term, work)?;
        return Ok(builder.finish().0);
    }
    let mut start: Vec<(Vertex, u32)> = Vec::with_capacity(terms.len());
    let mut graphs: FxHashMap<*const Graph, Vertex> = FxHashMap::default();
    for (term, times) in terms {
        let vertex = match term {
            Term::Stopper(_) => builder.term(stoppers, term, work)?,
            Term::Graph(graph) => {
                let known = graphs.get(&Arc::as_ptr(graph)).copied();
                let vertex = known.map_or_else(|| builder.graph(graph, work), Ok)?;
                graphs.insert(Arc::as_ptr(graph), vertex);
                vertex
            }
        };
        start.push((vertex, *times));
    }
    let parts = builder.options;
    let mut met: IndexSet<Box<[(Vertex, u32)]>, FxBuildHasher> = IndexSet::default();
    met.insert(normal(start, &parts));
    let mut options = Vec::new();
    while let Some(here) = met.get_index(options.len()).cloned() {
        let mut both = [Vec::new(), Vec::new()];
        for (k, &(vertex, _)) in here.iter().enumerate() {
            for player in Player::BOTH {
                for &to in &parts[vertex as usize][player.index()] {
                    for _ in 0..4 + here.len() {
                        work.count()?;
                    }
                    let mut next = here.to_vec();
                    next[k].1 -= 1;
                    next.push((to, 1));
                    let number = met.insert_full(normal(next, &parts)).0;
                    both[player.index()].push(number as Vertex);
                }
            }
        }
        work.count()?;
        let each = Builder::VERTEX_BYTES + 8 * here.len() as u64;
        work.hold(each * met.len() as u64)?;
        options.push(both);
    }
    Ok(Graph::of_options(options))
}

/// A multiset in order, each vertex once, without those that have no moves.
fn normal(mut set: Vec<(Vertex, u32)>, parts: &[[Vec<Vertex>; 2]]) -> Box<[(Vertex, u32)]> {
    set.retain(|&(vertex, times)| times > 0 && !parts[vertex as usize].iter().all(Vec::is_empty));
    set.sort_unstable();
    set.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = kept.1.saturating_add(next.1);
        }
        same
    });
    set.into_boxed_slice()
}
