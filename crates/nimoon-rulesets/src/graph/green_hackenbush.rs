//! Green Hackenbush: cut an edge of a drawing that stands on the ground.
//!
//! A move removes one edge; what is no longer connected to the ground falls. In the drawing
//!
//! ```text
//!     2   3
//!      \ /
//!       1         green-hackenbush:0-1,1-2,1-3
//!       |
//!  ═════0═════
//! ```
//!
//! removing 0-1 leaves nothing, and removing 1-2 leaves a stalk of two edges.
//!
//! Two theorems give the value in one walk over the edges. The *colon principle*: several stalks
//! on one vertex may be replaced by a single stalk whose length is their nim-sum, so a tree on an
//! edge adds one to the value of what stands on the edge. The *fusion principle*: the vertices of
//! a cycle may be fused to one, whereby its edges become loops, each worth 1. Fusing all cycles
//! leaves a tree whose edges are the bridges of the drawing.
//!
//! ## References
//! J. H. Conway, On numbers and games (1976), chapter 13; E. R. Berlekamp, J. H. Conway,
//! R. K. Guy, Winning ways for your mathematical plays (1982), chapter 7.

use nimoon::impartial::value::EntailingValue;
use nimoon::{
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Shortcuts},
};

use super::drawing::draw;
use super::edges::{Graph, fall_in_words, need_ground, read_edges, read_ends, remaining, select};
use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// Remove an edge; what is no longer connected to the ground, vertex 0, falls.
///
/// A position is the sorted list of edges, each given by its vertices, the smaller one first.
#[derive(Clone, Copy, Debug, Default)]
pub struct GreenHackenbush;

fn graph(edges: &[[u32; 2]]) -> Graph<u32> {
    Graph::new(0, edges.iter().copied())
}

fn write_edge([a, b]: [u32; 2]) -> String {
    format!("{a}-{b}")
}

/// The value of a drawing whose edges all have one colour.
///
/// A walk in depth finds the bridges: an edge down which the walk came is one if nothing above it
/// reaches back below it. When the walk leaves a vertex for good, what stands on it and on the
/// vertices fused with it is complete.
pub(crate) fn value_of_one_color<V>(graph: &Graph<V>) -> u64 {
    const UNSEEN: u32 = u32::MAX;
    struct Step {
        vertex: u32,
        /// The edge by which the walk came; none for the ground.
        by: Option<u32>,
        /// How many of the edges at the vertex were visited.
        visited: usize,
    }
    let mut time = vec![UNSEEN; graph.order()];
    // The earliest vertex that is reached from here without the edge by which the walk came.
    let mut reach = vec![UNSEEN; graph.order()];
    let mut value = vec![0_u64; graph.order()];
    (time[0], reach[0]) = (0, 0);
    let mut clock = 0;
    let mut walk = vec![Step { vertex: 0, by: None, visited: 0 }];
    while let Some(step) = walk.last_mut() {
        let vertex = step.vertex as usize;
        if let Some(&edge) = graph.edges_at(step.vertex).get(step.visited) {
            step.visited += 1;
            let other = graph.across(edge, step.vertex);
            if step.by == Some(edge) {
                continue;
            }
            if time[other as usize] == UNSEEN {
                clock += 1;
                (time[other as usize], reach[other as usize]) = (clock, clock);
                walk.push(Step { vertex: other, by: Some(edge), visited: 0 });
            } else if time[other as usize] <= time[vertex] {
                // A loop, or the last edge of a cycle; it is met again from its other end.
                reach[vertex] = reach[vertex].min(time[other as usize]);
                value[vertex] ^= 1;
            }
        } else {
            let done = vertex;
            walk.pop();
            if let Some(below) = walk.last() {
                let below = below.vertex as usize;
                let is_bridge = reach[done] > time[below];
                value[below] ^= if is_bridge { value[done] + 1 } else { value[done] ^ 1 };
                reach[below] = reach[below].min(reach[done]);
            }
        }
    }
    value[0]
}

impl Ruleset for GreenHackenbush {
    type Position = Vec<[u32; 2]>;

    fn name(&self) -> String {
        "green-hackenbush".into()
    }

    fn options(&self, edges: &Vec<[u32; 2]>) -> impl Iterator<Item = Move<Vec<[u32; 2]>>> {
        let graph = graph(edges);
        (0..edges.len()).map(move |edge| Move::to(remaining(edges, edge, &graph.falling(edge))))
    }

    fn read(&self, text: &str) -> Result<Vec<[u32; 2]>, NotationError> {
        if text == "0" {
            return Ok(Vec::new());
        }
        let read = Scanner::whole(text, |scanner| read_edges(scanner, read_ends))?;
        need_ground(&read, |&ends| ends)?;
        let mut edges: Vec<_> = read.into_iter().map(|(_, edge)| edge).collect();
        edges.sort_unstable();
        Ok(edges)
    }

    fn write(&self, edges: &Vec<[u32; 2]>) -> String {
        if edges.is_empty() {
            return "0".into();
        }
        edges.iter().map(|&edge| write_edge(edge)).collect::<Vec<_>>().join(",")
    }

    fn components(&self, edges: Vec<[u32; 2]>) -> Vec<Vec<[u32; 2]>> {
        graph(&edges).parts().iter().map(|part| select(&edges, part)).collect()
    }
}

impl Notation for GreenHackenbush {
    fn words(&self, edges: &Vec<[u32; 2]>, number: usize, _option: &Move<Vec<[u32; 2]>>) -> String {
        let Some(&removed) = edges.get(number) else { return String::new() };
        let falling = graph(edges).falling(number);
        let falling: Vec<_> = falling.into_iter().map(|edge| write_edge(edges[edge])).collect();
        format!("remove the edge {}{}", write_edge(removed), fall_in_words(&falling))
    }

    fn board(&self, edges: &Vec<[u32; 2]>) -> String {
        draw(&graph(edges), |_| '-', |edge| write_edge(edges[edge]))
    }
}

impl Shortcuts for GreenHackenbush {
    fn size(&self, edges: &Vec<[u32; 2]>) -> usize {
        size_of_val(edges.as_slice())
    }

    fn is_short(&self, _position: &Vec<[u32; 2]>) -> bool {
        true
    }

    fn theorem(&self, edges: &Vec<[u32; 2]>) -> Option<EntailingValue> {
        Some(EntailingValue::Nimber(value_of_one_color(&graph(edges))))
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "green-hackenbush",
        board: Board::Graph,
        rules: "Remove an edge. What is no longer connected to the ground falls.",
        notation: "green-hackenbush:A-B,C-D,… is a list of edges, each between two vertices; a vertex \
                   is a number, and 0 is the ground; 0 alone has no edges",
        example: "green-hackenbush:0-1,1-2,2-3,1-3",
        value: "2",
        parameters: Parameters::None,
        source: "Berlekamp, Conway, Guy 1982",
        make: Make::Impartial(|_| Ok(Box::new(Interned::new(GreenHackenbush)))),
    }
}

#[cfg(test)]
mod tests {
    use EntailingValue::Nimber;
    use proptest::prelude::*;

    use super::*;
    use crate::graph::testing::{Evaluator, read_or_refuse};

    fn read(text: &str) -> Vec<[u32; 2]> {
        GreenHackenbush.read(text).unwrap()
    }

    /// All drawings with this many edges, up to the names of vertices: each edge meets an old
    /// vertex, and perhaps the next new one. Sorted lists only, so that each comes up few times.
    fn drawings(edges: usize) -> Vec<Vec<[u32; 2]>> {
        if edges == 0 {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for smaller in drawings(edges - 1) {
            let fresh = smaller.iter().map(|ends| ends[1]).max().unwrap_or(0) + 1;
            for a in 0..fresh {
                for b in a..=fresh {
                    let mut drawing = smaller.clone();
                    drawing.push([a, b]);
                    drawing.sort_unstable();
                    all.push(drawing);
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn colon_and_fusion_agree_with_the_definition_on_all_small_drawings() {
        let mut evaluator = Evaluator::new(GreenHackenbush);
        let mut count = 0;
        for drawing in (0..=7).flat_map(drawings) {
            count += 1;
            let value = evaluator.value(&drawing);
            assert_eq!(GreenHackenbush.theorem(&drawing), Some(value), "{drawing:?}");
        }
        assert!(count > 50_000, "{count}");
    }

    #[test]
    fn trees_add_by_the_colon_principle_and_cycles_fuse() {
        let value = |text| GreenHackenbush.theorem(&read(text));
        assert_eq!(value("0"), Some(Nimber(0)));
        assert_eq!(value("0-1,1-2,2-3"), Some(Nimber(3)));
        assert_eq!(value("0-1,1-2,1-3"), Some(Nimber(1)));
        assert_eq!(value("0-1,1-2,2-3,1-3"), Some(Nimber(2)));
        assert_eq!(value("0-1,0-1"), Some(Nimber(0)));
        assert_eq!(value("0-1,1-1"), Some(Nimber(2)));
    }

    #[test]
    fn a_stalk_of_a_hundred_thousand_edges_does_not_overflow_the_stack() {
        let stalk: Vec<_> = (0..100_000).map(|vertex| [vertex, vertex + 1]).collect();
        assert_eq!(GreenHackenbush.theorem(&stalk), Some(Nimber(100_000)));
        let ring: Vec<_> = stalk.into_iter().chain([[0, 100_000]]).collect();
        assert_eq!(GreenHackenbush.theorem(&ring), Some(Nimber(1)));
    }

    #[test]
    fn the_words_of_a_move_say_what_falls() {
        let glass = read("1-3,2-1,0-1");
        assert_eq!(GreenHackenbush.write(&glass), "0-1,1-2,1-3");
        let words: Vec<_> = GreenHackenbush
            .options(&glass)
            .enumerate()
            .map(|(number, option)| GreenHackenbush.words(&glass, number, &option))
            .collect();
        assert_eq!(
            words,
            ["remove the edge 0-1; 1-2 and 1-3 fall", "remove the edge 1-2", "remove the edge 1-3"]
        );
        assert_eq!(GreenHackenbush.board(&glass), "0 --- 1 --- 2\n      +--- 3");
    }

    #[test]
    fn positions_are_written_as_they_are_read() {
        for drawing in (0..=3).flat_map(drawings) {
            assert_eq!(read(&GreenHackenbush.write(&drawing)), drawing);
        }
    }

    #[test]
    fn edges_in_the_air_and_other_faults_are_pointed_at() {
        let error = |text| {
            let error = GreenHackenbush.read(text).unwrap_err();
            (error.at, error.message)
        };
        let (at, message) = error("0-1,2-3,3-4");
        assert_eq!(at, 4);
        assert!(message.contains("found the edge 2-3 that is not"), "{message}");
        assert_eq!(error("0-1,"), (4, "expected an edge, as in `0-1`, found the end".into()));
        assert_eq!(error("").0, 0);
        assert_eq!(error("0,1"), (1, "expected `-`, found `,`".into()));
        assert_eq!(error("0-1 2"), (4, "expected the end, found `2`".into()));
        assert_eq!(error("0-4294967296").0, 2);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(
            text in "[0-3,-]{0,9}|(0-1,[0-2]-2,)?([0-3]-[1-3],){0,4}0-3|.{0,9}",
        ) {
            read_or_refuse(&GreenHackenbush, &text);
        }
    }
}
