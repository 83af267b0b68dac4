//! One form for graphs that differ only in the names of their vertices.
//!
//! Vertices are distinguished by their distance from the ground, then by the cells of their
//! neighbours until nothing changes (colour refinement). If vertices remain that look alike, one of
//! them is set apart, and so on; of the numberings found in this way the one with the smallest list
//! of edges is taken. The form is a numbering of the graph in any case, so equal forms are forms of
//! the same graph. For trees, and wherever the search ends in time, the converse holds too.

use super::edges::Graph;

/// A sorted list of edges with their colours, where the ground is 0 and the other vertices are 1,
/// 2, ….
pub(crate) type Form = Vec<([u32; 2], u8)>;

/// Forms of larger graphs cost more than they save.
const MOST_EDGES: usize = 128;

/// After this many refinements the smallest numbering so far is taken. Only graphs with many
/// symmetries come to that, and may have several forms.
const MOST_REFINEMENTS: usize = 256;

/// The form of a connected graph with colours on its edges; none if the graph is too large.
pub(crate) fn form<V>(graph: &Graph<V>, color: impl Fn(usize) -> u8) -> Option<Form> {
    if graph.size() > MOST_EDGES {
        return None;
    }
    let heights = graph.heights(None);
    // The ground is in a cell of its own, and a vertex that is not connected to it comes last.
    let cells = heights.iter().map(|height| height.unwrap_or(u32::MAX)).collect();
    let vertices = graph.order() - usize::from(graph.edges_at(0).is_empty());
    let mut search = Search {
        graph,
        colors: (0..graph.size()).map(color).collect(),
        is_tree: graph.size() + 1 == vertices,
        order: (0..graph.order() as u32).collect(),
        keys: Vec::new(),
        left: MOST_REFINEMENTS,
        best: None,
    };
    search.descend(cells);
    search.best
}

struct Search<'a, V> {
    graph: &'a Graph<V>,
    colors: Vec<u8>,
    is_tree: bool,
    /// The vertices, sorted by what is known of them.
    order: Vec<u32>,
    /// The cell of each vertex and those of its neighbours, with the colours between.
    keys: Vec<(u32, Vec<u64>)>,
    left: usize,
    best: Option<Form>,
}

impl<V> Search<'_, V> {
    /// Visits all numberings that agree with the cells. The number of a cell is how many
    /// vertices are in earlier ones, once it is refined.
    fn descend(&mut self, mut cells: Vec<u32>) {
        self.refine(&mut cells);
        self.left = self.left.saturating_sub(1);
        let twin = |pair: &[u32]| cells[pair[0] as usize] == cells[pair[1] as usize];
        let Some(start) = self.order.windows(2).position(twin) else {
            self.consider(&cells);
            return;
        };
        let cell = cells[self.order[start] as usize];
        let alike: Vec<u32> = self.order[start..]
            .iter()
            .copied()
            .take_while(|&vertex| cells[vertex as usize] == cell)
            .collect();
        for (place, &chosen) in alike.iter().enumerate() {
            // Exchanging vertices with the same neighbours is a symmetry, so one of them is enough.
            // In a tree all vertices of a cell are equal by symmetry.
            let seen = |&&other: &&u32| self.neighbours(other) == self.neighbours(chosen);
            if place > 0 && (self.is_tree || alike[..place].iter().any(|other| seen(&other))) {
                continue;
            }
            let mut cells = cells.clone();
            for &other in alike.iter().filter(|&&other| other != chosen) {
                cells[other as usize] += 1;
            }
            self.descend(cells);
            if self.left == 0 {
                return;
            }
        }
    }

    /// The vertices across the edges at a vertex, with the colours of the edges.
    fn neighbours(&self, vertex: u32) -> Vec<(u32, u8)> {
        let edges = self.graph.edges_at(vertex).iter();
        let mut neighbours: Vec<_> = edges
            .map(|&edge| (self.graph.across(edge, vertex), self.colors[edge as usize]))
            .collect();
        neighbours.sort_unstable();
        neighbours
    }

    /// Splits cells until vertices of the same cell see the same cells.
    fn refine(&mut self, cells: &mut [u32]) {
        let mut count = 0;
        loop {
            self.keys.resize_with(cells.len(), Default::default);
            for vertex in 0..cells.len() as u32 {
                let (own, key) = &mut self.keys[vertex as usize];
                *own = cells[vertex as usize];
                key.clear();
                for &edge in self.graph.edges_at(vertex) {
                    let other = self.graph.across(edge, vertex);
                    let is_loop = u64::from(other == vertex);
                    let color = u64::from(self.colors[edge as usize]);
                    key.push(color << 33 | is_loop << 32 | u64::from(cells[other as usize]));
                }
                key.sort_unstable();
            }
            let keys = &self.keys;
            self.order.sort_unstable_by(|&a, &b| keys[a as usize].cmp(&keys[b as usize]));
            let (mut number, mut found) = (0, 0);
            for (place, &vertex) in self.order.iter().enumerate() {
                let starts =
                    place == 0 || keys[vertex as usize] != keys[self.order[place - 1] as usize];
                if starts {
                    number = place as u32;
                    found += 1;
                }
                cells[vertex as usize] = number;
            }
            if found == count {
                return;
            }
            count = found;
        }
    }

    fn consider(&mut self, numbers: &[u32]) {
        let mut form: Form = (0..self.graph.size())
            .map(|edge| {
                let mut ends = self.graph.ends(edge).map(|vertex| numbers[vertex as usize]);
                ends.sort_unstable();
                (ends, self.colors[edge])
            })
            .collect();
        form.sort_unstable();
        if self.best.as_ref().is_none_or(|best| form < *best) {
            self.best = Some(form);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn form_of(edges: &[([u32; 2], u8)]) -> Form {
        let graph = Graph::new(0, edges.iter().map(|edge| edge.0));
        form(&graph, |edge| edges[edge].1).unwrap()
    }

    /// All orders of 1, …, n.
    fn orders(n: u32) -> Vec<Vec<u32>> {
        if n == 0 {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for smaller in orders(n - 1) {
            for place in 0..=smaller.len() {
                let mut order = smaller.clone();
                order.insert(place, n);
                all.push(order);
            }
        }
        all
    }

    /// The smallest form over all names of the vertices 1, …, n, by trying them all.
    fn smallest(edges: &[([u32; 2], u8)], orders: &[Vec<u32>]) -> Form {
        let renamed = orders.iter().map(|order| {
            let rename = |vertex| if vertex == 0 { 0 } else { order[vertex as usize - 1] };
            let mut form: Form = edges
                .iter()
                .map(|&(ends, color)| {
                    let [a, b] = ends.map(rename);
                    ([a.min(b), a.max(b)], color)
                })
                .collect();
            form.sort_unstable();
            form
        });
        renamed.min().unwrap()
    }

    #[test]
    fn forms_are_equal_exactly_for_graphs_that_differ_in_names_alone() {
        // All simple graphs with loops on the ground and four vertices, each with some choice of
        // colours and of edges that are doubled.
        let all: Vec<[u32; 2]> = (0..5).flat_map(|a| (a..5).map(move |b| [a, b])).collect();
        let orders = orders(4);
        let mut forms = HashMap::new();
        let mut back = HashMap::new();
        for set in 1_u32..1 << all.len() {
            let mixed = set.wrapping_mul(2_654_435_761);
            let mut edges = Vec::new();
            for (edge, &ends) in all.iter().enumerate().filter(|(edge, _)| set >> edge & 1 == 1) {
                edges.push((ends, (mixed >> edge & 1) as u8));
                if mixed >> (edge + 8) & 7 == 7 {
                    edges.push((ends, (mixed >> (edge + 1) & 1) as u8));
                }
            }
            let (form, smallest) = (form_of(&edges), smallest(&edges, &orders));
            let known = forms.entry(smallest.clone()).or_insert_with(|| form.clone());
            assert_eq!(*known, form, "{edges:?}");
            let known = back.entry(form).or_insert_with(|| smallest.clone());
            assert_eq!(*known, smallest, "{edges:?}");
        }
        assert!(forms.len() > 500, "{}", forms.len());
    }

    /// A vertex on the ground, joined to all of 2, …, 8, which stand in rings.
    fn hub_with_rings(rings: &[&[u32]]) -> Vec<([u32; 2], u8)> {
        let rims = rings.iter().flat_map(|ring| {
            let next = ring.iter().cycle().skip(1);
            ring.iter().zip(next).map(|(&a, &b)| ([a, b], 0))
        });
        [([0, 1], 0)].into_iter().chain((2..9).map(|v| ([1, v], 0))).chain(rims).collect()
    }

    #[test]
    fn vertices_that_only_look_alike_are_all_tried() {
        // Each vertex of a ring sees the hub and two others of a ring, whatever ring it is in.
        let forms = [
            hub_with_rings(&[&[2, 3, 4], &[5, 6, 7, 8]]),
            hub_with_rings(&[&[2, 4, 6, 8], &[3, 5, 7]]),
            hub_with_rings(&[&[8, 2, 5, 7], &[3, 4, 6]]),
            hub_with_rings(&[&[2, 3, 4, 5, 6, 7, 8]]),
        ]
        .map(|edges| form_of(&edges));
        assert_eq!(forms[0], forms[1]);
        assert_eq!(forms[0], forms[2]);
        assert_ne!(forms[0], forms[3]);
    }

    #[test]
    fn a_star_and_a_bundle_are_quick() {
        let star: Vec<_> = (1..=128).map(|leaf| ([0, leaf], 0)).collect();
        assert_eq!(form_of(&star), star);
        let bundle: Vec<_> = (1..=64).flat_map(|v| [([0, v], 0), ([v, 65], 1)]).collect();
        assert_eq!(form_of(&bundle).len(), 128);
    }

    #[test]
    fn a_large_graph_has_no_form() {
        let graph = Graph::new(0, (1..200).map(|leaf| [0, leaf]));
        assert_eq!(form(&graph, |_| 0), None);
    }
}
