//! Which arcs to turn round so that no cycle is left.

/// Marks a small set of arcs without which, or with which turned round, there are no cycles.
///
/// The greedy order of Eades, Lin and Smyth (1993): sinks go to the end, sources to the front,
/// and of the rest the node with the most arcs out over arcs in goes to the front. An arc that
/// leads back in this order is turned. Sinks and sources are taken first, so an arc that is on
/// no cycle of what is left never leads back on their account; arcs between strongly connected
/// components are kept out of the count, and are never turned.
pub(super) fn turned_arcs(len: usize, arcs: &[(usize, usize)]) -> Vec<bool> {
    let component = strong_components(len, arcs);
    let inner = |&&(v, w): &&(usize, usize)| component[v] == component[w];
    let mut out = vec![Vec::new(); len];
    let mut into = vec![Vec::new(); len];
    for &(v, w) in arcs.iter().filter(inner) {
        out[v].push(w);
        into[w].push(v);
    }
    let mut outdegree: Vec<usize> = out.iter().map(Vec::len).collect();
    let mut indegree: Vec<usize> = into.iter().map(Vec::len).collect();
    let mut place = vec![usize::MAX; len];
    let (mut front, mut back) = (0, len);
    let mut left: Vec<usize> = (0..len).collect();
    while !left.is_empty() {
        let sink = left.iter().position(|&v| outdegree[v] == 0);
        let chosen = sink
            .or_else(|| left.iter().position(|&v| indegree[v] == 0))
            .or_else(|| {
                let excess = |v: usize| outdegree[v].cast_signed() - indegree[v].cast_signed();
                // The first of those with the largest excess.
                (0..left.len()).rev().max_by_key(|&i| excess(left[i]))
            })
            .unwrap_or(0);
        let node = left.remove(chosen);
        if sink.is_some() {
            back -= 1;
            place[node] = back;
        } else {
            place[node] = front;
            front += 1;
        }
        for &w in &out[node] {
            indegree[w] -= 1;
        }
        for &v in &into[node] {
            outdegree[v] -= 1;
        }
    }
    arcs.iter().map(|&(v, w)| component[v] == component[w] && place[v] > place[w]).collect()
}

/// A number for each node, equal for nodes that lie on a common cycle (Tarjan's algorithm, with
/// a stack of its own in place of recursion).
fn strong_components(len: usize, arcs: &[(usize, usize)]) -> Vec<usize> {
    let mut out = vec![Vec::new(); len];
    for &(v, w) in arcs {
        out[v].push(w);
    }
    let mut index = vec![usize::MAX; len];
    let mut low = vec![0; len];
    let mut component = vec![usize::MAX; len];
    let mut open: Vec<usize> = Vec::new();
    let mut count = 0;
    for start in 0..len {
        if index[start] != usize::MAX {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some(&mut (v, ref mut next)) = path.last_mut() {
            if *next == 0 {
                index[v] = count;
                low[v] = count;
                count += 1;
                open.push(v);
            }
            if let Some(&w) = out[v].get(*next) {
                *next += 1;
                if index[w] == usize::MAX {
                    path.push((w, 0));
                } else if component[w] == usize::MAX {
                    low[v] = low[v].min(index[w]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[v]);
            }
            if low[v] == index[v] {
                while let Some(w) = open.pop() {
                    component[w] = v;
                    if w == v {
                        break;
                    }
                }
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_loses_one_arc_and_exits_none() {
        let arcs = [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4)];
        let turned = turned_arcs(5, &arcs);
        assert_eq!(turned.iter().filter(|&&t| t).count(), 1);
        assert!(!turned[3] && !turned[4]);
    }

    #[test]
    fn strong_components_are_the_cycles() {
        let found = strong_components(5, &[(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2)]);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[2], found[3]);
        assert_eq!(found[3], found[4]);
        assert_ne!(found[0], found[2]);
    }

    #[test]
    fn acyclic_digraphs_are_left_alone() {
        let arcs: Vec<_> = (0..6).flat_map(|v| (0..v).map(move |w| (v, w))).collect();
        assert!(turned_arcs(6, &arcs).iter().all(|&t| !t));
    }
}
