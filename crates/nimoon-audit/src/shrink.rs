//! Making a counterexample smaller while it stays one.

use nimoon::{Digraph, Node};

/// Takes away nodes, then arcs, then gray marks as long as the digraph stays `bad`.
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
    let nodes = digraph.nodes().filter_map(|gone| without_node(digraph, gone));
    let arcs = digraph.arcs().filter_map(|gone| {
        let arcs = digraph.arcs().filter(|&arc| arc != gone).collect();
        Digraph::new(digraph.len(), digraph.gray_nodes(), arcs).ok()
    });
    let colors = digraph.gray_nodes().filter_map(|gone| {
        let gray = digraph.gray_nodes().filter(|&node| node != gone);
        Digraph::new(digraph.len(), gray, digraph.arcs().collect()).ok()
    });
    nodes.chain(arcs).chain(colors)
}

fn without_node(digraph: &Digraph, gone: Node) -> Option<Digraph> {
    let place = |node: Node| if node > gone { node - 1 } else { node };
    let gray = digraph.gray_nodes().filter(|&node| node != gone).map(place);
    let arcs = digraph.arcs().filter(|&(from, to)| from != gone && to != gone);
    let arcs = arcs.map(|(from, to)| (place(from), place(to))).collect();
    Digraph::new(digraph.len() - 1, gray, arcs).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_bad_is_left_alone() {
        let digraph = Digraph::new(2, [1], vec![(0, 1)]).unwrap();
        assert_eq!(shrink(&digraph, |_| false), digraph);
    }

    #[test]
    fn gray_marks_go_when_they_are_not_needed() {
        let digraph = Digraph::new(3, [0, 2], vec![(0, 1), (1, 2)]).unwrap();
        let one_gray = |d: &Digraph| d.gray_nodes().count() >= 1 && d.arc_count() == 1;
        let two = Digraph::new(2, [0], vec![(0, 1)]).unwrap();
        assert_eq!(shrink(&digraph, |d| one_gray(d) || d.arc_count() == 2).len(), 2);
        assert_eq!(shrink(&two, one_gray), two);
    }
}
