//! Drawing a graph of edges in text.
//!
//! A tree lies on its side, the ground at the left:
//!
//! ```text
//! 0 -g- 1 -l- 2 -g- 4
//! |     +-l- 3
//! +-g- 5
//! ```

use std::fmt::Display;

use super::edges::Graph;

/// Larger trees would be mostly blanks.
const LARGEST_TREE: usize = 100;

/// Draws a tree, or lists the edges of another graph by their height. `mark` is drawn on an edge,
/// and `write` names it in lists.
pub(crate) fn draw<V: Display>(
    graph: &Graph<V>,
    mark: impl Fn(usize) -> char,
    write: impl Fn(usize) -> String,
) -> String {
    let heights = graph.heights(None);
    let connected = heights.iter().all(Option::is_some);
    if connected && graph.size() + 1 == graph.order() && graph.size() <= LARGEST_TREE {
        return draw_tree(graph, mark);
    }
    let height =
        |vertex: u32| heights[vertex as usize].map_or(usize::MAX, |height| height as usize);
    let mut edges: Vec<_> = (0..graph.size())
        .map(|edge| {
            let [a, b] = graph.ends(edge);
            (height(a).min(height(b)), edge)
        })
        .collect();
    edges.sort_unstable();
    let lines = edges.chunk_by(|a, b| a.0 == b.0).map(|level| {
        let names: Vec<_> = level.iter().map(|&(_, edge)| write(edge)).collect();
        format!("height {}: {}", level[0].0.saturating_add(1), names.join(", "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The first child continues the line of its parent; each other one begins a line below it.
fn draw_tree<V: Display>(graph: &Graph<V>, mark: impl Fn(usize) -> char) -> String {
    let ground: Vec<char> = graph.name(0).to_string().chars().collect();
    let mut lines = vec![ground];
    let mut column = vec![0; graph.order()];
    let mut is_bare = vec![true; graph.order()];
    // Edges still to be drawn, each with its lower vertex; the next one is at the end.
    let mut todo: Vec<(u32, u32)> = Vec::new();
    todo.extend(graph.edges_at(0).iter().rev().map(|&edge| (edge, 0)));
    while let Some((edge, below)) = todo.pop() {
        let above = graph.across(edge, below);
        let corner = column[below as usize];
        if std::mem::replace(&mut is_bare[below as usize], false) {
            // Nothing stands on this vertex so far, so it is the end of the last line.
            if let Some(line) = lines.last_mut() {
                line.push(' ');
            }
        } else {
            for line in lines.iter_mut().rev() {
                if line.len() <= corner {
                    line.resize(corner + 1, ' ');
                }
                if line[corner] != ' ' {
                    break;
                }
                line[corner] = '|';
            }
            let mut line = vec![' '; corner];
            line.push('+');
            lines.push(line);
        }
        if let Some(line) = lines.last_mut() {
            line.extend(['-', mark(edge as usize), '-', ' ']);
            column[above as usize] = line.len();
            line.extend(graph.name(above).to_string().chars());
        }
        let upward = graph.edges_at(above).iter().rev().filter(|&&other| other != edge);
        todo.extend(upward.map(|&other| (other, above)));
    }
    let lines = lines.into_iter().map(|line| line.into_iter().collect::<String>());
    lines.map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(edges: &[[u32; 2]]) -> String {
        let graph = Graph::new(0, edges.iter().copied());
        draw(&graph, |_| '-', |edge| format!("{}-{}", edges[edge][0], edges[edge][1]))
    }

    #[test]
    fn a_tree_lies_on_its_side() {
        let tree = drawn(&[[0, 1], [0, 5], [1, 2], [1, 3], [2, 4], [2, 10], [10, 11]]);
        let expected = "0 --- 1 --- 2 --- 4\n|     |     +--- 10 --- 11\n|     +--- 3\n+--- 5";
        assert_eq!(tree, expected);
        assert_eq!(drawn(&[]), "0");
    }

    #[test]
    fn a_graph_with_a_cycle_is_listed_by_height() {
        let drawn = drawn(&[[0, 1], [1, 2], [1, 3], [2, 3], [3, 3]]);
        assert_eq!(drawn, "height 1: 0-1\nheight 2: 1-2, 1-3\nheight 3: 2-3, 3-3");
    }

    #[test]
    fn a_large_tree_is_listed() {
        let stalk: Vec<_> = (0..1000).map(|vertex| [vertex, vertex + 1]).collect();
        assert_eq!(drawn(&stalk).lines().count(), 1000);
        assert_eq!(drawn(&stalk[..100]).lines().count(), 1);
    }
}
