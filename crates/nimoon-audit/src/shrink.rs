//! Shrinks a counterexample while it stays one.

use nimoon::{Digraph, Node};

/// Removes nodes, replaces one node by another, and removes arcs and gray marks, as long as the
/// digraph stays `bad`.
///
/// ```
/// use nimoon::Digraph;
/// use nimoon_audit::shrink::shrink;
/// let digraph = Digraph::new(4, [2], vec![(0, 1), (1, 1), (1, 2), (3, 0)]).unwrap();
/// let has_loop = |d: &Digraph| d.nodes().any(|v| d.options(v).contains(&v));
/// assert_eq!(shrink(&digraph, has_loop), Digraph::new(1, [], vec![(0, 0)]).unwrap());
/// ```
pub fn shrink(digraph: &Digraph, mut bad: impl FnMut(&Digraph) -> bool) -> Digraph {
    let mut smallest = digraph.clone();
    // Each round makes the digraph smaller in nodes, arcs or gray marks, so this ends.
    loop {
        let found = smaller(&smallest).find(|candidate| bad(candidate));
        match found {
            Some(candidate) => smallest = candidate,
            None => return smallest,
        }
    }
}

/// Everything that is one step smaller, the largest steps first.
fn smaller(digraph: &Digraph) -> impl Iterator<Item = Digraph> + '_ {
    let nodes = digraph.nodes().filter_map(|gone| without_node(digraph, gone, None));
    let merged = digraph.nodes().flat_map(move |gone| {
        let others = digraph.nodes().filter(move |&other| other != gone);
        others.filter_map(move |other| without_node(digraph, gone, Some(other)))
    });
    let arcs = digraph.arcs().filter_map(|gone| {
        let arcs = digraph.arcs().filter(|&arc| arc != gone).collect();
        Digraph::new(digraph.len(), digraph.gray_nodes(), arcs).ok()
    });
    let colors = digraph.gray_nodes().filter_map(|gone| {
        let gray = digraph.gray_nodes().filter(|&node| node != gone);
        Digraph::new(digraph.len(), gray, digraph.arcs().collect()).ok()
    });
    nodes.chain(merged).chain(arcs).chain(colors)
}

/// The digraph without a node; moves to it lead to another node or are removed too.
fn without_node(digraph: &Digraph, gone: Node, instead: Option<Node>) -> Option<Digraph> {
    let place = |node: Node| if node > gone { node - 1 } else { node };
    let gray = digraph.gray_nodes().filter(|&node| node != gone).map(place);
    let arcs = digraph.arcs().filter(|&(from, _)| from != gone);
    let arcs = arcs.filter_map(|(from, to)| {
        let to = if to == gone { instead? } else { to };
        Some((place(from), place(to)))
    });
    Digraph::new(digraph.len() - 1, gray, arcs.collect()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digraph_that_is_not_bad_stays_as_it_is() {
        let digraph = Digraph::new(2, [1], vec![(0, 1)]).unwrap();
        assert_eq!(shrink(&digraph, |_| false), digraph);
    }

    #[test]
    fn one_node_can_replace_another() {
        // Two nodes that both end in a terminal node of their own: one terminal node is enough.
        let digraph = Digraph::new(4, [], vec![(0, 1), (2, 3)]).unwrap();
        let two_arcs = |d: &Digraph| d.arc_count() == 2 && d.arcs().all(|(v, w)| v != w);
        assert_eq!(shrink(&digraph, two_arcs).len(), 2);
    }

    #[test]
    fn gray_marks_that_are_not_needed_are_removed() {
        let digraph = Digraph::new(3, [0, 2], vec![(0, 1), (1, 2)]).unwrap();
        let path = |d: &Digraph| d.arcs().eq([(0, 1), (1, 2)]);
        let white = Digraph::new(3, [], vec![(0, 1), (1, 2)]).unwrap();
        assert_eq!(shrink(&digraph, path), white);
        let gray = Digraph::new(3, [2], vec![(0, 1), (1, 2)]).unwrap();
        assert_eq!(shrink(&digraph, |d| path(d) && d.is_gray(2)), gray);
    }
}
