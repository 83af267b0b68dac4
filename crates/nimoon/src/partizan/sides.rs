//! Onside and offside of any game, and of sums that are reduced while they are built.
//!
//! Vertices are followed from the start; as soon as vertices that lead to each other are complete,
//! with all that they lead to settled, they are simplified together (see [`super::simplify`]). So a
//! sum never stands there as a whole product: most of its vertices are numbers of stoppers by the
//! time the next are visited.
//!
//! - γ⁺ depends on the plus-values of the options alone, so what is settled may stand for itself.
//! - (γ + δ)⁺ = γ⁺ + δ⁺, so the onside of a sum is that of the sum of the onsides.
//! - The offside of γ is the negative of the onside of −γ.
//!
//! Forty times the game of [Siegel2009, Figure 5] is forty sums of a stopper of at most 120
//! vertices with one of 6, most of whose pairs are numbers when they are met again. There is one
//! simplifier, for onsides; for a stopper both sides are the same, and one run is enough.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::graph::{Graph, Vertex};
use super::simplify::{MANY, RAW, Simplifier};
use super::stoppers::{Stopper, Stoppers};
use super::survival::Arena;
use crate::graph::components::strongly_connected;
use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// The sides of a game, as far as they were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sides {
    /// The stopper s with s⁺ = γ⁺.
    pub onside: Option<Stopper>,
    /// The stopper t with t⁻ = γ⁻.
    pub offside: Option<Stopper>,
}

impl Sides {
    /// Both sides the same.
    pub fn of(stopper: Stopper) -> Self {
        Self { onside: Some(stopper), offside: Some(stopper) }
    }

    /// The stopper that the game equals, if the sides say so.
    pub fn stopper(&self) -> Option<Stopper> {
        self.onside.filter(|_| self.onside == self.offside)
    }
}

/// Where vertices come from: a graph, or pairs of stoppers.
trait System {
    type Vertex: Copy + Eq + Hash;

    /// The stopper whose plus-value is that of a vertex, if that is known.
    fn known(&self, stoppers: &Stoppers, vertex: Self::Vertex) -> Option<u32>;

    /// The options of a vertex, for Left and Right.
    fn options(&mut self, stoppers: &Stoppers, vertex: Self::Vertex) -> [Vec<Self::Vertex>; 2];
}

/// A graph, and the vertices of it that are known to be stoppers.
struct GraphSystem<'a>(&'a Graph, &'a FxHashMap<Vertex, Stopper>);

impl System for GraphSystem<'_> {
    type Vertex = Vertex;

    fn known(&self, _stoppers: &Stoppers, vertex: Vertex) -> Option<u32> {
        self.1.get(&vertex).map(|stopper| stopper.0)
    }

    fn options(&mut self, _stoppers: &Stoppers, vertex: Vertex) -> [Vec<Vertex>; 2] {
        Player::BOTH.map(|player| self.0.options(vertex, player).to_vec())
    }
}

/// Vertices whose options are found when they are needed; `swapped` for their negatives.
struct ImplicitSystem<'a, V> {
    options: &'a mut dyn FnMut(V, Player) -> Vec<V>,
    swapped: bool,
}

impl<V: Copy + Eq + Hash> System for ImplicitSystem<'_, V> {
    type Vertex = V;

    fn known(&self, _stoppers: &Stoppers, _vertex: V) -> Option<u32> {
        None
    }

    fn options(&mut self, _stoppers: &Stoppers, vertex: V) -> [Vec<V>; 2] {
        Player::BOTH.map(|player| {
            let player = if self.swapped { player.opponent() } else { player };
            (self.options)(vertex, player)
        })
    }
}

struct SumSystem;

impl System for SumSystem {
    type Vertex = (u32, u32);

    fn known(&self, stoppers: &Stoppers, (a, b): (u32, u32)) -> Option<u32> {
        if a == 0 { Some(b) } else { stoppers.sums.get(&(a, b)).copied() }
    }

    fn options(&mut self, stoppers: &Stoppers, (a, b): (u32, u32)) -> [Vec<(u32, u32)>; 2] {
        Player::BOTH.map(|player| {
            let first = Arena::options(stoppers, a, player).iter().map(|&to| in_order(to, b));
            let second = Arena::options(stoppers, b, player).iter().map(|&to| in_order(a, to));
            first.chain(second).collect()
        })
    }
}

fn in_order(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

struct Visited<V> {
    vertex: V,
    index: u32,
    low: u32,
    /// Once it is settled, or left raw.
    place: Option<u32>,
    options: [Vec<u32>; 2],
}

/// Follows vertices from a start and settles them, each after those that it leads to. Gives the
/// place of every vertex that was met, the start first.
///
/// This is Tarjan's algorithm with the vertices made as they are met.
fn settle_all<S: System>(
    simplifier: &mut Simplifier<'_>,
    system: &mut S,
    start: S::Vertex,
) -> Result<Vec<(S::Vertex, u32)>, Interrupted> {
    let mut numbers: FxHashMap<S::Vertex, u32> = FxHashMap::default();
    let mut visited: Vec<Visited<S::Vertex>> = Vec::new();
    // A vertex with the side and the place of the option to visit next.
    let mut frames: Vec<(u32, usize, usize)> = Vec::new();
    let mut stack: Vec<u32> = Vec::new();
    let mut count = 0;
    let mut entered = Some(meet(simplifier, system, start, &mut numbers, &mut visited));
    loop {
        if let Some(number) = entered.take()
            && visited[number as usize].place.is_none()
        {
            simplifier.work.count()?;
            // A vertex has its options, and a number.
            simplifier.work.hold(simplifier.stoppers.bytes() + 128 * visited.len() as u64)?;
            let options = system.options(simplifier.stoppers, visited[number as usize].vertex);
            let options = options.map(|list| {
                let numbers = list
                    .into_iter()
                    .map(|option| meet(simplifier, system, option, &mut numbers, &mut visited));
                numbers.collect()
            });
            let here = &mut visited[number as usize];
            here.options = options;
            here.index = count;
            here.low = count;
            count += 1;
            stack.push(number);
            frames.push((number, 0, 0));
        }
        let Some((number, side, next)) = frames.last_mut() else { break };
        let (number, here) = (*number, &visited[*number as usize]);
        if let Some(&to) = here.options[*side].get(*next) {
            *next += 1;
            let target = &visited[to as usize];
            if target.place.is_none() {
                if target.index == u32::MAX {
                    entered = Some(to);
                } else {
                    let index = target.index;
                    let here = &mut visited[number as usize];
                    here.low = here.low.min(index);
                }
            }
            continue;
        }
        if *side == 0 {
            (*side, *next) = (1, 0);
            continue;
        }
        frames.pop();
        let (low, index) = (here.low, here.index);
        if let Some(&(above, ..)) = frames.last() {
            let above = &mut visited[above as usize];
            above.low = above.low.min(low);
        }
        if low == index {
            let first = stack.iter().rposition(|&other| other == number).unwrap_or(0);
            let component = stack.split_off(first);
            settle(simplifier, &component, &mut visited)?;
        }
    }
    Ok(visited.iter().filter_map(|here| Some((here.vertex, here.place?))).collect())
}

/// The number of a vertex, which may be new.
fn meet<S: System>(
    simplifier: &Simplifier<'_>,
    system: &S,
    vertex: S::Vertex,
    numbers: &mut FxHashMap<S::Vertex, u32>,
    visited: &mut Vec<Visited<S::Vertex>>,
) -> u32 {
    let next = visited.len() as u32;
    let number = *numbers.entry(vertex).or_insert(next);
    if number == next {
        let place = system.known(simplifier.stoppers, vertex);
        let options = [Vec::new(), Vec::new()];
        visited.push(Visited { vertex, index: u32::MAX, low: 0, place, options });
    }
    number
}

/// Settles vertices that lead to each other.
fn settle<V>(
    simplifier: &mut Simplifier<'_>,
    component: &[u32],
    visited: &mut [Visited<V>],
) -> Result<(), Interrupted> {
    let base = simplifier.next_raw();
    for (i, &number) in component.iter().enumerate() {
        // Until they are settled, these stand for each other.
        visited[number as usize].place = Some(RAW | (base + i as u32));
    }
    let vertices = component.iter().map(|&number| {
        let options = std::mem::take(&mut visited[number as usize].options);
        options.map(|list| {
            list.into_iter().filter_map(|to| visited[to as usize].place).collect::<Vec<u32>>()
        })
    });
    let vertices = vertices.collect();
    let places = simplifier.settle(vertices)?;
    for (&number, place) in component.iter().zip(places) {
        visited[number as usize].place = Some(place);
    }
    Ok(())
}

impl Stoppers {
    /// The onside of a vertex of a graph, if it is found.
    ///
    /// # Errors
    /// When the work is interrupted.
    ///
    /// ```
    /// use nimoon::Work;
    /// use nimoon::partizan::{Graph, Stoppers};
    /// let mut stoppers = Stoppers::new();
    /// // dud = {dud|dud}: if endless play is a win for Left, it is on = {on|}.
    /// let dud = Graph::new(1, [(0, 0)], [(0, 0)]).unwrap();
    /// let on = Graph::new(1, [(0, 0)], []).unwrap();
    /// let sides = stoppers.sides(&dud, 0, &mut Work::default()).unwrap();
    /// assert_eq!(sides.onside, stoppers.onside(&on, 0, &mut Work::default()).unwrap());
    /// assert_ne!(sides.onside, sides.offside);
    /// ```
    pub fn onside(
        &mut self,
        graph: &Graph,
        start: Vertex,
        work: &mut Work,
    ) -> Result<Option<Stopper>, Interrupted> {
        self.onside_knowing(graph, start, &FxHashMap::default(), work)
    }

    fn onside_knowing(
        &mut self,
        graph: &Graph,
        start: Vertex,
        known: &FxHashMap<Vertex, Stopper>,
        work: &mut Work,
    ) -> Result<Option<Stopper>, Interrupted> {
        let mut simplifier = Simplifier::new(self, work);
        let components = strongly_connected(graph.len(), |vertex, list| {
            list.extend(Player::BOTH.iter().flat_map(|&player| graph.options(vertex, player)));
        });
        if components.iter().any(|component| component.len() >= MANY) {
            let place = |to: &Vertex| known.get(to).map_or(RAW | to, |stopper| stopper.0);
            let vertices = (0..graph.len() as Vertex).map(|vertex| {
                Player::BOTH.map(|player| graph.options(vertex, player).iter().map(place).collect())
            });
            if let Some(found) = simplifier.sidle_to(vertices.collect(), start)? {
                return Ok(Some(Stopper(found)));
            }
        }
        let places = settle_all(&mut simplifier, &mut GraphSystem(graph, known), start)?;
        Ok(places.first().and_then(|&(_, place)| settled(place)))
    }

    /// Both sides of a vertex of a graph, as far as they are found.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn sides(
        &mut self,
        graph: &Graph,
        start: Vertex,
        work: &mut Work,
    ) -> Result<Sides, Interrupted> {
        self.sides_knowing(graph, start, &FxHashMap::default(), work)
    }

    /// Both sides of a vertex of a graph in which some vertices are stoppers that are here already.
    pub(super) fn sides_knowing(
        &mut self,
        graph: &Graph,
        start: Vertex,
        known: &FxHashMap<Vertex, Stopper>,
        work: &mut Work,
    ) -> Result<Sides, Interrupted> {
        let onside = self.onside_knowing(graph, start, known, work)?;
        if let Some(stopper) = onside
            && graph.is_stopper(start)
        {
            return Ok(Sides::of(stopper));
        }
        let known = known.iter().map(|(&vertex, &stopper)| (vertex, self.negative(stopper)));
        let known = known.collect();
        let offside = self.onside_knowing(&graph.negative(), start, &known, work)?;
        Ok(Sides { onside, offside: offside.map(|stopper| self.negative(stopper)) })
    }

    /// The sides of all vertices that are reached from `start`, itself the first, as far as they
    /// are found; `options` gives those of a vertex for a player.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn sides_of_followers<V: Copy + Eq + Hash>(
        &mut self,
        start: V,
        options: &mut dyn FnMut(V, Player) -> Vec<V>,
        work: &mut Work,
    ) -> Result<Vec<(V, Sides)>, Interrupted> {
        let mut simplifier = Simplifier::new(self, work);
        let mut system = ImplicitSystem { options, swapped: false };
        let onsides = settle_all(&mut simplifier, &mut system, start)?;
        if simplifier.is_stopper() && onsides.iter().all(|&(_, place)| settled(place).is_some()) {
            let sides = |place| Sides { onside: settled(place), offside: settled(place) };
            return Ok(onsides.into_iter().map(|(id, place)| (id, sides(place))).collect());
        }
        let mut simplifier = Simplifier::new(self, work);
        let mut system = ImplicitSystem { options: system.options, swapped: true };
        let offsides: FxHashMap<_, _> =
            settle_all(&mut simplifier, &mut system, start)?.into_iter().collect();
        let sides = onsides.into_iter().map(|(id, place)| {
            let offside = offsides.get(&id).and_then(|&place| settled(place));
            let offside = offside.map(|side| self.negative(side));
            (id, Sides { onside: settled(place), offside })
        });
        Ok(sides.collect())
    }

    /// The onside of the sum of two stoppers, if it is found.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn sum_onside(
        &mut self,
        a: Stopper,
        b: Stopper,
        work: &mut Work,
    ) -> Result<Option<Stopper>, Interrupted> {
        let start = in_order(a.0, b.0);
        if let Some(known) = SumSystem.known(self, start) {
            return Ok(Some(Stopper(known)));
        }
        if let Some(sum) = self.translated(a, b, work)? {
            return Ok(Some(sum));
        }
        let mut simplifier = Simplifier::new(self, work);
        let places = settle_all(&mut simplifier, &mut SumSystem, start)?;
        let onside = places.first().and_then(|&(_, place)| settled(place));
        let known = places.into_iter().filter(|(_, place)| place & RAW == 0);
        self.sums.extend(known);
        Ok(onside)
    }

    /// The sides of a sum, as far as they are found.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn sum(&mut self, a: Sides, b: Sides, work: &mut Work) -> Result<Sides, Interrupted> {
        let onside = match (a.onside, b.onside) {
            (Some(a), Some(b)) => self.sum_onside(a, b, work)?,
            _ => None,
        };
        let offside = match (a.offside, b.offside) {
            (Some(a), Some(b)) => {
                let [a, b] = [a, b].map(|side| self.negative(side));
                self.sum_onside(a, b, work)?.map(|side| self.negative(side))
            }
            _ => None,
        };
        Ok(Sides { onside, offside })
    }
}

fn settled(place: u32) -> Option<Stopper> {
    (place & RAW == 0).then_some(Stopper(place))
}
