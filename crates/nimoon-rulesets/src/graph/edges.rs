//! Graphs given by their edges: what falls, what is independent, and reading them.
//!
//! Parallel edges and loops are allowed. One vertex is the ground; no move in one part of a graph
//! changes another part that meets it only in the ground.

use std::fmt::Display;

use nimoon::notation::NotationError;

use crate::scan::Scanner;

/// A graph with vertices numbered 0, 1, …, of which 0 is the ground, whether or not an edge meets
/// it; the others stand in the order of their names. Edges keep their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Graph<V> {
    names: Vec<V>,
    ends: Vec<[u32; 2]>,
    /// The edges at vertex v are `incident[starts[v]..starts[v + 1]]`, a loop once.
    starts: Vec<u32>,
    incident: Vec<u32>,
}

impl<V: Ord + Copy> Graph<V> {
    /// The graph of these edges.
    pub(crate) fn new(ground: V, edges: impl Iterator<Item = [V; 2]> + Clone) -> Self {
        let mut names: Vec<V> = edges.clone().flatten().filter(|name| *name != ground).collect();
        names.sort_unstable();
        names.dedup();
        let number = |name| names.binary_search(&name).map_or(0, |place| place as u32 + 1);
        let ends: Vec<_> = edges.map(|ends| ends.map(number)).collect();
        names.insert(0, ground);

        let mut starts = vec![0; names.len() + 1];
        for &[a, b] in &ends {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += u32::from(a != b);
        }
        for vertex in 0..names.len() {
            starts[vertex + 1] += starts[vertex];
        }
        let mut free = starts.clone();
        let mut incident = vec![0; starts[names.len()] as usize];
        for (edge, &[a, b]) in ends.iter().enumerate() {
            let both = [a, b];
            for vertex in &both[usize::from(a == b)..] {
                let place = &mut free[*vertex as usize];
                incident[*place as usize] = edge as u32;
                *place += 1;
            }
        }
        Self { names, ends, starts, incident }
    }
}

impl<V> Graph<V> {
    /// How many vertices there are, with the ground.
    pub(crate) fn order(&self) -> usize {
        self.names.len()
    }

    /// How many edges there are.
    pub(crate) fn size(&self) -> usize {
        self.ends.len()
    }

    /// What the vertex is called.
    pub(crate) fn name(&self, vertex: u32) -> &V {
        &self.names[vertex as usize]
    }

    /// The two ends of an edge.
    pub(crate) fn ends(&self, edge: usize) -> [u32; 2] {
        self.ends[edge]
    }

    /// The edges at a vertex, a loop once.
    pub(crate) fn edges_at(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.incident[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// The end of an edge that is not this one; for a loop, this one.
    pub(crate) fn across(&self, edge: u32, vertex: u32) -> u32 {
        let [a, b] = self.ends[edge as usize];
        if a == vertex { b } else { a }
    }

    /// How many edges each vertex is away from the ground, if they are connected, where one edge
    /// may be missing.
    pub(crate) fn heights(&self, without: Option<usize>) -> Vec<Option<u32>> {
        let mut heights = vec![None; self.order()];
        heights[0] = Some(0);
        let mut queue = vec![(0, 0)];
        let mut next = 0;
        while let Some(&(vertex, height)) = queue.get(next) {
            next += 1;
            for &edge in self.edges_at(vertex) {
                let other = self.across(edge, vertex);
                if Some(edge as usize) != without && heights[other as usize].is_none() {
                    heights[other as usize] = Some(height + 1);
                    queue.push((other, height + 1));
                }
            }
        }
        heights
    }

    /// The edges that fall when this one is removed, without itself, in their order.
    pub(crate) fn falling(&self, removed: usize) -> Vec<usize> {
        let heights = self.heights(Some(removed));
        let falls =
            |&edge: &usize| edge != removed && heights[self.ends[edge][0] as usize].is_none();
        (0..self.size()).filter(falls).collect()
    }

    /// The numbers of the edges of each part: those that are connected without passing through
    /// the ground.
    pub(crate) fn parts(&self) -> Vec<Vec<usize>> {
        let mut part_of = vec![usize::MAX; self.size()];
        let mut seen = vec![false; self.order()];
        let mut count = 0;
        let mut stack = Vec::new();
        for first in 0..self.size() {
            if part_of[first] != usize::MAX {
                continue;
            }
            part_of[first] = count;
            stack.push(first);
            while let Some(edge) = stack.pop() {
                for vertex in self.ends[edge] {
                    if vertex == 0 || std::mem::replace(&mut seen[vertex as usize], true) {
                        continue;
                    }
                    for &other in self.edges_at(vertex) {
                        if part_of[other as usize] == usize::MAX {
                            part_of[other as usize] = count;
                            stack.push(other as usize);
                        }
                    }
                }
            }
            count += 1;
        }
        let mut parts = vec![Vec::new(); count];
        for (edge, &part) in part_of.iter().enumerate() {
            parts[part].push(edge);
        }
        parts
    }
}

/// The edges with these numbers.
pub(crate) fn select<E: Copy>(edges: &[E], numbers: &[usize]) -> Vec<E> {
    numbers.iter().map(|&number| edges[number]).collect()
}

/// All edges but this one and those that fall with it, which come in their order.
pub(crate) fn remaining<E: Copy>(edges: &[E], removed: usize, falling: &[usize]) -> Vec<E> {
    let mut falling = falling.iter().copied().peekable();
    let stays = |edge: &usize| falling.next_if_eq(edge).is_none() && *edge != removed;
    (0..edges.len()).filter(stays).map(|edge| edges[edge]).collect()
}

/// Reads edges with commas between them, each with the place where it begins.
pub(crate) fn read_edges<E>(
    scanner: &mut Scanner<'_>,
    mut read_edge: impl FnMut(&mut Scanner<'_>) -> Result<E, NotationError>,
) -> Result<Vec<(usize, E)>, NotationError> {
    let mut edges = Vec::new();
    loop {
        edges.push((scanner.place(), read_edge(scanner)?));
        if !scanner.take(',') {
            return Ok(edges);
        }
    }
}

/// Reads the two vertices of an edge, as in `0-1`; the smaller comes first.
pub(crate) fn read_ends(scanner: &mut Scanner<'_>) -> Result<[u32; 2], NotationError> {
    let mut vertex = |what: &str| {
        let place = scanner.place();
        let number = scanner.number(what)?;
        if what.starts_with("an edge") {
            scanner.need('-')?;
        }
        u32::try_from(number).map_err(|_| {
            NotationError::at(place, format!("the vertex {number} is larger than {}", u32::MAX))
        })
    };
    let mut ends = [vertex("an edge, as in `0-1`")?, vertex("the other vertex of the edge")?];
    ends.sort_unstable();
    Ok(ends)
}

/// Refuses edges that hang in the air; `read` gives each with its place.
pub(crate) fn need_ground<E>(
    read: &[(usize, E)],
    ends: impl Fn(&E) -> [u32; 2],
) -> Result<(), NotationError> {
    let graph = Graph::new(0, read.iter().map(|(_, edge)| ends(edge)));
    let heights = graph.heights(None);
    let floats = |&edge: &usize| heights[graph.ends(edge)[0] as usize].is_none();
    match (0..graph.size()).find(floats) {
        None => Ok(()),
        Some(edge) => {
            let (place, edge) = &read[edge];
            let [a, b] = ends(edge);
            let message = format!(
                "expected edges that are connected to the ground, vertex 0, found the edge {a}-{b} \
                 that is not"
            );
            Err(NotationError::at(*place, message))
        }
    }
}

/// What falls, in words, to be put behind a move.
pub(crate) fn fall_in_words(names: &[impl Display]) -> String {
    /// A longer list is not read by anyone.
    const LONGEST: usize = 6;
    match names {
        [] => String::new(),
        [one] => format!("; {one} falls"),
        many if many.len() > LONGEST => format!("; {} edges fall", many.len()),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(ToString::to_string).collect();
            format!("; {} and {last} fall", first.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[[u32; 2]]) -> Graph<u32> {
        Graph::new(0, edges.iter().copied())
    }

    #[test]
    fn names_are_numbered_in_order_behind_the_ground() {
        let graph = graph(&[[0, 9], [4, 9]]);
        assert_eq!((graph.order(), graph.size()), (3, 2));
        assert_eq!((graph.ends(0), graph.ends(1)), ([0, 2], [1, 2]));
        assert_eq!(graph.edges_at(2), [0, 1]);
        assert_eq!(*graph.name(2), 9);
        assert_eq!(graph.heights(None), [Some(0), Some(2), Some(1)]);
    }

    #[test]
    fn what_hangs_on_one_edge_falls_with_it() {
        let graph = graph(&[[0, 1], [1, 2], [2, 2], [1, 3], [0, 3]]);
        assert_eq!(graph.falling(1), [2]);
        assert_eq!(graph.falling(0), [0; 0]);
        assert_eq!(remaining(&["a", "b", "c", "d", "e"], 1, &[2]), ["a", "d", "e"]);
    }

    #[test]
    fn the_ground_joins_nothing() {
        let graph = graph(&[[0, 1], [0, 2], [1, 3], [0, 0], [0, 3], [0, 0]]);
        assert_eq!(graph.parts(), [vec![0, 2, 4], vec![1], vec![3], vec![5]]);
    }

    #[test]
    fn a_list_of_what_falls_reads_like_a_sentence() {
        assert_eq!(fall_in_words(&[""; 0]), "");
        assert_eq!(fall_in_words(&["1-2"]), "; 1-2 falls");
        assert_eq!(fall_in_words(&["1-2", "1-3", "3-4"]), "; 1-2, 1-3 and 3-4 fall");
        assert_eq!(fall_in_words(&["1-2"; 9]), "; 9 edges fall");
    }
}
