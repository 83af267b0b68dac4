//! The counts of `docs/findings/lemma-16.md`: all graphs of two and of three vertices, each pair of
//! vertices of equal onside fused, with the oracle alone. Nothing here is shared with the engine.
//!
//! Graphs that differ by the names of their vertices are gone through once, and counted as often as
//! there are such names.

use std::path::Path;

use nimoon_oracle::loopy::{Difference, Endless, Partizan, Player};

/// What one reading of the lemma assumes, and how often it is false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reading {
    assumed: usize,
    wrong: usize,
    /// The least number of edges of a graph where it is false.
    edges: Option<usize>,
}

impl Reading {
    fn add(&mut self, times: usize, assumed: bool, holds: bool, edges: usize) {
        if assumed {
            self.assumed += times;
            if !holds {
                self.wrong += times;
                self.edges = Some(self.edges.map_or(edges, |least| least.min(edges)));
            }
        }
    }
}

/// The counts of one number of vertices.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    graphs: usize,
    pairs: usize,
    /// As printed, with all alternating walks.
    walks: Reading,
    /// As printed, with paths that pass no vertex twice.
    paths: Reading,
    /// As corrected.
    corrected: Reading,
    /// As corrected, but with the walks that pass v on their way as well.
    stronger: Reading,
}

/// The graph whose edges are the bits: of each player, from each vertex to each.
fn graph(vertices: usize, bits: usize) -> Partizan {
    let lists = |player: usize| {
        let list = |from: usize| {
            let place = |to: usize| (player * vertices + from) * vertices + to;
            (0..vertices).filter(|&to| bits >> place(to) & 1 == 1).collect()
        };
        (0..vertices).map(list).collect()
    };
    Partizan { left: lists(0), right: lists(1) }
}

/// The bits of the same graph with other names of its vertices.
fn renamed(vertices: usize, bits: usize, names: &[usize]) -> usize {
    let mut found = 0;
    for place in (0..2 * vertices * vertices).filter(|place| bits >> place & 1 == 1) {
        let [player, from, to] =
            [place / vertices / vertices, place / vertices % vertices, place % vertices];
        found |= 1 << ((player * vertices + names[from]) * vertices + names[to]);
    }
    found
}

/// Whether there is an alternating walk from u to v: for each player who may begin, one of odd and
/// one of even length. Walks that are `cut` meet v only at their end.
fn walks(graph: &Partizan, u: usize, v: usize, cut: bool) -> [[bool; 2]; 2] {
    Player::BOTH.map(|first| {
        let mut reached = vec![[false; 2]; graph.len()];
        let mut waiting = vec![(u, first)];
        while let Some((vertex, player)) = waiting.pop() {
            if cut && vertex == v {
                continue;
            }
            for &to in graph.options(vertex, player) {
                // Who began moves again after an even number of edges.
                let even = player.opponent() == first;
                if !std::mem::replace(&mut reached[to][usize::from(even)], true) {
                    waiting.push((to, player.opponent()));
                }
            }
        }
        reached[v]
    })
}

/// Whether there is an alternating path of even length from a vertex to another that passes no
/// vertex twice.
fn even_path(graph: &Partizan, passed: &mut Vec<usize>, player: Player, v: usize) -> bool {
    let vertex = passed[passed.len() - 1];
    if vertex == v {
        return passed.len() % 2 == 1;
    }
    graph.options(vertex, player).iter().any(|&to| {
        !passed.contains(&to) && {
            passed.push(to);
            let found = even_path(graph, passed, player.opponent(), v);
            passed.pop();
            found
        }
    })
}

/// v deleted, and what led to it leads to u. The vertices behind v move up by one place.
fn fused(graph: &Partizan, u: usize, v: usize) -> Partizan {
    let place = |vertex: usize| {
        let vertex = if vertex == v { u } else { vertex };
        vertex - usize::from(vertex > v)
    };
    let lists = |lists: &[Vec<usize>]| {
        let list = |(_, list): (usize, &Vec<usize>)| {
            let mut list: Vec<usize> = list.iter().map(|&to| place(to)).collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        lists.iter().enumerate().filter(|&(from, _)| from != v).map(list).collect()
    };
    Partizan { left: lists(&graph.left), right: lists(&graph.right) }
}

/// Whether an alternating cycle of the fused graph passes a redirected edge.
fn closes(graph: &Partizan, fused: &Partizan, u: usize, v: usize) -> bool {
    let place = |vertex: usize| vertex - usize::from(vertex > v);
    Player::BOTH.into_iter().any(|player| {
        // What is reached from u by the opponent of who went there, and who moves next.
        let mut reached = vec![[false; 2]; fused.len()];
        let mut waiting = vec![(place(u), player.opponent())];
        while let Some((vertex, next)) = waiting.pop() {
            if !std::mem::replace(&mut reached[vertex][usize::from(next == player)], true) {
                waiting.extend(fused.options(vertex, next).iter().map(|&to| (to, next.opponent())));
            }
        }
        (0..graph.len())
            .filter(|&from| from != v && graph.options(from, player).contains(&v))
            .any(|from| reached[place(from)][1])
    })
}

/// Whether the onsides of all vertices but v are the same in the fused graph.
fn keeps_onsides(graph: &Partizan, fused: &Partizan, v: usize) -> bool {
    let above = Difference::new(graph, fused, Endless::InFirst);
    let below = Difference::new(fused, graph, Endless::InFirst);
    (0..graph.len()).filter(|&w| w != v).all(|w| {
        let place = w - usize::from(w > v);
        above.survives(w, place, Player::Right) && below.survives(place, w, Player::Right)
    })
}

fn count(vertices: usize, names: &[&[usize]]) -> Counts {
    let mut counts = Counts::default();
    for bits in 0..1_usize << (2 * vertices * vertices) {
        let mut same: Vec<usize> =
            names.iter().map(|names| renamed(vertices, bits, names)).collect();
        same.sort_unstable();
        same.dedup();
        if same[0] < bits {
            continue;
        }
        let times = same.len();
        counts.graphs += times;
        let (graph, edges) = (graph(vertices, bits), bits.count_ones() as usize);
        let onsides = Difference::new(&graph, &graph, Endless::InFirst);
        for u in 0..vertices {
            for v in (0..vertices).filter(|&v| v != u) {
                let ge = |a, b| onsides.survives(a, b, Player::Right);
                if !(ge(u, v) && ge(v, u)) {
                    continue;
                }
                counts.pairs += times;
                let fused = fused(&graph, u, v);
                let holds = keeps_onsides(&graph, &fused, v);
                let [all, cut] = [false, true].map(|cut| walks(&graph, u, v, cut));
                let even = |walks: [[bool; 2]; 2]| walks[0][1] || walks[1][1];
                let both_odd = |walks: [[bool; 2]; 2]| walks[0][0] && walks[1][0];
                let path =
                    Player::BOTH.iter().any(|&first| even_path(&graph, &mut vec![u], first, v));
                let corrected = !even(cut) && !both_odd(cut);
                assert_eq!(corrected, !closes(&graph, &fused, u, v), "{graph:?}, {u} and {v}");
                counts.walks.add(times, !even(all), holds, edges);
                counts.paths.add(times, !path, holds, edges);
                counts.corrected.add(times, corrected, holds, edges);
                counts.stronger.add(times, !even(all) && !both_odd(all), holds, edges);
            }
        }
    }
    counts
}

/// The numbers of the row of the document for graphs of so many vertices, in their order.
fn row(vertices: usize) -> Vec<usize> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings/lemma-16.md");
    let text = std::fs::read_to_string(file).expect("the document is there");
    let beginning = format!("| {vertices} |");
    let row = text.lines().find(|line| line.starts_with(&beginning)).expect("it has such a row");
    let numbers = row.replace(',', "");
    let numbers = numbers.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    numbers.map(|number| number.parse().expect("it is a number")).collect()
}

/// What was counted, as a row of the document.
fn counted(vertices: usize, counts: &Counts) -> Vec<usize> {
    let Counts { graphs, pairs, walks, paths, corrected, .. } = counts;
    let readings = [walks, paths, corrected].map(|reading| [reading.assumed, reading.wrong]);
    [&[vertices, *graphs, *pairs], readings.as_flattened()].concat()
}

#[test]
fn all_graphs_of_two_vertices_are_as_the_document_counts_them() {
    let counts = count(2, &[&[0, 1], &[1, 0]]);
    assert_eq!(counted(2, &counts), row(2));
    assert_eq!(counted(2, &counts), [2, 256, 372, 116, 0, 372, 32, 148, 0]);
    assert_eq!((counts.stronger.assumed, counts.stronger.wrong), (112, 0));
    assert_eq!(counts.paths.edges, Some(3), "the least that it takes");
}

#[test]
fn all_graphs_of_three_vertices_are_as_the_document_counts_them() {
    let names: [&[usize]; 6] =
        [&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]];
    let counts = count(3, &names);
    assert_eq!(counted(3, &counts), row(3));
    let expected = [3, 262_144, 1_275_816, 196_920, 144, 682_620, 30_096, 264_744, 0];
    assert_eq!(counted(3, &counts), expected);
    assert_eq!((counts.stronger.assumed, counts.stronger.wrong), (193_092, 0));
    assert_eq!(counts.walks.edges, Some(4), "the least that it takes");
}
